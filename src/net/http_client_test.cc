// The contract of HttpClient over the real client on a loopback server and over the fake, then what
// only the real one can show.
#include "net/http_client.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/curl_http_client.h"
#include "net/loopback_server.h"
#include "net/scripted_http_client.h"

namespace precedent {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::HasSubstr;
using testing::Not;

// One exchange, played by either.
struct Played {
  int status = 200;
  std::vector<std::string> pieces;
  bool breaks = false;  // before the announced end
};

class Player {
 public:
  virtual ~Player() = default;
  virtual HttpClient& client() = 0;
  virtual std::string url() = 0;
};

class FakePlayer final : public Player {
 public:
  explicit FakePlayer(const Played& played) {
    ScriptedExchange exchange{{played.status, {{"X-Test", "yes"}}}, played.pieces};
    if (played.breaks) exchange.error = Error{ErrorCode::kUnavailable, "example.com broke"};
    client_.play(exchange);
  }
  HttpClient& client() override { return client_; }
  std::string url() override { return "http://example.com/"; }

 private:
  ScriptedHttpClient client_;
};

class RealPlayer final : public Player {
 public:
  explicit RealPlayer(const Played& played)
      : server_([played](const std::string&, const LoopbackServer::Say& say) {
          say(fmt::format("HTTP/1.1 {} Fine\r\nX-Test: yes\r\nTransfer-Encoding: chunked\r\n\r\n",
                          played.status));
          for (const std::string& piece : played.pieces)
            say(fmt::format("{:x}\r\n{}\r\n", piece.size(), piece));
          if (!played.breaks) say("0\r\n\r\n");
        }) {}
  HttpClient& client() override { return client_; }
  std::string url() override { return server_.url(); }

 private:
  LoopbackServer server_;
  CurlHttpClient client_;
};

using MakePlayer = std::function<std::unique_ptr<Player>(const Played&)>;

class HttpClientContract : public testing::TestWithParam<std::pair<const char*, MakePlayer>> {
 protected:
  std::unique_ptr<Player> player(const Played& played) { return GetParam().second(played); }
  CancelToken cancel_;
  HttpContext context_{cancel_};
};

TEST_P(HttpClientContract, ReturnsStatusHeadersAndBodyOfAnyStatus) {
  for (const int status : {200, 404, 500}) {
    const auto player = this->player({status, {"ab", "cd"}});
    const auto response = player->client().send({.url = player->url()}, context_);
    ASSERT_TRUE(response) << response.error().text();
    EXPECT_EQ(response->status, status);
    EXPECT_EQ(response->body, "abcd");
    EXPECT_EQ(response->header("x-test"), "yes");
    EXPECT_EQ(response->header("x-none"), "");
  }
}

TEST_P(HttpClientContract, StreamsWithTheHeadAtHand) {
  const auto player = this->player({201, {"ab", "cd"}});
  std::string body;
  const auto response = player->client().stream(
      {.url = player->url()}, context_, [&](const HttpResponse& head, std::string_view piece) {
        EXPECT_EQ(head.status, 201);
        EXPECT_EQ(head.header("X-Test"), "yes");
        body += piece;
        return true;
      });
  ASSERT_TRUE(response) << response.error().text();
  EXPECT_EQ(body, "abcd");
  EXPECT_EQ(response->body, "");
}

TEST_P(HttpClientContract, StoppingIsNoError) {
  const auto player = this->player({200, {"ab", "cd"}, /*breaks=*/true});
  const auto response =
      player->client().stream({.url = player->url()}, context_,
                              [&](const HttpResponse&, std::string_view) { return false; });
  ASSERT_TRUE(response) << response.error().text();
  EXPECT_EQ(response->status, 200);
}

TEST_P(HttpClientContract, ABodyAboveTheLimitIsRefused) {
  const auto player = this->player({200, {std::string(600, 'x'), std::string(600, 'x')}});
  const auto response =
      player->client().send({.url = player->url(), .max_response_bytes = 1000}, context_);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kResourceExhausted);
}

TEST_P(HttpClientContract, ABrokenConnectionIsUnavailable) {
  const auto player = this->player({200, {"ab"}, /*breaks=*/true});
  const auto response = player->client().send({.url = player->url()}, context_);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kUnavailable);
}

TEST_P(HttpClientContract, CancelAndDeadlineAreHonoured) {
  const auto late = this->player({200, {"ab"}});
  const HttpContext over{cancel_, steady_clock::now() - milliseconds(1)};
  const auto timeout = late->client().send({.url = late->url()}, over);
  ASSERT_FALSE(timeout);
  EXPECT_EQ(timeout.error().code, ErrorCode::kTimeout);
  cancel_.cancel();
  const auto player = this->player({200, {"ab"}});
  const auto response = player->client().send({.url = player->url()}, context_);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kCancelled);
}

INSTANTIATE_TEST_SUITE_P(
    , HttpClientContract,
    testing::Values(
        std::pair<const char*, MakePlayer>(
            "Scripted", [](const Played& played) { return std::make_unique<FakePlayer>(played); }),
        std::pair<const char*, MakePlayer>(
            "Curl", [](const Played& played) { return std::make_unique<RealPlayer>(played); })),
    [](const auto& test) { return test.param.first; });

class CurlClient : public testing::Test {
 protected:
  CancelToken cancel_;
  HttpContext context_{cancel_};
  CurlHttpClient client_;
};

TEST_F(CurlClient, SendsMethodHeadersAndBody) {
  std::string seen;
  LoopbackServer server([&](const std::string& request, const LoopbackServer::Say& say) {
    seen = request;
    say("HTTP/1.1 204 None\r\nContent-Length: 0\r\n\r\n");
  });
  const HttpRequest request{"POST",
                            server.url("/v1/x?y=1"),
                            {{"X-Key", "abc"}, {"X-Empty", ""}},
                            std::string(20'000, 'b')};
  const auto response = client_.send(request, context_);
  ASSERT_TRUE(response) << response.error().text();
  EXPECT_EQ(response->status, 204);
  EXPECT_THAT(seen, testing::StartsWith("POST /v1/x?y=1 HTTP/1.1\r\n"));
  EXPECT_THAT(seen, HasSubstr("X-Key: abc\r\n"));
  EXPECT_THAT(seen, HasSubstr("X-Empty:\r\n"));
  EXPECT_THAT(seen, Not(HasSubstr("Expect:")));
  EXPECT_THAT(seen, testing::EndsWith("\r\n\r\n" + request.body));
}

TEST_F(CurlClient, DoesNotFollowRedirectsUnlessAsked) {
  LoopbackServer server([](const std::string& request, const LoopbackServer::Say& say) {
    say(request.starts_with("GET /to ")
            ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
            : "HTTP/1.1 302 Found\r\nLocation: /to\r\nContent-Length: 0\r\n\r\n");
  });
  EXPECT_EQ(client_.send({.url = server.url("/from")}, context_)->status, 302);
  CurlHttpClient free_client(CurlHttpOptions{});
  const auto followed =
      free_client.send({.url = server.url("/from"), .follow_redirects = true}, context_);
  ASSERT_TRUE(followed) << followed.error().text();
  EXPECT_EQ(followed->body, "ok");
}

TEST_F(CurlClient, ASilentServerTimesOut) {
  std::atomic<bool> done = false;
  LoopbackServer server([&](const std::string&, const LoopbackServer::Say& say) {
    say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab");
    while (!done) std::this_thread::sleep_for(milliseconds(5));
  });
  const auto response = client_.send(
      {.url = server.url("/?key=s3cret"), .stall_timeout = milliseconds(80)}, context_);
  done = true;
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kTimeout);
  EXPECT_THAT(response.error().message, HasSubstr("127.0.0.1"));
  EXPECT_THAT(response.error().message, HasSubstr("80 ms"));
  EXPECT_THAT(response.error().message, Not(HasSubstr("s3cret")));
}

TEST_F(CurlClient, CanBeCancelledFromAnotherThreadInTheMiddle) {
  std::atomic<bool> done = false;
  LoopbackServer server([&](const std::string&, const LoopbackServer::Say& say) {
    say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab");
    while (!done) std::this_thread::sleep_for(milliseconds(5));
  });
  std::thread canceller;
  const auto response =
      client_.stream({.url = server.url()}, context_, [&](const HttpResponse&, std::string_view) {
        canceller = std::thread([&] { cancel_.cancel(); });
        return true;
      });
  done = true;
  canceller.join();
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kCancelled);
}

TEST_F(CurlClient, ARefusedConnectionNamesTheHostAndTheRemedy) {
  std::string url;
  {
    LoopbackServer gone([](const std::string&, const LoopbackServer::Say&) {});
    url = gone.url("/v1?key=s3cret");
  }
  const auto response = client_.send({.url = url}, context_);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(response.error().message, HasSubstr("refuses connections"));
  EXPECT_THAT(response.error().message, Not(HasSubstr("s3cret")));
}

TEST_F(CurlClient, ALineBreakInAHeaderIsRefused) {
  const auto response = client_.send(
      {.url = "http://127.0.0.1:1/", .headers = {{"Authorization", "Bearer s3cret\n"}}}, context_);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(response.error().message, HasSubstr("Authorization"));
  EXPECT_THAT(response.error().message, Not(HasSubstr("s3cret")));
}

TEST_F(CurlClient, LeavesThisMachineOnlyIfAllowed) {
  ASSERT_TRUE(CurlHttpOptions::from_environment().loopback_only)
      << "run through ctest, or with PRECEDENT_NO_NETWORK=1";
  const auto response = client_.send({.url = "https://api.openai.com/v1/models"}, context_);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kPermission);
  EXPECT_THAT(response.error().message, HasSubstr("api.openai.com"));
}

TEST_F(CurlClient, ConnectionsServeThreadsAtOnce) {
  LoopbackServer server([](const std::string&, const LoopbackServer::Say& say) {
    say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  });
  std::atomic<int> good = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      const auto response = client_.send({.url = server.url()}, context_);
      if (response && response->body == "ok") ++good;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 8);
}

}  // namespace
}  // namespace precedent
