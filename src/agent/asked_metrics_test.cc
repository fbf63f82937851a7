// Which metric a question names.
#include "agent/asked_metrics.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

std::string meant(std::string_view question) {
  const auto found =
      meant_metric(question,
                   {"error_rate", "cache_hit_ratio", "parcel_scanner_intake_lag_seconds",
                    "quotes_db_connections", "quote_cache_hits_total", "belt_speed_meters",
                    "belt_speed_limit", "http_requests_total"},
                   {"parcel", "scanner", "intake", "quote", "quotes"},
                   [](const std::string& metric) { return metric != "quotes_db_connections"; });
  return found ? found->name : "";
}

TEST(AskedMetrics, AreNamedByTheirOwnName) {
  EXPECT_EQ(meant("what is parcel_scanner_intake_lag_seconds right now?"),
            "parcel_scanner_intake_lag_seconds");
  EXPECT_EQ(meant("quotes_db_connections too high?"), "quotes_db_connections");
}

TEST(AskedMetrics, AreNamedByTheirWords) {
  EXPECT_EQ(meant("is the intake lag ok?"), "parcel_scanner_intake_lag_seconds");
  EXPECT_EQ(meant("cache hit ratio quotes"), "cache_hit_ratio");
}

TEST(AskedMetrics, AreNotGuessed) {
  for (const std::string_view question :
       {"error rate of quotes", "is the parcel scanner slow?", "belt speed?", "db connections?",
        "http requests", "is the cache. hit me"})
    EXPECT_EQ(meant(question), "") << question;
}

}  // namespace
}  // namespace precedent
