// A client that leaves at whatever moment costs nobody else anything, and no turn.
#include <fmt/format.h>

#include <condition_variable>
#include <mutex>

#include "net/raw_client.h"
#include "server/server_lab.h"

namespace precedent {
namespace {

constexpr const char* kQuestion = "what to do when letters are late?";

// Stops whoever works at one event, until somebody lets them go on.
class Gate {
 public:
  // At no event.
  static constexpr int kNowhere = -1;

  void close_at(int event) {
    const std::lock_guard lock(mutex_);
    at_ = event;
    passed_ = 0;
    stopped_ = ended_ = false;
  }
  void pass() {
    std::unique_lock lock(mutex_);
    if (passed_++ != at_) return;
    stopped_ = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return at_ == kNowhere; });
  }
  void end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  // Until the work stands still here, or has ended without.
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || ended_; });
  }
  void open() {
    const std::lock_guard lock(mutex_);
    at_ = kNowhere;
    changed_.notify_all();
  }
  int passed() {
    const std::lock_guard lock(mutex_);
    return passed_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int at_ = kNowhere;
  int passed_ = 0;
  bool stopped_ = false, ended_ = false;
};

class GatedSink final : public EventSink {
 public:
  GatedSink(EventSink& sink, Gate& gate) : sink_(sink), gate_(gate) {}
  void emit(const Event& event) override {
    sink_.emit(event);
    gate_.pass();
  }

 private:
  EventSink& sink_;
  Gate& gate_;
};

class GatedSeat final : public LabSeat {
 public:
  GatedSeat(const Parts& parts, const Caller& caller, Gate& gate)
      : LabSeat(parts, caller), gate_(gate) {}
  Reply ask(const Question& question, const AskOptions& options, const Clock& clock,
            EventSink& events, const CancelToken& cancel) override {
    GatedSink gated(events, gate_);
    Reply reply = LabSeat::ask(question, options, clock, gated, cancel);
    gate_.end();
    return reply;
  }

 private:
  Gate& gate_;
};

// How one API is asked over a stream, and whether it keeps the turn under the name it is given.
struct Api {
  const char* name;
  bool keeps;
  std::string (*request)(const std::string& chat);
};

std::string post(const std::string& path, const json& body, const std::string& headers = "") {
  const std::string text = body.dump();
  return fmt::format(
      "POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{}"
      "Content-Length: {}\r\n\r\n{}",
      path, headers, text.size(), text);
}

std::string prompt(const std::string& chat) {
  return post("/chat/prompt/stream", {{"message", kQuestion}, {"session_id", chat}});
}

std::string completion(const std::string&) {
  const json said = {{"role", "user"}, {"content", kQuestion}};
  return post("/v1/chat/completions", {{"stream", true}, {"messages", json::array({said})}});
}

std::string call(const std::string& chat, json meta, const std::string& headers) {
  return post("/mcp",
              {{"jsonrpc", "2.0"},
               {"id", 1},
               {"method", "tools/call"},
               {"params",
                {{"name", "ask"},
                 {"arguments", {{"question", kQuestion}, {"chat_id", chat}}},
                 {"_meta", std::move(meta)}}}},
              "Accept: application/json, text/event-stream\r\n" + headers);
}

std::string older_call(const std::string& chat) {
  return call(chat, {{"progressToken", 1}}, "MCP-Protocol-Version: 2025-11-25\r\n");
}

std::string newer_call(const std::string& chat) {
  return call(
      chat,
      {{"progressToken", 1}, {kMcpVersionKey, kMcpModern}, {kMcpCapabilitiesKey, json::object()}},
      "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: ask\r\n");
}

constexpr Api kApis[] = {
    {"chat", true, prompt},
    {"openai", false, completion},
    {"mcp", true, older_call},
    // Who closes the stream has cancelled.
    {"mcp_newer", false, newer_call},
};

class DisconnectsTest : public ServerLab, public ::testing::WithParamInterface<Api> {
 protected:
  DisconnectsTest() {
    ServerServices gated = services();
    gated.seat = [this](const Caller& caller) -> Result<std::unique_ptr<Seat>> {
      return std::make_unique<GatedSeat>(
          LabSeat::Parts{*search_, store_, tools_, clock_, threads_, answerer_.held}, caller,
          gate_);
    };
    options_.investigations.clear();
    auto server = Server::start(std::move(gated), options_);
    EXPECT_TRUE(server) << server.error().text();
    server_ = std::move(*server);
  }

  // Nothing runs or waits, and of all connections that of this question is left.
  void expect_nothing_left() {
    std::string metrics;
    const auto gone = [&] {
      metrics = ask("GET", "/metrics").raw.body;
      for (const char* line :
           {"agent_turns_running 0\n", "agent_turns_waiting 0\n", "agent_http_connections 1\n"})
        if (!metrics.contains(line)) return false;
      return true;
    };
    for (int i = 0; i < 1000; ++i) {
      if (gone()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << metrics;
  }
  size_t messages_of(const std::string& chat) {
    const Got got = ask("GET", "/chat/messages/" + chat);
    return got.status == 200 ? got.body["messages"].size() : 0;
  }
  std::string request(const std::string& chat) { return GetParam().request(chat); }

  Gate gate_;
};

TEST_P(DisconnectsTest, AfterEachByteOfARequest) {
  const size_t size = request("cut-000").size();
  for (size_t bytes = 0; bytes < size; ++bytes) {
    const std::string said = request(fmt::format("cut-{:03}", bytes)).substr(0, bytes);
    for (const bool breaks_off : {false, true}) {
      RawClient client(server_->port());
      client.say(said);
      if (breaks_off)
        client.break_off();
      else
        client.leave();
    }
    if (bytes % 50 == 0) {
      EXPECT_EQ(ask("GET", "/healthz").status, 200) << bytes;
    }
  }
  expect_nothing_left();
  // What has no end is no question.
  EXPECT_EQ(ask("GET", "/chat/").body["chats"].size(), 0U);
  RawClient(server_->port()).say(request("whole"));
  // It may not have been read yet.
  for (int i = 0; i < 1000 && GetParam().keeps && messages_of("whole") < 2; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  expect_nothing_left();
  if (GetParam().keeps) {
    EXPECT_EQ(messages_of("whole"), 2U);
  }
}

TEST_P(DisconnectsTest, AfterEachEventOfAnAnswer) {
  gate_.close_at(Gate::kNowhere);
  {
    const RawClient client(server_->port());
    client.say(request("whole"));
    client.hear_until("\r\n0\r\n\r\n");
  }
  const int events = gate_.passed();
  ASSERT_GT(events, 5);
  for (int event = 0; event < events; ++event) {
    const std::string chat = fmt::format("cut-{:03}", event);
    gate_.close_at(event);
    {
      RawClient client(server_->port());
      client.say(request(chat));
      gate_.wait();
      EXPECT_TRUE(client.hear_until("\r\n\r\n").starts_with("HTTP/1.1 200")) << event;
      if (event % 2 == 1) client.break_off();
    }
    gate_.open();
    expect_nothing_left();
    EXPECT_EQ(ask("GET", "/healthz").status, 200);
    if (GetParam().keeps) {
      EXPECT_EQ(messages_of(chat), 2U) << "left after event " << event;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Apis, DisconnectsTest, ::testing::ValuesIn(kApis),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace precedent
