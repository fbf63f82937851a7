// Drafts: what an investigation would teach, for somebody to review and complete: a post-mortem and
// a known issue, as Markdown with front matter that `precedent ingest` reads.
//
// Nothing is invented: what the evidence does not tell stands there as a question in italics. Both
// say that they are drafts. Thread safety: pure functions.
#pragma once

#include <string>

#include "base/time.h"
#include "investigate/verdict/investigation.h"

namespace precedent {

std::string draft_postmortem(const Investigation& investigation, TimePoint now);
// "" where no cause was found: what is not understood is no known issue.
std::string draft_known_issue(const Investigation& investigation, TimePoint now);

}  // namespace precedent
