// The contracts over a real Prometheus and a real Alertmanager, and how they fail.
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "net/curl_http_client.h"
#include "telemetry/metrics_source_contract.h"
#include "telemetry/prometheus/alert_source_contract.h"
#include "telemetry/prometheus/alertmanager_source.h"
#include "telemetry/prometheus/prometheus_source.h"
#include "telemetry/prometheus/servers_lab.h"

namespace precedent {
namespace {

using ::testing::HasSubstr;

constexpr const char* kNotRunning =
    "no servers; `ctest` starts them, or: scripts/telemetry-servers start "
    "'" PRECEDENT_TELEMETRY_NAME "' FILE with what telemetry_lab_data writes into FILE";

CurlHttpClient& client() {
  static CurlHttpClient shared;
  return shared;
}

std::unique_ptr<PrometheusSource> prometheus() {
  const ServersLab lab = ServersLab::find();
  EXPECT_FALSE(lab.prometheus.empty()) << kNotRunning;
  return std::make_unique<PrometheusSource>(client(), EndpointConfig{.url = lab.prometheus});
}

// Those that are active on that day, and for some hours more: Alertmanager knows only the present.
void post_alerts(const std::string& url) {
  auto alerts = nlohmann::json::parse(lab_alerts_json());
  alerts.erase(1);
  for (auto& alert : alerts)
    alert["endsAt"] = format_time(SystemClock().now() + std::chrono::hours(1));
  HttpRequest request{.method = "POST",
                      .url = url + "/api/v2/alerts",
                      .headers = {{"Content-Type", "application/json"}},
                      .body = alerts.dump()};
  const CancelToken cancel;
  const auto response = client().send(request, {cancel});
  ASSERT_TRUE(response) << response.error().text();
  ASSERT_EQ(response->status, 200) << response->body;
}

INSTANTIATE_TEST_SUITE_P(Prometheus, MetricsSourceContract,
                         testing::Values(MetricsSourceMaker([] { return prometheus(); })));
INSTANTIATE_TEST_SUITE_P(Alertmanager, AlertSourceContract, testing::Values(AlertSourceMaker([] {
                           const ServersLab lab = ServersLab::find();
                           EXPECT_FALSE(lab.alertmanager.empty()) << kNotRunning;
                           post_alerts(lab.alertmanager);
                           return std::make_unique<AlertmanagerSource>(
                               client(), EndpointConfig{.url = lab.alertmanager});
                         })));

struct PrometheusTest : testing::Test {
  Result<SeriesSet> ask(std::string text) {
    return prometheus()->range(PromQl{std::move(text)}, {lab_begin(), lab_end()}, context);
  }
  CancelToken cancel;
  SourceContext context{cancel};
};

TEST_F(PrometheusTest, RunsPromqlAsItIs) {
  const auto answer = ask("topk(1, sum by (handler) (rate(http_requests_total[5m])))");
  ASSERT_TRUE(answer) << answer.error().text();
  ASSERT_FALSE(answer->series.empty());
  const auto scalar = ask("scalar(sum(memory_bytes))");
  ASSERT_TRUE(scalar) << scalar.error().text();
  EXPECT_EQ(scalar->series.size(), 1u);
}

TEST_F(PrometheusTest, SaysInItsOwnWordsWhatIsWrongWithAQuery) {
  const auto bad = ask("sum(rate(http_requests_total)");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(bad.error().message, HasSubstr("parse error"));
  // 422: well-formed, and cannot be computed.
  const auto twice = ask("memory_bytes * on (service) http_requests_total");
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().code, ErrorCode::kInvalidArgument) << twice.error().text();
  EXPECT_THAT(twice.error().message, HasSubstr("matching must be explicit"));
}

TEST_F(PrometheusTest, AnotherServerAtItsAddressIsRecognised) {
  const ServersLab lab = ServersLab::find();
  const PrometheusSource wrong(client(), {.url = lab.alertmanager});
  const auto answer = wrong.range(PromQl{"up"}, {lab_begin(), lab_end()}, context);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(answer.error().message, HasSubstr("not as Prometheus does"));
}

}  // namespace
}  // namespace precedent
