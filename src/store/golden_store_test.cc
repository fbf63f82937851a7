// Golden examples and feedback in the store, and the step from the format before them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/hash.h"
#include "db/migrations.h"
#include "store/knowledge_store.h"
#include "store/schema.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const TimePoint kNow = *parse_time("2026-11-20T12:00:00Z");

GoldenExample full_example() {
  GoldenExample e;
  e.id = "G-1";
  e.question = "How do I fix \"403\" from PayU? 日本語";
  e.answer = "Rotate the key.\n\nThen restart.";
  e.rejected_answer = "Reboot.";
  e.source = GoldenSource::kNegative;
  e.review = Review{"Ana Ruiz", kNow};
  e.sources = {"INC-2025-01-20-005", "a, \"b\""};
  e.tags = {"payu"};
  e.created_at = kNow - std::chrono::hours(5);
  e.updated_at = kNow;
  e.feedback = 7;
  return e;
}

GoldenExample plain_example(std::string id) {
  GoldenExample e;
  e.id = std::move(id);
  e.question = "q";
  e.answer = "a";
  return e;
}

Feedback feedback(Thumb thumb = Thumb::kDown) {
  Feedback f;
  f.question = "why is it slow?";
  f.answer = "because";
  f.thumb = thumb;
  f.reason = "no help";
  f.created_at = kNow;
  return f;
}

class GoldenStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "precedent-golden-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }
  Result<KnowledgeStore> open(
      KnowledgeStore::Access access = KnowledgeStore::Access::kReadWrite) const {
    return KnowledgeStore::open(store_file(folder_), access);
  }
  fs::path folder_;
};

TEST_F(GoldenStoreTest, AnExampleComesBackWithEveryFieldAfterReopening) {
  const GoldenExample all[] = {full_example(), plain_example("G-2")};
  ASSERT_TRUE(open()->put_golden(all));
  const auto store = open(KnowledgeStore::Access::kReadOnly);
  ASSERT_TRUE(store);
  EXPECT_EQ(*store->golden("G-1"), full_example());
  EXPECT_EQ(*store->golden("G-2"), plain_example("G-2"));
  EXPECT_EQ(*store->golden("G-3"), std::nullopt);
  EXPECT_THAT(*store->golden_examples(), ElementsAre(full_example(), plain_example("G-2")));
}

TEST_F(GoldenStoreTest, OnlyAReviewedAndActiveExampleIsWorthASearch) {
  auto store = open();
  EXPECT_FALSE(*store->serves_golden());
  GoldenExample e = full_example();
  e.active = false;
  const GoldenExample none[] = {e, plain_example("G-2")};
  ASSERT_TRUE(store->put_golden(none));
  EXPECT_FALSE(*store->serves_golden());
  e.active = true;
  ASSERT_TRUE(store->put_golden({&e, 1}));
  EXPECT_TRUE(*store->serves_golden());
}

TEST_F(GoldenStoreTest, TheIdOfAnotherDocumentIsRefusedAndNothingIsStored) {
  auto store = open();
  Document d;
  d.id = "RB-1";
  d.kind = Kind::kRunbook;
  ASSERT_TRUE(store->apply({.put = {{.document = d, .hash = content_hash(d)}}}));
  const GoldenExample both[] = {plain_example("G-1"), plain_example("RB-1")};
  const auto done = store->put_golden(both);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kConflict);
  EXPECT_THAT(done.error().message, HasSubstr("'RB-1'"));
  EXPECT_TRUE(store->golden_examples()->empty());
}

TEST_F(GoldenStoreTest, FeedbackGetsIdsAndIsListedWhilePending) {
  auto store = open();
  EXPECT_EQ(*store->add_feedback(feedback()), 1);
  EXPECT_EQ(*store->add_feedback(feedback(Thumb::kUp)), 2);
  Feedback expected = feedback();
  expected.id = 1;
  EXPECT_EQ(*store->feedback(1), expected);
  EXPECT_EQ(*store->feedback(3), std::nullopt);
  expected.state = FeedbackState::kDismissed;
  expected.closed = Review{"Ana", kNow};
  expected.note = "a joke";
  ASSERT_TRUE(store->close_feedback(expected, std::nullopt));
  EXPECT_EQ(*store->feedback(1), expected);
  EXPECT_EQ(store->feedback_list(true)->size(), 1u);
  EXPECT_EQ(store->feedback_list(false)->size(), 2u);
}

TEST_F(GoldenStoreTest, FeedbackAndItsExampleAreWrittenTogetherOrNotAtAll) {
  auto store = open();
  Feedback f = feedback();
  f.id = *store->add_feedback(f);
  f.state = FeedbackState::kReviewed;
  f.closed = Review{"Ana", kNow};
  f.golden = "RB-1";
  Document d;
  d.id = "RB-1";
  ASSERT_TRUE(store->apply({.put = {{.document = d, .hash = content_hash(d)}}}));
  EXPECT_EQ(store->close_feedback(f, plain_example("RB-1")).error().code, ErrorCode::kConflict);
  EXPECT_EQ((*store->feedback(f.id))->state, FeedbackState::kPending);
  f.golden = "G-1";
  ASSERT_TRUE(store->close_feedback(f, plain_example("G-1")));
  EXPECT_TRUE(*store->golden("G-1"));
  const auto again = store->close_feedback(f, std::nullopt);
  EXPECT_EQ(again.error().code, ErrorCode::kConflict);
  EXPECT_THAT(again.error().message, HasSubstr("F-1 is not pending"));
}

TEST_F(GoldenStoreTest, AFileOfFormat1IsBroughtUpToDateAndKeepsItsDocuments) {
  {
    const std::string_view first_script = store_schema().migrations[0].sqlite;
    const db::Schema first{store_schema().application_id, {&first_script, 1}};
    auto connection = db::Connection::open(store_file(folder_));
    ASSERT_TRUE(connection);
    ASSERT_TRUE(db::migrate(*connection, first));
    ASSERT_TRUE(connection->script(
        "INSERT INTO sources VALUES (1, '/runbooks');"
        "INSERT INTO documents VALUES (1, 'RB-1', 'hash', 1, 1, NULL, 'runbook', NULL, 1, 1, 0, 0, "
        "0, 2, 'Old runbook', 'rb.md', 1, '[\"payu\"]', '[]', '[]', '', '', '', '', NULL, NULL, "
        "NULL, '{}');"
        "INSERT INTO bodies VALUES (1, 'Rotate the key.');"
        "INSERT INTO chunks VALUES (2, 'key', 1, 1, '[]', 'Rotate the key.');"
        "UPDATE meta SET value = 1 WHERE key = 'version';"
        "UPDATE meta SET value = 3 WHERE key = 'next_point';"));
  }
  const auto too_old = open(KnowledgeStore::Access::kReadOnly);
  ASSERT_FALSE(too_old);
  EXPECT_THAT(too_old.error().message, HasSubstr("has format 1"));
  auto store = open();
  ASSERT_TRUE(store) << store.error().text();
  const auto kept = store->find("RB-1");
  ASSERT_TRUE(kept && *kept);
  EXPECT_EQ((*kept)->title, "Old runbook");
  EXPECT_EQ((*kept)->body, "Rotate the key.");
  EXPECT_EQ(store->stored(std::vector<std::string>{"RB-1"})->at(0).chunks.size(), 1u);
  EXPECT_EQ(*store->version(), 1u);
  EXPECT_TRUE(store->golden_examples()->empty());
  const GoldenExample e = full_example();
  EXPECT_TRUE(store->put_golden({&e, 1}));
  EXPECT_TRUE(open(KnowledgeStore::Access::kReadOnly));
}

}  // namespace
}  // namespace precedent
