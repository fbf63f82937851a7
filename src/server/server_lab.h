// For tests: the server over real HTTP, with a copilot over a knowledge base in memory.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>

#include "agent/turn/copilot_lab.h"
#include "base/foreign_json.h"
#include "files/temporary_folder.h"
#include "graph/memory_checkpointer.h"
#include "net/curl_http_client.h"
#include "net/sse.h"
#include "search/search_lab.h"
#include "server/fake_knowledge_desk.h"
#include "server/server.h"

namespace precedent {

using nlohmann::json;

// The copilot's answers, held up where a test wants that.
class HeldAnswerer final : public Answerer {
 public:
  explicit HeldAnswerer(const Copilot& copilot) : copilot_(copilot) {}
  Reply ask(const Question& question, const AskOptions& options, const Clock& clock,
            EventSink& events, const CancelToken& cancel) override {
    while (held && !cancel.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return copilot_.ask(question, options, clock, events, cancel);
  }
  Reply resume(const AskOptions& options, const Clock& clock, EventSink& events,
               const CancelToken& cancel) override {
    return copilot_.resume(options, clock, events, cancel);
  }
  std::atomic<bool> held{false};

 private:
  const Copilot& copilot_;
};

class ServerLab : public ::testing::Test {
 protected:
  ServerLab() : knowledge_(false), answerer_(copilot()) {
    ServerOptions options;
    options.allowed_origins = {"http://localhost:5173"};
    // That a client has left is noticed when it is written to.
    options.http.heartbeat = std::chrono::milliseconds(20);
    auto server = Server::start(
        {.answerer = answerer_,
         .copilot = copilot(),
         .threads = &threads_,
         .clock = clock_,
         .tools = tools_,
         .call_tool =
             [this](const Tool& tool, const json& args, const CancelToken& cancel) {
               NullSink events;
               ToolContext context{knowledge_.search(), store_, clock_, events};
               context.cancel = &cancel;
               return tool.call(args, context, "R1");
             },
         .model = "offline",
         .version = "test",
         .readiness = [this] { return parts_; },
         .suggestions = [] { return std::vector<std::string>{"Late letters?"}; },
         .knowledge = {desk_, [this] { return KnowledgeView{nullptr, *search_, store_}; }}},
        options);
    EXPECT_TRUE(server) << server.error().text();
    server_ = std::move(*server);
  }

  const Copilot& copilot() {
    if (lab_ == nullptr) {
      knowledge_.add(lab_document(Kind::kRunbook, "rb-1", "Letters are late",
                                  "# Letters are late\n\nSwitch the courier to swift."));
      search_ = &knowledge_.search();
      lab_ = std::make_unique<CopilotLab>(*search_, store_, clock_.now(), nullptr, &threads_);
    }
    return lab_->copilot();
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
  KnowledgeStore store_ =
      KnowledgeStore::open(":memory:", KnowledgeStore::Access::kReadWrite).value();
  const TemporaryFolder folder_;
  FakeKnowledgeDesk desk_{store_, folder_.path() / "uploads", clock_.now()};
  const Searcher* search_ = nullptr;
  const Toolset tools_ = knowledge_tools();
  MemoryCheckpointer threads_;
  std::unique_ptr<CopilotLab> lab_;
  std::vector<ReadinessPart> parts_ = {{"store", true, "1 document"}};
  HeldAnswerer answerer_;
  std::unique_ptr<Server> server_;
};

}  // namespace precedent
