// Branches: what hypotheses have in common, as wider hypotheses that they are branches of.
//
// "The cause lies in db" branches into "a change of db did it", that into "the release 4.3 of db
// did it", and that into its commits: kMaxDepth levels. Hypotheses exclude one another, so a wider
// one is as likely as its branches together (hypothesis.h). What would have a single branch is left
// out, as it says nothing more; what is refuted is no branch. Of failures apart there are none.
//
// A release is what goes live, and what is rolled back: it may be convicted where none of its
// commits is. But only commits that are still open on their own count for it (verdict.h), or many
// that can hardly have done it would.
// Thread safety: pure functions over values.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "investigate/hypotheses/hypothesis.h"

namespace precedent {

inline constexpr size_t kMaxDepth = 4;

enum class BranchLevel { kPlace, kChanges, kRelease };
std::string_view name(BranchLevel level);  // "place"

struct WiderHypothesis {
  // Its row is that of no generator; `change` is the deploy of a release.
  Hypothesis hypothesis;
  BranchLevel level = BranchLevel::kPlace;
  std::string parent;                 // the id of another one, or ""
  std::vector<std::string> branches;  // ids of these and of hypotheses, the likeliest first
};

struct Branches {
  std::vector<WiderHypothesis> wider;  // parents before their branches
  // Of hypotheses: which of these each is a branch of.
  std::map<std::string, std::string> parent_of;

  const WiderHypothesis* find(std::string_view id) const;
};
// REQUIRES: the hypotheses have ids and confidences, the likeliest first.
Branches branches_of(const CaseFile& evidence, const std::vector<Hypothesis>& hypotheses);

// The release that is convicted though no commit of it is; null if there is none.
const WiderHypothesis* convicted_release(const Branches& branches,
                                         const std::vector<Hypothesis>& hypotheses);

}  // namespace precedent
