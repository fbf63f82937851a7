// The numbered steps of a runbook, and which of its sections is to be followed in an incident.
//
// A runbook says how to look, how to mitigate and how to tell that it worked; who is paged needs
// the second. Sections that show more than talk are found by structure alone, and ranked by what
// they say (search/passages.h); a later one is likelier, since looking comes before mending.
// Thread safety: as Searcher. Time is linear in the document.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "investigate/verdict/investigation.h"
#include "knowledge/document.h"
#include "search/searcher.h"

namespace precedent {

struct StepSection {
  std::vector<std::string> heading;  // the path of headings above it, its own last
  LineRange lines;                   // of the document's file
  std::string text;                  // Markdown, without secrets
  std::vector<RunbookStep> steps;    // two or more that are numbered, or none
};
// In the order of the document; none where it has no lines.
std::vector<StepSection> step_sections(const Document& document);

// The one to follow; of alternatives of which none is clearly that of the incident, all. Nothing
// where no section with numbered steps comes first. `incident`: what is wrong, in words.
std::optional<StepSection> section_to_follow(const Searcher& search, const Document& document,
                                             std::string_view incident);

}  // namespace precedent
