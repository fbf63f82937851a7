// What may be served, and which change of state is allowed.
#include "knowledge/golden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::HasSubstr;

const TimePoint kNow = *parse_time("2026-11-20T12:00:00Z");
const TimePoint kLater = kNow + std::chrono::hours(1);
const Review kAna{"Ana Ruiz", kNow};

GoldenDraft draft(std::string answer = "Rotate the key.") {
  GoldenDraft d;
  d.question = "How do I fix 403 from PayU?";
  d.answer = std::move(answer);
  return d;
}

GoldenExample example() { return example_of(std::nullopt, draft(), kNow); }
GoldenExample served_example() { return reviewed(example(), "", kAna).value(); }

GoldenExample uncorrected() {
  GoldenDraft d = draft("");
  d.source = GoldenSource::kNegative;
  d.rejected_answer = "Reboot.";
  return example_of(std::nullopt, d, kNow);
}

Feedback feedback(Thumb thumb) {
  Feedback f;
  f.id = 12;
  f.question = "How do I fix 403 from PayU?";
  f.answer = "Reboot.";
  f.thumb = thumb;
  f.created_at = kNow;
  return f;
}

TEST(GoldenId, IsTheSameForTheSameQuestionInAnotherDress) {
  const std::string id = golden_id("How do I fix 403 from PayU?");
  EXPECT_THAT(id, testing::MatchesRegex("G-[0-9A-F]{10}"));
  for (const char* same : {"how do i fix 403  from payu", " How do I fix\n403 from PayU ?! "})
    EXPECT_EQ(golden_id(same), id) << same;
  EXPECT_NE(golden_id("How do I fix 404 from PayU?"), id);
}

TEST(GoldenExample, IsServedOnlyWhenReviewedAndActiveAndWithAnAnswer) {
  EXPECT_FALSE(is_served(example()));
  EXPECT_TRUE(is_served(served_example()));
  EXPECT_FALSE(is_served(deactivated(served_example(), kLater).value()));
  GoldenExample rejected = uncorrected();
  rejected.review = kAna;
  EXPECT_FALSE(is_served(rejected));
  EXPECT_TRUE(is_served(reviewed(uncorrected(), "Rotate the key.", kAna).value()));
}

TEST(GoldenExample, IsFoundByItsQuestionAlone) {
  const Document d = to_document(served_example());
  EXPECT_EQ(d.kind, Kind::kGolden);
  EXPECT_EQ(d.body, d.title);
  EXPECT_EQ(d.title, "How do I fix 403 from PayU?");
}

TEST(GoldenDraft, AnEqualOneChangesNothing) {
  const GoldenExample stored = served_example();
  EXPECT_EQ(example_of(stored, draft(), kLater), stored);
  GoldenDraft again = draft();
  again.reviewed = true;
  again.review = {"somebody else", kLater};
  again.active = true;
  EXPECT_EQ(example_of(stored, again, kLater), stored);
}

TEST(GoldenDraft, AnotherAnswerMustBeReviewedAgainUnlessItWas) {
  GoldenDraft changed = draft("Call PayU.");
  EXPECT_EQ(example_of(served_example(), changed, kLater).review, std::nullopt);
  EXPECT_EQ(example_of(served_example(), changed, kLater).updated_at, kLater);
  changed.reviewed = true;
  changed.review = {"Bo", kLater};
  EXPECT_EQ(example_of(served_example(), changed, kLater).review->by, "Bo");
}

TEST(GoldenDraft, TheSameQuestionInAnotherDressNeedsNoOtherReview) {
  GoldenDraft dressed = draft();
  dressed.question = "how do I fix 403 from payu";
  const GoldenExample e = example_of(served_example(), dressed, kLater);
  EXPECT_EQ(e.question, dressed.question);
  EXPECT_EQ(e.review, kAna);
  dressed.question = "how do I fix 404 from payu";
  EXPECT_EQ(example_of(served_example(), dressed, kLater).review, std::nullopt);
}

TEST(GoldenDraft, DeactivatedStaysSoUnlessTheDraftSaysOtherwise) {
  const GoldenExample off = deactivated(served_example(), kNow).value();
  EXPECT_FALSE(example_of(off, draft(), kLater).active);
  GoldenDraft on = draft();
  on.active = true;
  EXPECT_TRUE(example_of(off, on, kLater).active);
  GoldenDraft unreviewed = draft();
  unreviewed.reviewed = false;
  EXPECT_FALSE(example_of(served_example(), unreviewed, kLater).review);
}

TEST(GoldenTransition, OneThatIsNotAllowedNamesTheIdAndTheRemedy) {
  const std::string id = example().id;
  struct Case {
    Result<GoldenExample> result;
    ErrorCode code;
    std::string remedy;
  };
  const Case cases[] = {
      {activated(example(), kNow), ErrorCode::kConflict, "review it"},
      {activated(served_example(), kNow), ErrorCode::kConflict, "nothing to do"},
      {deactivated(deactivated(example(), kNow).value(), kNow), ErrorCode::kConflict,
       "activate it"},
      {reviewed(served_example(), "", kAna), ErrorCode::kConflict, "another answer"},
      {reviewed(uncorrected(), " ", kAna), ErrorCode::kInvalidArgument, "the corrected answer"},
      {reviewed(example(), "", {" ", kNow}), ErrorCode::kInvalidArgument, "--by"},
      {reviewed(example(), std::string(kMaxGoldenAnswerBytes + 1, 'x'), kAna),
       ErrorCode::kInvalidArgument, "shorten"}};
  for (const Case& c : cases) {
    ASSERT_FALSE(c.result) << c.remedy;
    EXPECT_EQ(c.result.error().code, c.code) << c.remedy;
    EXPECT_THAT(c.result.error().message, testing::AllOf(HasSubstr(id), HasSubstr(c.remedy)));
  }
  EXPECT_EQ(reviewed(served_example(), "Better.", {"Bo", kLater})->review->by, "Bo");
}

TEST(GoldenProblem, NamesTheField) {
  const auto field = [](auto change) {
    GoldenExample e = example();
    change(e);
    const auto problem = problem_of(e);
    return problem ? problem->field : "";
  };
  EXPECT_EQ(field([](GoldenExample&) {}), "");
  EXPECT_EQ(field([](GoldenExample& e) { e.id = "a b"; }), "id");
  EXPECT_EQ(field([](GoldenExample& e) { e.question = " \t"; }), "question");
  EXPECT_EQ(field([](GoldenExample& e) { e.question = "\xff"; }), "question");
  EXPECT_EQ(field([](GoldenExample& e) { e.question.assign(kMaxGoldenQuestionBytes + 1, 'q'); }),
            "question");
  EXPECT_EQ(field([](GoldenExample& e) { e.answer = ""; }), "answer");
  EXPECT_EQ(field([](GoldenExample& e) { e.tags.assign(101, "t"); }), "tags");
  EXPECT_EQ(problem_of(uncorrected()), std::nullopt);
  GoldenExample wrong = uncorrected();
  wrong.review = kAna;
  EXPECT_EQ(problem_of(wrong)->field, "reviewed");
}

TEST(Feedback, AThumbUpBecomesAPositiveExampleAThumbDownACorrectedNegativeOne) {
  const auto up = reviewed(feedback(Thumb::kUp), "", kAna, std::nullopt);
  ASSERT_TRUE(up);
  EXPECT_EQ(up->example.source, GoldenSource::kPositive);
  EXPECT_EQ(up->example.answer, "Reboot.");
  const auto down = reviewed(feedback(Thumb::kDown), "Rotate the key.", kAna, std::nullopt);
  ASSERT_TRUE(down);
  EXPECT_EQ(down->example.source, GoldenSource::kNegative);
  EXPECT_EQ(down->example.answer, "Rotate the key.");
  EXPECT_EQ(down->example.rejected_answer, "Reboot.");
  EXPECT_EQ(down->feedback.golden, down->example.id);
  EXPECT_EQ(down->example.feedback, 12);
  EXPECT_TRUE(is_served(up->example) && is_served(down->example));
}

TEST(Feedback, TheReviewOfAKnownQuestionReplacesItsAnswerAndPutsItBack) {
  GoldenExample stored = deactivated(served_example(), kNow).value();
  stored.sources = {"INC-1"};
  const auto done = reviewed(feedback(Thumb::kDown), "Call PayU.", {"Bo", kLater}, stored);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->example.id, stored.id);
  EXPECT_EQ(done->example.answer, "Call PayU.");
  EXPECT_EQ(done->example.sources, stored.sources);
  EXPECT_TRUE(is_served(done->example));
}

TEST(Feedback, IsClosedOnce) {
  const auto without = reviewed(feedback(Thumb::kDown), " ", kAna, std::nullopt);
  EXPECT_EQ(without.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(without.error().message, HasSubstr("F-12"));
  const Feedback gone = dismissed(feedback(Thumb::kUp), "a joke", kAna).value();
  EXPECT_EQ(gone.state, FeedbackState::kDismissed);
  for (const std::string& message : {dismissed(gone, "", kAna).error().message,
                                     reviewed(gone, "x", kAna, std::nullopt).error().message}) {
    EXPECT_THAT(message, HasSubstr("F-12 was dismissed by Ana Ruiz on 2026-11-20"));
  }
}

TEST(Feedback, IdsAreReadAsShownOrBare) {
  EXPECT_EQ(parse_feedback_id(feedback_name(12)), 12);
  EXPECT_EQ(parse_feedback_id("f-3"), 3);
  EXPECT_EQ(parse_feedback_id("4"), 4);
  for (const char* bad : {"", "F-", "0", "-1", "1x", "99999999999999999999"})
    EXPECT_EQ(parse_feedback_id(bad), std::nullopt) << bad;
}

}  // namespace
}  // namespace precedent
