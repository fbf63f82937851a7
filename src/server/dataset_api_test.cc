// Dataset versions over HTTP.
#include "server/server_lab.h"

namespace precedent {
namespace {

class DatasetApiTest : public ServerLab {
 protected:
  std::string upload() {
    const Got sent = ask("POST", "/uploads?name=july.csv", "id,title\nINC-1,Late\n",
                         {{"Content-Type", "text/csv"}});
    EXPECT_EQ(sent.status, 201) << sent.raw.body;
    return sent.body["upload_id"];
  }
  int create(const std::string& name, const std::string& more = "") {
    const Got made =
        ask("POST", "/datasets",
            R"({"upload_id":")" + upload() + R"(","name":")" + name + "\"" + more + "}");
    EXPECT_EQ(made.status, 201) << made.raw.body;
    return made.body["version"];
  }
  int ready(const std::string& name) {
    const int version = create(name);
    EXPECT_EQ(ask("POST", at(version, "/ingest")).body["state"], "ready");
    return version;
  }
  static std::string at(int version, const std::string& rest = "") {
    return "/datasets/" + std::to_string(version) + rest;
  }
};

TEST_F(DatasetApiTest, AnUploadBecomesAVersionWithAReport) {
  const int version = create("july", R"(,"notes":"from the old tool","by":"mia")");
  const Got shown = ask("GET", at(version));
  EXPECT_EQ(shown.body["state"], "validated");
  EXPECT_EQ(shown.body["created_by"], "mia");
  EXPECT_EQ(shown.body["notes"], "from the old tool");
  EXPECT_EQ(shown.body["sources"][0]["path"], "july.csv") << "not where it is stored";
  EXPECT_TRUE(shown.body["report"].is_object());
  EXPECT_EQ(ask("GET", "/datasets").body["versions"].size(), 1U);
}

TEST_F(DatasetApiTest, OneIsActivatedAndRolledBack) {
  const int first = ready("july"), second = ready("august");
  EXPECT_EQ(ask("POST", "/datasets/rollback").status, 404);
  EXPECT_EQ(ask("POST", at(first, "/activate")).body["difference"]["added"], json{"july"});
  const Got activated =
      ask("POST", at(second, "/activate"), R"({"force":true,"why":"asked for","by":"ana"})");
  EXPECT_EQ(activated.status, 200) << activated.raw.body;
  EXPECT_EQ(activated.body["forced"]["by"], "ana");
  EXPECT_EQ(activated.body["activations"][0]["why"], "asked for");
  EXPECT_EQ(activated.body["difference"]["vanished"], json{"july"});
  EXPECT_EQ(ask("POST", "/datasets/rollback").body["version"], first);
  const Got again = ask("POST", "/datasets/rollback");
  EXPECT_EQ(again.body["version"], first);
  EXPECT_EQ(again.body["active_before"], true);
  EXPECT_EQ(ask("POST", "/datasets/rollback", R"({"version":2})").body["version"], second);
  EXPECT_EQ(ask("POST", "/datasets/rollback", R"({"version":1})").body["version"], first);
  EXPECT_EQ(ask("POST", "/datasets/rollback", R"({"version":0})").status, 400);
  EXPECT_EQ(ask("GET", at(second)).body["state"], "superseded");
  const Got between = ask("GET", at(second, "/difference?from=" + std::to_string(first)));
  EXPECT_EQ(between.body["added"], json{"august"});
  EXPECT_EQ(ask("DELETE", at(second)).body["state"], "discarded");
  EXPECT_EQ(ask("GET", "/datasets").body["versions"].size(), 1U);
  EXPECT_EQ(ask("GET", "/datasets?all=true").body["versions"].size(), 2U);
}

TEST_F(DatasetApiTest, AVersionIsValidatedAgain) {
  const int version = create("july");
  const Got again = ask("POST", at(version, "/validate"));
  EXPECT_EQ(again.body["state"], "validated") << again.raw.body;
  EXPECT_EQ(again.body["difference"]["added"], json{"july"});
  EXPECT_EQ(again.body["refused_by_limit"], "too few");
  const Got told = ask("POST", at(version, "/validate"), "", {{"Accept", "text/markdown"}});
  EXPECT_EQ(told.raw.body, "# Version of july\n");
  EXPECT_EQ(told.raw.header("Content-Type"), "text/markdown; charset=utf-8");
  EXPECT_EQ(ask("POST", at(version, "/ingest"), R"({"int8":true})").status, 200);
  EXPECT_EQ(desk_.embedded_in, EmbedIn::kInt8);
  EXPECT_EQ(ask("POST", at(version, "/validate")).status, 409);
  EXPECT_EQ(ask("POST", at(99, "/validate")).status, 404);
  EXPECT_EQ(ask("POST", at(version, "/validate"), R"({"strange":1})").status, 400);
}

TEST_F(DatasetApiTest, AMappingIsGuessedOfAFileOfAnUpload) {
  const std::string files = R"({"upload_id":")" + upload() + "\"";
  EXPECT_EQ(ask("POST", "/datasets/guess", files + "}").body["mapping"], "# of july.csv\n");
  EXPECT_EQ(ask("POST", "/datasets/guess", files + R"(,"file":"b.csv"})").body["mapping"],
            "# of b.csv\n");
  EXPECT_EQ(ask("POST", "/datasets/guess", R"({"upload_id":"up-unknown"})").status, 404);
  EXPECT_EQ(ask("POST", "/datasets/guess").status, 400);
}

TEST_F(DatasetApiTest, HowManyAreKeptIsSaid) {
  const int version = ready("july");
  EXPECT_EQ(ask("POST", at(version, "/activate"), R"({"keep":2})").status, 200);
  EXPECT_EQ(desk_.kept, 2U);
  EXPECT_EQ(ask("POST", "/datasets/rollback", R"({"version":1,"keep":0})").status, 200);
  EXPECT_EQ(desk_.kept, 0U);
  EXPECT_EQ(ask("POST", "/datasets/rollback", R"({"version":1})").status, 200);
  EXPECT_EQ(desk_.kept, 5U);
  EXPECT_EQ(ask("POST", at(version, "/activate"), R"({"keep":"all"})").status, 400);
}

TEST_F(DatasetApiTest, BadInputIsAProblemThatNamesIt) {
  const int draft = create("july");
  EXPECT_EQ(ask("POST", at(draft, "/activate")).status, 409);
  EXPECT_EQ(ask("GET", "/datasets/99").status, 404);
  EXPECT_EQ(ask("GET", "/datasets/july").status, 400);
  EXPECT_EQ(ask("GET", at(draft, "/difference?from=x")).status, 400);
  EXPECT_EQ(ask("POST", "/datasets", R"({"upload_id":"up-unknown"})").status, 404);
  EXPECT_EQ(ask("POST", "/datasets", "{}").status, 400);
  EXPECT_EQ(ask("POST", at(draft, "/activate"), R"({"strange":1})").status, 400);
}

TEST_F(DatasetApiTest, AnIngestIsWatchedAndWatchedAgainWhileItGoesOn) {
  const int version = create("july");
  const std::vector<HttpHeader> stream = {{"Content-Type", "application/json"},
                                          {"Accept", "text/event-stream"}};
  desk_.held = true;
  std::vector<SseEvent> first;
  std::thread watching([&] { first = events_of(ask("POST", at(version, "/ingest"), "", stream)); });
  while (ask("GET", at(version)).body["state"] != "ingesting") std::this_thread::yield();
  // It ends once the second one has seen that it goes on.
  std::string second;
  CurlHttpClient client;
  const CancelToken cancel;
  const auto ended =
      client.stream({.method = "POST", .url = url(at(version, "/ingest")), .headers = stream},
                    {cancel}, [&](const HttpResponse&, std::string_view piece) {
                      second += piece;
                      desk_.held = false;
                      return true;
                    });
  watching.join();
  EXPECT_TRUE(ended);
  EXPECT_TRUE(second.contains("event: progress") && second.contains("event: complete")) << second;
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first.front().event, "progress");
  EXPECT_EQ(parse_json(first.front().data)["stage"], "ingesting");
  EXPECT_EQ(first.back().event, "complete");
  EXPECT_EQ(parse_json(first.back().data)["state"], "ready");
  EXPECT_EQ(events_of(ask("POST", at(version, "/ingest"), "", stream)).back().event, "complete")
      << "once it is ready, nothing is left to do";
  EXPECT_EQ(ask("DELETE", at(version)).status, 200);
  EXPECT_EQ(events_of(ask("POST", at(version, "/ingest"), "", stream)).back().event, "error");
  EXPECT_EQ(ask("POST", at(99, "/ingest"), "", stream).status, 404);
}

}  // namespace
}  // namespace precedent
