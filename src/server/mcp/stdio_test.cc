#include "server/mcp/stdio.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/foreign_json.h"

namespace precedent {
namespace {

using nlohmann::json;

// Says a status, waits to be let go or cancelled, and answers with the question.
class WaitingAnswerer final : public Answerer {
 public:
  Reply ask(const Question& question, const AskOptions&, const Clock&, EventSink& events,
            const CancelToken& cancel) override {
    events.status("Working on it");
    ++running;
    while (question.text != "quick" && !go && !cancel.cancelled()) std::this_thread::yield();
    if (cancel.cancelled()) ++cancelled;
    --running;
    return plain_reply(AnswerStatus::kOk, question.text);
  }
  Reply resume(const AskOptions&, const Clock&, EventSink&, const CancelToken&) override {
    return {};
  }
  std::atomic<int> running = 0, cancelled = 0;
  std::atomic<bool> go = false;
};

class McpStdioTest : public ::testing::Test {
 protected:
  void take(json message) {
    message["jsonrpc"] = "2.0";
    stdio_.take(message.dump());
  }
  void ask(const json& id, const std::string& question, const json& meta = json::object()) {
    take({{"id", id},
          {"method", "tools/call"},
          {"params", {{"name", "ask"}, {"arguments", {{"question", question}}}, {"_meta", meta}}}});
  }
  std::vector<json> said() {
    const MutexLock lock(mutex_);
    return said_;
  }
  void wait_for(size_t messages) {
    while (said().size() < messages) std::this_thread::yield();
  }

  WaitingAnswerer answerer_;
  const Toolset tools_;
  const FixedClock clock_{TimePoint{}};
  Mutex mutex_;
  std::vector<json> said_;
  TurnPool pool_{{.workers = 2, .queue = 2}};
  Turns turns_{pool_};
  const Mcp mcp_{{.answerer = answerer_,
                  .tools = tools_,
                  .call_tool = {},
                  .clock = clock_,
                  .version = "test"}};
  McpStdio stdio_{mcp_, turns_, [this](const std::string& line) {
                    const MutexLock lock(mutex_);
                    said_.push_back(parse_json(line));
                  }};
  const CancelToken never_;
};

TEST_F(McpStdioTest, CallsRunBesideEachOther) {
  ask(1, "slow");
  ask("two", "quick");
  wait_for(1);
  EXPECT_EQ(said()[0]["id"], "two");
  take({{"id", 3}, {"method", "ping"}});
  EXPECT_EQ(said().back()["id"], 3);
  answerer_.go = true;
  stdio_.finish(never_);
  EXPECT_EQ(said().back()["id"], 1);
  EXPECT_EQ(said().back()["result"]["structuredContent"]["answer"], "slow");
}

TEST_F(McpStdioTest, ProgressComesBeforeTheAnswer) {
  ask(1, "quick", {{"progressToken", 9}});
  stdio_.finish(never_);
  ASSERT_EQ(said().size(), 2U);
  EXPECT_EQ(said()[0]["params"]["progressToken"], 9);
  EXPECT_EQ(said()[0]["params"]["message"], "Working on it");
  EXPECT_EQ(said()[1]["id"], 1);
}

TEST_F(McpStdioTest, ACancelledCallEndsWithoutAnAnswer) {
  ask(1, "slow");
  while (answerer_.running == 0) std::this_thread::yield();
  take({{"method", "notifications/cancelled"}, {"params", {{"requestId", 7}}}});
  EXPECT_EQ(answerer_.cancelled, 0);
  take({{"method", "notifications/cancelled"}, {"params", {{"requestId", 1}}}});
  stdio_.finish(never_);
  EXPECT_EQ(answerer_.cancelled, 1);
  EXPECT_TRUE(said().empty());
}

TEST_F(McpStdioTest, AnInterruptEndsWhatRuns) {
  ask(1, "slow");
  CancelToken interrupted;
  interrupted.cancel();
  stdio_.finish(interrupted);
  EXPECT_LE(answerer_.cancelled, 1);
}

TEST_F(McpStdioTest, WhatIsTooMuchOrTwiceIsRefused) {
  for (int id = 1; id <= 2; ++id) ask(id, "slow");
  while (answerer_.running < 2) std::this_thread::yield();
  ask(2, "slow");
  EXPECT_EQ(said().back()["error"]["code"], -32600);
  for (int id = 3; id <= 5; ++id) ask(id, "slow");
  ASSERT_EQ(said().size(), 2U);
  EXPECT_EQ(said().back()["id"], 5);
  EXPECT_EQ(said().back()["error"]["code"], -32000);
  answerer_.go = true;
  stdio_.finish(never_);
  EXPECT_EQ(said().size(), 6U);
}

TEST_F(McpStdioTest, WhatIsNoMessageIsAnError) {
  stdio_.take("{");
  EXPECT_EQ(said().back()["error"]["code"], -32700);
  take({{"method", "notifications/initialized"}});
  EXPECT_EQ(said().size(), 1U);
}

}  // namespace
}  // namespace precedent
