// What Prometheus and Alertmanager may answer, with a scripted client: every failure says what to
// do.
#include "telemetry/prometheus/prometheus_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "net/scripted_http_client.h"
#include "telemetry/alerts/fake_alert_source.h"
#include "telemetry/prometheus/alert_source_contract.h"
#include "telemetry/prometheus/alertmanager_source.h"
#include "telemetry/prometheus/prometheus_json.h"
#include "telemetry/snapshot/snapshot.h"

namespace precedent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<Alert> lab_active() {
  std::vector<Alert> out;
  std::vector<RecordedAlert> all = read_alerts(lab_alerts_json(), "lab").value();
  for (RecordedAlert& recorded : all)
    if (!recorded.ends_at) out.push_back(std::move(recorded.alert));
  return out;
}

INSTANTIATE_TEST_SUITE_P(Fake, AlertSourceContract, testing::Values(AlertSourceMaker([] {
                           return std::make_unique<FakeAlertSource>(lab_active());
                         })));
INSTANTIATE_TEST_SUITE_P(Embedded, AlertSourceContract, testing::Values(AlertSourceMaker([] {
                           return std::make_unique<EmbeddedAlerts>(
                               "the lab", read_alerts(lab_alerts_json(), "lab").value());
                         })));

struct PrometheusSourceTest : testing::Test {
  ScriptedHttpClient client;
  EndpointConfig config{.url = "http://prom:9090",
                        .token = "s3cret",
                        .token_env = "PROM_TOKEN",
                        .retries = 1,
                        .pause = std::chrono::milliseconds(1)};
  CancelToken cancel;
  SourceContext context{cancel};
  Window hour{lab_begin(), lab_begin() + std::chrono::hours(1)};

  Result<SeriesSet> ask() {
    return PrometheusSource(client, config).range(PromQl{"up{a=\"b c\"}"}, hour, context);
  }
  Error error_of(int status, std::string body) {
    client.play(status, std::move(body));
    const auto answer = ask();
    EXPECT_FALSE(answer);
    return answer ? Error{} : answer.error();
  }
};

TEST_F(PrometheusSourceTest, SendsAFormAndReadsAMatrix) {
  client.play(200, R"({"status":"success","data":{"resultType":"matrix","result":[
    {"metric":{"__name__":"up","job":"b"},"values":[[1763546400,"1"],[1763546460.5,"NaN"]]},
    {"metric":{"__name__":"up","job":"a"},"values":[[1763546400,"+Inf"]]}]},
    "warnings":["PromQL warning: x"]})");
  const auto answer = ask();
  ASSERT_TRUE(answer) << answer.error().text();
  const HttpRequest& request = client.requests().at(0);
  EXPECT_EQ(request.url, "http://prom:9090/api/v1/query_range");
  EXPECT_EQ(request.body,
            "query=up%7Ba%3D%22b%20c%22%7D&start=1795082400.000&end=1795086000.000&step=60.000");
  ASSERT_EQ(answer->series.size(), 2u);
  EXPECT_EQ(answer->series[0].labels, (LabelSet{{"job", "a"}}));
  EXPECT_TRUE(std::isinf(answer->series[0].samples.at(0).value));
  EXPECT_EQ(answer->series[1].samples.at(1).at.time_since_epoch().count(), 1763546460500);
  EXPECT_TRUE(std::isnan(answer->series[1].samples.at(1).value));
  EXPECT_THAT(answer->warnings, ElementsAre("PromQL warning: x"));
}

TEST_F(PrometheusSourceTest, EveryFailureSaysWhatToDoAndNeverTheToken) {
  const auto check = [&](int status, std::string body, ErrorCode code, const char* remedy) {
    const Error error = error_of(status, std::move(body));
    EXPECT_EQ(error.code, code) << error.text();
    EXPECT_THAT(error.text(), HasSubstr(remedy));
    EXPECT_THAT(error.text(), Not(HasSubstr("s3cret")));
  };
  check(400, R"({"status":"error","errorType":"bad_data","error":"parse error: unexpected end"})",
        ErrorCode::kInvalidArgument, "parse error: unexpected end; correct the query");
  check(422, R"({"status":"error","errorType":"execution","error":"many-to-many"})",
        ErrorCode::kInvalidArgument, "many-to-many");
  check(200, R"({"status":"error","errorType":"timeout","error":"query timed out"})",
        ErrorCode::kTimeout, "shorter window");
  check(401, "no", ErrorCode::kPermission, "check the bearer token in PROM_TOKEN");
  check(404, "<html>not here</html>", ErrorCode::kUnavailable, "check the address");
  check(200, "{}", ErrorCode::kUnavailable, "not as Prometheus does");
  check(
      200,
      R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1,"x"]]}]}})",
      ErrorCode::kUnavailable, "not as Prometheus does");
}

TEST_F(PrometheusSourceTest, AServerThatStumblesIsAskedAgainOnce) {
  client.play(503, "");
  client.play(200, R"({"status":"success","data":{"resultType":"matrix","result":[]}})");
  EXPECT_TRUE(ask());
  EXPECT_EQ(client.requests().size(), 2u);
  client.play(503, "");
  client.play(502, "");
  const auto down = ask();
  ASSERT_FALSE(down);
  EXPECT_EQ(down.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(down.error().message, HasSubstr("status 502 after 2 tries"));
  EXPECT_EQ(client.requests().size(), 4u);
}

TEST_F(PrometheusSourceTest, ASlowServerIsNotAskedAgain) {
  client.play({{}, {}, Error{ErrorCode::kTimeout, "no answer in time"}});
  const auto slow = ask();
  ASSERT_FALSE(slow);
  EXPECT_EQ(slow.error().code, ErrorCode::kTimeout);
  EXPECT_THAT(slow.error().text(), HasSubstr("raise timeout (10000 ms)"));
  EXPECT_EQ(client.requests().size(), 1u);
}

TEST_F(PrometheusSourceTest, AnAnswerWithTooManySeriesIsRefusedWithTheRemedy) {
  std::string body = R"({"status":"success","data":{"resultType":"matrix","result":[)";
  for (size_t i = 0; i <= MetricsSource::kMaxSeries; ++i)
    body += fmt::format(R"({}{{"metric":{{"i":"{}"}},"values":[[1,"1"]]}})", i == 0 ? "" : ",", i);
  const Error error = error_of(200, body + "]}}");
  EXPECT_EQ(error.code, ErrorCode::kResourceExhausted);
  EXPECT_THAT(error.message, HasSubstr("topk"));
}

TEST_F(PrometheusSourceTest, ACatalogueWithoutMetadataIsToldFromNames) {
  client.play(
      200,
      R"({"status":"success","data":["a_seconds_bucket","a_seconds_count","a_seconds_sum","b_total"]})");
  client.play(404, "404 page not found");
  const auto catalogue = PrometheusSource(client, config).catalogue(context);
  ASSERT_TRUE(catalogue) << catalogue.error().text();
  ASSERT_EQ(catalogue->size(), 2u);
  EXPECT_EQ((*catalogue)[0].name, "a_seconds");
  EXPECT_EQ((*catalogue)[0].type, MetricType::kHistogram);
  EXPECT_EQ((*catalogue)[0].unit, "seconds");
  EXPECT_EQ((*catalogue)[1].type, MetricType::kCounter);
}

TEST_F(PrometheusSourceTest, VectorsAndScalarsAreReadAsWell) {
  const auto vector = read_prometheus_answer(
      R"({"status":"success","data":{"resultType":"vector","result":[{"metric":{"a":"b"},"value":[5,"2"]}]}})");
  ASSERT_TRUE(vector);
  EXPECT_EQ(vector->set.series.at(0).samples.at(0).value, 2);
  const auto scalar = read_prometheus_answer(
      R"({"status":"success","data":{"resultType":"scalar","result":[5,"2"]}})");
  ASSERT_TRUE(scalar);
  EXPECT_EQ(scalar->set.series.at(0).samples.at(0).value, 2);
}

TEST_F(PrometheusSourceTest, AlertmanagerAtAWrongAddress) {
  client.play(200, "<html>");
  const auto alerts = AlertmanagerSource(client, config).active(lab_end(), context);
  ASSERT_FALSE(alerts);
  EXPECT_THAT(alerts.error().message, HasSubstr("not as Alertmanager does"));
}

}  // namespace
}  // namespace precedent
