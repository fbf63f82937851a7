// Changed code: the places that the commits found for a question wrote, to be looked at next.
//
// Thread safety: pure but for the source of changes, which is asked what a commit wrote.
#pragma once

#include <vector>

#include "agent/plan/plan.h"
#include "changes/change_source.h"
#include "tools/receipt.h"

namespace precedent {

// Calls of repo_search, at most four: of each commit the file that it wrote most of, the largest
// first, then the second one. What does not run comes last, and so does a commit of a line or two,
// such as one of a version. Where `source` does not know what was written, the file that several of
// the commits touched is the likelier one.
std::vector<PlannedCall> changed_code(const std::vector<Receipt>& receipts,
                                      const ChangeSource* source);

}  // namespace precedent
