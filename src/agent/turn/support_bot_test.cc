// One thought of a turn: what is called before anything is said, and what is kept of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "agent/turn/copilot_lab.h"
#include "agent/turn/nodes.h"
#include "base/foreign_json.h"
#include "search/search_lab.h"

namespace precedent {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

class SupportBotTest : public ::testing::Test {
 protected:
  SupportBotTest() {
    const Document runbook =
        lab_document(Kind::kRunbook, "RB-1", "Belts", "Check the belt for tears every morning.");
    search_lab_.add(runbook);
    store_.apply({.put = {{.document = runbook, .hash = content_hash(runbook)}}}).value();
    clock_ = std::make_unique<FixedClock>(*parse_time("2026-11-20T12:00:00Z"));
    ask("How are the belts checked?");
  }

  void ask(std::string question) { state_.messages.put({Role::kUser, std::move(question)}); }

  // One thought; what it writes becomes part of the conversation.
  Result<void> think() {
    Context context;
    context.node = "support_bot";
    context.clock = clock_.get();
    const CopilotServices services{.search = search_lab_.search(),
                                   .store = store_,
                                   .tools = tools_,
                                   .guardrails = guardrails_,
                                   .prompts = *prompts_,
                                   .policy = policy_,
                                   .model = model_};
    const Update update = TRY(support_bot(services, state_, context, events_));
    for (const Write& write : update.writes)
      TRY(copilot_fields().schema.find(write.tag)->apply(state_, write.value));
    return {};
  }
  const Message& last() const { return state_.messages.back(); }
  // A receipt for each call of the last message: nothing was found.
  void answer_calls() {
    const std::vector<ToolCall> calls = last().tool_calls;
    for (const ToolCall& call : calls) {
      Receipt receipt{.id = "R1", .call = call.id, .tool = call.name, .args = call.args};
      receipt.status = ReceiptStatus::kEmpty;
      state_.messages.put({.role = Role::kTool, .content = "nothing", .tool_call_id = call.id});
      state_.receipts.put(receipt);
    }
  }

  SearchLab search_lab_{false};
  KnowledgeStore store_ =
      KnowledgeStore::open(":memory:", KnowledgeStore::Access::kReadWrite).value();
  const Toolset tools_ = knowledge_tools();
  const Guardrails guardrails_ = Guardrails::open("/nonexistent", nullptr, nullptr).value();
  const std::unique_ptr<PromptLibrary> prompts_ = PromptLibrary::open("/nonexistent").value();
  const Policy policy_ = read_policy(default_policy(), "config/policy.yaml").value();
  std::unique_ptr<FixedClock> clock_;
  ChatModel* model_ = nullptr;
  CopilotState state_;
  RecordingSink events_;
};

TEST_F(SupportBotTest, OfflineItCallsFirstAndKeepsWhatItRead) {
  ASSERT_TRUE(think());
  EXPECT_THAT(last().tool_calls, Not(IsEmpty()));
  EXPECT_THAT(last().content, IsEmpty());
  for (const ToolCall& call : last().tool_calls) EXPECT_THAT(call.id, StartsWith("call_0_"));
  EXPECT_EQ(state_.reading.whole.question, FrozenText("How are the belts checked?"));
  const nlohmann::json plan = parse_json(state_.plan);
  ASSERT_EQ(plan.size(), last().tool_calls.size());
  EXPECT_EQ(plan[0]["tool"], last().tool_calls[0].name);
  EXPECT_FALSE(plan[0]["purpose"].get<std::string>().empty());
  EXPECT_EQ(parse_json(state_.intent)["question_type"], "knowledge");
}

TEST_F(SupportBotTest, WithReceiptsItAnswersAndCallsNothingMore) {
  ASSERT_TRUE(think());
  answer_calls();
  ASSERT_TRUE(think());
  EXPECT_THAT(last().tool_calls, IsEmpty());
  EXPECT_THAT(last().content, HasSubstr("Nothing in the knowledge base answers this"));
  EXPECT_EQ(state_.answer.status, AnswerStatus::kPartial);
}

TEST_F(SupportBotTest, OnceAModelHasFailedTheTurnIsFinishedWithoutIt) {
  ScriptedModel model;
  model.fail_with({{ErrorCode::kUnavailable, "it is busy"}});
  model_ = &model;
  ASSERT_TRUE(think());
  EXPECT_THAT(state_.answer.fallback, HasSubstr("it is busy"));
  EXPECT_THAT(last().tool_calls, Not(IsEmpty()));
  answer_calls();
  const size_t asked = model.requests().size();
  ASSERT_TRUE(think());
  EXPECT_EQ(model.requests().size(), asked);
  EXPECT_THAT(last().content, HasSubstr("the offline reasoner answers instead"));
}

TEST_F(SupportBotTest, AModelsOwnCallHasNoIdOfTheProgram) {
  ScriptedModel model;
  model.call({{"call_0_1", "doc_search", R"({"query":"belts"})"}});
  model_ = &model;
  ASSERT_TRUE(think());
  ASSERT_THAT(last().tool_calls, SizeIs(1));
  EXPECT_THAT(last().tool_calls[0].id, Not("call_0_1"));
}

TEST_F(SupportBotTest, AConversationWithoutAQuestionIsAnError) {
  state_ = {};
  const auto thought = think();
  ASSERT_FALSE(thought);
  EXPECT_EQ(thought.error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace precedent
