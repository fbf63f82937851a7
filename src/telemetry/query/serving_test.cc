#include "telemetry/query/serving.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "telemetry/snapshot/fake_metrics_source.h"
#include "telemetry/snapshot/telemetry_lab.h"

namespace precedent {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> serving(const std::string& endpoint) {
  const FakeMetricsSource metrics{lab_data()};
  const MetricsConfig config =
      read_metrics_config(default_tools_config(), "x", [](const std::string&) {
        return std::nullopt;
      }).value();
  const CancelToken cancel;
  const auto found = services_of_endpoint(endpoint, metrics, config, lab_end(), {cancel});
  EXPECT_TRUE(found);
  return found.value_or(std::vector<std::string>());
}

TEST(Serving, TheSeriesOfAnEndpointNameItsService) {
  EXPECT_THAT(serving("/api/search"), ElementsAre("search"));
  EXPECT_THAT(serving("/nowhere"), IsEmpty());
}

}  // namespace
}  // namespace precedent
