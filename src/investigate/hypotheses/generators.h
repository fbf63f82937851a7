// The table of generators: what makes hypotheses, one row and one function each. A function gives
// none where nothing triggers it.
//
// Thread safety: pure functions.
#pragma once

#include <string_view>
#include <vector>

#include "investigate/hypotheses/hypothesis.h"

namespace precedent {

struct Generator {
  std::string_view name;
  std::string_view triggered_by;
  std::vector<Hypothesis> (*make)(const CaseFile& evidence);
};
// In the order of docs/investigate.md.
const std::vector<Generator>& generators();

// Of one generator, not scored yet.
std::vector<Hypothesis> hypotheses_of(const Generator& row, const CaseFile& evidence);
// Of all generators: scored, the likeliest first, numbered.
std::vector<Hypothesis> ranked(std::vector<Hypothesis> all);

// change_hypotheses.cc
std::vector<Hypothesis> change_hypotheses(const CaseFile& evidence);
std::vector<Hypothesis> flag_hypotheses(const CaseFile& evidence);
// outside_hypotheses.cc
std::vector<Hypothesis> traffic_hypotheses(const CaseFile& evidence);
std::vector<Hypothesis> certificate_hypotheses(const CaseFile& evidence);
std::vector<Hypothesis> provider_hypotheses(const CaseFile& evidence);
// inside_hypotheses.cc
std::vector<Hypothesis> machine_hypotheses(const CaseFile& evidence);
std::vector<Hypothesis> record_hypotheses(const CaseFile& evidence);
std::vector<Hypothesis> resource_hypotheses(const CaseFile& evidence);
// known_hypotheses.cc
std::vector<Hypothesis> known_hypotheses(const CaseFile& evidence);

}  // namespace precedent
