// The generators of hypothesis.h, one function a row. Each gives none where nothing triggers it.
//
// Thread safety: pure functions.
#pragma once

#include <vector>

#include "investigate/hypothesis.h"

namespace precedent {

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

}  // namespace precedent
