// Report: an investigation as JSON (docs/format/investigation.md) and as Markdown, which is also
// what a terminal shows.
//
// Thread safety: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "investigate/verdict/investigation.h"

namespace precedent {

nlohmann::json incident_json(const IncidentBrief& brief);
nlohmann::json to_json(const Investigation& investigation);
// Whether what hypotheses have in common says more than the likeliest of them.
bool has_open_branches(const Investigation& investigation);
// Over the hypotheses that are no cause.
std::string_view alternatives_heading(const CaseVerdict& verdict);
// Before the first failing service: what nobody measured is only said.
std::string_view first_heading(const CaseFile& evidence);
std::string to_markdown(const Investigation& investigation);

// What happened, in order: changes that went live where it fails, signs, the alert.
struct TimelineEntry {
  Instant at{};
  std::string what;
  std::string receipt;
};
std::vector<TimelineEntry> timeline_of(const Investigation& investigation);

}  // namespace precedent
