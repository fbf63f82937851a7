// Whom to page and who is downstream, from a call graph and a small knowledge base.
#include "investigate/evidence/ownership.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "investigate/knowledge/knowledge.h"
#include "investigate/report/known_documents.h"
#include "investigate/report/report.h"
#include "investigate/report/report_html.h"
#include "search/search_lab.h"

namespace precedent {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

ServiceGraph parcels() {
  ServiceGraph graph;
  graph.add_edge({"web", "label", "the span A of web calls B of label", "R1", true});
  graph.add_edge({"shop", "web", "the span C of shop calls A of web", "R2", true});
  graph.add_edge({"label", "printer", "the span B of label calls P of printer", "R3", true});
  graph.add_edge({"label", "shop", "label logs: shop", "", false});
  return graph;
}

class OwnershipTest : public ::testing::Test {
 protected:
  // A document whose fields are a section, as an ingest makes it
  // (ingest/chunks/document_chunks.cc).
  void add_with_fields(Kind kind, const std::string& id, const std::string& title,
                       std::vector<std::string> services, const std::string& body,
                       const std::string& fields) {
    Document document = lab_document(kind, id, title, body);
    document.services = std::move(services);
    lab_.add(document);
    Point point;
    point.id = kFirstField + fields_.add.size();
    point.payload = {.doc_id = document.id, .kind = kind, .ordinal = 99};
    point.payload.title = title;
    point.payload.path = document.path;
    point.payload.services = document.services;
    point.payload.heading = {"Details"};
    point.payload.text = "## Details\n\n" + fields;
    fields_.add.push_back(std::move(point));
  }
  const Searcher& search() {
    fields_.model_id = lab_.index.info().model_id;
    EXPECT_TRUE(fields_.add.empty() || lab_.index.apply(fields_, kFirstField));
    fields_.add.clear();
    return lab_.search();
  }
  Ownership find(const std::string& service) {
    const auto documents = documents_about(search(), service, now_);
    EXPECT_TRUE(documents) << documents.error().text();
    return documents ? read_ownership(*documents, service, now_, receipts_) : Ownership{};
  }
  // Beyond what the lab itself numbers.
  static constexpr uint64_t kFirstField = 1000;
  SearchLab lab_;
  IndexUpdate fields_;
  const TimePoint now_ = *parse_time("2026-11-19T15:00:00Z");
  std::vector<Receipt> receipts_ = {Receipt{.id = "R1"}};
};

TEST(Downstream, AreThoseThatCallItAndTheirCallersTheNearestFirst) {
  const auto found = downstream_of(parcels(), "label", {"web"});
  ASSERT_THAT(found, SizeIs(2)) << "no callee, and a circle ends";
  EXPECT_EQ(found[0].service, "web");
  EXPECT_EQ(found[0].on, "label");
  EXPECT_EQ(found[0].receipt, "R1");
  EXPECT_TRUE(found[0].fails);
  EXPECT_EQ(found[1].service, "shop");
  EXPECT_EQ(found[1].on, "web");
  EXPECT_FALSE(found[1].fails);
  EXPECT_THAT(downstream_of(parcels(), "nobody", {}), IsEmpty());
}

TEST_F(OwnershipTest, TheDocumentThatListsTheServiceIsQuotedWithItsReceipt) {
  add_with_fields(Kind::kOwnership, "own-1", "Team Parcels", {"label", "printer"}, "Owns label.",
                  "- Team: Parcels\n- Oncall: parcels-primary");
  add_with_fields(Kind::kOwnership, "own-2", "Team Web", {"web"},
                  "The web page shows what label prints.", "- Team: Web");
  const Ownership found = find("Label");
  ASSERT_THAT(found.owners, SizeIs(1));
  EXPECT_EQ(found.owners[0].title, "Team Parcels");
  EXPECT_EQ(found.owners[0].path, "ownership/own-1.md");
  EXPECT_EQ(found.owners[0].says, "Team: Parcels; Oncall: parcels-primary");
  EXPECT_EQ(found.owners[0].receipt, "R2");
  ASSERT_THAT(receipts_, SizeIs(2));
  EXPECT_EQ(receipts_[1].tool, "knowledge");
  EXPECT_EQ(receipts_[1].text, found.owners[0].says);
  EXPECT_THAT(receipts_[1].args, HasSubstr("own-1"));
}

TEST_F(OwnershipTest, WhereNoneListsItTheOneThatNamesItCounts) {
  lab_.add(lab_document(Kind::kOwnership, "own-1", "Teams",
                        "Teams and their rotas.\n\nlabel-archive belongs to Storage.\n\n"
                        "label belongs to Parcels, who are reached in\n#parcels."));
  const Ownership found = find("label");
  ASSERT_THAT(found.owners, SizeIs(1));
  EXPECT_THAT(found.owners[0].says, HasSubstr("#parcels"));
}

TEST_F(OwnershipTest, NothingIsSaidWhereNothingIsFound) {
  lab_.add(lab_document(Kind::kOwnership, "own-1", "Team Web", "Owns web and label-archive."));
  lab_.add(lab_document(Kind::kRunbook, "rb-1", "label is slow", "Restart label."));
  EXPECT_THAT(find("label").owners, IsEmpty());
  EXPECT_THAT(find("label").downstream, IsEmpty());
  EXPECT_THAT(find("").owners, IsEmpty());
  EXPECT_THAT(receipts_, SizeIs(1));
}

TEST_F(OwnershipTest, WhoeverListsItAsADependencyIsDownstream) {
  add_with_fields(Kind::kArchitecture, "arch-1", "How parcels leave", {"web", "courier"},
                  "web asks label for a label.", "- Dependencies: label, parcels-db\n- Tier: 1");
  add_with_fields(Kind::kArchitecture, "arch-3", "All of the hall", {"label", "scale"},
                  "label and scale stand in the hall.", "- Dependencies: label, power");
  add_with_fields(Kind::kArchitecture, "arch-2", "The archive of labels", {"archive"},
                  "label is mentioned.", "- Dependencies: label-archive\n- Team: label");
  const Ownership found = find("label");
  ASSERT_THAT(found.downstream, SizeIs(2));
  EXPECT_EQ(found.downstream[0].service, "web");
  EXPECT_EQ(found.downstream[1].service, "courier");
  EXPECT_EQ(found.downstream[0].why, "How parcels leave lists label among the dependencies");
  EXPECT_EQ(found.downstream[0].receipt, "R2");
  EXPECT_EQ(receipts_[1].text, "Dependencies: label, parcels-db");
}

TEST_F(OwnershipTest, EveryFormOfTheReportHasBoth) {
  add_with_fields(Kind::kOwnership, "own-1", "Team Parcels", {"label"}, "Owns label.",
                  "- Team: Parcels");
  add_with_fields(Kind::kArchitecture, "arch-1", "How parcels leave", {"web", "courier"},
                  "web asks label for a label.", "- Dependencies: printer\n- Dependencies: label");
  Investigation made;
  made.verdict.first_failing_service = "label";
  made.verdict.blast_radius = {"courier"};
  made.downstream = downstream_of(parcels(), "label", {});
  search_known(search(), now_, made);
  const auto json = to_json(made);
  ASSERT_EQ(json["owners"].size(), 1U);
  EXPECT_EQ(json["owners"][0]["title"], "Team Parcels");
  ASSERT_EQ(json["downstream"].size(), 3U) << "web is told once";
  EXPECT_EQ(json["downstream"][2]["service"], "courier");
  EXPECT_EQ(json["downstream"][2]["fails"], true);
  const std::string receipt = json["owners"][0]["receipt"];
  EXPECT_EQ(json["receipts"][0]["id"], receipt);
  EXPECT_THAT(to_markdown(made),
              AllOf(HasSubstr("## Whom to page\n\n- Team Parcels (ownership/own-1.md): Team: "
                              "Parcels [" +
                              receipt + "]"),
                    HasSubstr("## Downstream of label\n\n- web: the span A of web"),
                    HasSubstr("- courier (fails, too): How parcels leave")));
  EXPECT_THAT(to_html(made),
              AllOf(HasSubstr("<h2>Whom to page</h2>"), HasSubstr("Team Parcels"),
                    HasSubstr("<h2>Downstream</h2>"), HasSubstr("<span id=\"" + receipt + "\">")));
  const std::string none = to_markdown({}) + to_html({});
  EXPECT_THAT(none, AllOf(Not(HasSubstr("Whom to page")), Not(HasSubstr("Downstream"))));
}

TEST_F(OwnershipTest, TheRunbookThatFitsIsQuotedAndAPastIncidentSaysWhatFixedIt) {
  const Document runbook =
      lab_document(Kind::kRunbook, "rb-1", "label is slow",
                   "When label is slow.\n\n## Steps\n\n1. Drain the printer.\n2. Restart label.\n");
  Incident past{.incident_id = "INC-7", .title = "label is slow", .description = "label is slow"};
  past.mitigation = "The printer was drained.";
  Document incident = to_document(past);
  lab_.add(runbook);
  lab_.add(lab_document(Kind::kIncident, "INC-7", past.title, incident.body));
  Investigation made;
  made.queries = {"label is slow"};
  search_known(search(), now_, made, [&](const std::string& id) -> std::optional<Document> {
    if (id == "rb-1") return runbook;
    if (id == "INC-7") return incident;
    return std::nullopt;
  });
  const KnownDocument* quoted = quoted_runbook(made.known);
  ASSERT_NE(quoted, nullptr);
  EXPECT_THAT(quoted->helps, HasSubstr("1. Drain the printer.\n2. Restart label."));
  EXPECT_GT(quoted->lines.end, quoted->lines.begin);
  EXPECT_THAT(to_markdown(made), AllOf(HasSubstr("> 1. Drain the printer."),
                                       HasSubstr("Fixed by: The printer was drained.")));
  const auto steps = to_json(made)["runbook"]["steps"];
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[1]["text"], "Restart label.");
  EXPECT_EQ(steps[1]["place"], "runbook/rb-1.md:6");
}

TEST_F(OwnershipTest, AnIndexThatFailsIsMissing) {
  Investigation made;
  made.verdict.first_failing_service = "label";
  const Searcher& search = lab_.search();
  lab_.index.error = Error{ErrorCode::kUnavailable, "the index is gone"};
  search_known(search, now_, made);
  EXPECT_THAT(made.evidence.missing, ElementsAre(HasSubstr("the index is gone")));
  EXPECT_THAT(made.owners, IsEmpty());
}

}  // namespace
}  // namespace precedent
