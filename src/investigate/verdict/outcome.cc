#include "investigate/verdict/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_access.h"
#include "base/strings.h"
#include "investigate/alerts/brief.h"

namespace precedent {
namespace {

using nlohmann::json;

// What the report convicts.
struct Convicted {
  std::string change, service;  // or the deploy of a release
};

std::vector<Convicted> convicted_by(const json& report) {
  std::vector<Convicted> out;
  for (const json& id : foreign::member(report, "causes"))
    for (const char* key : {"hypotheses", "wider"})
      for (const json& hypothesis : foreign::member(report, key)) {
        if (foreign::member(hypothesis, "id") != id) continue;
        const std::string change(foreign::text(hypothesis, "change")),
            release(foreign::text(hypothesis, "release"));
        if (!change.empty() || !release.empty())
          out.push_back({change.empty() ? release : change,
                         std::string(foreign::text(hypothesis, "service"))});
      }
  return out;
}

bool is_of(const Change& change, const std::string& service) {
  return std::ranges::find(change.services, service) != change.services.end();
}

bool is_deploy(const Change& change) {
  return change.kind == ChangeKind::kDeploy || change.kind == ChangeKind::kRollback;
}

// What of the changes before it one takes back; null: it takes nothing back.
const Change* taken_back(const Change& change, const std::vector<Change>& all) {
  const Change* found = nullptr;
  for (const Change& other : all) {
    if (&other == &change || other.at > change.at) continue;
    const bool reverted = std::ranges::any_of(change.reverts, [&](const std::string& id) {
      return id.size() >= 7 && other.id.starts_with(id);
    });
    const bool turned = (change.kind == ChangeKind::kFlag || change.kind == ChangeKind::kConfig) &&
                        other.kind == change.kind && !change.subject.empty() &&
                        other.subject == change.subject && !change.to.empty() &&
                        other.from == change.to;
    if (reverted || turned) found = &other;
  }
  return found;
}

// Whether a deploy brings back what ran before.
bool rolls_back(const Change& change, const std::vector<Change>& all) {
  if (change.kind == ChangeKind::kRollback) return true;
  if (change.kind != ChangeKind::kDeploy || change.version.empty()) return false;
  const Change* last = nullptr;
  bool ran = false;
  for (const Change& other : all) {
    if (&other == &change || other.at >= change.at || !is_deploy(other) ||
        other.services != change.services)
      continue;
    ran = ran || other.version == change.version;
    if (last == nullptr || other.at > last->at) last = &other;
  }
  return ran && last->version != change.version;
}

}  // namespace

std::string_view name(Outcomes outcome) {
  switch (outcome) {
    case Outcomes::kConfirmed: return "confirmed";
    case Outcomes::kContradicted: return "contradicted";
    case Outcomes::kMissed: return "missed";
    case Outcomes::kUnknown: return "unknown";
  }
  return "unknown";
}

json to_json(const OutcomeScore& score) {
  json out = {{"outcome", name(score.outcome)}, {"because", score.because}};
  if (!score.change.empty()) out["change"] = score.change;
  return out;
}

OutcomeScore outcome_score(const json& report, std::vector<Change> changes, TimePoint since) {
  std::ranges::stable_sort(changes, {}, &Change::at);
  const json& incident = foreign::member(report, "incident");
  if (const auto fired = parse_time(foreign::text(incident, "fired_at")))
    since = std::min(since, *fired);
  if (const auto onset = parse_time(foreign::text(report, "onset"))) since = *onset;
  const std::vector<Convicted> convicted = convicted_by(report);
  const Change* other = nullptr;
  for (const Change& change : changes) {
    if (change.at < since) continue;
    const Change* before = taken_back(change, changes);
    const bool rolled = rolls_back(change, changes);
    if (before == nullptr && !rolled) continue;
    for (const Convicted& each : convicted)
      if ((before != nullptr && before->id == each.change) ||
          (rolled && is_of(change, each.service)))
        return {Outcomes::kConfirmed,
                fmt::format("{} took back {} at {}", shown_line(change.title, 120),
                            shown_line(each.change, 60), format_time(change.at)),
                change.id};
    if (other == nullptr) other = &change;
  }
  if (other == nullptr)
    return {Outcomes::kUnknown, "no recorded change took anything back while it lasted", ""};
  const bool found = !foreign::member(report, "causes").empty();
  const std::string what = fmt::format("{} ({}) at {} took {} back", shown_line(other->title, 120),
                                       shown_line(other->id, 60), format_time(other->at),
                                       found ? "another change" : "a change");
  return {found ? Outcomes::kContradicted : Outcomes::kMissed, what, other->id};
}

}  // namespace precedent
