#include "changes/reverts.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

Change commit(std::string id, std::string title, std::vector<std::string> reverts = {}) {
  Change change;
  change.id = std::move(id);
  change.title = std::move(title);
  change.reverts = std::move(reverts);
  return change;
}

TEST(Reverts, AHashMayBeCutShort) {
  const Change cached = commit("8f3b1c2d4e5f60718293a4b5c6d7e8f901234567", "Cache pages");
  EXPECT_TRUE(reverts_by_hash(commit("1", "x", {"0123456", cached.id}), cached));
  EXPECT_TRUE(reverts_by_hash(commit("1", "x", {"8f3b1c2"}), cached));
  EXPECT_TRUE(reverts_by_hash(commit("1", "x", {cached.id}), commit("8f3b1c2", "Cache pages")));
  EXPECT_FALSE(reverts_by_hash(commit("1", "x", {"8f3b1c3"}), cached));
  EXPECT_FALSE(reverts_by_hash(commit("1", "x", {"8f3b"}), cached));
  EXPECT_FALSE(reverts_by_hash(commit("1", "x"), cached));
}

TEST(Reverts, ARevertHasTheTitleThatGitGivesIt) {
  const auto is_revert = [](const char* later, const char* of) {
    return has_title_of_revert(commit("1", later), commit("2", of));
  };
  EXPECT_TRUE(is_revert("Revert \"Cache pages\"", "Cache pages"));
  EXPECT_TRUE(is_revert("Reapply \"Cache pages\"", "Revert \"Cache pages\""));
  EXPECT_TRUE(is_revert("Revert \"Revert \"Cache pages\"\"", "Revert \"Cache pages\""));
  EXPECT_TRUE(is_revert("Revert \"Reapply \"Cache pages\"\"", "Reapply \"Cache pages\""));
  EXPECT_FALSE(is_revert("Reapply \"Cache pages\"", "Cache pages"));
  EXPECT_FALSE(is_revert("Revert \"Cache\"", "Cache pages"));
}

}  // namespace
}  // namespace precedent
