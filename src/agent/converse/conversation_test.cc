#include "agent/converse/conversation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::shared_ptr<const Receipt> incidents(std::string tool, const std::vector<std::string>& ids) {
  Receipt receipt{.id = "R" + ids.front(), .tool = std::move(tool)};
  IncidentsResult result;
  for (const std::string& id : ids) {
    Incident incident;
    incident.incident_id = id;
    result.incidents.push_back({.incident = std::move(incident), .path = "log/" + id + ".md"});
  }
  result.total = result.incidents.size();
  receipt.result = std::move(result);
  return std::make_shared<const Receipt>(std::move(receipt));
}

std::optional<Document> nothing(std::string_view) { return std::nullopt; }

std::optional<Document> runbooks(std::string_view id) {
  if (!id.starts_with("RB-")) return std::nullopt;
  Document out;
  out.id = id;
  out.kind = Kind::kRunbook;
  out.path = "runbooks/" + out.id + ".md";
  return out;
}

std::vector<std::string> ids_of(const std::vector<Remembered>& all) {
  std::vector<std::string> out;
  for (const Remembered& one : all) out.push_back(one.incident.incident_id);
  return out;
}

TEST(Conversation, AListIsRememberedInTheOrderOfItsAnswer) {
  const Conversation said({{"what failed lately?",
                            "- **INC-2** Crane stopped [INC-2]\n- **INC-1** Gate stuck [INC-1]",
                            {incidents("get_recent_incidents", {"INC-1", "INC-2"})}}},
                          nothing);
  EXPECT_THAT(ids_of(said.incidents()), ElementsAre("INC-2", "INC-1"));
  EXPECT_THAT(said.latest_list(), ElementsAre("INC-2", "INC-1"));
  ASSERT_EQ(said.lists().size(), 1u);
  EXPECT_EQ(said.find("INC-1")->path, "log/INC-1.md");
  EXPECT_EQ(said.find("INC-9"), nullptr);
}

TEST(Conversation, ItIsAboutTheIncidentThatTheQuestionNames) {
  const Conversation said({{"tell me of INC-1",
                            "**INC-2: Crane stopped** came before INC-1 [INC-2]",
                            {incidents("lookup_incident_by_id", {"INC-1", "INC-2"})}}},
                          nothing);
  EXPECT_THAT(said.focuses(), ElementsAre("INC-1"));
}

TEST(Conversation, ElseAboutTheOneThatItsAnswerDescribes) {
  const Conversation said({{"why did the crane stop on Monday?",
                            "Like INC-1 [INC-1].\n\n**INC-2: Crane stopped** [INC-2]",
                            {incidents("search_similar_incidents", {"INC-1", "INC-2"})}}},
                          nothing);
  EXPECT_THAT(said.focuses(), ElementsAre("INC-2"));
}

TEST(Conversation, ATerseFollowUpThatWasSearchedForIsNoNewSubject) {
  const Conversation said({{"tell me of INC-1",
                            "**INC-1: Gate stuck** [INC-1]",
                            {incidents("lookup_incident_by_id", {"INC-1"})}},
                           {"how do I fix it?",
                            "- **INC-3** Lift stuck [INC-3]",
                            {incidents("search_similar_incidents", {"INC-3"})}}},
                          nothing);
  EXPECT_THAT(said.focuses(), ElementsAre("INC-1"));
  EXPECT_THAT(ids_of(said.incidents()), ElementsAre("INC-1", "INC-3"));
}

TEST(Conversation, AnIdThatNobodyKnowsIsNotRemembered) {
  const Conversation said({{"tell me of INC-7", "Nothing is known of INC-7.", {}}}, nothing);
  EXPECT_THAT(said.incidents(), IsEmpty());
  EXPECT_THAT(said.focuses(), IsEmpty());
}

TEST(Conversation, WithoutReceiptsTheSourcesOfTheAnswerNameItsDocument) {
  const std::string answer =
      "1. Open the valve. [runbooks/RB-4.md:3-9]\n\n**Sources**\n"
      "- RB-4 — Stuck gate (runbook, runbooks/RB-4.md)";
  const Conversation said({{"how do I free the gate?", answer, {}}}, runbooks);
  ASSERT_NE(said.document(), nullptr);
  EXPECT_EQ(said.document()->document.id, "RB-4");
  EXPECT_TRUE(said.document()->leads);
  EXPECT_TRUE(said.document()->alone);
  EXPECT_TRUE(said.document()->wanted);
}

TEST(Conversation, ADocumentStandsUntilAnAnswerCitesSomethingElse) {
  const std::string answer =
      "1. Open the valve. [runbooks/RB-4.md:3-9]\n\n**Sources**\n"
      "- RB-4 — Stuck gate (runbook, runbooks/RB-4.md)";
  const Conversation thanked({{"how do I free it?", answer, {}}, {"thanks", "Good.", {}}},
                             runbooks);
  EXPECT_NE(thanked.document(), nullptr);
  const Conversation went_on({{"how do I free it?", answer, {}},
                              {"tell me of INC-1",
                               "**INC-1: Gate stuck** [INC-1]",
                               {incidents("lookup_incident_by_id", {"INC-1"})}}},
                             runbooks);
  EXPECT_EQ(went_on.document(), nullptr);
  EXPECT_EQ(went_on.documents().size(), 1u);
}

TEST(Conversation, MessagesBecomeTurnsWithTheReceiptsThatTheirToolsNamed) {
  SharedList<Receipt> receipts;
  Receipt receipt{.id = "R1", .call = "call_1", .tool = "get_recent_incidents"};
  receipts.put(std::move(receipt));
  const auto message = [](Role role, std::string content, std::string call = "") {
    Message out;
    out.role = role;
    out.content = std::move(content);
    out.tool_call_id = std::move(call);
    return out;
  };
  const std::vector<Message> messages = {
      message(Role::kSystem, "You are careful."), message(Role::kAssistant, "Hello."),
      message(Role::kUser, "what failed?"),       message(Role::kTool, "{}", "call_1"),
      message(Role::kAssistant, "The gate."),     message(Role::kAssistant, "It is open now.")};
  const std::vector<Turn> turns = turns_of(messages, receipts);
  ASSERT_EQ(turns.size(), 2u);
  EXPECT_EQ(turns[0].answer, "Hello.");
  EXPECT_EQ(turns[1].question, "what failed?");
  EXPECT_EQ(turns[1].answer, "The gate.\nIt is open now.");
  ASSERT_EQ(turns[1].receipts.size(), 1u);
  EXPECT_EQ(turns[1].receipts.front()->id, "R1");
}

}  // namespace
}  // namespace precedent
