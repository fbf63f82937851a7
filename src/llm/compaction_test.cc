#include "llm/compaction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

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
                         const ConversationSummary& earlier = {},
                         const Summarizer& summarizer = {}) {
    auto done = compact(messages, earlier, options, summarizer);
    if (done) expect_whole(done->messages);
    return done;
  }
  // Says `reply`, and remembers what it was given.
  Summarizer writes(std::string reply) {
    return [this, reply](const std::string& transcript, const std::string& before) {
      transcripts_.push_back(transcript);
      before_.push_back(before);
      return reply;
    };
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

  std::vector<std::string> transcripts_, before_;
};

TEST_F(Compacting, LeavesAloneWhatFits) {
  const auto messages = conversation(5, 100);
  const auto done = run(messages, {});
  ASSERT_TRUE(done);
  EXPECT_FALSE(done->summarised);
  EXPECT_EQ(done->summary, ConversationSummary());
  EXPECT_EQ(done->messages, messages);
}

TEST_F(Compacting, KeepsSystemAndLastTurnsAndExtractsTheRest) {
  const auto messages = conversation(9, 3000);
  const auto done = run(messages, {.max_tokens = 8000, .keep_turns = 2});
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_TRUE(done->summarised);
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
  EXPECT_EQ(done->summary.messages, 28U);
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
  const auto done = run(conversation(9, 3000), {.max_tokens = 8000, .keep_turns = 2}, {},
                        writes(" Keys were rotated. "));
  ASSERT_TRUE(done);
  EXPECT_TRUE(done->by_model);
  EXPECT_EQ(done->summary, (ConversationSummary{"Keys were rotated.", 28}));
  EXPECT_THAT(done->messages[1].content,
              testing::AllOf(HasSubstr("Keys were rotated.\n</data-"),
                             HasSubstr("\nIds that were mentioned: R0, R1")));
  EXPECT_THAT(before_, ElementsAre(""));
  EXPECT_LE(estimate_tokens(transcripts_.at(0)), 8000);
  EXPECT_THAT(transcripts_.at(0), HasSubstr("[user] Question 0?"));
}

TEST_F(Compacting, ASummaryServesUntilTheConversationHasGrownAgain) {
  const CompactionOptions options{.max_tokens = 8000, .keep_turns = 2};
  const auto first = run(conversation(9, 3000), options, {}, writes("First."));
  ASSERT_TRUE(first);
  const auto second = run(conversation(10, 3000), options, first->summary, writes("Never."));
  ASSERT_TRUE(second);
  EXPECT_FALSE(second->summarised);
  EXPECT_EQ(second->summary, first->summary);
  EXPECT_THAT(second->messages[1].content, HasSubstr("First."));
  EXPECT_EQ(second->messages.size(), 1 + 1 + 12U) << "system, summary, three turns";
  const auto third = run(conversation(16, 3000), options, second->summary, writes("Third."));
  ASSERT_TRUE(third);
  EXPECT_EQ(third->summary, (ConversationSummary{"Third.", 56}));
  EXPECT_THAT(before_, ElementsAre("", "First."));
  EXPECT_THAT(transcripts_.back(),
              testing::AllOf(HasSubstr("Question 8?"), testing::Not(HasSubstr("Question 0?"))));
  EXPECT_THAT(third->messages[1].content, HasSubstr("R0, R1"));
}

TEST_F(Compacting, AnExtractKeepsWhatWasSummarisedBeforeWhileThereIsRoom) {
  const auto done = run(conversation(9, 3000), {.max_tokens = 8000, .keep_turns = 2},
                        {"Established: the key was old.", 4});
  ASSERT_TRUE(done);
  EXPECT_THAT(done->summary.text, testing::StartsWith("Established: the key was old.\nAsked: "));
  EXPECT_THAT(done->summary.text, testing::Not(HasSubstr("Question 0?")));
}

TEST_F(Compacting, ResultsAreToldWithTheirReceipts) {
  CompactionOptions options{.max_tokens = 8000, .keep_turns = 2};
  options.receipts = {{"c0", "R70"}, {"c6", "R76"}};
  const auto by_model = run(conversation(9, 3000), options, {}, writes("Short."));
  ASSERT_TRUE(by_model);
  EXPECT_THAT(transcripts_.at(0), HasSubstr("[tool] R76 R6: found"));
  EXPECT_THAT(by_model->messages[1].content, HasSubstr("Ids that were mentioned: R70, R0"));
  EXPECT_THAT(run(conversation(9, 3000), options)->summary.text,
              HasSubstr("Result: R76 R6: found"));
}

TEST_F(Compacting, ASummaryOfAnotherConversationIsNotUsed) {
  const auto messages = conversation(2, 100);
  const auto done = run(messages, {}, {"Of a longer one.", 50});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->messages, messages);
  EXPECT_EQ(done->summary, ConversationSummary());
}

TEST_F(Compacting, AModelThatFailsIsDoneWithoutAndOneThatTalksIsCut) {
  const CompactionOptions options{.max_tokens = 8000};
  const auto failing = [](ErrorCode code) -> Summarizer {
    return [code](const std::string&, const std::string&) -> Result<std::string> {
      return fail(code, "no");
    };
  };
  const auto done = run(conversation(9, 3000), options, {}, failing(ErrorCode::kUnavailable));
  ASSERT_TRUE(done);
  EXPECT_FALSE(done->by_model);
  EXPECT_THAT(done->messages[1].content, HasSubstr("Asked: "));
  const auto cancelled = run(conversation(9, 3000), options, {}, failing(ErrorCode::kCancelled));
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, ErrorCode::kCancelled);
  const auto long_one = run(conversation(9, 3000), options, {}, writes(std::string(1 << 20, 'x')));
  ASSERT_TRUE(long_one);
  EXPECT_LE(long_one->summary.text.size(), 4u * 1200);
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
