// Retry, fallback, limits, recording and redaction, each around a scripted model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "llm/fallback_model.h"
#include "llm/limit_model.h"
#include "llm/recording.h"
#include "llm/redact_model.h"
#include "llm/retry_model.h"
#include "llm/scripted_model.h"
#include "llm/token_estimate.h"
#include "llm/watched_model.h"

namespace precedent {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::ElementsAre;
using testing::HasSubstr;

const ScriptedFailure kBusy{{ErrorCode::kUnavailable, "busy"}, {503, true}};

class Wrappers : public testing::Test {
 protected:
  Result<ModelReply> ask(ChatModel& model, std::string question = "Well?") {
    return model.complete({.messages = {{Role::kUser, std::move(question)}}}, context_);
  }
  std::string events() const {
    std::string out;
    for (const Event& event : events_.events)
      out += (out.empty() ? "" : "|") + std::string(name(event.type)) + ":" + event.text;
    return out;
  }

  std::shared_ptr<ScriptedModel> first_ = std::make_shared<ScriptedModel>("first");
  std::shared_ptr<ScriptedModel> second_ = std::make_shared<ScriptedModel>("second");
  RecordingSink events_;
  CancelToken cancel_;
  ModelContext context_{events_, cancel_, std::nullopt, "support_bot"};
};

class Retry : public Wrappers {
 protected:
  RetryModel model(RetryOptions options = {}) {
    return RetryModel(
        first_, options,
        [this](milliseconds pause, const CancelToken& cancel) {
          waits_.push_back(pause.count());
          return cancel.check();
        },
        [] { return 0.5; });
  }
  std::vector<int64_t> waits_;
};

TEST_F(Wrappers, AModelIsWatchedUntilItAnswersAgain) {
  WatchedModel model(first_);
  EXPECT_EQ(model.last_failure(), "");
  first_->fail_with(kBusy);
  EXPECT_FALSE(ask(model));
  EXPECT_THAT(model.last_failure(), HasSubstr("busy"));
  first_->fail_with({{ErrorCode::kCancelled, "cancelled"}});
  EXPECT_FALSE(ask(model));
  EXPECT_THAT(model.last_failure(), HasSubstr("busy"));
  first_->answer("Yes.");
  EXPECT_TRUE(ask(model));
  EXPECT_EQ(model.last_failure(), "");
  EXPECT_EQ(model.name(), "first");
}

TEST_F(Retry, DoublesAJitteredDelayUntilItWorks) {
  for (int i = 0; i < 3; ++i) first_->fail_with(kBusy);
  first_->answer("Yes.");
  auto model = this->model(
      {.attempts = 4, .first_delay = milliseconds(1000), .max_delay = milliseconds(3000)});
  const auto reply = ask(model);
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->message.content, "Yes.");
  EXPECT_THAT(waits_, ElementsAre(500, 1000, 1500));
  EXPECT_THAT(events(), HasSubstr("status:first is not available, asking again..."));
}

TEST_F(Retry, GivesUpAfterTheLastAttempt) {
  for (int i = 0; i < 5; ++i) first_->fail_with(kBusy);
  auto model = this->model();
  const auto reply = ask(model);
  ASSERT_FALSE(reply);
  EXPECT_THAT(reply.error().message, HasSubstr("busy (asked 3 times)"));
  EXPECT_EQ(first_->requests().size(), 3U);
  EXPECT_EQ(context_.failure.http_status, 503);
}

TEST_F(Retry, WaitsAsLongAsItIsAskedTo) {
  first_->fail_with({{ErrorCode::kUnavailable, "slow down"}, {429, true, milliseconds(7000)}});
  first_->answer("Yes.");
  auto model = this->model({.first_delay = milliseconds(1000)});
  ASSERT_TRUE(ask(model));
  EXPECT_THAT(waits_, ElementsAre(7500));
}

TEST_F(Retry, DoesNotBeginAWaitThatIsTooLong) {
  const ScriptedFailure later{{ErrorCode::kUnavailable, "slow down"},
                              {429, true, milliseconds(3'600'000)}};
  first_->fail_with(later);
  auto model = this->model();
  const auto reply = ask(model);
  ASSERT_FALSE(reply);
  EXPECT_THAT(reply.error().message, HasSubstr("it asks to wait 3601 s"));
  first_->fail_with({{ErrorCode::kUnavailable, "slow down"}, {429, true, milliseconds(30'000)}});
  context_.deadline = steady_clock::now() + milliseconds(10'000);
  ASSERT_FALSE(ask(model));
  EXPECT_TRUE(waits_.empty());
}

TEST_F(Retry, DoesNotRepeatWhatWillFailAgainOrWasHalfSaid) {
  first_->fail_with({{ErrorCode::kPermission, "key"}, {401, false}});
  auto model = this->model();
  EXPECT_EQ(ask(model).error().code, ErrorCode::kPermission);
  first_->fail_with({kBusy.error, kBusy.failure, "Keys were"});
  EXPECT_EQ(ask(model).error().message, "busy");
  EXPECT_EQ(first_->requests().size(), 2U);
}

TEST_F(Retry, ACancelEndsTheWait) {
  first_->fail_with(kBusy);
  RetryModel model(first_, {}, [this](milliseconds pause, const CancelToken& cancel) {
    cancel_.cancel();
    return wait_for(pause + milliseconds(600'000), cancel);
  });
  EXPECT_EQ(ask(model).error().code, ErrorCode::kCancelled);
}

TEST_F(Wrappers, TheSecondModelAnswersAndSaysSo) {
  first_->fail_with({kBusy.error, kBusy.failure, "Keys were"});
  second_->answer("Yes.");
  FallbackModel model(first_, second_);
  const auto reply = ask(model);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->model, "second");
  EXPECT_EQ(events(),
            "token:Keys|token: were|status:first failed (busy); second answers "
            "instead|reset:|token:Yes.");
}

TEST_F(Wrappers, BothReasonsAreToldIfBothFail) {
  first_->fail_with(kBusy);
  second_->fail_with({{ErrorCode::kPermission, "no key"}, {401}});
  FallbackModel model(first_, second_);
  const auto reply = ask(model);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().text(), "after busy: no key");
  EXPECT_EQ(context_.failure.http_status, 401);
}

TEST_F(Wrappers, NobodyFallsBackAfterACancelOrTheDeadline) {
  FallbackModel model(first_, second_);
  first_->fail_with({{ErrorCode::kTimeout, "deadline"}});
  context_.deadline = steady_clock::now() - milliseconds(1);
  EXPECT_EQ(ask(model).error().code, ErrorCode::kTimeout);
  context_.deadline.reset();
  cancel_.cancel();
  EXPECT_EQ(ask(model).error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(second_->requests().empty());
}

struct LimitCase {
  const char* setting;
  RunLimits limits;
};

TEST_F(Wrappers, EachLimitEndsARunByName) {
  const LimitCase cases[] = {{"model.limits.steps", {2, 0}},
                             {"model.limits.tokens", {0, 240}},
                             {"model.limits.cost_usd", {0, 0, 0.04}},
                             {"model.limits.time", {0, 0, 0, milliseconds(2000)}}};
  for (const auto& [setting, limits] : cases) {
    auto inner = std::make_shared<ScriptedModel>();
    ModelReply made{.message = {Role::kAssistant, "Yes."}, .usage = {100, 20, 0}, .cost_usd = 0.02};
    for (int i = 0; i < 3; ++i) inner->reply(made);
    auto now = steady_clock::now();
    LimitModel model(inner, limits, {}, [&] { return now; });
    for (int i = 0; i < 2; ++i) {
      ASSERT_TRUE(ask(model)) << setting;
      now += milliseconds(1000);
    }
    const auto refused = ask(model);
    ASSERT_FALSE(refused) << setting;
    EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
    EXPECT_THAT(refused.error().message, HasSubstr(setting));
    EXPECT_EQ(model.used().usage, (Usage{200, 40, 0}));
    EXPECT_EQ(inner->requests().size(), 2U);
  }
}

TEST_F(Wrappers, TheTimeIsThatOfTheRunNotOfItsPart) {
  const RunLimits limits{.max_time = milliseconds(2000)};
  const auto now = steady_clock::now();
  const auto clock = [&] { return now; };
  first_->answer("Yes.");
  LimitModel early(first_, limits, {}, clock, now - milliseconds(1500));
  EXPECT_TRUE(ask(early));
  LimitModel late(first_, limits, {}, clock, now - milliseconds(2500));
  const auto refused = ask(late);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("2.5 of 2.0 seconds"));
  EXPECT_THAT(refused.error().message, HasSubstr("model.limits.time"));
  EXPECT_EQ(first_->requests().size(), 1U);
}

TEST_F(Wrappers, ARequestThatTheTimeOfTheRunEndsNamesThatLimit) {
  first_->fail_with({.error = {ErrorCode::kTimeout, "the server did not finish"}});
  auto now = steady_clock::now();
  // Each look at the clock takes 1.5 s: the request begins in time, and ends late.
  LimitModel model(
      first_, {.max_time = milliseconds(2000)}, {}, [&] { return now += milliseconds(1500); }, now);
  const auto late = ask(model);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::kResourceExhausted);
  EXPECT_THAT(late.error().message, HasSubstr("model.limits.time"));
  EXPECT_EQ(first_->requests().size(), 1U);
}

TEST_F(Wrappers, TheTimeOfRepliesIsAddedUpAlsoOfThoseThatFail) {
  first_->answer("Yes.");
  first_->fail_with({.error = {ErrorCode::kUnavailable, "no"}});
  auto now = steady_clock::now();
  // Each look at the clock takes 30 ms; a request takes two.
  LimitModel model(first_, {}, {}, [&] { return now += milliseconds(30); });
  EXPECT_TRUE(ask(model));
  EXPECT_EQ(model.used().time, milliseconds(30));
  EXPECT_FALSE(ask(model));
  EXPECT_EQ(model.used().time, milliseconds(60));
}

TEST_F(Wrappers, TokensThatAreNotReportedAreEstimated) {
  first_->answer(std::string(3000, 'x'));
  LimitModel model(first_, {0, 1000});
  ASSERT_TRUE(ask(model));
  EXPECT_GE(model.used().usage.output_tokens, 1000);
  EXPECT_FALSE(ask(model));
}

TEST_F(Wrappers, ARecordingIsReplayedInOrder) {
  ModelReply call{.message = {Role::kAssistant, "", "", {{"c1", "lookup", "{\"id\":\n1}"}}},
                  .reasoning = "Hm.",
                  .usage = {5, 6, 4},
                  .stop = StopReason::kToolCalls,
                  .model = "gpt",
                  .cost_usd = 0.5};
  ModelReply answer{.message = {Role::kAssistant, "Keys were \xC3\xBC."}, .model = "gpt"};
  first_->reply(call);
  first_->reply(answer);
  first_->answer("Other.");
  std::string lines;
  RecordModel recorder(first_, [&](std::string_view line) -> Result<void> {
    lines += std::string(line) + "\n";
    return {};
  });
  ASSERT_TRUE(ask(recorder));
  ASSERT_TRUE(ask(recorder));
  ASSERT_TRUE(ask(recorder, "What else?"));
  auto replay = ReplayModel::parse(lines, "run.jsonl");
  ASSERT_TRUE(replay) << replay.error().text();
  EXPECT_EQ(ask(**replay, "What else?")->message.content, "Other.");
  EXPECT_EQ(*ask(**replay), call);
  EXPECT_EQ(*ask(**replay), answer);
  EXPECT_EQ(*ask(**replay), answer);
  const auto unknown = ask(**replay, "Unheard of?");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kNotFound);
}

TEST_F(Wrappers, ADamagedRecordingNamesTheLine) {
  for (const char* lines : {"\n{", "\n[]", "\n{\"version\":2}", "\n{\"version\":1}",
                            "\n{\"version\":1,\"hash\":\"x\",\"reply\":[]}"}) {
    const auto replay = ReplayModel::parse(lines, "run.jsonl");
    ASSERT_FALSE(replay) << lines;
    EXPECT_EQ(replay.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(replay.error().message, HasSubstr("run.jsonl:2: "));
  }
}

TEST(RequestHash, KnowsWhatDecidesAReply) {
  const ModelRequest base{.messages = {{Role::kUser, "Well?", "m1"}}, .tools = {{"lookup"}}};
  ModelRequest same = base;
  same.messages[0].id = "m2";
  EXPECT_EQ(request_hash(base), request_hash(same));
  std::vector<ModelRequest> others(6, base);
  others[0].messages[0].content = "Why?";
  others[1].messages[0].role = Role::kSystem;
  others[2].tools[0].parameters.push_back({"id"});
  others[3].tool_choice = ToolChoice::kNone;
  others[4].sampling.temperature = 0;
  others[5].response = ToolDescription{"filter"};
  for (const ModelRequest& other : others) EXPECT_NE(request_hash(base), request_hash(other));
}

TEST_F(Wrappers, SecretsDoNotReachTheModel) {
  first_->answer("Yes.");
  RedactModel model(first_);
  const ModelRequest request{
      .messages = {
          {Role::kUser, "why password=hunter2 fails"},
          {Role::kAssistant, "", "", {{"c", "search", R"({"query":"x","password":"hunter2"})"}}},
          {Role::kTool, "db postgres://a:hunter2@db/x INC-2025-01-20-005", "", {}, "c"}}};
  ASSERT_TRUE(model.complete(request, context_));
  const auto sent = first_->requests()[0].messages;
  EXPECT_EQ(sent[0].content, "why password=[redacted:password] fails");
  EXPECT_EQ(sent[1].tool_calls[0].args, R"({"query":"x","password":"[redacted:password]"})");
  EXPECT_EQ(sent[2].content, "db postgres://a:[redacted:password]@db/x INC-2025-01-20-005");
}

}  // namespace
}  // namespace precedent
