// Tempo and Jaeger, answering as their references say, with a client of this process.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/foreign_json.h"
#include "telemetry/logs/stores_lab.h"
#include "telemetry/traces/jaeger_source.h"
#include "telemetry/traces/span_json.h"
#include "telemetry/traces/tempo_source.h"

namespace precedent {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Instant kNoon(*parse_time("2026-11-19T12:00:00Z"));
const TracesWanted kWanted{"web", kNoon, kNoon + std::chrono::hours(6)};

// A client that asks a function.
class AskedClient final : public HttpClient {
 public:
  std::function<HttpResponse(const std::string& path, std::map<std::string, std::string> fields)>
      answer;
  std::vector<HttpRequest> requests;

  Result<HttpResponse> stream(const HttpRequest& request, const HttpContext&,
                              const OnHttpBody& on_body) override {
    requests.push_back(request);
    HttpResponse response = answer(path_of(request.url), fields_of(request.url));
    const std::string body = std::move(response.body);
    response.body.clear();
    on_body(response, body);
    return response;
  }
};

// A call of web that label fails, as Tempo writes protobuf as JSON: identifiers in base64.
constexpr std::string_view kOtlp = R"({"batches": [
  {"resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "web"}}]},
   "scopeSpans": [{"scope": {"name": "http"}, "spans": [
     {"traceId": "AAECAwQFBgcICQoLDA0ODw==", "spanId": "AAECAwQFBgc=", "name": "GET /cart",
      "kind": "SPAN_KIND_SERVER", "startTimeUnixNano": "1795089600000000000",
      "endTimeUnixNano": "1795089600250000000", "status": {"code": "STATUS_CODE_ERROR"},
      "attributes": [{"key": "http.response.status_code", "value": {"intValue": "500"}}]}]}]},
  {"resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "label"}}]},
   "instrumentationLibrarySpans": [{"spans": [
     {"traceId": "000102030405060708090a0b0c0d0e0f", "spanId": "08090A0B0C0D0E0F",
      "parentSpanId": "0001020304050607", "name": "Zone", "kind": 3,
      "startTimeUnixNano": 1795089600010000000, "endTimeUnixNano": 1795089600200000000,
      "status": {"code": 2, "message": ""}, "attributes": [],
      "events": [{"name": "exception", "attributes": [
        {"key": "exception.message", "value": {"stringValue": "nil pointer in zone"}}]}]}]}]}]})";

constexpr std::string_view kJaeger = R"({"data": [{"traceID": "0001020304050607", "spans": [
  {"traceID": "0001020304050607", "spanID": "0a", "operationName": "GET /cart", "references": [],
   "startTime": 1795089600000000, "duration": 250000, "processID": "p1",
   "tags": [{"key": "error", "type": "bool", "value": true},
            {"key": "http.status_code", "type": "int64", "value": 500}], "logs": []},
  {"traceID": "0001020304050607", "spanID": "0b", "operationName": "Zone",
   "references": [{"refType": "FOLLOWS_FROM", "traceID": "ff", "spanID": "01"},
                  {"refType": "CHILD_OF", "traceID": "0001020304050607", "spanID": "0a"}],
   "startTime": 1795089600010000, "duration": 190000, "processID": "p2",
   "tags": [{"key": "otel.status_code", "type": "string", "value": "ERROR"}],
   "logs": [{"timestamp": 1795089600100000, "fields": [
     {"key": "event", "type": "string", "value": "exception"},
     {"key": "exception.message", "type": "string", "value": "nil pointer in zone"}]}]}],
  "processes": {"p1": {"serviceName": "web", "tags": []}, "p2": {"serviceName": "label"}}}],
  "total": 0, "limit": 0, "offset": 0, "errors": null})";

TEST(SpanIdentifierTest, IsHexadecimalWhateverItWas) {
  EXPECT_EQ(span_identifier("AAECAwQFBgc="), "0001020304050607");
  EXPECT_EQ(span_identifier("AAECAwQFBgcICQoLDA0ODw=="), "000102030405060708090a0b0c0d0e0f");
  EXPECT_EQ(span_identifier("AAECAwQFBgcICQoLDA0ODw"), "000102030405060708090a0b0c0d0e0f");
  EXPECT_EQ(span_identifier("08090A0B0C0D0E0F"), "08090a0b0c0d0e0f");
  EXPECT_EQ(span_identifier("a0b"), "a0b");
  for (const char* none : {"", "not one", "AAECAwQ", "../../etc/passwd"})
    EXPECT_EQ(span_identifier(none), "") << none;
}

TEST(OtlpTest, ServicesParentsTimesAndErrorsAreRead) {
  const auto spans = read_otlp_trace(parse_json(kOtlp));
  ASSERT_TRUE(spans) << spans.error().text();
  ASSERT_EQ(spans->size(), 2U);
  const StoredSpan &root = (*spans)[0], &zone = (*spans)[1];
  EXPECT_EQ(root.service, "web");
  EXPECT_EQ(root.parent, "");
  EXPECT_EQ(root.start_ns, 1795089600000000000);
  EXPECT_EQ(root.duration_ns, 250'000'000);
  EXPECT_EQ(root.attributes.at("http.response.status_code"), "500");
  EXPECT_EQ(root.attributes.at("span.kind"), "server");
  EXPECT_TRUE(root.failed && zone.failed);
  EXPECT_EQ(zone.trace, root.trace);
  EXPECT_EQ(zone.parent, root.id);
  EXPECT_EQ(zone.service, "label");
  EXPECT_EQ(zone.error, "nil pointer in zone");
  EXPECT_EQ(zone.attributes.at("span.kind"), "client");
  // As version 2 of the API wraps it.
  const auto wrapped = read_otlp_trace(parse_json(fmt::format(R"({{"trace": {}}})", kOtlp)));
  EXPECT_EQ(*wrapped, *spans);
  EXPECT_EQ(read_otlp_trace(parse_json("{}")).error().code, ErrorCode::kCorrupt);
}

TEST(JaegerTest, ServicesParentsTimesAndErrorsAreRead) {
  const auto traces = read_jaeger_traces(parse_json(kJaeger));
  ASSERT_TRUE(traces) << traces.error().text();
  ASSERT_EQ(traces->size(), 1U);
  ASSERT_EQ(traces->front().size(), 2U);
  const StoredSpan &root = traces->front()[0], &zone = traces->front()[1];
  EXPECT_EQ(root.service, "web");
  EXPECT_EQ(root.start_ns, 1795089600000000000);
  EXPECT_EQ(root.attributes.at("http.status_code"), "500");
  EXPECT_TRUE(root.failed && zone.failed);
  EXPECT_EQ(zone.service, "label");
  EXPECT_EQ(zone.parent, root.id);
  EXPECT_EQ(zone.duration_ns, 190'000'000);
  EXPECT_EQ(zone.error, "nil pointer in zone");
  EXPECT_EQ(read_jaeger_traces(parse_json("[]")).error().code, ErrorCode::kCorrupt);
}

struct TempoTest : ::testing::Test {
  AskedClient client;
  StoreEndpoint endpoint{.url = "http://tempo:3200",
                         .tenant = "shop",
                         .retries = 0,
                         .pause = std::chrono::milliseconds(1)};
  CancelToken cancel;
  std::vector<std::string> queries;

  void SetUp() override {
    client.answer = [this](const std::string& path, auto fields) {
      if (path != "/api/search") return HttpResponse{200, {}, std::string(kOtlp)};
      queries.push_back(fields["q"]);
      EXPECT_EQ(fields["start"].size(), 10U) << "seconds";
      return HttpResponse{
          200, {}, R"({"traces": [{"traceID": "102030405060708090a0b0c0d0e0f"}], "metrics": {}})"};
    };
  }
  Result<TracesFound> read(const TracesWanted& wanted = kWanted) {
    return TempoSource(client, endpoint).read(wanted, {cancel});
  }
};

TEST_F(TempoTest, TracesThatFailedComeFirstAndEachIsReadOnce) {
  const auto found = read();
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->traces, 1U);
  ASSERT_EQ(found->spans.size(), 2U);
  EXPECT_EQ(found->spans[0].name, "GET /cart");
  EXPECT_EQ(queries.front(), R"({ resource.service.name = "web" && status = error })");
  EXPECT_EQ(queries.back(), R"({ resource.service.name = "web" })");
  EXPECT_EQ(client.requests.size(), 2 * TraceSample::kParts + 1);
  EXPECT_THAT(client.requests.front().headers, Contains(HttpHeader{"X-Scope-OrgID", "shop"}));
  EXPECT_THAT(client.requests.front().headers, Contains(HttpHeader{"Accept", "application/json"}));
  EXPECT_THAT(found->missing, IsEmpty());
}

TEST_F(TempoTest, AServiceThatIsCalledOtherwiseHereIsSaidAndAllAreRead) {
  client.answer = [this](const std::string& path, auto fields) {
    if (path != "/api/search") return HttpResponse{200, {}, std::string(kOtlp)};
    queries.push_back(fields["q"]);
    const bool any = fields["q"].find("service.name") == std::string::npos;
    return HttpResponse{200, {}, any ? R"({"traces": [{"traceID": "0a"}]})" : R"({"metrics": {}})"};
  };
  const auto found = read({"a\"b", kNoon, kNoon + std::chrono::hours(1)});
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->traces, 1U);
  EXPECT_EQ(queries.front(), R"({ resource.service.name = "a\"b" && status = error })");
  EXPECT_EQ(queries.back(), "{}");
  EXPECT_THAT(found->missing, ElementsAre(HasSubstr("no traces through a\"b")));
}

TEST_F(TempoTest, TracesThatCannotBeReadAreCountedAndASampleIsCalledOne) {
  client.answer = [](const std::string& path, auto fields) {
    if (path == "/api/search") {
      std::string all;
      for (int i = 0; i < std::stoi(fields["limit"]); ++i)
        all += fmt::format(R"({}{{"traceID": "{:x}{:x}"}})", all.empty() ? "" : ",", i + 16,
                           std::stoi(fields["start"]));
      return HttpResponse{200, {}, R"({"traces": [)" + all + "]}"};
    }
    if (path.starts_with("/api/traces/10")) return HttpResponse{404, {}, "trace not found"};
    return HttpResponse{200, {}, std::string(kOtlp)};
  };
  const auto found = read();
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_LE(found->traces, TracesSource::kMaxTraces);
  EXPECT_THAT(found->missing, Contains(HasSubstr("are a sample: at most 40 that failed")));
  EXPECT_THAT(found->missing, Contains(HasSubstr("traces were left out; of the first: 10")));
}

TEST_F(TempoTest, FailuresSayWhatToDo) {
  const auto check = [&](int status, const std::string& body, ErrorCode code, const char* remedy) {
    client.answer = [=](const std::string&, auto) { return HttpResponse{status, {}, body}; };
    const auto found = read();
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, code) << found.error().text();
    EXPECT_THAT(found.error().text(), HasSubstr(remedy));
  };
  check(400, "invalid TraceQL query: parse error", ErrorCode::kInvalidArgument, "parse error");
  check(401, "no org id", ErrorCode::kPermission,
        "token_env, or user and password_env, of traces.");
  check(404, "page not found", ErrorCode::kNotFound, "check the address of traces.tempo");
  check(429, "", ErrorCode::kUnavailable, "asked too often");
  check(200, "{\"traces\": [", ErrorCode::kUnavailable, "does not answer as Tempo does");
  check(200, R"({"status": "success"})", ErrorCode::kUnavailable, "does not answer as Tempo does");
}

struct JaegerSourceTest : ::testing::Test {
  AskedClient client;
  StoreEndpoint endpoint{.url = "http://jaeger:16686", .retries = 0};
  CancelToken cancel;
  std::string services = R"({"data": ["web", "label"], "total": 2, "errors": null})";
  std::vector<std::map<std::string, std::string>> asked;

  void SetUp() override {
    client.answer = [this](const std::string& path, auto fields) {
      if (path == "/api/services") return HttpResponse{200, {}, services};
      asked.push_back(fields);
      return HttpResponse{200, {}, std::string(kJaeger)};
    };
  }
  Result<TracesFound> read(const std::string& service = "Web") {
    return JaegerSource(client, endpoint).read({service, kWanted.from, kWanted.to}, {cancel});
  }
};

TEST_F(JaegerSourceTest, TheServiceIsLookedUpAndFailuresComeFirst) {
  const auto found = read();
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->traces, 1U);
  EXPECT_EQ(found->spans.size(), 2U);
  ASSERT_EQ(asked.size(), 2 * TraceSample::kParts);
  EXPECT_EQ(asked.front()["service"], "web");
  EXPECT_EQ(asked.front()["tags"], R"({"error":"true"})");
  EXPECT_EQ(asked.front()["start"], "1795089600000000") << "microseconds";
  EXPECT_EQ(asked.back().count("tags"), 0U);
  EXPECT_THAT(found->missing, IsEmpty());
}

TEST_F(JaegerSourceTest, WhereTheServiceIsNotKnownAllAreAskedFor) {
  const auto found = read("cart");
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(asked.size(), 4 * TraceSample::kParts);
  EXPECT_EQ(asked.front()["service"], "label");
  EXPECT_THAT(found->missing, ElementsAre(HasSubstr("has no traces through cart")));
  services = R"({"data": null})";
  const auto none = read("");
  ASSERT_TRUE(none);
  EXPECT_THAT(none->missing, ElementsAre(HasSubstr("has no traces from 2026-11-19T12:00:00Z")));
}

TEST_F(JaegerSourceTest, FailuresSayWhatToDoAndWhatWasReadStays) {
  client.answer = [this](const std::string& path, auto) {
    if (path == "/api/services") return HttpResponse{200, {}, services};
    return client.requests.size() < 4
               ? HttpResponse{200, {}, std::string(kJaeger)}
               : HttpResponse{
                     500, {}, R"({"data": null, "errors": [{"code": 500, "msg": "no es"}]})"};
  };
  const auto found = read();
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->traces, 1U);
  EXPECT_THAT(found->missing, ElementsAre(HasSubstr("(no es)")));
  services = "<html>";
  EXPECT_THAT(read().error().text(), HasSubstr("check the address of traces.jaeger"));
}

}  // namespace
}  // namespace precedent
