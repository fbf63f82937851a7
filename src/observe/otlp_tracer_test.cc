// What an exporter owes the program it runs in: nothing is slower, nothing fails, and what was lost
// is said.
#include "observe/otlp_tracer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>

#include "net/curl_http_client.h"
#include "net/loopback_server.h"
#include "net/scripted_http_client.h"

namespace precedent {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

// Long enough for any machine: these tests wait for events, not for time.
constexpr milliseconds kLong{60'000};

OtlpConfig config_for(std::string url = "http://collector.example:4318/v1/traces") {
  OtlpConfig config;
  config.url = std::move(url);
  config.headers = {{"Authorization", "Basic c2VjcmV0LWtleQ=="}};
  return config;
}

OtlpOptions patient() {
  OtlpOptions options;
  options.linger = kLong;  // only a flush or a full batch sends
  options.retry_pause = milliseconds(1);
  return options;
}

void record(Tracer& tracer, size_t count) {
  for (size_t i = 0; i < count; ++i) ScopedSpan::root(&tracer, "span").set("number", i);
}

size_t spans_in(const HttpRequest& request) {
  return nlohmann::json::parse(request.body)["resourceSpans"][0]["scopeSpans"][0]["spans"].size();
}

TEST(OtlpTracer, ABatchIsOneRequestWithTheConfiguredHeaders) {
  ScriptedHttpClient http;
  http.play(200, "{}");
  auto tracer = OtlpTracer::start(http, config_for(), patient()).value();
  record(*tracer, 3);
  EXPECT_TRUE(tracer->flush(kLong));
  ASSERT_THAT(http.requests(), SizeIs(1));
  const HttpRequest& request = http.requests()[0];
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.url, "http://collector.example:4318/v1/traces");
  EXPECT_EQ(request.headers,
            (std::vector<HttpHeader>{{"Content-Type", "application/json"},
                                     {"Authorization", "Basic c2VjcmV0LWtleQ=="}}));
  EXPECT_EQ(spans_in(request), 3u);
  EXPECT_EQ(tracer->report().delivered, 3u);
  EXPECT_EQ(warning_of(tracer->report(), config_for()), "");
}

TEST(OtlpTracer, AFullBatchLeavesWithoutAFlush) {
  ScriptedHttpClient http;
  for (int i = 0; i < 3; ++i) http.play(200, "");
  OtlpOptions options = patient();
  options.max_batch_spans = 2;
  auto tracer = OtlpTracer::start(http, config_for(), options).value();
  record(*tracer, 5);
  EXPECT_TRUE(tracer->flush(kLong));
  EXPECT_THAT(http.requests(), SizeIs(3));
  EXPECT_EQ(tracer->report().delivered, 5u);
}

TEST(OtlpTracer, ABatchIsBoundedInBytes) {
  ScriptedHttpClient http;
  http.play(200, "");
  http.play(200, "");
  OtlpOptions options = patient();
  options.max_batch_bytes = 1;
  auto tracer = OtlpTracer::start(http, config_for(), options).value();
  record(*tracer, 2);
  EXPECT_TRUE(tracer->flush(kLong));
  EXPECT_EQ(spans_in(http.requests().at(0)), 1u);
}

struct Played {
  std::vector<int> statuses;  // 0: the connection is refused
  size_t requests;
  size_t delivered;
  std::string warning;  // "": none
};

TEST(OtlpTracer, ARequestIsRepeatedAtMostOnceAndTheRestIsCounted) {
  for (const auto& [statuses, requests, delivered, warning] : std::vector<Played>{
           {{200}, 1, 2, ""},
           {{204}, 1, 2, ""},
           {{503, 200}, 2, 2, ""},
           {{429, 200}, 2, 2, ""},
           {{0, 200}, 2, 2, ""},
           {{503, 503, 200}, 2, 0, "2 of 2 spans were not delivered"},
           {{0, 0, 200}, 2, 0, "collector.example refuses"},
           {{401, 200}, 1, 0, "collector.example:4318 answers with HTTP status 401"},
           {{500, 200}, 1, 0, "HTTP status 500"},
           {{302, 200}, 1, 0, "HTTP status 302"},
       }) {
    ScriptedHttpClient http;
    for (const int status : statuses) {
      if (status != 0) {
        http.play(status, "{}");
      } else {
        http.play({{}, {}, Error{ErrorCode::kUnavailable, "collector.example refuses"}});
      }
    }
    auto tracer = OtlpTracer::start(http, config_for(), patient()).value();
    record(*tracer, 2);
    EXPECT_TRUE(tracer->flush(kLong));
    EXPECT_THAT(http.requests(), SizeIs(requests)) << warning;
    EXPECT_EQ(tracer->report().delivered, delivered) << warning;
    EXPECT_EQ(tracer->report().undelivered, 2 - delivered) << warning;
    const std::string said = warning_of(tracer->report(), config_for());
    EXPECT_THAT(said, HasSubstr(warning));
    EXPECT_EQ(said.empty(), warning.empty()) << said;
    EXPECT_THAT(said, Not(HasSubstr("c2VjcmV0")));
  }
}

TEST(OtlpTracer, ACollectorThatAsksToWaitIsNotWaitedFor) {
  ScriptedHttpClient http;
  http.play(503, "", {{"Retry-After", "3600"}});
  http.play(200, "");
  auto tracer = OtlpTracer::start(http, config_for(), patient()).value();
  record(*tracer, 1);
  EXPECT_TRUE(tracer->flush(kLong));
  EXPECT_THAT(http.requests(), SizeIs(1));
}

TEST(OtlpTracer, WhatTheCollectorRejectedIsSaid) {
  ScriptedHttpClient http;
  http.play(200, R"({"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}})");
  auto tracer = OtlpTracer::start(http, config_for(), patient()).value();
  record(*tracer, 3);
  tracer->flush(kLong);
  EXPECT_EQ(warning_of(tracer->report(), config_for()),
            "tracing: 2 of 3 spans were not delivered: collector.example:4318 rejected some: too "
            "old");
}

TEST(OtlpTracer, NonsenseIsAnAnswer) {
  for (const std::string& body : {std::string(1 << 20, 'x'), std::string("\xff\xfe{{{"),
                                  std::string(100'000, '['), std::string("null")}) {
    ScriptedHttpClient http;
    http.play(200, body);
    auto tracer = OtlpTracer::start(http, config_for(), patient()).value();
    record(*tracer, 1);
    EXPECT_TRUE(tracer->flush(kLong));
    EXPECT_EQ(tracer->report().delivered, 1u);
  }
}

// A client that is held in its request until it is let go or cancelled.
class HeldClient final : public HttpClient {
 public:
  Result<HttpResponse> stream(const HttpRequest&, const HttpContext& context,
                              const OnHttpBody&) override {
    held = true;
    while (!context.cancel.cancelled()) std::this_thread::yield();
    return fail(ErrorCode::kCancelled, "cancelled");
  }
  std::atomic<bool> held{false};
};

TEST(OtlpTracer, ASlowCollectorHoldsNobodyUpAndWhatDoesNotFitIsCounted) {
  HeldClient http;
  OtlpOptions options = patient();
  options.max_batch_spans = 1;
  options.max_queue_spans = 4;
  auto tracer = OtlpTracer::start(http, config_for(), options).value();
  record(*tracer, 1);
  while (!http.held) std::this_thread::yield();
  record(*tracer, 10);
  EXPECT_FALSE(tracer->flush(milliseconds(1)));
  const OtlpReport report = tracer->report();
  EXPECT_EQ(report.overflowed, 6u);
  EXPECT_EQ(report.pending, 5u);
  EXPECT_THAT(
      warning_of(report, config_for()),
      HasSubstr("11 of 11 spans were not delivered: collector.example:4318 did not answer"));
  tracer.reset();  // returns, though the client never would
}

TEST(OtlpTracer, TheQueueIsBoundedInBytesToo) {
  HeldClient http;
  OtlpOptions options = patient();
  options.max_queue_bytes = 1000;
  auto tracer = OtlpTracer::start(http, config_for(), options).value();
  ScopedSpan::root(tracer.get(), "large").set("text", std::string(1000, 'x'));
  EXPECT_EQ(tracer->report().overflowed, 1u);
  EXPECT_EQ(tracer->report().pending, 0u);
}

TEST(OtlpTracer, NothingToFlushIsNothingToWaitFor) {
  ScriptedHttpClient http;
  auto tracer = OtlpTracer::start(http, config_for(), patient()).value();
  EXPECT_TRUE(tracer->flush(kLong));
  EXPECT_THAT(http.requests(), SizeIs(0));
}

TEST(OtlpTracer, SpansArriveOverARealConnection) {
  std::string seen;
  LoopbackServer server([&](const std::string& request, const LoopbackServer::Say& say) {
    seen = request;
    say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
  });
  CurlHttpClient http;
  auto tracer = OtlpTracer::start(http, config_for(server.url("/v1/traces")), patient()).value();
  record(*tracer, 2);
  EXPECT_TRUE(tracer->flush(kLong));
  EXPECT_EQ(tracer->report().delivered, 2u);
  EXPECT_THAT(seen, testing::StartsWith("POST /v1/traces HTTP/1.1\r\n"));
  EXPECT_THAT(seen, HasSubstr("Content-Type: application/json\r\n"));
}

TEST(OtlpTracer, ADeadEndpointIsSaidOnce) {
  std::string url;
  {
    url = LoopbackServer([](const std::string&, const LoopbackServer::Say&) {}).url("/v1/traces");
  }
  CurlHttpClient http;
  auto tracer = OtlpTracer::start(http, config_for(url), patient()).value();
  record(*tracer, 2);
  EXPECT_TRUE(tracer->flush(kLong));
  EXPECT_THAT(warning_of(tracer->report(), config_for(url)),
              AllOf(HasSubstr("2 of 2 spans were not delivered"), HasSubstr("127.0.0.1")));
}

}  // namespace
}  // namespace precedent
