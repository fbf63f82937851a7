// Uploads over HTTP.
#include "server/server_lab.h"

namespace precedent {
namespace {

class UploadsApiTest : public ServerLab {
 protected:
  static std::string part(const std::string& parameters, const std::string& body) {
    return "--b\r\nContent-Disposition: form-data; " + parameters + "\r\n\r\n" + body + "\r\n";
  }
  static std::string file(const std::string& name, const std::string& body = "id\n1\n") {
    return part("name=\"file\"; filename=\"" + name + "\"", body);
  }
  Got send(const std::string& parts) {
    return ask("POST", "/uploads", parts + "--b--\r\n",
               {{"Content-Type", "multipart/form-data; boundary=b"}});
  }
  Got send_raw(const std::string& query, const std::string& type = "text/csv",
               const std::string& body = "id\n1\n") {
    return ask("POST", "/uploads" + query, body, {{"Content-Type", type}});
  }
};

TEST_F(UploadsApiTest, AreReportedMappedIngestedAndGone) {
  desk_.report.required_missing = {{"incident_id", {"Nr"}}};
  desk_.report.fields = {"incident_id", "title"};
  desk_.report.ready = false;
  const Got sent = send(file("../a.csv") + file("b.md", "# B\n") +
                        part("name=\"kind\"", "incident") + part("name=\"source\"", "Jira"));
  ASSERT_EQ(sent.status, 201) << sent.raw.body;
  const std::string id = sent.body["upload_id"];
  EXPECT_EQ(sent.raw.header("Location"), "/uploads/" + id);
  EXPECT_EQ(sent.body["expires_at"], "2026-05-04T11:00:00Z");
  EXPECT_EQ(sent.body["state"], "checked");
  const json& report = sent.body["report"];
  EXPECT_EQ(report["ready"], false);
  EXPECT_EQ(report["files"][0]["name"], "a.csv");
  EXPECT_EQ(report["files"][1]["name"], "b.md");
  EXPECT_EQ(report["required_missing"][0], (json{{"field", "incident_id"}, {"columns", {"Nr"}}}));
  EXPECT_EQ(report["fields"], (json{"incident_id", "title"}));
  EXPECT_EQ(desk_.contents()[1], "# B\n");
  EXPECT_EQ(desk_.upload().kind, Kind::kIncident);
  EXPECT_EQ(desk_.upload().source, "Jira");
  EXPECT_EQ(ask("GET", "/uploads/" + id).body["report"], report);
  EXPECT_EQ(ask("POST", "/uploads/" + id + "/ingest").status, 409);

  desk_.report.ready = true;
  const Got mapped =
      ask("PUT", "/uploads/" + id, R"({"map":{"incident_id":"Nr","title":null},"kind":"runbook"})");
  ASSERT_EQ(mapped.status, 200) << mapped.raw.body;
  EXPECT_EQ(mapped.body["report"]["ready"], true);
  EXPECT_EQ(desk_.upload().map, (std::map<std::string, std::string>{{"incident_id", "Nr"}}));
  EXPECT_EQ(desk_.upload().kind, Kind::kRunbook);
  EXPECT_EQ(desk_.upload().source, "Jira");

  const Got ingested = ask("POST", "/uploads/" + id + "/ingest");
  ASSERT_EQ(ingested.status, 200) << ingested.raw.body;
  EXPECT_EQ(ingested.raw.header("Content-Type"), "text/event-stream");
  const auto events = events_of(ingested);
  ASSERT_GE(events.size(), 2U);
  EXPECT_EQ(events.front().event, "progress");
  EXPECT_EQ(parse_json(events.front().data)["stage"], "starting");
  EXPECT_EQ(events.back().event, "complete");
  const json end = parse_json(events.back().data);
  EXPECT_EQ(end["documents_added"], 2);
  EXPECT_EQ(end["documents_changed"], 0);
  EXPECT_EQ(end["unchanged"], 0);
  EXPECT_TRUE(end["report"]["files"].is_array());
  EXPECT_EQ(ask("DELETE", "/uploads/" + id).status, 200);
  EXPECT_EQ(ask("GET", "/uploads/" + id).status, 404);
}

TEST_F(UploadsApiTest, OneFileMayComeAsItIs) {
  const Got sent = send_raw("?name=a.csv&kind=runbook&source=wiki");
  ASSERT_EQ(sent.status, 201) << sent.raw.body;
  EXPECT_EQ(sent.body["report"]["files"][0]["name"], "a.csv");
  EXPECT_EQ(desk_.contents(), std::vector<std::string>{"id\n1\n"});
  EXPECT_EQ(desk_.upload().kind, Kind::kRunbook);
  EXPECT_EQ(desk_.upload().source, "wiki");
  EXPECT_EQ(send_raw("?name=a.json", "application/json", "[]").status, 201);
}

TEST_F(UploadsApiTest, AClientThatGoesAwayDoesNotStopAnIngest) {
  const std::string id = send(file("a.csv")).body["upload_id"];
  desk_.held = true;
  CancelToken leave;
  std::jthread watching([&] {
    CurlHttpClient client;
    static_cast<void>(client.send(
        {.method = "POST", .url = url("/uploads/" + id + "/ingest"), .headers = {}, .body = ""},
        {leave}));
  });
  while (desk_.ingests() == 0) std::this_thread::yield();
  leave.cancel();
  watching.join();
  desk_.held = false;
  EXPECT_EQ(events_of(ask("POST", "/uploads/" + id + "/ingest")).back().event, "complete");
  EXPECT_EQ(desk_.ingests(), 1U);
}

TEST_F(UploadsApiTest, AnotherWriterIsAConflict) {
  const std::string id = send(file("a.csv")).body["upload_id"];
  desk_.open_error = Error{ErrorCode::kConflict, "another process is ingesting; wait for it"};
  const Got refused = ask("POST", "/uploads/" + id + "/ingest");
  EXPECT_EQ(refused.status, 409);
  EXPECT_NE(refused.body["detail"].get<std::string>().find("wait"), std::string::npos);
}

TEST_F(UploadsApiTest, WhatCannotBeReadIsRefusedByName) {
  const auto detail = [](const Got& got, int status) {
    EXPECT_EQ(got.status, status) << got.raw.body;
    EXPECT_EQ(got.raw.header("Content-Type"), "application/problem+json");
    return got.body["detail"].get<std::string>();
  };
  EXPECT_NE(detail(send(file("virus.exe")), 415).find("'virus.exe'"), std::string::npos);
  EXPECT_NE(detail(send(file("a.csv") + file("x/a.csv")), 400).find("'a.csv'"), std::string::npos);
  EXPECT_NE(detail(send(file("")), 400).find("no name"), std::string::npos);
  EXPECT_NE(detail(send(part("name=\"file\"", "x")), 400).find("no file name"), std::string::npos);
  EXPECT_NE(detail(send(part("name=\"path\"", "/etc")), 400).find("'path'"), std::string::npos);
  EXPECT_NE(detail(send(""), 400).find("no file"), std::string::npos);
  EXPECT_NE(detail(send(file("a.csv") + part("name=\"kind\"", "golden")), 400).find("'kind'"),
            std::string::npos);
  EXPECT_NE(detail(send(file("a.csv") + part("name=\"source\"", std::string(300, 'a'))), 400)
                .find("'source'"),
            std::string::npos);
  EXPECT_NE(detail(send("garbage"), 400).find("malformed"), std::string::npos);
  EXPECT_NE(detail(send_raw("?name=a.csv", "application/x-www-form-urlencoded"), 415)
                .find("multipart/form-data"),
            std::string::npos);
  EXPECT_NE(detail(send_raw("?name=a.csv", "image/png"), 415).find("image/png"), std::string::npos);
  EXPECT_NE(detail(send_raw(""), 400).find("no name"), std::string::npos);
  EXPECT_NE(detail(send_raw("?name=a.pdf"), 415).find("'a.pdf'"), std::string::npos);
  std::string many;
  for (int i = 0; i < 21; ++i) many += file(std::to_string(i) + ".csv");
  EXPECT_NE(detail(send(many), 413).find("20 files"), std::string::npos);
  EXPECT_EQ(send_raw("?name=a.csv", "text/csv", std::string(17 << 20, 'x')).status, 413);
  EXPECT_EQ(desk_.contents(), std::vector<std::string>{});  // nothing was even looked at
}

TEST_F(UploadsApiTest, BadMappingsAndUnknownIdsAreRefused) {
  const std::string id = send(file("a.csv")).body["upload_id"];
  EXPECT_EQ(ask("PUT", "/uploads/" + id, R"({"map":["a"]})").status, 400);
  EXPECT_EQ(ask("PUT", "/uploads/" + id, R"({"map":{"title":7}})").status, 400);
  EXPECT_EQ(ask("PUT", "/uploads/" + id, R"({"kind":"golden"})").status, 400);
  EXPECT_EQ(ask("PUT", "/uploads/" + id, R"({"path":"/etc"})").status, 400);
  EXPECT_EQ(ask("PUT", "/uploads/" + id, "x", {{"Content-Type", "text/plain"}}).status, 415);
  for (const char* method : {"GET", "PUT", "DELETE"})
    EXPECT_EQ(ask(method, "/uploads/up-unknown").status, 404) << method;
  EXPECT_EQ(ask("POST", "/uploads/up-unknown/ingest").status, 404);
  EXPECT_EQ(ask("GET", "/uploads/..%2F..%2Fetc").status, 404);
}

}  // namespace
}  // namespace precedent
