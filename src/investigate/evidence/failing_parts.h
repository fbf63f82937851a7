// Failures that have nothing to do with each other: services that fail, and no call between those
// of one part and those of another was seen.
//
// Thread safety: pure functions.
#pragma once

#include <vector>

#include "investigate/evidence/evidence.h"

namespace precedent {

// The services in the order in which they are likely to be where it begins; the parts, too. At most
// kMaxParts.
inline constexpr size_t kMaxParts = 4;
std::vector<std::vector<std::string>> failing_parts(const ServiceGraph& graph,
                                                    const std::vector<std::string>& failing);

// What is known of one part alone: its signs, and where it begins. Spans and receipts are left out.
CaseFile evidence_of(const CaseFile& evidence, const FailingPart& part);

}  // namespace precedent
