#include "agent/converse/extremes.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "agent/findings/extra_fields.h"
#include "agent/language/durations.h"
#include "base/strings.h"

namespace precedent {
namespace {

// "SEV1" before "P2", "critical" before "low"; nothing for a severity of no known scale.
std::optional<int> severity_rank(std::string_view severity) {
  static const RE2 kLevel("(?i)(?:sev(?:erity)?|p(?:rio(?:rity)?)?)[ -]?(\\d)");
  static constexpr std::string_view kWords[][2] = {
      {"critical", "blocker"}, {"high", "major"}, {"medium", "moderate"}, {"low", "minor"}};
  int level = 0;
  if (RE2::FullMatch(re2::StringPiece(severity.data(), severity.size()), kLevel, &level))
    return level;
  const std::string lower = ascii_lower(severity);
  for (size_t i = 0; i < std::size(kWords); ++i)
    if (std::ranges::find(kWords[i], lower) != std::end(kWords[i])) return static_cast<int>(i) + 1;
  return std::nullopt;
}

// The smallest is the extreme; nothing where the record does not say.
std::optional<int64_t> measure(Extreme extreme, const Incident& incident) {
  switch (extreme) {
    case Extreme::kSeverest: return severity_rank(incident.severity);
    case Extreme::kLongest:
    case Extreme::kShortest: {
      const auto minutes = time_to_recover(incident);
      if (!minutes) return std::nullopt;
      return extreme == Extreme::kLongest ? -minutes->count() : minutes->count();
    }
    case Extreme::kNewest:
    case Extreme::kOldest: {
      const auto at = opened(incident);
      if (!at) return std::nullopt;
      const int64_t ticks = at->time_since_epoch().count();
      return extreme == Extreme::kNewest ? -ticks : ticks;
    }
  }
  return std::nullopt;
}

struct Wording {
  std::string_view name, unmeasured;
};
Wording wording_of(Extreme extreme) {
  switch (extreme) {
    case Extreme::kSeverest: return {"severest", "severity"};
    case Extreme::kLongest: return {"longest", "end"};
    case Extreme::kShortest: return {"shortest", "end"};
    case Extreme::kNewest: return {"newest", "beginning"};
    case Extreme::kOldest: return {"oldest", "beginning"};
  }
  return {};
}

std::string value_of(Extreme extreme, const Incident& incident) {
  if (extreme == Extreme::kSeverest) return incident.severity;
  if (extreme == Extreme::kLongest || extreme == Extreme::kShortest)
    return duration_text(*time_to_recover(incident));
  return format_date(*opened(incident));
}

}  // namespace

std::vector<Extreme> read_extremes(std::string_view lower) {
  static const RE2 kSeverest(
      "\\b(?:worse|worst|(?:more|most) (?:severe|serious|critical)|(?:higher|highest) "
      "severity)\\b");
  static const RE2 kLongest("\\blong(?:er|est)\\b"), kShortest("\\b(?:short|quick)(?:er|est)\\b");
  static const RE2 kNewest("\\b(?:newest|newer|latest|later|most recent)\\b");
  static const RE2 kOldest(
      "\\b(?:oldest|older|earliest|earlier)\\b|\\b(?:happened|came|was|started|began|opened) "
      "first\\b");
  std::vector<Extreme> found;
  const re2::StringPiece text(lower.data(), lower.size());
  if (RE2::PartialMatch(text, kSeverest)) found.push_back(Extreme::kSeverest);
  if (RE2::PartialMatch(text, kLongest)) found.push_back(Extreme::kLongest);
  if (RE2::PartialMatch(text, kShortest)) found.push_back(Extreme::kShortest);
  if (RE2::PartialMatch(text, kNewest)) found.push_back(Extreme::kNewest);
  if (RE2::PartialMatch(text, kOldest)) found.push_back(Extreme::kOldest);
  return found;
}

Extremal extreme_of(Extreme extreme, std::span<const Incident* const> incidents) {
  Extremal extremal;
  std::optional<int64_t> best;
  for (size_t i = 0; i < incidents.size(); ++i) {
    const auto own = measure(extreme, *incidents[i]);
    extremal.unmeasured += own ? 0 : 1;
    if (!own || (best && *own > *best)) continue;
    if (best && *own < *best) extremal.places.clear();
    best = own;
    extremal.places.push_back(i);
  }
  // A severity of an unknown scale may be the worst of all.
  if (extreme == Extreme::kSeverest && extremal.unmeasured > 0) extremal.places.clear();
  return extremal;
}

std::string extreme_text(Extreme extreme, const Extremal& extremal,
                         std::span<const Incident* const> incidents) {
  const Wording words = wording_of(extreme);
  std::vector<std::string> ids;
  for (const size_t place : extremal.places) ids.push_back(incidents[place]->incident_id);
  std::string text =
      fmt::format("The {} of these {} incidents: {}, {}.", words.name, incidents.size(),
                  join(ids, " and "), value_of(extreme, *incidents[extremal.places.front()]));
  if (extremal.unmeasured > 0)
    text += fmt::format(" {} of them {} no recorded {}.", extremal.unmeasured,
                        extremal.unmeasured == 1 ? "has" : "have", words.unmeasured);
  return text;
}

}  // namespace precedent
