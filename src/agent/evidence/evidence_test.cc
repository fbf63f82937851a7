#include "agent/evidence/evidence.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "agent/understand/freeze.h"
#include "search/search_lab.h"

namespace precedent {
namespace {

Receipt section(std::string text) {
  SectionsResult result;
  KnowledgeItem item;
  item.id = "kb-1";
  item.title = "Redis failover";
  item.kind = Kind::kRunbook;
  item.path = "runbooks/redis.md";
  item.heading = {"Diagnosis"};
  item.text = std::move(text);
  result.sections.push_back(item);
  Receipt receipt;
  receipt.id = "R1";
  receipt.result = result;
  return receipt;
}

const Evidence* find(const std::vector<Evidence>& pieces, std::string_view quote) {
  const auto found = std::ranges::find(pieces, quote, &Evidence::quote);
  return found == pieces.end() ? nullptr : &*found;
}

TEST(Evidence, SentencesItemsRowsAndCommandsArePiecesOfTheirOwn) {
  const auto pieces = collect_evidence({section(
      "The primary is gone. A replica must be promoted.\n\n1. Check the lag.\n2. Promote it.\n\n"
      "| Metric | Limit |\n|---|---|\n| lag | 5 s |\n\n```sh\nredis-cli info replication\n```\n")});
  ASSERT_NE(find(pieces, "The primary is gone."), nullptr);
  EXPECT_EQ(find(pieces, "The primary is gone.")->form, Form::kSentence);
  ASSERT_NE(find(pieces, "Promote it."), nullptr);
  EXPECT_EQ(find(pieces, "Promote it.")->form, Form::kItem);
  ASSERT_NE(find(pieces, "Metric: lag | Limit: 5 s"), nullptr);
  EXPECT_EQ(find(pieces, "Metric: lag | Limit: 5 s")->form, Form::kRow);
  ASSERT_NE(find(pieces, "redis-cli info replication"), nullptr);
  EXPECT_EQ(find(pieces, "redis-cli info replication")->form, Form::kCommand);
}

TEST(Evidence, APieceKnowsItsSourceAndSubject) {
  const auto pieces = collect_evidence({section("Promote the replica.")});
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].source.id, "kb-1");
  EXPECT_EQ(pieces[0].source.receipt, "R1");
  EXPECT_NE(pieces[0].context.find("Redis failover"), std::string::npos);
}

TEST(Evidence, ASectionCalledDetailsHoldsNoAttributes) {
  Receipt receipt = section("Reviewed: 2026-01-02");
  KnowledgeItem& item = std::get<SectionsResult>(receipt.result).sections.front();
  item.heading = {std::string(kAttributes)};
  EXPECT_TRUE(is_attribute(collect_evidence({receipt}).at(0)));
  item.lines = {12, 14};
  EXPECT_FALSE(is_attribute(collect_evidence({receipt}).at(0)));
}

TEST(Evidence, ALongScriptIsCutIntoCommandsUnderTheirComments) {
  const auto pieces =
      collect_evidence({section("```sh\n# who is primary\nredis-cli role\n# lag\nredis-cli info "
                                "\\\n  replication\necho a\necho b\n```\n")});
  const Evidence* role = find(pieces, "redis-cli role");
  ASSERT_NE(role, nullptr);
  EXPECT_NE(role->context.find("who is primary"), std::string::npos);
  EXPECT_NE(find(pieces, "redis-cli info \\\n  replication"), nullptr);
}

TEST(Evidence, FieldsOfAnIncidentArePieces) {
  IncidentsResult result;
  Incident incident;
  incident.incident_id = "INC-1";
  incident.title = "Queue full";
  incident.description = "The queue was full.";
  incident.severity = "SEV2";
  incident.extra["detected_by"] = "alert QueueFull";
  result.incidents.push_back({incident});
  Receipt receipt;
  receipt.result = result;
  const auto pieces = collect_evidence({receipt});
  ASSERT_NE(find(pieces, "SEV2"), nullptr);
  ASSERT_NE(find(pieces, "alert QueueFull"), nullptr);
  EXPECT_EQ(find(pieces, "alert QueueFull")->label, "detected by");
}

TEST(Evidence, TheSameTextTwiceIsOnePiece) {
  EXPECT_EQ(collect_evidence({section("Stop.\n\nStop.")}).size(), 1u);
}

TEST(Evidence, FormFitsWhatIsAsked) {
  Evidence number, command;
  number.quote = "The limit is 500.";
  command.quote = "kubectl get pods";
  command.form = Form::kCommand;
  Asks asks;
  asks.number = true;
  EXPECT_EQ(form_fit(asks, number), 1);
  EXPECT_EQ(form_fit(asks, command), 0);
  asks = {};
  asks.command = true;
  EXPECT_EQ(form_fit(asks, command), 1);
}

TEST(Evidence, AFieldThatHoldsAnObjectIsItsMembers) {
  IncidentItem item;
  item.incident.incident_id = "INC-1";
  item.incident.extra["stats"] = R"({"Time to detection":"371 minutes","pages":4})";
  item.incident.extra["note"] = "{not json";
  IncidentsResult result;
  result.incidents.push_back(item);
  Receipt receipt;
  receipt.result = result;
  const auto pieces = collect_evidence({receipt});
  ASSERT_NE(find(pieces, "371 minutes"), nullptr);
  EXPECT_EQ(find(pieces, "371 minutes")->label, "Time to detection");
  EXPECT_NE(find(pieces, "4"), nullptr);
  EXPECT_NE(find(pieces, "{not json"), nullptr);
}

// Sections of documents, each with its title.
std::vector<Evidence> ranked(const std::string& question,
                             const std::vector<std::pair<std::string, std::string>>& documents,
                             const Asks& asks = {}) {
  SectionsResult result;
  for (const auto& [title, text] : documents) {
    KnowledgeItem item;
    item.id = title;
    item.title = title;
    item.kind = Kind::kRunbook;
    item.relevance = 0.5f;
    item.text = text;
    result.sections.push_back(item);
  }
  Receipt receipt;
  receipt.result = result;
  SearchLab lab(/*dense=*/false);
  OpenIntent intent;
  intent.question = question;
  intent.qualifiers = read_qualifiers(question, {}, {});
  intent.asks = asks;
  return rank_evidence(freeze(intent), collect_evidence({receipt}), lab.search()).value();
}

TEST(Evidence, ALineThatSaysTheQuestionLeadsToItsDocument) {
  const auto pieces = ranked(
      "errors in list operations of the cloud exporter",
      {{"Watch errors", "Errors in watch operations of the cloud exporter occur. Restart it."},
       {"List errors", "Errors in list operations of the cloud exporter.\n\nRaise its limit."}});
  ASSERT_GE(pieces.size(), 3u);
  EXPECT_EQ(pieces[0].quote, "Errors in list operations of the cloud exporter.");
  EXPECT_EQ(pieces[1].quote, "Raise its limit.");
  EXPECT_TRUE(pieces[1].meant);
  EXPECT_FALSE(pieces[2].meant);
}

TEST(Evidence, ADocumentThatIsCalledByItsTitleIsMeant) {
  const std::vector<std::pair<std::string, std::string>> documents = {
      {"Exporter slow", "The exporter is slow and the disk of the exporter is full. Clean it."},
      {"Exporter disk full", "Delete old blocks."}};
  Asks steps;
  steps.steps = true;
  const auto pieces = ranked("exporter disk full, what do I do", documents, steps);
  EXPECT_EQ(pieces.front().quote, "Delete old blocks.");
  EXPECT_TRUE(pieces.front().meant);
  // A figure may stand in any document.
  Asks number;
  number.number = true;
  for (const Evidence& e : ranked("exporter disk full, how many blocks", documents, number))
    EXPECT_FALSE(e.meant) << e.quote;
}

TEST(Evidence, AnItemWithCodeIsACommand) {
  const auto pieces = collect_evidence({section("- Run `lag --all`.\n- Wait a minute.\n")});
  Asks asks;
  asks.command = true;
  EXPECT_EQ(form_fit(asks, *find(pieces, "Run lag --all.")), 1);
  EXPECT_EQ(form_fit(asks, *find(pieces, "Wait a minute.")), 0);
}

}  // namespace
}  // namespace precedent
