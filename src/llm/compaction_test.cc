#include "llm/compaction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "llm/scripted_model.h"
#include "llm/token_estimate.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// `turns` turns, each with a call whose result has `bytes`.
std::vector<Message> conversation(size_t turns, size_t bytes) {
  std::vector<Message> messages = {{Role::kSystem, "Be brief."}};
  for (size_t i = 0; i < turns; ++i) {
    const std::string n = std::to_string(i);
    messages.push_back({Role::kUser, "Question " + n + "?"});
    messages.push_back({Role::kAssistant,
                        "",
                        "",
                        {{"c" + n, "lookup", R"({"id":"INC-2025-01-20-00)" + n + "\"}"}}});
    messages.push_back(
        {Role::kTool, "R" + n + ": found " + std::string(bytes, 'x'), "", {}, "c" + n});
    messages.push_back({Role::kAssistant, "Answer " + n + " [R" + n + "]."});
  }
  return messages;
}

class Compacting : public testing::Test {
 protected:
  Result<Compaction> run(const std::vector<Message>& messages, CompactionOptions options,
                         ChatModel* summarizer = nullptr) {
    auto done = compact(messages, options, summarizer, context_);
    if (done) expect_whole(done->messages);
    return done;
  }
  // Every call has its results, and every result its call before it.
  static void expect_whole(const std::vector<Message>& messages) {
    std::set<std::string> called, answered;
    for (const Message& message : messages) {
      for (const ToolCall& call : message.tool_calls) called.insert(call.id);
      if (message.role != Role::kTool) continue;
      EXPECT_TRUE(called.contains(message.tool_call_id));
      answered.insert(message.tool_call_id);
    }
    EXPECT_EQ(called, answered);
  }

  RecordingSink events_;
  CancelToken cancel_;
  ModelContext context_{events_, cancel_};
};

TEST_F(Compacting, LeavesAloneWhatFits) {
  const auto messages = conversation(5, 100);
  const auto done = run(messages, {});
  ASSERT_TRUE(done);
  EXPECT_FALSE(done->compacted);
  EXPECT_EQ(done->messages, messages);
}

TEST_F(Compacting, KeepsSystemAndLastTurnsAndExtractsTheRest) {
  const auto messages = conversation(9, 3000);
  const auto done = run(messages, {.max_tokens = 8000, .keep_turns = 2});
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_TRUE(done->compacted);
  EXPECT_FALSE(done->by_model);
  EXPECT_LE(estimate_tokens(done->messages), 8000);
  EXPECT_EQ(done->messages[0], messages[0]);
  const std::string& summary = done->messages[1].content;
  EXPECT_EQ(done->messages[1].role, Role::kUser);
  EXPECT_THAT(summary, HasSubstr("Asked: Question 6?"));
  EXPECT_THAT(summary, HasSubstr("Called lookup {\"id\":\"INC-2025-01-20-006\"}"));
  EXPECT_THAT(summary, HasSubstr("Answered: Answer 6 [R6]."));
  EXPECT_THAT(summary,
              HasSubstr("R0, R1, R2, R3, R4, R5, R6, INC-2025-01-20-000, INC-2025-01-20-001"));
  const std::vector<Message> tail(done->messages.begin() + 2, done->messages.end());
  EXPECT_EQ(tail, std::vector<Message>(messages.end() - 8, messages.end()));
  EXPECT_EQ(done->summarised, 28U);
}

TEST_F(Compacting, FitsAtEverySize) {
  for (size_t turns = 1; turns < 12; ++turns)
    for (const int64_t max_tokens : {2500, 4000, 9000}) {
      const auto done = run(conversation(turns, 2500), {.max_tokens = max_tokens});
      ASSERT_TRUE(done) << turns << " turns, " << max_tokens;
      EXPECT_LE(estimate_tokens(done->messages), max_tokens);
    }
}

TEST_F(Compacting, AModelSummarisesAndTheIdsSurviveItsForgetting) {
  ScriptedModel model;
  ModelReply reply{.message = {Role::kAssistant, " Keys were rotated. "}, .usage = {900, 20, 0}};
  model.reply(reply);
  const auto done = run(conversation(9, 3000), {.max_tokens = 8000, .keep_turns = 2}, &model);
  ASSERT_TRUE(done);
  EXPECT_TRUE(done->by_model);
  EXPECT_EQ(done->usage.input_tokens, 900);
  EXPECT_THAT(done->messages[1].content,
              testing::AllOf(HasSubstr("Keys were rotated.\n</data-"),
                             HasSubstr("\nIds that were mentioned: R0, R1")));
  EXPECT_TRUE(events_.events.empty()) << "a summary is not part of the answer";
  EXPECT_LE(estimate_tokens(model.requests()[0]), 8000);
  EXPECT_THAT(model.requests()[0].messages[1].content, HasSubstr("[user] Question 0?"));
}

TEST_F(Compacting, AModelThatFailsIsDoneWithout) {
  ScriptedModel model;
  model.fail_with({{ErrorCode::kUnavailable, "down"}});
  const auto done = run(conversation(9, 3000), {.max_tokens = 8000}, &model);
  ASSERT_TRUE(done);
  EXPECT_FALSE(done->by_model);
  EXPECT_THAT(done->messages[1].content, HasSubstr("Asked: "));
}

TEST_F(Compacting, ShortensTheResultsOfOneLongTurn) {
  std::vector<Message> messages = {{Role::kSystem, "Be brief."}, {Role::kUser, "Why?"}};
  for (int i = 0; i < 6; ++i) {
    const std::string id = "c" + std::to_string(i);
    messages.push_back({Role::kAssistant, "", "", {{id, "search", "{}"}}});
    messages.push_back(
        {Role::kTool, std::string(9000, 'x') + " R" + std::to_string(i), "", {}, id});
  }
  const auto done = run(messages, {.max_tokens = 10'000});
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->shortened, 4U);
  EXPECT_THAT(done->messages[3].content, HasSubstr("ids: R0]"));
  EXPECT_EQ(done->messages.back(), messages.back());
}

TEST_F(Compacting, AQuestionThatIsTooLongIsSaidSo) {
  const auto done = run({{Role::kUser, std::string(9000, 'x')}}, {.max_tokens = 1000});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kResourceExhausted);
  EXPECT_THAT(done.error().message, HasSubstr("model.context_tokens"));
}

TEST(IdsToKeep, AreReceiptsAndIncidents) {
  EXPECT_THAT(ids_to_keep("R1, [R12] R1 (R3). XR4 R5x R-6 R12345 ERR7 inc-2025-01-20-005 HTTP-403"),
              ElementsAre("R1", "R12", "R3", "INC-2025-01-20-005"));
}

}  // namespace
}  // namespace precedent
