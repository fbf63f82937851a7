// The times of questions that others wrote.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "time/time_hints.h"

namespace precedent {
namespace {

// The incident questions of a public set, where the folder that holds it is present. Tests run in
// the source folder.
TEST(TimeHints, ReadsThePublicIncidentQuestions) {
  const char* set = std::getenv("PRECEDENT_SHARED_DATA");
  const std::filesystem::path file =
      std::filesystem::path(set != nullptr ? set : "../shared/data") /
      "07_intent_openrca_bank/questions.jsonl";
  std::ifstream in(file);
  if (!in) GTEST_SKIP() << "no " << file << "; PRECEDENT_SHARED_DATA names another folder";
  const TimePoint now = parse_time("2026-11-20T09:30:00Z").value();
  size_t read = 0;
  for (std::string line; std::getline(in, line);) {
    const auto row = nlohmann::json::parse(line);
    const std::string question = row["question"];
    const auto& range = row["time_range"];
    const TimeRange expected{parse_time(range["start"].get<std::string>()).value(),
                             parse_time(range["end"].get<std::string>()).value()};
    EXPECT_EQ(intersection(find_time_hints(question, now)), expected)
        << row["qid"] << ' ' << question;
    ++read;
  }
  EXPECT_GT(read, 0u);
}

}  // namespace
}  // namespace precedent
