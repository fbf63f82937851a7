#include "ingest/records/golden_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Review kImporter{"import of f.jsonl", *parse_time("2026-11-20T12:00:00Z")};

struct Read {
  std::vector<GoldenDraft> drafts;
  std::vector<size_t> lines;
  std::vector<BadRecord> bad;
};

Read read(std::string_view text) {
  Read out;
  ByteSource in = ByteSource::of(text);
  const auto done = read_golden(
      in, {"f.jsonl", kImporter},
      [&](GoldenDraft&& draft, size_t line) -> Result<void> {
        out.drafts.push_back(std::move(draft));
        out.lines.push_back(line);
        return {};
      },
      [&](BadRecord&& bad) { out.bad.push_back(std::move(bad)); });
  EXPECT_TRUE(done);
  return out;
}

TEST(GoldenReader, EveryFieldIsRead) {
  const Read r = read(
      R"({"id":"g-7","question":" How? ","answer":"So.","source_type":"Positive","reviewed":true,)"
      R"("reviewed_by":"Ana","reviewed_at":"2026-01-02","active":false,"tags":["a","b"],"sources":"INC-1, RB-2"})"
      "\n");
  EXPECT_THAT(r.bad, IsEmpty());
  ASSERT_EQ(r.drafts.size(), 1u);
  const GoldenExample e = example_of(std::nullopt, r.drafts[0], kImporter.at);
  EXPECT_EQ(e.id, "G-7");
  EXPECT_EQ(e.question, "How?");
  EXPECT_EQ(e.answer, "So.");
  EXPECT_EQ(e.source, GoldenSource::kPositive);
  EXPECT_EQ(e.review, (Review{"Ana", *parse_time("2026-01-02")}));
  EXPECT_FALSE(e.active);
  EXPECT_THAT(e.tags, ElementsAre("a", "b"));
  EXPECT_THAT(e.sources, ElementsAre("INC-1", "RB-2"));
}

TEST(GoldenReader, WhatIsAbsentStaysOpen) {
  const Read r = read(
      "{\"question\":\"q\",\"answer\":\"a\"}\n{\"question\":\"r\",\"answer\":\"b\",\"reviewed\":"
      "true}");
  ASSERT_EQ(r.drafts.size(), 2u);
  EXPECT_EQ(r.drafts[0].reviewed, std::nullopt);
  EXPECT_EQ(r.drafts[0].active, std::nullopt);
  EXPECT_EQ(r.drafts[0].source, GoldenSource::kManual);
  EXPECT_EQ(example_of(std::nullopt, r.drafts[1], kImporter.at).review, kImporter);
}

TEST(GoldenReader, TheAnswerOfANegativeExampleIsTheRejectedOne) {
  const Read r = read(
      R"({"question":"q","answer":"bad","source_type":"negative"})"
      "\n"
      R"({"question":"r","answer":"bad","corrected_answer":"good","source_type":"negative","reviewed":true})");
  EXPECT_THAT(r.bad, IsEmpty());
  ASSERT_EQ(r.drafts.size(), 2u);
  const GoldenExample rejected = example_of(std::nullopt, r.drafts[0], kImporter.at);
  EXPECT_EQ(rejected.rejected_answer, "bad");
  EXPECT_EQ(rejected.answer, "");
  const GoldenExample corrected = example_of(std::nullopt, r.drafts[1], kImporter.at);
  EXPECT_EQ(corrected.answer, "good");
  EXPECT_TRUE(is_served(corrected));
}

TEST(GoldenReader, ABadLineIsNamedByFileLineAndFieldAndTheRestGoesOn) {
  struct Case {
    std::string line, field, says;
  };
  const Case cases[] = {
      {"{", "", "JSON"},
      {R"({"answer":"a"})", "question", "is empty"},
      {R"({"question":"q"})", "answer", "is empty"},
      {R"({"question":7,"answer":"a"})", "question", "must be text"},
      {R"({"question":"q","answer":"a","source_type":"good"})", "source_type",
       "positive, negative or manual"},
      {R"({"question":"q","answer":"a","reviewed":"maybe"})", "reviewed", "true or false"},
      {R"({"question":"q","answer":"a","active":{}})", "", ""},
      {R"({"question":"q","answer":"a","active":[1]})", "active", "true or false"},
      {R"({"question":"q","answer":"a","tags":{"a":1}})", "tags", "list of texts"},
      {R"({"question":"q","answer":"a","reviewed_at":"then"})", "reviewed_at", "then"},
      {R"({"question":"q","answer":"a","id":"a b"})", "id", "is no id"},
      {R"({"question":"q","answer":"a","corrected_answer":"b"})", "corrected_answer", "negative"},
      {R"({"question":"q","answer":"a","source_type":"negative","reviewed":true})", "reviewed",
       "corrected_answer"},
      {R"({"question":"q","source_type":"negative"})", "answer", "rejected"}};
  for (const Case& c : cases) {
    const Read r = read("\n" + c.line + "\n{\"question\":\"q\",\"answer\":\"a\"}\n");
    if (c.says.empty()) {  // an empty object says nothing
      EXPECT_THAT(r.bad, IsEmpty()) << c.line;
      continue;
    }
    ASSERT_EQ(r.bad.size(), 1u) << c.line;
    EXPECT_EQ(r.bad[0].path, "f.jsonl");
    EXPECT_EQ(r.bad[0].line, 2u) << c.line;
    EXPECT_EQ(r.bad[0].field, c.field) << c.line;
    EXPECT_THAT(r.bad[0].message, HasSubstr(c.says)) << c.line;
    EXPECT_THAT(r.lines, ElementsAre(3)) << c.line;
  }
}

TEST(GoldenReader, AFileThatIsNoTextIsOneBadRecord) {
  const Read r = read(std::string("\0\1\2\3\0\0\0\0", 8));
  EXPECT_EQ(r.bad.size(), 1u);
  EXPECT_THAT(r.drafts, IsEmpty());
}

}  // namespace
}  // namespace precedent
