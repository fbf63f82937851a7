// Golden examples and feedback in the store, over SQLite and over PostgreSQL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hash.h"
#include "store/knowledge_store.h"
#include "store/store_lab.h"

namespace precedent {
namespace {

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

class GoldenStoreTest : public StoreContract {};
OVER_EVERY_STORE(GoldenStoreTest);

TEST_P(GoldenStoreTest, AnExampleComesBackWithEveryFieldAfterReopening) {
  const GoldenExample all[] = {full_example(), plain_example("G-2")};
  ASSERT_TRUE(open().put_golden(all));
  const auto store = try_open(Access::kReadOnly);
  ASSERT_TRUE(store);
  EXPECT_EQ(*store->golden("G-1"), full_example());
  EXPECT_EQ(*store->golden("G-2"), plain_example("G-2"));
  EXPECT_EQ(*store->golden("G-3"), std::nullopt);
  EXPECT_THAT(*store->golden_examples(), ElementsAre(full_example(), plain_example("G-2")));
}

TEST_P(GoldenStoreTest, OnlyAReviewedAndActiveExampleIsWorthASearch) {
  auto store = try_open();
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

TEST_P(GoldenStoreTest, TheIdOfAnotherDocumentIsRefusedAndNothingIsStored) {
  auto store = try_open();
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

TEST_P(GoldenStoreTest, FeedbackGetsIdsAndIsListedWhilePending) {
  auto store = try_open();
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

TEST_P(GoldenStoreTest, FeedbackAndItsExampleAreWrittenTogetherOrNotAtAll) {
  auto store = try_open();
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

}  // namespace
}  // namespace precedent
