#include "net/http_server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <mutex>
#include <thread>

#include "net/curl_http_client.h"
#include "net/raw_client.h"

namespace precedent {
namespace {

using namespace std::chrono_literals;

ServedResponse plain_error(int status, std::string_view detail, std::string_view /*target*/) {
  return {
      .status = status, .headers = {{"Content-Type", "text/plain"}}, .body = std::string(detail)};
}

std::unique_ptr<HttpServer> serve(HttpHandler handler, HttpServerOptions options = {}) {
  auto server = HttpServer::start(options, std::move(handler), plain_error);
  EXPECT_TRUE(server) << server.error().text();
  return server ? std::move(*server) : nullptr;
}

std::string url(const HttpServer& server, std::string_view path) {
  return "http://127.0.0.1:" + std::to_string(server.port()) + std::string(path);
}

Result<HttpResponse> get(const HttpServer& server, std::string_view path) {
  CurlHttpClient client;
  CancelToken cancel;
  return client.send({.url = url(server, path)}, {cancel});
}

// Says these bytes, and with `ends` that no more will come; returns all that comes back until the
// server closes.
std::string talk(uint16_t port, std::string_view bytes, bool ends = false) {
  const RawClient client(port);
  client.say(bytes);
  if (ends) client.say_no_more();
  return client.hear_all();
}
std::string talk(const HttpServer& server, std::string_view bytes) {
  return talk(server.port(), bytes);
}

// Pieces that another thread gives.
class Given final : public HttpStream {
 public:
  void give(std::string piece) {
    const std::lock_guard lock(mutex_);
    pieces_.push_back(std::move(piece));
    if (wake_) wake_();
  }
  void end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    if (wake_) wake_();
  }
  State next(std::string& piece) override {
    const std::lock_guard lock(mutex_);
    if (at_ < pieces_.size()) {
      piece = pieces_[at_++];
      return State::kPiece;
    }
    return ended_ ? State::kDone : State::kWaiting;
  }
  void wake_with(std::function<void()> wake) override {
    const std::lock_guard lock(mutex_);
    wake_ = std::move(wake);
  }
  std::string heartbeat() const override { return "."; }

 private:
  std::mutex mutex_;
  std::vector<std::string> pieces_;
  size_t at_ = 0;
  bool ended_ = false;
  std::function<void()> wake_;
};

TEST(HttpServer, GivesPathQueryHeadersAndBodyToItsHandler) {
  ServedRequest seen;
  const auto server = serve([&](ServedRequest request, const Respond& respond) {
    seen = std::move(request);
    respond({.status = 201, .headers = {{"X-Own", "1"}}, .body = "made"});
  });
  CurlHttpClient client;
  CancelToken cancel;
  const auto response = client.send({.method = "POST",
                                     .url = url(*server, "/a%20b/c?q=x+y&empty&n=%C3%A9"),
                                     .headers = {{"X-Mine", "yes"}},
                                     .body = "hello"},
                                    {cancel});
  ASSERT_TRUE(response) << response.error().text();
  EXPECT_EQ(response->status, 201);
  EXPECT_EQ(response->body, "made");
  EXPECT_EQ(response->header("x-own"), "1");
  EXPECT_EQ(seen.method, "POST");
  EXPECT_EQ(seen.path, "/a b/c");
  EXPECT_EQ(seen.parameter("q"), "x y");
  EXPECT_EQ(seen.parameter("n"), "é");
  EXPECT_EQ(seen.header("x-mine"), "yes");
  EXPECT_EQ(seen.body, "hello");
  EXPECT_EQ(seen.client, "127.0.0.1");
}

TEST(HttpServer, TakesATargetWithItsAuthority) {
  const auto server = serve([&](const ServedRequest& request, const Respond& respond) {
    std::string said = std::string(request.header("Host")) + " " + request.path;
    for (const auto& [name, value] : request.query) said += " " + name + "=" + value;
    respond({.body = said});
  });
  const auto said = [&](const std::string& target) {
    const std::string answer =
        talk(*server, "GET " + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    return answer.substr(answer.find("\r\n\r\n") + 4);
  };
  EXPECT_EQ(said("http://shop.example:8080/a%20b?c=d#e"), "shop.example:8080 /a b c=d");
  EXPECT_EQ(said("HTTPS://shop.example"), "shop.example /");
  EXPECT_EQ(said("http://shop.example?c=d#e"), "shop.example / c=d");
  EXPECT_EQ(said("http://shop.example#e"), "shop.example /");
  EXPECT_EQ(said("/http://shop.example/"), "a /http://shop.example/");
}

TEST(HttpServer, AHandlerThatWaitsHoldsUpNoOtherConnection) {
  std::promise<void> began, asked;
  const auto wait = asked.get_future().share();
  const auto server = serve(
      [&](const ServedRequest& request, const Respond& respond) {
        if (request.path == "/second") return asked.set_value(), respond({.body = "2"});
        began.set_value();
        respond({.body = wait.wait_for(10s) == std::future_status::ready ? "1" : "alone"});
      },
      {.threads = 1, .handlers = 2});
  auto first = std::async(std::launch::async, [&] { return get(*server, "/first"); });
  began.get_future().wait();
  ASSERT_TRUE(get(*server, "/second"));
  const auto answer = first.get();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->body, "1");
}

TEST(HttpServer, AHandlerThatThrowsAnswers500) {
  const auto server =
      serve([](const ServedRequest&, const Respond&) { throw std::runtime_error("out of luck"); });
  const auto response = get(*server, "/");
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 500);
}

TEST(HttpServer, AnswersLaterFromAnotherThread) {
  std::thread later;
  const auto server = serve([&](const ServedRequest&, Respond respond) {
    later = std::thread([respond = std::move(respond)] {
      std::this_thread::sleep_for(20ms);
      respond({.body = "late"});
    });
  });
  const auto response = get(*server, "/");
  later.join();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->body, "late");
}

TEST(HttpServer, AHandlerThatForgetsToAnswerIsA500) {
  const auto server = serve([](const ServedRequest&, const Respond&) {});
  const auto response = get(*server, "/");
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 500);
}

TEST(HttpServer, AStreamLeavesPieceByPieceWithHeartbeatsBetween) {
  auto stream = std::make_shared<Given>();
  HttpServerOptions options;
  options.heartbeat = 30ms;
  const auto server = serve(
      [&](const ServedRequest&, const Respond& respond) { respond({.stream = stream}); }, options);
  std::jthread giver([&] {
    stream->give("one");
    std::this_thread::sleep_for(150ms);
    stream->give("two");
    stream->end();
  });
  const auto response = get(*server, "/");
  ASSERT_TRUE(response) << response.error().text();
  EXPECT_TRUE(response->body.starts_with("one.")) << response->body;
  EXPECT_TRUE(response->body.ends_with("two")) << response->body;
}

TEST(HttpServer, AClientThatGoesAwayEndsItsStreamAlone) {
  auto stream = std::make_shared<Given>();
  HttpServerOptions options;
  options.heartbeat = 10ms;
  const auto server = serve(
      [&](const ServedRequest& request, const Respond& respond) {
        if (request.path == "/stream") return respond({.stream = stream});
        respond({.body = "alive"});
      },
      options);
  stream->give("one");
  CurlHttpClient client;
  CancelToken cancel;
  const auto cut = client.stream({.url = url(*server, "/stream")}, {cancel},
                                 [](const HttpResponse&, std::string_view) { return false; });
  EXPECT_TRUE(cut);
  for (int i = 0; i < 500 && server->connections() > 0; ++i) std::this_thread::sleep_for(10ms);
  EXPECT_EQ(server->connections(), 0U);
  stream->give("to nobody");
  EXPECT_EQ(get(*server, "/")->body, "alive");
}

TEST(HttpServer, AClientThatDoesNotReadLosesItsConnection) {
  // Never done, and never waiting.
  struct Endless final : HttpStream {
    State next(std::string& piece) override {
      piece.assign(64 * 1024, 'x');
      return State::kPiece;
    }
    void wake_with(std::function<void()>) override {}
  };
  HttpServerOptions options;
  options.write_time = 100ms;
  const auto server =
      serve([](const ServedRequest&,
               const Respond& respond) { respond({.stream = std::make_shared<Endless>()}); },
            options);
  const RawClient client(server->port());
  client.say("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  char one = 0;
  EXPECT_EQ(::recv(client.socket(), &one, 1, 0), 1);
  for (int i = 0; i < 500 && server->connections() > 0; ++i) std::this_thread::sleep_for(10ms);
  EXPECT_EQ(server->connections(), 0U);
}

TEST(HttpServer, AConnectionMoreThanAClientMayHaveIsClosed) {
  HttpServerOptions options;
  options.max_connections_per_client = 2;
  const auto server = serve(
      [](const ServedRequest&, const Respond& respond) { respond({.body = "alive"}); }, options);
  RawClient one(server->port());
  const RawClient two(server->port());
  for (int i = 0; i < 500 && server->connections() < 2; ++i) std::this_thread::sleep_for(10ms);
  ASSERT_EQ(server->connections(), 2U);
  EXPECT_EQ(RawClient(server->port()).hear_all(), "");
  one.leave();
  for (int i = 0; i < 500 && server->connections() > 1; ++i) std::this_thread::sleep_for(10ms);
  EXPECT_EQ(get(*server, "/")->body, "alive");
}

TEST(HttpServer, AServerThatEndsEndsAStreamThatHasNothingToSay) {
  const auto quiet = std::make_shared<Given>();
  quiet->give("first");
  HttpServerOptions options;
  options.heartbeat = 10min;
  auto server = serve(
      [&](const ServedRequest&, const Respond& respond) { respond({.stream = quiet}); }, options);
  const std::string place = url(*server, "/");
  std::atomic<bool> begun{false};
  std::jthread reading([&] {
    CurlHttpClient client;
    CancelToken cancel;
    std::ignore =
        client.stream({.url = place}, {cancel}, [&](const HttpResponse&, std::string_view) {
          begun = true;
          return true;
        });
  });
  while (!begun) std::this_thread::sleep_for(1ms);
  const auto before = std::chrono::steady_clock::now();
  server.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - before, 4s);
}

TEST(HttpServer, WhatIsMalformedOrTooLargeGetsItsStatus) {
  HttpServerOptions options;
  options.max_body_bytes = 100;
  options.max_header_bytes = 1000;
  std::atomic<int> handled{0};
  const auto server = serve(
      [&](const ServedRequest&, const Respond& respond) {
        ++handled;
        respond({});
      },
      options);
  const auto status = [&](const std::string& bytes) { return talk(*server, bytes).substr(9, 3); };
  EXPECT_EQ(status("nonsense\r\n\r\n"), "400");
  EXPECT_EQ(status("GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n"), "400");
  EXPECT_EQ(status("GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n"), "400");
  EXPECT_EQ(status("GET relative HTTP/1.1\r\nHost: a\r\n\r\n"), "400");
  EXPECT_EQ(status("GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n"), "400");
  EXPECT_EQ(status("GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n"), "400");
  EXPECT_EQ(status("GET http://me@a/x HTTP/1.1\r\nHost: a\r\n\r\n"), "400");
  EXPECT_EQ(status("GET / HTTP/1.1\r\nX: " + std::string(2000, 'a') + "\r\n\r\n"), "431");
  EXPECT_EQ(status("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n"), "413");
  // The shapes of request smuggling.
  EXPECT_EQ(status("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: "
                   "chunked\r\n\r\n0\r\n\r\n"),
            "400");
  EXPECT_EQ(
      status("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"),
      "400");
  EXPECT_EQ(status("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"),
            "400");
  EXPECT_EQ(handled, 0);
}

TEST(HttpServer, WhatBreaksOffIsRefusedAndNobodyIsAsked) {
  std::atomic<int> handled{0};
  const auto server = serve([&](const ServedRequest&, const Respond& respond) {
    ++handled;
    respond({});
  });
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\n";
  for (const std::string& said :
       {head, head + "Content-Length: 16\r\n\r\n", head + "Content-Length: 16\r\n\r\n{\"mess",
        head + "Transfer-Encoding: chunked\r\n\r\n",
        head + "Transfer-Encoding: chunked\r\n\r\n10\r\n{",
        head + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"}) {
    const std::string answer = talk(server->port(), said, true);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 400")) << said << "\n" << answer;
    EXPECT_TRUE(answer.contains("breaks off")) << answer;
  }
  EXPECT_EQ(handled, 0);
}

// A turn that goes on while the server goes.
TEST(HttpServer, AnAnswerThatComesAfterTheServerGoesNowhere) {
  std::mutex mutex;
  std::vector<Respond> waiting;
  auto server = serve(
      [&](const ServedRequest&, const Respond& respond) {
        const std::lock_guard lock(mutex);
        waiting.push_back(respond);
      },
      {});
  std::thread client([port = server->port()] {
    std::ignore = talk(port, "GET /wait HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  });
  const auto is_waiting = [&] {
    const std::lock_guard lock(mutex);
    return !waiting.empty();
  };
  while (!is_waiting()) std::this_thread::yield();
  server.reset();
  waiting.front()({.body = "late"});
  waiting.clear();
  client.join();
}

// A turn that took down whom to wake, and wakes them after the server has gone.
TEST(HttpServer, AWakeThatComesAfterTheServerGoesNowhere) {
  struct Slow final : HttpStream {
    State next(std::string&) override { return State::kWaiting; }
    void wake_with(std::function<void()> wake) override {
      const std::lock_guard lock(mutex);
      if (wake) wakes.push_back(std::move(wake));
    }
    bool has_reader() {
      const std::lock_guard lock(mutex);
      return !wakes.empty();
    }
    std::mutex mutex;
    std::vector<std::function<void()>> wakes;
  };
  const auto stream = std::make_shared<Slow>();
  auto server =
      serve([&](const ServedRequest&, const Respond& respond) { respond({.stream = stream}); }, {});
  std::thread client([port = server->port()] {
    std::ignore = talk(port, "GET /wait HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  });
  while (!stream->has_reader()) std::this_thread::yield();
  server.reset();
  client.join();
  stream->wakes.front()();
  stream->wakes.clear();
}

TEST(HttpServer, LargeBodiesShareARoomAndSmallOnesAlwaysHaveTheirs) {
  constexpr size_t kLarge = 100'000;
  std::mutex mutex;
  std::vector<Respond> waiting;
  const auto server = serve(
      [&](const ServedRequest& request, const Respond& respond) {
        if (request.path != "/wait") return respond({.body = std::to_string(request.body.size())});
        const std::lock_guard lock(mutex);
        waiting.push_back(respond);
      },
      {.max_bodies_bytes = 150'000});
  const auto post = [&](const std::string& path, size_t bytes) {
    return talk(*server, "POST " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" +
                             "Content-Length: " + std::to_string(bytes) + "\r\n\r\n" +
                             std::string(bytes, 'x'));
  };
  std::thread first([&] { EXPECT_TRUE(post("/wait", kLarge).starts_with("HTTP/1.1 200")); });
  const auto is_waiting = [&] {
    const std::lock_guard lock(mutex);
    return !waiting.empty();
  };
  while (!is_waiting()) std::this_thread::yield();
  EXPECT_TRUE(post("/", kLarge).starts_with("HTTP/1.1 503"));
  EXPECT_TRUE(post("/", 10'000).ends_with("10000"));
  waiting.front()({.body = "done"});
  first.join();
  // What the first held is free again, once its connection has noticed.
  while (!post("/", kLarge).ends_with("100000")) std::this_thread::yield();
}

TEST(HttpServer, RequestsThatEndInTwoPlacesAreRefusedAndNothingBehindThemIsRead) {
  std::atomic<int> handled = 0;
  const auto server = serve([&](const ServedRequest&, const Respond& respond) {
    ++handled;
    respond({.body = "handled"});
  });
  const std::string next = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  const auto post = [&](const std::string& headers, const std::string& version = "1.1") {
    return talk(*server,
                "POST / HTTP/" + version + "\r\nHost: a\r\n" + headers + "\r\n0\r\n\r\n" + next);
  };
  for (const char* headers :
       {"Transfer-Encoding: gzip\r\n", "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: chunked, identity\r\n", "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip\r\nContent-Length: 5\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Content-Length: 5\r\nContent-Length: 5\r\n", "Content-Length: 5\r\nContent-Length: 0\r\n"})
    EXPECT_TRUE(post(headers).starts_with("HTTP/1.1 400")) << headers;
  EXPECT_TRUE(post("Transfer-Encoding: chunked\r\n", "1.0").starts_with("HTTP/1.1 400"));
  EXPECT_EQ(handled, 0);
  EXPECT_TRUE(post("Transfer-Encoding: Chunked\r\n").starts_with("HTTP/1.1 200"));
  EXPECT_EQ(handled, 2);
}

TEST(HttpServer, WhomARequestIsForIsSaidOnce) {
  const auto server =
      serve([](const ServedRequest&, const Respond& respond) { respond({.body = "x"}); });
  const auto status = [&](const std::string& headers, const std::string& version = "1.1") {
    return talk(*server, "GET / HTTP/" + version + "\r\nConnection: close\r\n" + headers + "\r\n")
        .substr(9, 3);
  };
  EXPECT_EQ(status("Host: a\r\n"), "200");
  EXPECT_EQ(status(""), "400");
  EXPECT_EQ(status("", "1.0"), "200");
  EXPECT_EQ(status("Host: a\r\nHost: b\r\n"), "400");
  EXPECT_EQ(status("Host: a\r\nOrigin: http://a\r\nOrigin: http://b\r\n"), "400");
  EXPECT_EQ(status("Host: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n"), "400");
  EXPECT_TRUE(talk(*server, "GET / HTTP/1.1\r\nHost: a\r\nOrigin: b\r\nOrigin: c\r\n\r\n")
                  .contains("Origin is there twice"));
}

TEST(HttpServer, WhatFollowsABodyIsNoHeader) {
  std::vector<HttpHeader> seen;
  const auto server = serve([&](const ServedRequest& request, const Respond& respond) {
    seen = request.headers;
    respond({.body = request.body});
  });
  const std::string answer =
      talk(*server,
           "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
           "2\r\nhi\r\n0\r\nAuthorization: Bearer stolen\r\n\r\n");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200")) << answer;
  EXPECT_TRUE(answer.ends_with("hi"));
  EXPECT_EQ(seen.size(), 3U);
  for (const HttpHeader& header : seen) EXPECT_NE(header.name, "Authorization");
}

TEST(HttpServer, AnExtensionOfAChunkThatNeverEndsFillsNothing) {
  const auto server =
      serve([](const ServedRequest&, const Respond& respond) { respond({.body = "x"}); });
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  // Just above the limit: the server has read all of it, so that its answer is not lost.
  const std::string filling(HttpServerOptions().max_header_bytes + 64 * 1024 - 2, 'x');
  EXPECT_TRUE(talk(*server, head + "1;" + filling).starts_with("HTTP/1.1 400"));
}

TEST(HttpServer, WhoIsTooSlowGetsA408) {
  HttpServerOptions options;
  options.header_time = 50ms;
  options.body_time = 50ms;
  const auto server =
      serve([](const ServedRequest&, const Respond& respond) { respond({}); }, options);
  EXPECT_EQ(talk(*server, "GET / HTTP/1.1\r\nHo").substr(9, 3), "408");
  EXPECT_EQ(talk(*server, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab").substr(9, 3),
            "408");
}

TEST(HttpServer, KeepsAConnectionForSeveralRequests) {
  const auto server = serve([](const ServedRequest& request, const Respond& respond) {
    respond({.body = request.path});
  });
  const std::string both = talk(
      *server,
      "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_NE(both.find("/1"), std::string::npos);
  EXPECT_NE(both.find("/2"), std::string::npos);
}

TEST(HttpServer, DrainingFinishesWhatRunsAndTakesNothingNew) {
  Respond waiting;
  std::atomic<bool> asked{false};
  const auto server = serve([&](const ServedRequest&, Respond respond) {
    waiting = std::move(respond);
    asked = true;
  });
  std::string answer;
  std::jthread client([&] { answer = get(*server, "/").value_or(HttpResponse{}).body; });
  while (!asked) std::this_thread::sleep_for(1ms);
  std::jthread drained([&] { server->drain(5s); });
  std::this_thread::sleep_for(30ms);
  waiting({.body = "finished"});
  drained.join();
  client.join();
  EXPECT_EQ(answer, "finished");
  EXPECT_FALSE(get(*server, "/"));
}

TEST(HttpServer, APortThatIsTakenAndAnAddressThatIsNoneAreErrors) {
  const auto server = serve([](const ServedRequest&, const Respond& respond) { respond({}); });
  HttpServerOptions options;
  options.port = server->port();
  const HttpHandler nothing = [](const ServedRequest&, const Respond&) {};
  EXPECT_EQ(HttpServer::start(options, nothing, plain_error).error().code, ErrorCode::kConflict);
  options.address = "nowhere";
  EXPECT_EQ(HttpServer::start(options, nothing, plain_error).error().code,
            ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace precedent
