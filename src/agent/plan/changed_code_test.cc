// Which places in the code are looked at for the commits that were found.
#include "agent/plan/changed_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

namespace precedent {
namespace {

using nlohmann::json;
using testing::ElementsAre;

// Knows of each commit, by its hash, what it wrote.
class WrittenLines final : public ChangeSource {
 public:
  std::map<std::string, std::vector<ChangedLines>> of;

  const std::string& name() const override { return name_; }
  Result<ChangeList> changes(const ChangeQuery&) const override { return ChangeList{}; }
  std::vector<std::string> services() const override { return {}; }
  std::vector<ChangedLines> changed_lines(const Change& change) const override {
    const auto found = of.find(change.id);
    return found == of.end() ? std::vector<ChangedLines>() : found->second;
  }

 private:
  std::string name_ = "git:lab";
};

std::vector<Receipt> found(std::vector<std::pair<std::string, std::vector<std::string>>> commits) {
  ChangesResult result;
  for (auto& [id, files] : commits)
    result.changes.push_back(
        {.id = id, .kind = ChangeKind::kCommit, .title = "title of " + id, .files = files});
  Receipt receipt;
  receipt.result = std::move(result);
  return {receipt};
}

std::vector<std::string> places(const std::vector<PlannedCall>& calls) {
  std::vector<std::string> out;
  for (const PlannedCall& call : calls)
    out.push_back(to_json(call.arguments).value("path", "") + ":" +
                  to_json(call.arguments).value("lines", ""));
  return out;
}

TEST(ChangedCode, IsWhatCommitsWroteTheMostOfFirst) {
  WrittenLines source;
  source.of["one"] = {{"cache.py", 10, 12}, {"cache.py", 40, 60}, {"app.py", 1, 4}};
  source.of["two"] = {{"log.py", 1, 7}};
  const auto calls =
      changed_code(found({{"two", {"log.py"}}, {"one", {"app.py", "cache.py"}}}), &source);
  EXPECT_THAT(places(calls), ElementsAre("cache.py:40-60,10-12", "log.py:1-7", "app.py:1-4"));
  EXPECT_EQ(to_json(calls[0].arguments)["query"], "title of one");
  EXPECT_EQ(calls[0].tool(), "repo_search");
}

TEST(ChangedCode, ThatDoesNotRunOrIsAWordComesLast) {
  WrittenLines source;
  source.of["release"] = {{"CHANGELOG.md", 1, 30}};
  source.of["bump"] = {{"app.py", 3, 3}};
  source.of["tests"] = {{"tests/test_cache.py", 1, 90}};
  source.of["real"] = {{"cache.py", 5, 9}};
  const auto calls = changed_code(found({{"release", {"CHANGELOG.md"}},
                                         {"bump", {"app.py"}},
                                         {"tests", {"tests/test_cache.py"}},
                                         {"real", {"cache.py"}}}),
                                  &source);
  EXPECT_THAT(places(calls), ElementsAre("cache.py:5-9", "app.py:3", "tests/test_cache.py:1-90",
                                         "CHANGELOG.md:1-30"));
}

TEST(ChangedCode, OfWhichNothingIsKnownIsWhatSeveralTouched) {
  const auto receipts =
      found({{"one", {"a.py", "cache.py"}}, {"two", {"cache.py", "z.py"}}, {"none", {}}});
  EXPECT_THAT(places(changed_code(receipts, nullptr)), ElementsAre("cache.py:", "cache.py:"));
  const WrittenLines knows_nothing;
  EXPECT_THAT(places(changed_code(receipts, &knows_nothing)),
              ElementsAre("cache.py:", "cache.py:"));
}

TEST(ChangedCode, IsAFewPlaces) {
  WrittenLines source;
  std::vector<std::pair<std::string, std::vector<std::string>>> commits;
  for (char c = 'a'; c < 'k'; ++c) {
    commits.push_back({std::string(1, c), {"x.py"}});
    source.of[std::string(1, c)] = {{std::string(1, c) + ".py", 1, 9}};
  }
  EXPECT_EQ(changed_code(found(commits), &source).size(), 4u);
}

}  // namespace
}  // namespace precedent
