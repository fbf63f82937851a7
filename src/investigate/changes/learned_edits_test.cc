#include "investigate/changes/learned_edits.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "files/files.h"

namespace precedent {
namespace {

Hunk hunk_of(const std::string& file, const std::vector<std::string>& lines) {
  std::string diff = "@@ f @@\n";
  for (const std::string& line : lines) diff += line + "\n";
  auto hunks = parse_diff(diff, {file});
  return hunks.empty() ? Hunk() : hunks.front();
}

// As the code that trained it has it: train/fit_edits.py writes both.
TEST(LearnedEdits, ReadsAnEditAsTheTrainingDid) {
  const auto text = read_file("tests/golden/adapters/edits.json", 4 << 20);
  ASSERT_TRUE(text.has_value());
  const auto records = nlohmann::json::parse(*text);
  ASSERT_GT(records.size(), 30u);
  for (const auto& record : records) {
    const Hunk hunk = hunk_of(record["file"], record["lines"]);
    const EditOpinion opinion = LearnedEdits::built_in().read(hunk);
    const auto& expected = record["probabilities"];
    EXPECT_NEAR(opinion.acts, expected[0].get<double>(), 2e-3) << hunk.file;
    for (size_t s = 0; s < kSymptoms; ++s)
      EXPECT_NEAR(opinion.causes[s], expected[s + 1].get<double>(), 2e-3)
          << hunk.file << ' ' << name(static_cast<Symptom>(s));
  }
}

TEST(LearnedEdits, WhatNoProcessReadsDoesNothing) {
  const EditOpinion opinion =
      opinion_of({hunk_of("docs/queue.md", {"-one consumer", "+two consumers"})});
  EXPECT_EQ(opinion.acts, 0);
}

TEST(LearnedEdits, ExplainsWhatItIsLikelierToCauseThanOthers) {
  EditOpinion opinion;
  for (size_t s = 0; s < kSymptoms; ++s)
    opinion.causes[s] = LearnedEdits::built_in().usual(static_cast<Symptom>(s));
  EXPECT_NEAR(opinion.explains({Symptom::kLock}), 0.5, 1e-9);
  EXPECT_EQ(opinion.explains({}), 0.5);
  opinion.causes[static_cast<size_t>(Symptom::kLock)] = 0.5;
  EXPECT_GT(opinion.explains({Symptom::kLock}), 0.8);
  EXPECT_NEAR(opinion.explains({Symptom::kDns}), 0.5, 1e-9);
  EXPECT_EQ(opinion.likeliest(), Symptom::kLock);
}

TEST(LearnedEdits, ADamagedFileSaysHowItIsMade) {
  const std::string text = "this is no adapter";
  const auto model = LearnedEdits::parse(std::as_bytes(std::span(text)), "edits.safetensors");
  ASSERT_FALSE(model.has_value());
  EXPECT_NE(model.error().text().find("train/fit_edits.py makes it"), std::string::npos);
}

}  // namespace
}  // namespace precedent
