// Documents, search and changes over HTTP.
#include "server/server_lab.h"

namespace precedent {
namespace {

class KnowledgeApiTest : public ServerLab {
 protected:
  KnowledgeApiTest() {
    Document press = lab_document(Kind::kRunbook, "press/drain", "Drain a press",
                                  "# Drain\n\nStop the feeder.\n\nOpen the valves.\n");
    press.services = {"press"};
    press.tags = {"hall-2"};
    press.body_line = 4;
    add(press);
    Document leak = lab_incident("INC-2026-03-01-001", "Press leaks oil", "Oil below the press.",
                                 "Printing", "2026-03-01T08:00:00Z");
    leak.services = {"press", "pump"};
    leak.severity = "SEV2";
    leak.status = "resolved";
    leak.attributes["ticket"] = "T-1";
    add(leak);
    Document late = lab_incident("INC-2026-04-01-001", "Courier was late", "No courier came.",
                                 "Mail", "2026-04-01T08:00:00Z");
    late.severity = "SEV3";
    add(late);
    add(lab_document(Kind::kCode, "press:main.cc", "main.cc", "int main() {}"));
  }

  void add(const Document& document) {
    knowledge_.add(document);
    ASSERT_TRUE(store_.apply({.put = {{.document = document, .hash = content_hash(document)}}}));
  }
  static std::vector<std::string> ids(const json& documents) {
    std::vector<std::string> ids;
    for (const json& document : documents) ids.push_back(document["id"]);
    return ids;
  }
  static size_t count(const json& facet, const std::string& value) {
    for (const json& entry : facet)
      if (entry["value"] == value) return entry["documents"];
    return 0;
  }
};

using Ids = std::vector<std::string>;

TEST_F(KnowledgeApiTest, DocumentsAreListedNewestFirstWithoutCode) {
  const Got got = ask("GET", "/documents");
  ASSERT_EQ(got.status, 200) << got.raw.body;
  EXPECT_EQ(ids(got.body["documents"]),
            (Ids{"INC-2026-04-01-001", "INC-2026-03-01-001", "press/drain", "rb-1"}));
  EXPECT_EQ(got.body["total"], 4);
  EXPECT_TRUE(got.body["next_offset"].is_null());
  const json& leak = got.body["documents"][1];
  EXPECT_EQ(leak["kind"], "incident");
  EXPECT_EQ(leak["title"], "Press leaks oil");
  EXPECT_EQ(leak["path"], "incidents.jsonl");
  EXPECT_EQ(leak["services"], (json{"press", "pump"}));
  EXPECT_EQ(leak["application"], "Printing");
  EXPECT_EQ(leak["severity"], "SEV2");
  EXPECT_EQ(leak["status"], "resolved");
  EXPECT_EQ(leak["opened_at"], "2026-03-01T08:00:00Z");
  EXPECT_EQ(got.body["documents"][2]["tags"], json{"hall-2"});
  EXPECT_TRUE(got.body["documents"][2]["opened_at"].is_null());
  EXPECT_EQ(ids(ask("GET", "/documents?kind=code").body["documents"]), Ids{"press:main.cc"});
}

TEST_F(KnowledgeApiTest, FiltersNarrowAndFacetsSayWhatElseThereIs) {
  const Got got = ask("GET", "/documents?kind=incident&service=PRESS");
  EXPECT_EQ(ids(got.body["documents"]), Ids{"INC-2026-03-01-001"});
  const json& facets = got.body["facets"];
  EXPECT_EQ(count(facets["kind"], "incident"), 1U);  // of those of the service
  EXPECT_EQ(count(facets["kind"], "runbook"), 1U);   // that could be chosen instead
  EXPECT_EQ(count(facets["service"], "press"), 1U);  // of incidents
  EXPECT_EQ(count(facets["service"], "pump"), 1U);
  EXPECT_EQ(count(facets["severity"], "SEV2"), 1U);
  EXPECT_EQ(count(facets["severity"], "SEV3"), 0U);
  EXPECT_EQ(count(facets["status"], "resolved"), 1U);
  EXPECT_EQ(ids(ask("GET", "/documents?severity=sev3").body["documents"]),
            Ids{"INC-2026-04-01-001"});
  EXPECT_EQ(ids(ask("GET", "/documents?application=printing").body["documents"]),
            Ids{"INC-2026-03-01-001"});
  EXPECT_EQ(ids(ask("GET", "/documents?status=resolved").body["documents"]),
            Ids{"INC-2026-03-01-001"});
  EXPECT_EQ(ask("GET", "/documents?kind=incident&kind=runbook").body["total"], 4);
}

TEST_F(KnowledgeApiTest, ListsComeInPagesAndByTitle) {
  const Got first = ask("GET", "/documents?order=title&limit=3");
  EXPECT_EQ(ids(first.body["documents"]), (Ids{"INC-2026-04-01-001", "press/drain", "rb-1"}));
  EXPECT_EQ(first.body["next_offset"], 3);
  const Got second = ask("GET", "/documents?order=title&limit=3&offset=3");
  EXPECT_EQ(ids(second.body["documents"]), Ids{"INC-2026-03-01-001"});
  EXPECT_TRUE(second.body["next_offset"].is_null());
  EXPECT_EQ(ask("GET", "/documents?offset=50").body["documents"], json::array());
}

TEST_F(KnowledgeApiTest, ASearchRanksAndSaysWhere) {
  const Got got = ask("GET", "/documents?search=open%20the%20valves");
  ASSERT_EQ(got.status, 200) << got.raw.body;
  ASSERT_FALSE(got.body["documents"].empty());
  const json& best = got.body["documents"][0];
  EXPECT_EQ(best["id"], "press/drain");
  EXPECT_GT(best["relevance"], 0);
  EXPECT_NE(best["snippet"].get<std::string>().find("valves"), std::string::npos);
  EXPECT_TRUE(best.contains("lines"));
  EXPECT_TRUE(best.contains("heading"));
  EXPECT_EQ(got.body["total"], got.body["documents"].size());

  const Got both = ask("GET", "/documents?search=press");
  ASSERT_EQ(both.body["documents"].size(), 2U) << both.raw.body;
  EXPECT_EQ(count(both.body["facets"]["kind"], "runbook"), 1U);
  EXPECT_EQ(count(both.body["facets"]["kind"], "incident"), 1U);
  EXPECT_TRUE(both.body["next_offset"].is_null());
  const Got first = ask("GET", "/documents?search=press&limit=1");
  EXPECT_EQ(first.body["next_offset"], 1);
  const Got page = ask("GET", "/documents?search=press&limit=1&offset=1");
  ASSERT_EQ(page.body["documents"].size(), 1U);
  EXPECT_EQ(page.body["documents"][0], both.body["documents"][1]);

  const Got hits = ask("GET", "/search?q=leaking%20oil&kind=incident&limit=1");
  ASSERT_EQ(hits.status, 200) << hits.raw.body;
  ASSERT_EQ(hits.body["hits"].size(), 1U);
  EXPECT_EQ(hits.body["hits"][0]["id"], "INC-2026-03-01-001");
  EXPECT_TRUE(hits.body["notes"].is_array());
}

TEST_F(KnowledgeApiTest, ADocumentIsShownWhole) {
  const Got got = ask("GET", "/document?id=press%2Fdrain");
  ASSERT_EQ(got.status, 200) << got.raw.body;
  EXPECT_EQ(got.body["title"], "Drain a press");
  EXPECT_NE(got.body["text"].get<std::string>().find("Stop the feeder."), std::string::npos);
  EXPECT_EQ(got.body["lines"], (json{4, 8}));
  const Got incident = ask("GET", "/document?id=inc-2026-03-01-001");
  EXPECT_EQ(incident.body["id"], "INC-2026-03-01-001");
  EXPECT_EQ(incident.body["fields"]["description"], "Oil below the press.");
  EXPECT_NE(incident.body["fields"].dump().find("T-1"), std::string::npos);
}

TEST_F(KnowledgeApiTest, ADocumentIsRemovedButNoGoldenExample) {
  const Got removed = ask("DELETE", "/document?id=press/drain");
  EXPECT_EQ(removed.status, 200) << removed.raw.body;
  EXPECT_EQ(removed.body["removed"], 1);
  EXPECT_EQ(ask("GET", "/document?id=press/drain").status, 404);
  EXPECT_EQ(ask("DELETE", "/document?id=press/drain").status, 404);
  Document golden;
  golden.id = "G-1";
  golden.kind = Kind::kGolden;
  golden.title = "Why?";
  add(golden);
  const Got refused = ask("DELETE", "/document?id=G-1");
  EXPECT_EQ(refused.status, 409);
  EXPECT_NE(refused.body["detail"].get<std::string>().find("DELETE /golden/G-1"),
            std::string::npos);
}

TEST_F(KnowledgeApiTest, BadInputIsAProblemThatNamesIt) {
  const auto detail = [&](const std::string& method, const std::string& path, int status) {
    const Got got = ask(method, path);
    EXPECT_EQ(got.status, status) << path << ": " << got.raw.body;
    EXPECT_EQ(got.raw.header("Content-Type"), "application/problem+json") << path;
    return got.body["detail"].get<std::string>();
  };
  EXPECT_NE(detail("GET", "/documents?kind=novel", 400).find("runbook"), std::string::npos);
  EXPECT_NE(detail("GET", "/documents?order=random", 400).find("'order'"), std::string::npos);
  EXPECT_NE(detail("GET", "/documents?limit=-1", 400).find("'limit'"), std::string::npos);
  EXPECT_NE(detail("GET", "/documents?limit=9999", 400).find("'limit'"), std::string::npos);
  EXPECT_NE(detail("GET", "/search", 400).find("'q'"), std::string::npos);
  EXPECT_NE(detail("GET", "/search?q=" + std::string(5000, 'a'), 400).find("4096"),
            std::string::npos);
  EXPECT_NE(detail("GET", "/document", 400).find("'id'"), std::string::npos);
  EXPECT_NE(detail("GET", "/document?id=../../etc/passwd", 404).find("/documents"),
            std::string::npos);
}

TEST_F(KnowledgeApiTest, AnIndexThatFailsIsAProblem) {
  knowledge_.index.error = Error{ErrorCode::kUnavailable, "the index is gone"};
  EXPECT_EQ(ask("GET", "/documents").status, 503);
  EXPECT_EQ(ask("GET", "/search?q=oil").status, 503);
  knowledge_.index.error.reset();
}

TEST_F(KnowledgeApiTest, ChangesAreAppendedOnce) {
  constexpr auto* kDeploy = R"({"time":"2026-05-04T09:00:00Z","service":"press","version":"2"})";
  const Got first = ask("POST", "/changes", kDeploy);
  EXPECT_EQ(first.status, 201) << first.raw.body;
  EXPECT_EQ(first.body["appended"][0]["version"], "2");
  const Got again = ask("POST", "/changes", kDeploy);
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.body["appended"], json::array());
  EXPECT_EQ(again.body["known"], 1);
  const Got several = ask("POST", "/changes",
                          std::string(R"({"changes":[)") + kDeploy +
                              R"(,{"time":"2026-05-04","flag":"x","to":true}]})");
  EXPECT_EQ(several.status, 201);
  EXPECT_EQ(several.body["appended"].size(), 1U);
}

TEST_F(KnowledgeApiTest, ChangesThatAreNoneAreRefused) {
  for (const char* body : {"", "[]", "7", "{", R"({"changes":[]})", R"({"changes":{}})",
                           R"({"changes":[{}],"more":1})"})
    EXPECT_EQ(ask("POST", "/changes", body).status, 400) << body;
  EXPECT_EQ(ask("POST", "/changes", "{}", {{"Content-Type", "text/plain"}}).status, 415);
  desk_.changes_error = Error{ErrorCode::kConflict, "no log is configured"};
  EXPECT_EQ(ask("POST", "/changes", "{}").status, 409);
}

}  // namespace
}  // namespace precedent
