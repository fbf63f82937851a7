#include "mcp/stdio_transport.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <thread>

namespace precedent {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

// Answers any request by its own id, again and again.
constexpr const char* kEcho =
    R"(while read -r line; do id=${line#*'"id":'}; id=${id%%,*};
       printf '{"jsonrpc":"2.0","id":%s,"result":{"n":%s}}\n' "$id" "$id"; done)";

StdioCommand shell(const std::string& script) {
  return {
      .command = "sh", .args = {"-c", script}, .env = {{"PATH", "/usr/bin:/bin"}, {"OWN", "1"}}};
}

class StdioTransportTest : public testing::Test {
 protected:
  McpWait wait(std::chrono::milliseconds time = std::chrono::minutes(1)) const {
    return {never_, std::chrono::steady_clock::now() + time};
  }
  Result<json> ask(StdioTransport& transport, int64_t id,
                   std::chrono::milliseconds time = std::chrono::minutes(1)) {
    const McpConnection connection = TRY(transport.open(wait()));
    return transport.exchange({.id = id, .method = "tools/call"}, connection, wait(time));
  }
  CancelToken never_;
};

TEST_F(StdioTransportTest, AsksOneProcessAgainAndAgain) {
  StdioTransport transport(shell(kEcho));
  const McpConnection first = transport.open(wait()).value();
  EXPECT_EQ(ask(transport, 5).value()["result"]["n"], 5);
  EXPECT_EQ(ask(transport, 6).value()["result"]["n"], 6);
  EXPECT_EQ(transport.open(wait()).value(), first);
}

TEST_F(StdioTransportTest, SeveralThreadsGetTheirOwnAnswers) {
  StdioTransport transport(shell(kEcho));
  const McpConnection connection = transport.open(wait()).value();
  std::atomic<int> right = 0;
  {
    std::vector<std::jthread> threads;
    for (int64_t t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (int64_t i = 1; i <= 50; ++i) {
          const int64_t id = t * 1000 + i;
          const auto said =
              transport.exchange({.id = id, .method = "tools/call"}, connection, wait());
          if (said && (*said)["result"]["n"] == id) ++right;
        }
      });
  }
  EXPECT_EQ(right, 200);
}

TEST_F(StdioTransportTest, GetsItsOwnEnvironmentAndNothingOfOurs) {
  ::setenv("PRECEDENT_TEST_SECRET", "hunter2", 1);
  StdioTransport transport(shell(
      R"(read -r line; printf '{"id":1,"result":{"own":"%s","secret":"%s"}}\n' "$OWN" "$PRECEDENT_TEST_SECRET")"));
  const auto said = ask(transport, 1);
  ::unsetenv("PRECEDENT_TEST_SECRET");
  ASSERT_TRUE(said) << said.error().text();
  EXPECT_EQ((*said)["result"], json({{"own", "1"}, {"secret", ""}}));
}

TEST_F(StdioTransportTest, InheritsNoFileOfOurs) {
  const int open_here = ::memfd_create("of ours", 0);
  StdioTransport transport(shell(
      R"sh(read -r line; printf '{"id":1,"result":{"n":%s}}\n' "$(ls -l /proc/$$/fd | grep -c 'of ours')")sh"));
  const auto said = ask(transport, 1);
  ::close(open_here);
  ASSERT_TRUE(said) << said.error().text();
  EXPECT_EQ((*said)["result"]["n"], 0);
}

TEST_F(StdioTransportTest, DyingMidCallIsToldWithItsLastWords) {
  StdioTransport transport(shell("read -r line; echo 'no database here' >&2; exit 3"));
  const auto said = ask(transport, 1);
  ASSERT_FALSE(said);
  EXPECT_EQ(said.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(said.error().message,
            "it ended with exit status 3; its last words on stderr: 'no database here'");
}

TEST_F(StdioTransportTest, DyingBySignalIsTold) {
  StdioTransport transport(shell("read -r line; kill -9 $$"));
  EXPECT_THAT(ask(transport, 1).error().message, HasSubstr("signal 9"));
}

TEST_F(StdioTransportTest, WhatCannotBeStartedIsNamed) {
  StdioTransport transport({.command = "no-such-command-at-all"});
  const auto said = transport.open(wait());
  ASSERT_FALSE(said);
  EXPECT_THAT(said.error().message,
              HasSubstr("'no-such-command-at-all' cannot be started: No such file"));
}

TEST_F(StdioTransportTest, RestsLongerAfterEachDeathAndForgetsThemWhenItServes) {
  static std::chrono::steady_clock::time_point now;
  now = std::chrono::steady_clock::now();
  StdioTransport transport(shell("read -r line; exit 1"), [] { return now; });
  EXPECT_THAT(ask(transport, 1).error().message, HasSubstr("exit status 1"));
  // Once at once; then a second later, then two.
  EXPECT_THAT(ask(transport, 2).error().message, Not(HasSubstr("again")));
  EXPECT_THAT(ask(transport, 3).error().message,
              HasSubstr("exit status 1; it is started again in 1 s at the earliest"));
  now += std::chrono::seconds(1);
  EXPECT_THAT(ask(transport, 4).error().message, Not(HasSubstr("again")));
  now += std::chrono::seconds(1);
  EXPECT_THAT(ask(transport, 5).error().message, HasSubstr("again in 1 s"));
}

TEST_F(StdioTransportTest, ALineThatIsNoMessageIsSkippedAndRemembered) {
  StdioTransport good(shell(
      R"(echo 'Welcome!'; read -r line; echo '{"id":1,'; printf '{"id":1,"result":{}}\n'; cat)"));
  EXPECT_TRUE(ask(good, 1));
  StdioTransport endless(shell("while echo garbage; do :; done"));
  const auto said = ask(endless, 1);
  ASSERT_FALSE(said);
  EXPECT_THAT(said.error().message,
              HasSubstr("prints what is no message; it printed what is no message: 'garbage'"));
}

TEST_F(StdioTransportTest, AHugeLineEndsIt) {
  StdioCommand command = shell("read -r line; head -c 100000 /dev/zero | tr '\\0' x; cat");
  command.max_line_bytes = 10'000;
  StdioTransport transport(command);
  EXPECT_THAT(ask(transport, 1).error().message, HasSubstr("a line of more than 10000 bytes"));
}

TEST_F(StdioTransportTest, AnotherIdIsNoAnswer) {
  StdioTransport transport(
      shell(R"(read -r line; printf '{"id":99,"result":{}}\n'; cat > /dev/null)"));
  const auto said = ask(transport, 1, std::chrono::milliseconds(200));
  ASSERT_FALSE(said);
  EXPECT_EQ(said.error().code, ErrorCode::kTimeout);
}

TEST_F(StdioTransportTest, ALateAnswerIsNobodysAndTheNextCallIsServed) {
  // Answers the first request only when the notice comes that nobody waits for it.
  StdioTransport transport(shell(
      R"(read -r line; read -r notice; case $notice in *cancelled*) ;; *) exit 9 ;; esac
         printf '{"id":1,"result":{"late":true}}\n'; read -r line; printf '{"id":2,"result":{"late":false}}\n'; cat)"));
  EXPECT_EQ(ask(transport, 1, std::chrono::milliseconds(100)).error().code, ErrorCode::kTimeout);
  const auto said = ask(transport, 2);
  ASSERT_TRUE(said) << said.error().text();
  EXPECT_EQ((*said)["result"]["late"], false);
}

TEST_F(StdioTransportTest, ACancelEndsTheWait) {
  StdioTransport transport(shell("cat > /dev/null"));
  CancelToken cancel;
  const McpConnection connection = transport.open(wait()).value();
  cancel.cancel();
  EXPECT_EQ(transport.exchange({.id = 1, .method = "x"}, connection, {cancel, wait().deadline})
                .error()
                .code,
            ErrorCode::kCancelled);
}

TEST_F(StdioTransportTest, RefusesWhatTheServerAsksAndAnswersItsPings) {
  StdioTransport transport(shell(
      R"(read -r line; printf '{"id":"p","method":"ping"}\n{"id":"s","method":"sampling/createMessage"}\n'
         read -r pong; read -r refusal
         case $pong in *'"result":{}'*) ;; *) exit 8 ;; esac
         case $refusal in *-32601*) ;; *) exit 9 ;; esac
         printf '{"id":1,"result":{}}\n'; cat)"));
  const auto said = ask(transport, 1);
  EXPECT_TRUE(said) << said.error().text();
}

TEST_F(StdioTransportTest, WhatItWritesToStderrNeverBlocksIt) {
  StdioTransport transport(shell(
      R"(read -r line; head -c 300000 /dev/zero | tr '\0' 'e' >&2 || exit 7; printf '{"id":1,"result":{}}\n'; cat)"));
  EXPECT_TRUE(ask(transport, 1));
}

TEST_F(StdioTransportTest, OneThatDoesNotReadDoesNotBlockUs) {
  StdioTransport transport(shell("exec sleep 1000"));
  const McpConnection connection = transport.open(wait()).value();
  const json big = {{"x", std::string(1 << 20, 'x')}};
  const auto said = transport.exchange({.id = 1, .method = "x", .params = big}, connection,
                                       wait(std::chrono::milliseconds(100)));
  ASSERT_FALSE(said);
  EXPECT_EQ(said.error().code, ErrorCode::kTimeout);
}

TEST_F(StdioTransportTest, NothingOfItIsLeftAtTheEnd) {
  pid_t child = 0, grandchild = 0;
  {
    // Deaf to what ends others.
    StdioTransport transport(shell(
        R"(trap '' TERM; sleep 1000 & read -r line; printf '{"id":1,"result":{"me":%s,"it":%s}}\n' $$ $!
           while :; do sleep 1000; done)"));
    const auto said = ask(transport, 1);
    ASSERT_TRUE(said) << said.error().text();
    child = (*said)["result"]["me"].get<pid_t>();
    grandchild = (*said)["result"]["it"].get<pid_t>();
    EXPECT_EQ(::kill(child, 0), 0);
  }
  EXPECT_NE(::kill(child, 0), 0);
  // The grandchild was killed; whoever inherits it reaps it in his own time.
  const auto state_of = [](pid_t pid) {
    FILE* file = std::fopen(("/proc/" + std::to_string(pid) + "/stat").c_str(), "r");
    if (file == nullptr) return 'X';
    char state = 'X';
    if (std::fscanf(file, "%*d %*s %c", &state) != 1) state = 'X';
    std::fclose(file);
    return state;
  };
  char state = 'S';
  for (int i = 0; i < 1000 && state != 'X' && state != 'Z'; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    state = state_of(grandchild);
  }
  EXPECT_TRUE(state == 'X' || state == 'Z') << state;
}

}  // namespace
}  // namespace precedent
