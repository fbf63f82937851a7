// For tests: the server over real HTTP, with a copilot over a knowledge base in memory.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "files/temporary_folder.h"
#include "net/curl_http_client.h"
#include "net/sse.h"
#include "server/investigations/fake_investigator.h"
#include "server/lab_seat.h"
#include "server/server.h"

namespace precedent {

using nlohmann::json;

class ServerLab : public ::testing::Test {
 protected:
  // `tokens`: the file of tokens; "": nobody signs in.
  explicit ServerLab(std::filesystem::path tokens = {}) : knowledge_(false) {
    knowledge_.add(lab_document(Kind::kRunbook, "rb-1", "Letters are late",
                                "# Letters are late\n\nSwitch the courier to swift."));
    search_ = &knowledge_.search();
    options_.allowed_origins = {"http://localhost:5173"};
    // That a client has left is noticed when it is written to.
    options_.http.heartbeat = std::chrono::milliseconds(20);
    options_.sign_in.tokens = std::move(tokens);
    options_.investigations = folder_.path() / "investigations";
    auto server = Server::start(services(), options_);
    EXPECT_TRUE(server) << server.error().text();
    server_ = std::move(*server);
  }

  ServerServices services() {
    return {.seat = [this](const Caller& caller) -> Result<std::unique_ptr<Seat>> {
              return std::make_unique<LabSeat>(
                  LabSeat::Parts{*search_, store_, tools_, clock_, threads_, answerer_.held},
                  caller);
            },
            .clock = clock_,
            .model = "offline",
            .version = "test",
            .readiness = [this] { return parts_; },
            .desk = desk_,
            .investigator = &investigator_};
  }

  struct Got {
    int status = 0;
    json body;
    HttpResponse raw;
  };
  Got ask(const std::string& method, const std::string& path, const std::string& body = "",
          std::vector<HttpHeader> headers = {{"Content-Type", "application/json"}}) {
    CurlHttpClient client;
    const CancelToken cancel;
    auto response = client.send(
        {.method = method, .url = url(path), .headers = std::move(headers), .body = body},
        {cancel});
    EXPECT_TRUE(response) << response.error().text();
    if (!response) return {};
    return {response->status, parse_json(response->body), std::move(*response)};
  }
  std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(server_->port()) + path;
  }
  // "GET" of the "get" of an OpenAPI document.
  static std::string method_of(std::string key) {
    std::ranges::transform(key, key.begin(), [](char c) { return static_cast<char>(toupper(c)); });
    return key;
  }
  static std::vector<SseEvent> events_of(const Got& got) {
    std::vector<SseEvent> events;
    SseDecoder decoder;
    EXPECT_TRUE(decoder.feed(got.raw.body, [&](const SseEvent& event) {
      events.push_back(event);
      return true;
    }));
    return events;
  }

  FixedClock clock_{*parse_time("2026-05-04T10:00:00Z")};
  SearchLab knowledge_;
  const Searcher* search_ = nullptr;
  KnowledgeStore store_ =
      KnowledgeStore::open(":memory:", KnowledgeStore::Access::kReadWrite).value();
  const TemporaryFolder folder_;
  FakeKnowledgeDesk desk_{store_, folder_.path() / "uploads", clock_.now()};
  const Toolset tools_ = knowledge_tools();
  MemoryCheckpointer threads_;
  std::vector<ReadinessPart> parts_ = {{"store", true, "1 document"}};
  struct {
    std::atomic<bool> held{false};
  } answerer_;
  FakeInvestigator investigator_;
  ServerOptions options_;
  std::unique_ptr<Server> server_;
};

}  // namespace precedent
