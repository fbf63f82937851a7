#include "investigate/changes/change_candidates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "files/temporary_folder.h"

namespace precedent {
namespace {

using testing::ElementsAre;

// One commit to `file`, which went live as release 3.1.0 of cart.
ChangeCandidate committed(std::string_view file, std::string_view diff) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "commits.json")
      << R"([{"sha":"aaaa000000000000000000000000000000000000","timestamp":"2026-05-04T09:00:00Z",
      "message":"cart 3.1.0","files_changed":[")"
      << file << R"("],"diff":")" << diff << R"("}])";
  std::ofstream(folder.path() / "deploys.json")
      << R"([{"timestamp":"2026-05-04T09:10:00Z","service":"cart",
      "commit_sha":"aaaa000000000000000000000000000000000000","version":"3.1.0"}])";
  ServiceGraph graph;
  graph.add_service("cart");
  const CandidateList list = read_candidates(folder.path(), graph);
  EXPECT_EQ(list.candidates.size(), 1u);
  return list.candidates.empty() ? ChangeCandidate{} : list.candidates.front();
}

TEST(ChangeCandidates, AFileNamedAfterAServiceIsItsOwn) {
  constexpr std::string_view kDiff = R"(@@ -1 +1 @@\n-  pool: 40\n+  pool: 4\n)";
  const ChangeCandidate own = committed("deploy/prod/cart.yaml", kDiff);
  EXPECT_THAT(own.owners, ElementsAre("cart"));
  EXPECT_FALSE(own.shared);
  EXPECT_TRUE(committed("deploy/prod/limits.yaml", kDiff).shared);
}

}  // namespace
}  // namespace precedent
