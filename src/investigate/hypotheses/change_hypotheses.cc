// Generators over changes: commits by their diffs, flags and settings by when they were turned.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "investigate/changes/learned_edits.h"
#include "investigate/hypotheses/generators.h"
#include "investigate/hypotheses/shared_words.h"

namespace precedent {
namespace {

using std::chrono::minutes;

// What shows with the first request has shown by then.
constexpr minutes kAtOnce{30};

// However clearly an error names what was edited, the edit may be innocent.
constexpr double kNamedAtMost = 0.9;

std::string short_id(const std::string& id) {
  return id.substr(0, std::min<size_t>(id.size(), 10));
}

// How far what is edited can reach where the failure begins.
Condition reach_of(const CaseFile& evidence, const ChangeCandidate& candidate,
                   std::string_view service) {
  Condition out{.what = "can reach what fails", .measure = Measure::kReach};
  if (service == evidence.failing) {
    out.holds = 1;
    out.because = fmt::format("it runs in {}, where the failure begins", service);
    return out;
  }
  const CallEdge* edge = evidence.graph.edge(service, evidence.failing);
  if (edge == nullptr) edge = evidence.graph.edge(evidence.failing, service);
  if (edge != nullptr) {
    out.holds = 0.9;
    out.because = edge->why;
    out.receipt = edge->receipt;
    return out;
  }
  const bool way = !evidence.graph.way(service, evidence.failing).empty();
  const bool shows = std::ranges::find(evidence.affected, service) != evidence.affected.end();
  // Where it is known who calls whom, no way between two calm and separate parts is an answer.
  const bool known = !evidence.graph.edges().empty();
  out.holds = shows ? 0.6 : way ? 0.4 : candidate.shared ? 0.3 : known ? 0 : 0.1;
  out.because = shows
                    ? fmt::format("{} fails, too; no call between it and {} was seen", service,
                                  evidence.failing)
                    : fmt::format("no call between {} and {} was seen", service, evidence.failing);
  return out;
}

struct Placed {
  const WentLive* live = nullptr;
  std::string service;
  Condition reach;
};
// Where the candidate runs. Each place is tried: shared code goes live in several.
std::vector<Placed> places_of(const CaseFile& evidence, const ChangeCandidate& candidate) {
  std::vector<Placed> out;
  for (const WentLive& live : candidate.live)
    out.push_back({&live, live.service, reach_of(evidence, candidate, live.service)});
  for (const std::string& owner : candidate.owners)
    if (std::ranges::find(out, owner, &Placed::service) == out.end())
      out.push_back({nullptr, owner, reach_of(evidence, candidate, owner)});
  if (out.empty())
    out.push_back({nullptr,
                   "",
                   {"can reach what fails", candidate.shared ? 0.3 : 0.1, 1,
                    "which services run it is not recorded", "", Measure::kReach}});
  return out;
}

// Of what shows the failure where it begins, the share that came after `live`. One early sign may
// be chance; a failure that was there before was not caused.
double share_after(const CaseFile& evidence, Instant live) {
  double after = 0, all = 0;
  for (const Sign& sign : evidence.signs) {
    if (!sign.onset || sign.service != evidence.failing || !is_failure(sign.symptom)) continue;
    all += sign.weight;
    if (*sign.onset + evidence.slack >= live) after += sign.weight;
  }
  return all > 0 ? after / all : 0;
}
// Less than this came before it.
constexpr double kMostAfter = 0.8;

// What went live while nothing was measured came before the failure or after it.
constexpr double kInTheDark = 0.3;

Condition live_before(const CaseFile& evidence, const ChangeCandidate& candidate,
                      const Placed& placed, Instant onset) {
  Condition out{.what = "live before the onset", .measure = Measure::kLive};
  const Instant made = candidate.change.at;
  const Instant live = placed.live != nullptr ? placed.live->at : made;
  const double share = live <= onset + evidence.slack ? 1 : share_after(evidence, live);
  if (placed.live != nullptr) {
    out.holds = share >= kMostAfter ? share : 0;
    out.because = fmt::format("{} went live in {} at {}, the onset was {}", placed.live->deploy,
                              placed.live->service, format_time(live), format_time(onset));
    if (evidence.dark_since && live > *evidence.dark_since) {
      out.holds = std::min(out.holds, kInTheDark);
      out.because +=
          fmt::format("; nothing was measured between {} and then, and it may have failed before",
                      format_time(*evidence.dark_since));
    }
    return out;
  }
  if (share < kMostAfter) {
    out.because = fmt::format("it was made at {}, after the onset at {}", format_time(made),
                              format_time(onset));
    return out;
  }
  // No deploy brought it. Where deploys of its service are recorded, none is an answer.
  out.holds = candidate.deploys_known ? 0 : 0.6;
  out.because = candidate.deploys_known ? "no deploy since it was made brought it"
                                        : "deploys of what it touches are not recorded";
  return out;
}

// The share of what is seen that the effect explains.
double explained(const SymptomSet& can, const SymptomSet& seen, std::string& which) {
  double got = 0, all = 0;
  for (const Symptom symptom : seen.list()) {
    all += weight(symptom);
    if (!can.has(symptom)) continue;
    got += weight(symptom);
    which += (which.empty() ? "" : ", ") + std::string(text(symptom));
  }
  return all > 0 ? got / all : 0;
}

// Whether the effect explains what few kinds of fault do; a half where nothing of that kind is
// seen.
double specifically(const SymptomSet& can, const SymptomSet& seen) {
  bool any = false;
  for (const Symptom symptom : seen.list()) {
    if (!is_specific(symptom)) continue;
    if (can.has(symptom)) return 1;
    any = true;
  }
  return any ? 0 : 0.5;
}

// Of the places that matter: where it runs and where the failure begins. Traffic that moves is a
// consequence as often as a cause.
SymptomSet seen_at(const CaseFile& evidence, std::string_view service) {
  SymptomSet out = evidence.symptoms_of(evidence.failing);
  out.add(evidence.symptoms_of(service));
  SymptomSet kept;
  for (const Symptom symptom : out.list())
    if (symptom != Symptom::kTraffic && symptom != Symptom::kTrafficLoss) kept.add(symptom);
  return kept;
}

// The first sign that the effect explains, and that came before the change: then it did not do it.
const Sign* older_sign(const CaseFile& evidence, const SymptomSet& can, std::string_view service,
                       Instant live) {
  for (const Sign& sign : evidence.signs)
    if (sign.onset && is_specific(sign.symptom) && can.has(sign.symptom) &&
        *sign.onset + 2 * evidence.slack < live &&
        (sign.service == service || sign.service == evidence.failing))
      return &sign;
  return nullptr;
}

// Why a change of a caller cannot harm what it calls; "" where it can. It harms by what it sends:
// more calls, which shows where requests are counted, or calls of another kind. That it is slow
// itself is felt by those that wait for it.
std::string harmless_below(const CaseFile& evidence, const Effect& effect,
                           std::string_view service) {
  if (evidence.graph.edge(service, evidence.failing) == nullptr ||
      evidence.graph.edge(evidence.failing, service) != nullptr)
    return "";
  const auto can = [&](std::initializer_list<Symptom> any) {
    return std::ranges::any_of(any, [&](Symptom symptom) { return effect.can_cause.has(symptom); });
  };
  if (can({Symptom::kTraffic, Symptom::kFanOut})) {
    const bool counted = std::ranges::find(evidence.metrics.counted, evidence.failing) !=
                         evidence.metrics.counted.end();
    const bool more = evidence.sign(Symptom::kTraffic, evidence.failing) != nullptr ||
                      evidence.sign(Symptom::kFanOut, evidence.failing) != nullptr;
    return counted && !more ? evidence.failing + " gets no more requests than before" : "";
  }
  return can({Symptom::kDataFormat, Symptom::kAccess, Symptom::kSchema, Symptom::kQuota,
              Symptom::kLock, Symptom::kHandles})
             ? ""
             : fmt::format("{} calls {}, and does not send it anything else", service,
                           evidence.failing);
}

std::string remedy_of(const ChangeCandidate& candidate, const Effect& effect,
                      const SymptomSet& seen) {
  const bool only_values = std::ranges::all_of(candidate.hunks, [](const Hunk& hunk) {
    return hunk.role == FileRole::kSetting || hunk.role == FileRole::kDependency ||
           hunk.role == FileRole::kInert;
  });
  if (only_values) return "config-revert";
  // A schema that is behind its code is mended forward: the code waits for it.
  if (effect.row == "query_changed" && seen.has(Symptom::kSchema)) return "roll-forward";
  return "rollback";
}

Category category_of(const Effect& effect) {
  if (effect.row == "library_changed" || effect.row == "image_changed")
    return Category::kDependency;
  return file_role(effect.file) == FileRole::kSetting ? Category::kConfiguration : Category::kCode;
}

Hypothesis of_effect(const CaseFile& evidence, const ChangeCandidate& candidate,
                     const Effect& effect, const EditOpinion& opinion, const Placed& placed,
                     const SharedWords& words) {
  const Instant onset =
      evidence.onset.value_or(evidence.brief.fired_at.value_or(evidence.window.to));
  const std::string& commit = candidate.change.id;
  Hypothesis out;
  out.row = "change";
  out.category = category_of(effect);
  out.change = commit;
  out.service = placed.service;
  out.statement = fmt::format("{} ({}): {} in {}", short_id(commit),
                              shown_text(candidate.change.title, 120), effect.text, effect.file);
  out.needs.push_back(live_before(evidence, candidate, placed, onset));
  out.needs.push_back(placed.reach);
  const auto overlap = words.with(edited_text(candidate));
  const SymptomSet seen = seen_at(evidence, placed.service);
  std::string which;
  const double share = explained(effect.can_cause, seen, which);
  double can = effect.strength;
  // What a library, a query or an address breaks is named by the error: then it counts double.
  const double named = words.with(effect.line).rarest;
  if (effect.row == "library_changed" || effect.row == "query_changed" ||
      effect.row == "name_changed")
    can = std::min(kNamedAtMost, can * (1 + named));
  if (effect.row == "expression_changed") can *= 1 + named / 2;
  // Versions rise all the time. One that no error names is as likely innocent.
  if (effect.row == "library_changed" && named == 0) can /= 2;
  out.needs.push_back({"its diff can do this", which.empty() ? 0 : can, 1,
                       fmt::format("{}: `{}`", effect.text, shown_text(squeeze(effect.line), 160)),
                       "", Measure::kEffect});
  const Instant live = placed.live != nullptr ? placed.live->at : candidate.change.at;
  if (const Sign* older = older_sign(evidence, effect.can_cause, placed.service, live))
    out.needs.push_back(
        {"nothing of it was there before", 0.1, 1, older->what, older->receipt, Measure::kEarlier});
  if (const std::string why = harmless_below(evidence, effect, placed.service); !why.empty())
    out.needs.push_back({"what it calls feels it", 0.1, 1, why, "", Measure::kEarlier});
  const Sign* shown = nullptr;
  for (const Sign& sign : evidence.signs)
    if (shown == nullptr && effect.can_cause.has(sign.symptom) &&
        (sign.service == placed.service || sign.service == evidence.failing))
      shown = &sign;
  out.predictions.push_back({"explains what is seen", share, 1,
                             which.empty() ? "none of it" : which,
                             shown != nullptr ? shown->receipt : "", Measure::kExplains});
  const double specific = specifically(effect.can_cause, seen);
  out.predictions.push_back({"explains what few faults do", specific, 1,
                             specific > 0.5   ? ""
                             : specific > 0.0 ? "nothing of that kind is seen"
                                              : "it explains none of that",
                             "", Measure::kSpecific});
  std::string common;
  for (size_t i = 0; i < std::min<size_t>(overlap.words.size(), 6); ++i)
    common += (i > 0 ? ", " : "") + overlap.words[i];
  out.predictions.push_back({"edits what the failure speaks of", overlap.score, 1,
                             common.empty() ? "no word in common" : shown_text(common), "",
                             Measure::kWords});
  if (opinion.acts > 0) {
    out.predictions.push_back({"edits like it do harm", opinion.acts, 1,
                               fmt::format("{:.0f} of 100 do, most of all: {}", 100 * opinion.acts,
                                           text(opinion.likeliest())),
                               "", Measure::kActs});
    out.predictions.push_back(
        {"edits like it do what is seen", opinion.explains(seen), 1, "", "", Measure::kAlike});
  }
  const bool soon = onset - live <= kAtOnce;
  out.predictions.push_back(
      {effect.at_once ? "shows at once" : "builds up", !effect.at_once || soon ? 1.0 : 0.3, 1,
       fmt::format("{} between it and the onset",
                   format_duration(std::chrono::duration_cast<std::chrono::seconds>(
                       std::max(std::chrono::milliseconds(0), onset - live)))),
       "", Measure::kTiming});
  out.remedy = remedy_of(candidate, effect, seen);
  out.advice = out.remedy == "roll-forward"
                   ? fmt::format("Ship what {} needs (the schema it reads), or take it back.",
                                 short_id(commit))
               : out.remedy == "config-revert"
                   ? fmt::format("Set back what {} set.", short_id(commit))
                   : fmt::format("Roll {} back to before {}.",
                                 placed.service.empty() ? "it" : placed.service, short_id(commit));
  out.path = path_from(evidence, placed.service);
  return out;
}

}  // namespace

std::vector<Hypothesis> change_hypotheses(const CaseFile& evidence) {
  std::vector<Hypothesis> out;
  const SharedWords words(evidence);
  for (const ChangeCandidate& candidate : evidence.changes.candidates) {
    if (candidate.change.kind != ChangeKind::kCommit || !candidate.has_diff) continue;
    const EditOpinion opinion = opinion_of(candidate.hunks);
    std::optional<Hypothesis> best;
    double highest = 0;
    for (const Placed& placed : places_of(evidence, candidate))
      for (const Effect& effect : candidate.effects) {
        Hypothesis hypothesis = of_effect(evidence, candidate, effect, opinion, placed, words);
        const double score = score_of(hypothesis);
        if (best && score <= highest) continue;
        best = std::move(hypothesis);
        highest = score;
      }
    if (best) out.push_back(std::move(*best));
  }
  return out;
}

std::vector<Hypothesis> flag_hypotheses(const CaseFile& evidence) {
  std::vector<Hypothesis> out;
  const SharedWords words(evidence);
  const Instant onset =
      evidence.onset.value_or(evidence.brief.fired_at.value_or(evidence.window.to));
  for (const ChangeCandidate& candidate : evidence.changes.candidates) {
    const Change& change = candidate.change;
    if (change.kind != ChangeKind::kFlag && change.kind != ChangeKind::kConfig) continue;
    const std::vector<Placed> places = places_of(evidence, candidate);
    const Placed& placed = *std::ranges::max_element(
        places, {}, [](const Placed& place) { return place.reach.holds; });
    Hypothesis hypothesis;
    hypothesis.category = Category::kConfiguration;
    hypothesis.change = change.id;
    hypothesis.service = placed.service;
    hypothesis.statement =
        fmt::format("{} at {}", shown_text(change.title, 160), format_time(Instant(change.at)));
    hypothesis.needs.push_back(live_before(evidence, candidate, placed, onset));
    hypothesis.needs.push_back(placed.reach);
    // What a flag switches on is not in the record; only its name speaks.
    hypothesis.needs.push_back(
        {"what it switches can do this", 0.5, 1, "what it switches is not recorded", ""});
    const auto overlap = words.with(change.subject);
    hypothesis.predictions.push_back(
        {"is named after what fails", overlap.score, 0.7,
         overlap.words.empty() ? "no word in common" : overlap.words.front(), ""});
    hypothesis.predictions.push_back(
        {"shows at once", onset - Instant(change.at) <= kAtOnce ? 1.0 : 0.3, 0.3, "", ""});
    hypothesis.remedy = "flag-off";
    hypothesis.advice = fmt::format("Turn {} back.", shown_text(change.subject, 80));
    hypothesis.path = path_from(evidence, placed.service);
    out.push_back(std::move(hypothesis));
  }
  return out;
}

}  // namespace precedent
