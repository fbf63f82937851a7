// Which sections an answer gets, and in which order; what each of them says is tested beside it.
#include "agent/compose/compose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/understand/freeze.h"

namespace precedent {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const TimePoint kNow = *parse_time("2026-11-20T12:00:00Z");

Answer asked(QuestionType type, std::string question) {
  OpenIntent intent;
  intent.type = type;
  intent.qualifiers = read_qualifiers(question, {}, kNow);
  intent.question = std::move(question);
  intent.now = kNow;
  Answer answer;
  answer.intent = freeze(std::move(intent));
  return answer;
}

Receipt lookup() {
  IncidentItem item;
  item.incident.incident_id = "INC-7";
  item.incident.title = "The press stood still";
  item.incident.root_cause = "A torn belt";
  item.path = "incidents.csv";
  Receipt receipt{.id = "R1", .tool = "lookup_incident_by_id"};
  receipt.result = IncidentsResult{.incidents = {item}, .total = 1};
  return receipt;
}

// A section of a document, and what an answer may quote of it.
Receipt section(std::string text) {
  KnowledgeItem item{.id = "RB-1", .title = "Belts", .kind = Kind::kRunbook};
  item.path = "runbooks/belts.md";
  item.heading = {"Checks"};
  item.relevance = 1;
  item.text = std::move(text);
  Receipt receipt{.id = "R2", .tool = "doc_search"};
  receipt.result = SectionsResult{.sections = {item}};
  return receipt;
}

std::vector<Evidence> convincing(const Receipt& receipt) {
  std::vector<Evidence> pieces = collect_evidence({receipt});
  for (Evidence& piece : pieces) piece.score = piece.coverage = 0.9f;
  return pieces;
}

std::vector<std::string> sections(const Answer& answer) {
  std::vector<std::string> names;
  for (const TypedSection& one : answer.sections) names.push_back(one.type);
  return names;
}

TEST(Compose, ARecordIsShownWithItsSourceBelow) {
  Answer answer = asked(QuestionType::kLookupIncident, "what was INC-7?");
  answer.intent.ids = {"INC-7"};
  answer.receipts = {lookup()};
  compose(answer, {}, {});
  EXPECT_EQ(answer.status, AnswerStatus::kOk);
  EXPECT_THAT(answer.text, HasSubstr("A torn belt"));
  EXPECT_THAT(answer.text, HasSubstr("**Sources**\n- INC-7"));
  EXPECT_EQ(sections(answer).back(), "sources");
  EXPECT_EQ(answer.sources.front().path, "incidents.csv");
}

TEST(Compose, AFigureIsTheHeadline) {
  Answer answer = asked(QuestionType::kRecentIncidents, "how much did it cost?");
  Receipt receipt{.id = "R1", .tool = "aggregate_incidents"};
  receipt.result = FiguresResult{.function = "sum",
                                 .of = "EUR lost",
                                 .scope = "region north",
                                 .figures = {{"", "", 38610, 5}},
                                 .incidents = 6,
                                 .without = 1};
  answer.receipts = {receipt};
  compose(answer, {}, {});
  EXPECT_EQ(answer.status, AnswerStatus::kOk);
  EXPECT_THAT(answer.text, StartsWith("**Sum of EUR lost: 38,610** (6 incidents: region north; "
                                      "1 of them has no value)"));
  EXPECT_EQ(sections(answer), (std::vector<std::string>{"figures", "sources"}));
}

TEST(Compose, FiguresOfGroupsAndOfIncidentsAreAList) {
  Answer answer = asked(QuestionType::kRecentIncidents, "which lasted longest?");
  Receipt receipt{.id = "R1", .tool = "aggregate_incidents"};
  receipt.result = FiguresResult{.function = "highest",
                                 .of = "duration",
                                 .figures = {{"INC-7", "The press stood still", 80, 1}},
                                 .left_out = 3,
                                 .incidents = 4};
  answer.receipts = {receipt};
  compose(answer, {}, {});
  EXPECT_THAT(answer.text, HasSubstr("- INC-7: The press stood still, 1 h 20 min"));
  EXPECT_THAT(answer.text, HasSubstr("3 more are not shown."));

  answer = asked(QuestionType::kRecentIncidents, "by month?");
  receipt.result = FiguresResult{.function = "average",
                                 .of = "duration",
                                 .by = "month",
                                 .figures = {{"2026-04", "", 30, 1}, {"2026-05", "", 45, 2}},
                                 .incidents = 3};
  answer.receipts = {receipt};
  compose(answer, {}, {});
  EXPECT_THAT(answer.text, HasSubstr("Average of duration by month"));
  EXPECT_THAT(answer.text, HasSubstr("- 2026-04: 30 min (1 incident)"));
  EXPECT_THAT(answer.text, HasSubstr("- 2026-05: 45 min (2 incidents)"));
}

TEST(Compose, WhatCannotBeComputedIsSaid) {
  Answer answer = asked(QuestionType::kRecentIncidents, "how many euros?");
  Receipt receipt{.id = "R1", .tool = "aggregate_incidents"};
  receipt.result =
      FiguresResult{.function = "sum", .note = "No column of the records holds numbers."};
  answer.receipts = {receipt};
  compose(answer, {}, {});
  EXPECT_THAT(answer.text, StartsWith("No column of the records holds numbers."));
}

TEST(Compose, AnOrderIsRefusedBeforeItIsAnswered) {
  Answer answer = asked(QuestionType::kHowTo, "How do I replace the belt?");
  answer.intent.order = "replace";
  answer.receipts = {section("Check the belt for tears.")};
  compose(answer, convincing(answer.receipts[0]), {});
  EXPECT_THAT(answer.text, StartsWith("I am read-only: I cannot replace anything for you."));
  EXPECT_THAT(answer.text, HasSubstr("Check the belt for tears."));
}

TEST(Compose, OfWhatHasNotComeYetNothingElseIsSaid) {
  Answer answer = asked(QuestionType::kDebugIncident, "will the press be slow tomorrow?");
  const TimeRange next_day{*parse_time("2026-11-21T00:00:00Z"),
                           *parse_time("2026-11-22T00:00:00Z")};
  answer.intent.times = {{.text = "tomorrow", .range = next_day}};
  answer.receipts = {section("Check the belt for tears.")};
  compose(answer, convincing(answer.receipts[0]), {});
  EXPECT_EQ(answer.text, "'tomorrow' has not come yet; nothing was measured then.\n");
  EXPECT_EQ(answer.status, AnswerStatus::kPartial);
}

TEST(Compose, ANameThatNothingMentionsIsNamedAndWhatIsNearIsNoAnswer) {
  Answer answer = asked(QuestionType::kKnowledge, "how is Zephyr checked?");
  answer.receipts = {section("Check the belt for tears.")};
  compose(answer, convincing(answer.receipts[0]), {"Zephyr"});
  EXPECT_THAT(answer.text, StartsWith("Nothing in the knowledge base mentions 'Zephyr'."));
  EXPECT_THAT(answer.missing, ElementsAre("Nothing in the knowledge base mentions 'Zephyr'."));
  EXPECT_THAT(sections(answer), Contains("nearest"));
  EXPECT_THAT(sections(answer), Not(Contains("search")));
}

TEST(Compose, APersonOfTheRecordOfChangesNeedNoDocument) {
  Answer answer = asked(QuestionType::kKnowledge, "what did Zephyr change?");
  answer.intent.subjects = {{"Zephyr", SubjectKind::kPerson}};
  answer.receipts = {section("Check the belt for tears.")};
  compose(answer, convincing(answer.receipts[0]), {"Zephyr"});
  EXPECT_THAT(answer.text, Not(HasSubstr("mentions 'Zephyr'")));
}

TEST(Compose, WhereNothingWasFoundThatIsTheAnswer) {
  Answer answer = asked(QuestionType::kKnowledge, "how are belts checked?");
  compose(answer, {}, {});
  EXPECT_THAT(answer.text, StartsWith("Nothing in the knowledge base answers this"));
  EXPECT_EQ(answer.status, AnswerStatus::kPartial);
  EXPECT_THAT(answer.sources, IsEmpty());
}

TEST(Compose, WhereEveryCallFailedTheAnswerIsAnError) {
  Answer answer = asked(QuestionType::kKnowledge, "how are belts checked?");
  Receipt failed{.id = "R1", .tool = "doc_search", .status = ReceiptStatus::kError};
  failed.failure = CallFailure::kTool;
  failed.text = "doc_search failed: no Qdrant.";
  answer.receipts = {failed};
  compose(answer, {}, {});
  EXPECT_EQ(answer.status, AnswerStatus::kError);
  EXPECT_THAT(answer.text, HasSubstr("doc_search failed: no Qdrant."));
}

TEST(Compose, TheRunbookThatAPastedAlertPointsToComesFirst) {
  Answer answer = asked(QuestionType::kDebugIncident, "[FIRING] BeltTorn press=3 since 12:00");
  answer.intent.signals.log_line = answer.intent.asks.number = true;
  answer.receipts = {section("1. Stop the press.\n2. Replace the belt.")};
  KnowledgeItem note{.id = "D-1", .title = "Notes", .kind = Kind::kDoc, .relevance = 1};
  note.text = "BeltTorn was seen in May.";
  auto& found = std::get<SectionsResult>(answer.receipts[0].result).sections;
  found.insert(found.begin(), note);
  const std::vector<Evidence> evidence = convincing(answer.receipts[0]);
  Answer unpointed = answer;
  compose(unpointed, evidence, {});
  EXPECT_THAT(unpointed.text, StartsWith("> BeltTorn was seen in May."));
  found.back().pointed_to = true;
  compose(answer, evidence, {});
  EXPECT_THAT(answer.text, StartsWith("**Steps** from runbook \"Belts\""));
}

TEST(Compose, AnExpiredDocumentIsCalledThatWhereItIsQuoted) {
  Answer answer = asked(QuestionType::kKnowledge, "how are belts checked?");
  answer.receipts = {section("Check the belt for tears.")};
  std::get<SectionsResult>(answer.receipts[0].result).sections[0].expired_at =
      *parse_time("2026-01-01T00:00:00Z");
  compose(answer, convincing(answer.receipts[0]), {});
  EXPECT_THAT(answer.text, HasSubstr("2026-01-01"));
  Answer other = asked(QuestionType::kKnowledge, "how are belts checked?");
  other.receipts = answer.receipts;
  compose(other, {}, {});  // it is not quoted
  EXPECT_THAT(other.text, Not(HasSubstr("2026-01-01")));
}

TEST(Compose, SeveralQuestionsAreAnsweredEachUnderItsOwn) {
  const auto part = [](std::string question, std::string id) {
    AnswerPart answered;
    answered.intent = asked(QuestionType::kLookupIncident, std::move(question)).intent;
    answered.intent.ids = {id};
    answered.receipts = {lookup()};
    std::get<IncidentsResult>(answered.receipts[0].result).incidents[0].incident.incident_id = id;
    return answered;
  };
  Answer answer;
  compose_parts(answer, {part("what was INC-1?", "INC-1"), part("and INC-2?", "INC-2")},
                {FrozenText("who fixed it?")});
  EXPECT_LT(answer.text.find("**what was INC-1?**"), answer.text.find("**and INC-2?**"));
  EXPECT_THAT(answer.missing, Contains(HasSubstr("Not answered: 'who fixed it?'")));
  EXPECT_EQ(answer.status, AnswerStatus::kPartial);
}

}  // namespace
}  // namespace precedent
