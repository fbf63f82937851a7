#include "changes/reverts.h"

#include <fmt/format.h>

#include <algorithm>

namespace precedent {
namespace {

// As git abbreviates; a shorter one may be of several commits.
constexpr size_t kShortestHash = 7;

bool is_same_commit(std::string_view a, std::string_view b) {
  const size_t common = std::min(a.size(), b.size());
  return common >= kShortestHash && a.substr(0, common) == b.substr(0, common);
}

}  // namespace

bool reverts_by_hash(const Change& later, const Change& commit) {
  return later.kind == ChangeKind::kCommit && commit.kind == ChangeKind::kCommit &&
         std::ranges::any_of(later.reverts, [&](const std::string& hash) {
           return is_same_commit(commit.id, hash);
         });
}

bool has_title_of_revert(const Change& later, const Change& commit) {
  constexpr std::string_view kRevert = "Revert ";
  const std::string_view title = commit.title;
  return later.title == fmt::format("{}\"{}\"", kRevert, title) ||
         (title.starts_with("Revert \"") &&
          later.title == fmt::format("Reapply {}", title.substr(kRevert.size())));
}

}  // namespace precedent
