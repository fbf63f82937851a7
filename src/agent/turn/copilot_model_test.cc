// The whole agent with a model: what it is given, and what happens when it misbehaves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/turn/copilot.h"
#include "agent/turn/copilot_fixture.h"
#include "llm/scripted_model.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class CopilotModelTest : public CopilotTest {};

TEST_F(CopilotModelTest, AModelIsGivenToolsAndItsAnswerItsSources) {
  ScriptedModel model;
  model.call({call("lookup_incident_by_id", R"({"incident_id": "INC-2025-01-20-005",})")});
  model.answer("The key was rotated [INC-2025-01-20-005].");
  CopilotLab agent = lab(&model);
  const Reply reply = agent.ask("Why did PayU fail?", {.thread = "t", .generate_title = false});
  EXPECT_EQ(reply.text, "The key was rotated [INC-2025-01-20-005].");
  EXPECT_THAT(cited(reply), ElementsAre("INC-2025-01-20-005"));
  EXPECT_THAT(model.requests().at(0).tools, SizeIs(8));
  EXPECT_EQ(model.requests().at(1).messages.back().role, Role::kTool);
  EXPECT_EQ(reply.usage.steps, 2);
}

TEST_F(CopilotModelTest, WhereAModelFailsTheOfflineReasonerAnswersAndSaysSo) {
  ScriptedModel model;
  model.fail_with({{ErrorCode::kUnavailable, "connection refused"}});
  CopilotLab agent = lab(&model);
  const Reply reply = agent.ask("What caused INC-2025-08-24-001?", kThread);
  EXPECT_THAT(reply.text, HasSubstr("A connection leak"));
  EXPECT_THAT(reply.missing, testing::Contains(HasSubstr("connection refused")));
  // Whoever reads the text is told, too.
  EXPECT_THAT(reply.text, HasSubstr("connection refused"));
  EXPECT_EQ(reply.status, AnswerStatus::kPartial);
}

TEST_F(CopilotModelTest, WhereAModelRefusesTheOfflineReasonerAnswersAndSaysWhatItSaid) {
  ScriptedModel model;
  for (const char* said : {"I cannot help with that.", ""}) {
    ModelReply refusal;
    refusal.message.content = said;
    refusal.stop = StopReason::kRefused;
    model.reply(refusal);
    CopilotLab agent = lab(&model);
    const Reply reply = agent.ask("What caused INC-2025-08-24-001?");
    EXPECT_EQ(reply.status, AnswerStatus::kPartial);
    EXPECT_THAT(reply.text, HasSubstr("A connection leak"));
    EXPECT_THAT(reply.text, HasSubstr("gave no answer (it refused"));
    EXPECT_THAT(reply.text, HasSubstr(said));
  }
}

TEST_F(CopilotModelTest, WhereAModelGivesUpMidwayTheOfflineReasonerLooksForItself) {
  ScriptedModel model;
  model.call({call("lookup_incident_by_id", R"({"incident_id": "INC-2020-01-01-001"})")});
  model.fail_with({{ErrorCode::kUnavailable, "connection lost"}});
  CopilotLab agent = lab(&model);
  const Reply reply = agent.ask("What caused INC-2025-08-24-001?", kThread);
  EXPECT_THAT(reply.text, HasSubstr("A connection leak"));
  EXPECT_THAT(reply.receipts, SizeIs(2));
}

TEST_F(CopilotModelTest, WhatAModelInventsIsCalledUnproved) {
  ScriptedModel model;
  model.call({call("lookup_incident_by_id", R"({"incident_id": "INC-2025-08-24-001"})")});
  model.answer(
      "A connection leak caused it [INC-2025-08-24-001]. It was the same as INC-2099-01-01-001, "
      "which took 47 minutes.");
  model.answer("T");
  CopilotLab agent = lab(&model);
  const Reply reply = agent.ask("What caused INC-2025-08-24-001?", kThread);
  EXPECT_EQ(reply.status, AnswerStatus::kPartial);
  const size_t end = reply.text.find("Not proved by anything that was found");
  ASSERT_NE(end, std::string::npos) << reply.text;
  EXPECT_THAT(reply.text.substr(end), HasSubstr("INC-2099-01-01-001"));
  EXPECT_THAT(reply.text.substr(end), testing::Not(HasSubstr("A connection leak")));
  EXPECT_THAT(reply.text, HasSubstr("[INC-2025-08-24-001]. *(unverified)* It was the same"));
  ASSERT_EQ(reply.claims.claims.size(), 2u);
  EXPECT_EQ(reply.claims.count(ClaimVerdict::kUnsupported), 1u);
}

// What somebody who watches is told as the answer.
std::string streamed_answer(const std::vector<Event>& events) {
  std::string text;
  for (const Event& event : events)
    if (event.type == Event::Type::kToken && !event.draft) text += event.text;
  return text;
}

size_t count_of(const std::vector<Event>& events, Event::Type type) {
  return static_cast<size_t>(
      std::ranges::count_if(events, [&](const Event& event) { return event.type == type; }));
}

TEST_F(CopilotModelTest, ADraftIsMarkedAndReplacedByWhatWasChecked) {
  ScriptedModel model;
  model.call({call("lookup_incident_by_id", R"({"incident_id": "INC-2025-08-24-001"})")});
  model.answer("A connection leak caused it [INC-2025-08-24-001].\n\nIt took 47 minutes.\n");
  model.answer("A connection leak caused INC-2025-08-24-001.");
  CopilotLab agent = lab(&model);
  const Reply reply = agent.ask("What caused INC-2025-08-24-001?");
  const std::vector<Event>& events = agent.events.events;
  std::string drafts;
  for (const Event& event : events)
    if (event.draft) drafts += event.text;
  EXPECT_THAT(drafts, HasSubstr("47 minutes"));
  EXPECT_EQ(streamed_answer(events), reply.text);
  EXPECT_EQ(reply.text, "A connection leak caused INC-2025-08-24-001.");
  EXPECT_EQ(count_of(events, Event::Type::kReset), 1u);
}

TEST_F(CopilotModelTest, ADraftThatStaysUnprovedIsStreamedWithItsMarks) {
  ScriptedModel model;
  model.call({call("lookup_incident_by_id", R"({"incident_id": "INC-2025-08-24-001"})")});
  for (int i = 0; i < 2; ++i)
    model.answer("A connection leak caused it [INC-2025-08-24-001]. It took 47 minutes.");
  CopilotLab agent = lab(&model);
  const Reply reply = agent.ask("What caused INC-2025-08-24-001?");
  EXPECT_THAT(reply.text, HasSubstr("*(unverified)* It took 47 minutes."));
  EXPECT_EQ(streamed_answer(agent.events.events), reply.text);
}

TEST_F(CopilotModelTest, TheDraftOfAModelThatFailsIsTakenBack) {
  ScriptedModel model;
  model.fail_with({{ErrorCode::kUnavailable, "connection lost"}, {}, "It took 47 minutes.\n"});
  CopilotLab agent = lab(&model);
  const Reply reply = agent.ask("What caused INC-2025-08-24-001?");
  EXPECT_EQ(count_of(agent.events.events, Event::Type::kReset), 1u);
  EXPECT_EQ(streamed_answer(agent.events.events), reply.text);
  EXPECT_THAT(reply.text, testing::Not(HasSubstr("47 minutes")));
}

TEST_F(CopilotModelTest, AQuestionInAnotherScriptIsAnsweredForItsNamesAndSaysSo) {
  for (const char* question :
       {"Почему случился INC-2025-08-24-001?", "INC-2025-08-24-001の原因は？",
        "ما سبب INC-2025-08-24-001؟", "INC-2025-08-24-001 원인이 뭐야?"}) {
    const Reply reply = lab().ask(question);
    EXPECT_EQ(reply.status, AnswerStatus::kPartial) << question << reply.text;
    EXPECT_THAT(reply.text, HasSubstr("A connection leak")) << question;
    EXPECT_THAT(reply.text, HasSubstr("names in it were read: INC-2025-08-24-001")) << question;
  }
  const Reply unread = lab().ask("为什么支付失败了？");
  EXPECT_EQ(unread.status, AnswerStatus::kNeedsInput);
  EXPECT_THAT(unread.text, HasSubstr("script that cannot be read without a model"));
}

TEST_F(CopilotModelTest, AModelIsGivenAQuestionInAnyScript) {
  ScriptedModel model;
  model.answer("Платежи не ищутся.");
  CopilotLab agent = lab(&model);
  agent.ask("Почему не проходят платежи?");
  EXPECT_THAT(model.requests(), testing::Not(IsEmpty()));
}

TEST_F(CopilotModelTest, WhereNothingThatAModelSaysIsProvedWhatWasFoundIsShown) {
  for (const char* said : {"Done.", "It took 47 minutes, all of them spent on the router."}) {
    ScriptedModel model;
    model.call({call("lookup_incident_by_id", R"({"incident_id": "INC-2025-08-24-001"})")});
    model.answer(said);
    model.answer(said);
    CopilotLab agent = lab(&model);
    const Reply reply = agent.ask("What caused INC-2025-08-24-001?", kThread);
    EXPECT_EQ(reply.status, AnswerStatus::kPartial) << said;
    EXPECT_THAT(reply.text, HasSubstr("A connection leak"));
    EXPECT_THAT(reply.text, HasSubstr("rests on what was found"));
    // Nor is the notice that the program adds itself in doubt.
    EXPECT_EQ(reply.claims.count(ClaimVerdict::kUnsupported), 0u) << said;
    EXPECT_THAT(reply.text, testing::Not(HasSubstr(said)));
  }
}

TEST_F(CopilotModelTest, WhatTheReceiptsProveIsLeftAlone) {
  ScriptedModel model;
  model.call({call("lookup_incident_by_id", R"({"incident_id": "INC-2025-08-24-001"})")});
  model.answer("A connection leak caused INC-2025-08-24-001.");
  CopilotLab agent = lab(&model);
  const Reply reply = agent.ask("What caused INC-2025-08-24-001?", kThread);
  EXPECT_EQ(reply.status, AnswerStatus::kOk) << reply.text;
  EXPECT_THAT(reply.text, testing::Not(HasSubstr("Not proved")));
}

TEST_F(CopilotModelTest, WhatTheLearnedJudgeDeniesIsCalledUnproved) {
  ScriptedModel model;
  model.call({call("lookup_incident_by_id", R"({"incident_id": "INC-2025-08-24-001"})")});
  const std::string said =
      "A connection leak caused INC-2025-08-24-001. INC-2025-08-24-001 is \"Checkout pool "
      "exhausted\".";
  model.answer(said);
  model.answer(said);
  CopilotLab agent = lab(&model);
  agent.judges("A connection leak caused INC-2025-08-24-001.", "contradicted", 0.999F);
  const Reply reply = agent.ask("What caused INC-2025-08-24-001?", kThread);
  ASSERT_EQ(reply.claims.count(ClaimVerdict::kUnsupported), 1u) << reply.text;
  // Whoever asks why is told.
  const Claim& denied = reply.claims.claims.front();
  EXPECT_EQ(denied.check, kJudgeCheck);
  EXPECT_NEAR(denied.opinion.value_or(Opinion()).contradicted, 0.999F, 1e-6F);
}

TEST_F(CopilotModelTest, ASecretThatAModelSaysIsNotKept) {
  ScriptedModel model;
  model.answer("Use AKIAIOSFODNN7EXAMPLE for PayU.");
  model.answer("T");
  CopilotLab agent = lab(&model);
  EXPECT_THAT(agent.ask("PayU answers 403", kThread).text, HasSubstr("[redacted"));
  const CopilotState state = agent.copilot().graph().state("t").value();
  EXPECT_THAT(state.messages[1].content, testing::Not(HasSubstr("AKIA")));
}

TEST_F(CopilotModelTest, AModelThatRepeatsItselfIsStoppedAndTheReceiptsAreUsed) {
  ScriptedModel model;
  for (int i = 0; i < 6; ++i)
    model.call({call("lookup_incident_by_id", R"({"incident_id": "INC-2025-01-20-005"})")});
  CopilotLab agent = lab(&model);
  const Reply reply = agent.ask("PayU 403 authorization failure", kThread);
  EXPECT_LT(model.requests().size(), 6u);
  EXPECT_THAT(cited(reply), testing::Contains("INC-2025-01-20-005"));
  EXPECT_THAT(reply.missing, testing::Contains(HasSubstr("repeats a call")));
  // What the model was told about it is not for people.
  EXPECT_THAT(reply.text, testing::Not(HasSubstr("You have called")));
}

TEST_F(CopilotModelTest, AnInventedToolIsAnsweredWithTheNearest) {
  ScriptedModel model;
  model.call({call("lookup_incident", "{}")});
  model.answer("I do not know.");
  model.answer("T");
  CopilotLab agent = lab(&model);
  const Reply reply = agent.ask("Why did PayU fail?", kThread);
  ASSERT_THAT(reply.receipts, SizeIs(1));
  EXPECT_EQ(reply.receipts[0].status, ReceiptStatus::kError);
  EXPECT_THAT(reply.receipts[0].text, HasSubstr("lookup_incident_by_id"));
}

TEST_F(CopilotModelTest, AFailedCallOfAnyShapeIsAnsweredOffline) {
  ScriptedModel model;
  model.call({call("metrics_query", R"({"query":5})")});
  CopilotLab agent = lab(&model);  // and then it has nothing more to say
  const Reply reply = agent.ask("What caused INC-2025-08-24-001?", kThread);
  ASSERT_THAT(reply.receipts, testing::Not(IsEmpty()));
  EXPECT_EQ(reply.receipts[0].status, ReceiptStatus::kError);
  EXPECT_EQ(reply.status, AnswerStatus::kPartial);
  EXPECT_THAT(reply.text, HasSubstr("A connection leak"));
}

TEST_F(CopilotModelTest, WhatAFailedCallSaysIsMissingInTheAnswer) {
  ScriptedModel model;
  model.call({call("lookup_incident", "{}")});
  for (int i = 0; i < 2; ++i) model.fail_with({{ErrorCode::kUnavailable, "connection refused"}});
  CopilotLab agent = lab(&model);
  const Reply reply = agent.ask("Why did PayU fail?", kThread);
  ASSERT_EQ(reply.receipts.front().status, ReceiptStatus::kError);
  EXPECT_THAT(reply.missing, testing::Contains(reply.receipts.front().text));
  EXPECT_THAT(reply.text, HasSubstr(reply.receipts.front().text));
}

TEST_F(CopilotModelTest, SecretsReachNeitherTheThreadNorTheModel) {
  ScriptedModel model;
  model.answer("ok");
  model.answer("T");
  CopilotLab agent = lab(&model);
  agent.ask("PayU answers 403 with key AKIAIOSFODNN7EXAMPLE", kThread);
  const CopilotState state = agent.copilot().graph().state("t").value();
  EXPECT_THAT(state.messages[0].content, HasSubstr("[redacted"));
  EXPECT_THAT(model.requests().at(0).messages.back().content, HasSubstr("[redacted"));
}

}  // namespace
}  // namespace precedent
