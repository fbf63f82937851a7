// How an incident ended, from the sources of changes that tools.yaml names.
#include "cli/incidents/systems_investigator.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "files/temporary_folder.h"

namespace precedent {
namespace {

using nlohmann::json;

class ScoreTest : public testing::Test {
 protected:
  json score(const std::string& records) {
    std::ofstream(folder_.path() / "deploys.jsonl") << records;
    SystemsInvestigator investigator({folder_.path(), (folder_.path() / "tools.yaml").string()},
                                     clock_);
    const json report = {
        {"onset", "2026-11-17T15:40:00Z"},
        {"causes", {"H1"}},
        {"hypotheses", {{{"id", "H1"}, {"change", "d1c5617f4f"}, {"service", "search"}}}}};
    return investigator
        .score(report, *parse_time("2026-11-17T15:50:00Z"), *parse_time("2026-11-17T17:00:00Z"))
        .value();
  }
  void tools(const std::string& text) { std::ofstream(folder_.path() / "tools.yaml") << text; }

  TemporaryFolder folder_;
  SystemClock clock_;
};

TEST_F(ScoreTest, IsToldByTheRecordedChanges) {
  tools("environments: {}\nchanges:\n  logs: [deploys.jsonl]\n");
  const std::string rollback =
      R"({"time":"2026-11-17T16:30:00Z","service":"search","kind":"rollback","version":"2.30"})";
  EXPECT_EQ(score(rollback + "\n")["outcome"], "confirmed");
  EXPECT_EQ(
      score(
          R"({"time":"2026-11-17T18:30:00Z","service":"search","kind":"rollback","version":"2.30"})"
          "\n")["outcome"],
      "unknown")
      << "after it was over";
  EXPECT_EQ(
      score(R"({"time":"2026-11-17T16:30:00Z","service":"web","kind":"rollback","version":"7"})"
            "\n")["outcome"],
      "contradicted");
}

TEST_F(ScoreTest, WithoutASourceOfChangesThereIsNone) {
  tools("environments: {}\n");
  EXPECT_TRUE(score("").is_null());
}

}  // namespace
}  // namespace precedent
