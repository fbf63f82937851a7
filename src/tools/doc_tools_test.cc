#include "tools/doc_tools.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tools/tools_lab.h"

namespace precedent {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

class DocTools : public testing::Test {
 protected:
  DocTools() { lab_.add_shop(); }

  Receipt knowledge(const json& args) { return lab_.call("search_knowledge", args); }
  static std::vector<std::string> ids(const Receipt& receipt) {
    std::vector<std::string> out;
    const auto* result = std::get_if<KnowledgeResult>(&receipt.result);
    if (result != nullptr) {
      for (const KnowledgeItem& item : result->items) out.push_back(item.id);
    }
    return out;
  }

  ToolsLab lab_;
};

TEST_F(DocTools, KnowledgeIsGroupedByWhatItIsFor) {
  const Receipt receipt =
      knowledge({{"query", "credentials gateway search SEV1 Postgres"}, {"limit", 50}});
  const json result = to_json(receipt)["result"];
  const auto group = [&](const char* name) {
    std::vector<std::string> out;
    for (const json& item : result.value(name, json::array())) out.push_back(item["id"]);
    return out;
  };
  EXPECT_THAT(group("runbooks"), UnorderedElementsAre("RB-403", "PB-SEV1"));
  EXPECT_THAT(group("postmortems"), ElementsAre("PM-403"));
  EXPECT_THAT(group("architecture"), ElementsAre("AR-SEARCH"));
  EXPECT_THAT(group("knownIssues"), ElementsAre("KI-INDEX"));
  EXPECT_THAT(group("other"), ElementsAre("ADR-7"));
}

TEST_F(DocTools, TheFourGroupsAreThereEvenIfEmpty) {
  const json result = to_json(knowledge({{"query", "x"}, {"tagFilter", {"nothing"}}}))["result"];
  for (const char* name : {"runbooks", "postmortems", "architecture", "knownIssues"})
    EXPECT_EQ(result[name], json::array()) << name;
}

TEST_F(DocTools, AnItemSaysWhatASourceNeeds) {
  const Receipt receipt = knowledge({{"query", "rotate credentials"}, {"typeFilter", "runbook"}});
  const json item = to_json(receipt)["result"]["runbooks"][0];
  EXPECT_EQ(item["id"], "RB-403");
  EXPECT_EQ(item["title"], "Fix PayU 403 errors");
  EXPECT_EQ(item["type"], "runbook");
  EXPECT_EQ(item["services"], json({"payment-service"}));
  EXPECT_EQ(item["path"], "runbook/RB-403.md");
  EXPECT_THAT(item["preview"].get<std::string>(), HasSubstr("Rotate"));
  EXPECT_GT(item["relevance"].get<double>(), 0);
  EXPECT_LE(item["relevance"].get<double>(), 1);
}

TEST_F(DocTools, TheFileOfARecordIsTheOneThatTheStoreSays) {
  Document record =
      lab_incident("INC-2026-11-19-001", "Coolant low", "No coolant.", "Press", "2026-11-19");
  record.path = "";
  lab_.add(record);
  record.path = "december.csv";
  lab_.put(record);
  const Receipt found = knowledge({{"query", "coolant"}, {"typeFilter", {"incident"}}});
  EXPECT_EQ(std::get<KnowledgeResult>(found.result).items.at(0).path, "december.csv");
}

TEST_F(DocTools, IncidentsCodeAndGoldenAnswersAreNotAmongThem) {
  EXPECT_THAT(
      ids(knowledge({{"query", "403 credentials gateway"}, {"limit", 50}})),
      Not(testing::AnyOf(Contains("INC-2025-01-20-005"), Contains("CODE-1"), Contains("GOLD-1"))));
  EXPECT_THAT(ids(knowledge({{"query", "403"}, {"typeFilter", {"code"}}})), ElementsAre("CODE-1"));
}

TEST_F(DocTools, NoToolReturnsGoldenExamplesUnasked) {
  const std::pair<const char*, json> calls[] = {
      {"search_similar_incidents", {{"query", "PayU 403 errors of the gateway"}, {"limit", 50}}},
      {"get_incidents_by_application", {{"app_name", "PayU"}}},
      {"get_recent_incidents", {{"days", 3650}, {"limit", 50}}},
      {"search_knowledge",
       {{"query", "How do I fix PayU 403 errors of the gateway?"}, {"limit", 50}}},
      {"search_knowledge", {{"query", ""}, {"tagFilter", {"payu"}}, {"limit", 50}}},
      {"doc_search", {{"query", "How do I fix PayU 403 errors of the gateway?"}, {"limit", 50}}}};
  GoldenExample tagged;
  tagged.id = "GOLD-2";
  tagged.question = "PayU 403 errors of the gateway";
  tagged.answer = "a";
  tagged.tags = {"payu"};
  tagged.review = Review{"Ana", parse_time("2026-11-19").value()};
  lab_.add_golden(tagged);
  for (const auto& [tool, args] : calls) {
    const Receipt receipt = lab_.call(tool, args);
    EXPECT_EQ(receipt.status, ReceiptStatus::kOk) << tool;
    EXPECT_THAT(to_json(receipt).dump(), Not(HasSubstr("GOLD-"))) << tool;
  }
}

TEST_F(DocTools, GoldenExamplesAreFoundByTypeAsTheStoreHasThem) {
  const json args = {{"query", "fix PayU 403"}, {"typeFilter", {"golden"}}};
  const Receipt receipt = knowledge(args);
  EXPECT_THAT(ids(receipt), ElementsAre("GOLD-1"));
  EXPECT_THAT(receipt.text, HasSubstr("reviewed by Ana Ruiz on 2026-11-19: Rotate"));
  GoldenExample stale;
  stale.id = "GOLD-1";
  stale.question = "How do I fix PayU 403 errors of the gateway?";
  stale.answer = "Rotate the credentials.";
  stale.review = Review{"Ana Ruiz", parse_time("2026-11-19").value()};
  const auto finds_nothing = [&](GoldenExample now_stored) {
    lab_.put_golden(now_stored);
    EXPECT_THAT(ids(knowledge(args)), testing::IsEmpty());
  };
  GoldenExample off = stale, unreviewed = stale, other = stale;
  off.active = false;
  unreviewed.review.reset();
  other.question = "Another question";
  finds_nothing(off);
  finds_nothing(unreviewed);
  finds_nothing(other);
}

TEST_F(DocTools, TypesInAnySpelling) {
  for (const char* type : {"known_issue", "knownIssue", "Known Issues", "KNOWN-ISSUE"}) {
    EXPECT_THAT(ids(knowledge({{"query", ""}, {"typeFilter", {type}}})), ElementsAre("KI-INDEX"))
        << type;
  }
  EXPECT_THAT(ids(knowledge({{"query", ""}, {"typeFilter", {"Post-Mortems"}}})),
              ElementsAre("PM-403"));
}

TEST_F(DocTools, AnUnknownTypeIsAnErrorThatNamesTheTypes) {
  const Receipt receipt = knowledge({{"query", "x"}, {"typeFilter", {"runbook", "poem"}}});
  EXPECT_EQ(receipt.status, ReceiptStatus::kError);
  EXPECT_THAT(receipt.text, HasSubstr("'poem' in 'typeFilter' is no document type"));
  EXPECT_THAT(receipt.text, HasSubstr("known_issue"));
}

TEST_F(DocTools, ServicesAndTagsFilter) {
  EXPECT_THAT(ids(knowledge({{"query", "403"}, {"serviceFilter", {"payment-service"}}})),
              UnorderedElementsAre("RB-403", "PM-403", "ADR-7"));
  EXPECT_THAT(ids(knowledge({{"query", ""}, {"serviceFilter", "Payment-Service"}})),
              UnorderedElementsAre("RB-403", "PM-403", "ADR-7"));
  EXPECT_THAT(ids(knowledge({{"query", ""}, {"tagFilter", {"payu"}}})),
              UnorderedElementsAre("RB-403", "PM-403"));
  EXPECT_THAT(ids(knowledge({{"query", ""},
                             {"tagFilter", {"payu"}},
                             {"typeFilter", {"runbook"}},
                             {"serviceFilter", {"payment-service"}}})),
              ElementsAre("RB-403"));
  EXPECT_THAT(
      ids(knowledge({{"query", ""}, {"tagFilter", {"payu", "search"}}, {"limit", 2}})).size(), 2u);
}

TEST_F(DocTools, AServiceIsKnownHoweverItIsWritten) {
  for (const char* service : {"payment service", "payment_service", "PAYMENT-SERVICE"}) {
    EXPECT_THAT(ids(knowledge({{"query", ""}, {"serviceFilter", {service}}})),
                UnorderedElementsAre("RB-403", "PM-403", "ADR-7"))
        << service;
  }
}

TEST_F(DocTools, AnUnknownServiceIsNamed) {
  const Receipt receipt = knowledge({{"query", "403"}, {"serviceFilter", {"paymnt-service"}}});
  EXPECT_EQ(receipt.status, ReceiptStatus::kEmpty);
  EXPECT_THAT(receipt.text, HasSubstr("No document has the service 'paymnt-service' (nearest: "
                                      "'payment-service')"));
}

TEST_F(DocTools, AnEmptyQueryWithoutAFilterIsAnError) {
  for (const char* query : {"", "  "}) {
    const Receipt receipt = knowledge({{"query", query}});
    EXPECT_EQ(receipt.status, ReceiptStatus::kError);
    EXPECT_THAT(receipt.text, HasSubstr("give search words, or a typeFilter"));
  }
}

TEST_F(DocTools, KnowledgeSaysWhatItDoes) {
  knowledge({{"query", "credentials"}, {"typeFilter", {"postmortem"}}});
  EXPECT_THAT(lab_.statuses(),
              ElementsAre("Searching the knowledge base...", "Found 1 relevant documents..."));
  knowledge({{"query", "credentials"}, {"tagFilter", {"nothing"}}});
  EXPECT_THAT(lab_.statuses(),
              ElementsAre("Searching the knowledge base...", "No documents found"));
}

TEST_F(DocTools, SectionsAreFoundWithinDocuments) {
  const Receipt receipt = lab_.call("doc_search", {{"query", "restart the gateway"}});
  const json first = to_json(receipt)["result"]["sections"][0];
  EXPECT_EQ(first["id"], "RB-403");
  EXPECT_EQ(first["excerpt"], "Restart the gateway.");
  EXPECT_EQ(first["path"], first["url"]);
}

TEST_F(DocTools, ADocumentDoesNotFillTheSections) {
  lab_.add(lab_document(Kind::kDoc, "LONG", "Gateway guide",
                        "The gateway one.\n\nThe gateway two.\n\nThe gateway three.\n\nThe gateway "
                        "four.\n\nThe gateway five."));
  const Receipt receipt = lab_.call("doc_search", {{"query", "gateway"}, {"limit", 6}});
  size_t of_it = 0;
  for (const KnowledgeItem& section : std::get<SectionsResult>(receipt.result).sections)
    of_it += section.id == "LONG";
  EXPECT_EQ(of_it, 3u);
}

TEST_F(DocTools, SectionsOfOneDocument) {
  lab_.add(lab_document(Kind::kDoc, "LONG", "Gateway guide", "Restart the gateway one by one."));
  const Receipt receipt =
      lab_.call("doc_search", {{"query", "restart the gateway"}, {"document", "LONG"}});
  const auto& sections = std::get<SectionsResult>(receipt.result).sections;
  ASSERT_FALSE(sections.empty());
  for (const KnowledgeItem& section : sections) EXPECT_EQ(section.id, "LONG");
  const Receipt unknown = lab_.call("doc_search", {{"query", "gateway"}, {"document", "NONE"}});
  EXPECT_EQ(unknown.status, ReceiptStatus::kError);
  EXPECT_THAT(unknown.text, HasSubstr("there is no document 'NONE'"));
}

TEST_F(DocTools, ADocumentThatHasExpiredIsMarked) {
  const auto runbook = [&](const char* id, const char* key, const char* until) {
    Document d = lab_document(Kind::kRunbook, id, std::string("Ferry ") + id, "Moor the ferry.");
    d.attributes.emplace(key, until);
    lab_.add(d);
  };
  runbook("RB-OLD", "expiresAt", "2026-11-19");
  runbook("RB-OLD-2", "expires_at", "2026-11-20T11:59:00Z");
  runbook("RB-TODAY", "expiresAt", "2026-11-20");
  runbook("RB-ODD", "expiresAt", "when it rains");
  const Receipt found = lab_.call("search_knowledge", {{"query", "moor the ferry"}});
  std::vector<std::string> expired;
  for (const KnowledgeItem& item : std::get<KnowledgeResult>(found.result).items) {
    if (item.expired_at) expired.push_back(item.id + " " + format_date(*item.expired_at));
  }
  EXPECT_THAT(expired, UnorderedElementsAre("RB-OLD 2026-11-19", "RB-OLD-2 2026-11-20"));
  EXPECT_THAT(found.text, HasSubstr("**Expired**: on 2026-11-19, check it before you follow it"));
  const Receipt sections = lab_.call("doc_search", {{"query", "moor the ferry"}});
  EXPECT_THAT(sections.text, HasSubstr("**Expired**: on 2026-11-19"));
}

TEST_F(DocTools, WhereADocumentLivesIsTold) {
  const auto runbook = [&](const char* id, const char* link, const char* version) {
    Document d = lab_document(Kind::kRunbook, id, std::string("Ferry ") + id, "Moor the ferry.");
    d.attributes["link"] = link;
    d.attributes["version"] = version;
    lab_.add(d);
  };
  runbook("RB-WIKI", "https://wiki.example/pages/7", "7");
  runbook("RB-JS", "javascript:alert(1)", "");
  runbook("RB-HTML", "https://x.example/\"><script>", "");
  runbook("RB-BLANK", "https://x.example/ steer", "");
  const Receipt found = lab_.call("search_knowledge", {{"query", "moor the ferry"}});
  std::set<std::string> seen, linked;
  for (const Source& source : sources_of(found)) {
    seen.insert(source.id);
    if (!source.link.empty()) linked.insert(source.id + where_it_lives(source));
  }
  for (const char* id : {"RB-WIKI", "RB-JS", "RB-HTML", "RB-BLANK"})
    EXPECT_TRUE(seen.contains(id)) << id;
  EXPECT_EQ(linked, std::set<std::string>{"RB-WIKI — version 7, https://wiki.example/pages/7"});
  for (const auto& item : to_json(found)["result"]["runbooks"])
    EXPECT_EQ(item.contains("link"), item["id"] == "RB-WIKI") << item;
}

TEST_F(DocTools, ABlankDocQueryIsAnError) {
  const Receipt receipt = lab_.call("doc_search", {{"query", " "}});
  EXPECT_EQ(receipt.status, ReceiptStatus::kError);
  EXPECT_THAT(receipt.text, HasSubstr("'query' is blank; give search words"));
}

TEST_F(DocTools, SourcesNameWhatMayBeCited) {
  const Receipt receipt = knowledge({{"query", "rotate credentials"}, {"typeFilter", "runbook"}});
  const auto sources = sources_of(receipt);
  ASSERT_FALSE(sources.empty());
  EXPECT_EQ(sources[0].id, "RB-403");
  EXPECT_EQ(sources[0].receipt, "R1");
  EXPECT_EQ(sources[0].path, "runbook/RB-403.md");
}

}  // namespace
}  // namespace precedent
