// Which metric a question names.
#include "agent/sources/asked_metrics.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

std::string meant(std::string_view question, bool by_one_word = false) {
  const auto found =
      meant_metric(question,
                   {{"error_rate"},
                    {"cache_hit_ratio"},
                    {"parcel_scanner_intake_lag_seconds"},
                    {"quotes_db_connections"},
                    {"quote_cache_hits_total"},
                    {"belt_speed_meters"},
                    {"belt_speed_limit"},
                    {"http_requests_total"},
                    {"vans_online"},
                    {"fullness", "worker_memory_bytes"},
                    {"tariff_matrix_entries"},
                    {"oven_temperature_celsius"}},
                   {"parcel", "scanner", "intake", "quote", "quotes"}, by_one_word,
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

TEST(AskedMetrics, AreSaidInAnyOrderInOtherFormsAndInPart) {
  EXPECT_EQ(meant("lag of the intake"), "parcel_scanner_intake_lag_seconds");
  EXPECT_EQ(meant("vans online now compared to last week"), "vans_online");
  EXPECT_EQ(meant("how many entries in the tariff matrices"), "tariff_matrix_entries");
  EXPECT_EQ(meant("oven temp"), "oven_temperature_celsius");
}

TEST(AskedMetrics, OfTheConfigurationAreCalledAsTheSourceDoes) {
  EXPECT_EQ(meant("worker memory"), "fullness");
  EXPECT_EQ(meant("worker_memory_bytes"), "fullness");
}

TEST(AskedMetrics, AreNamedByOneWordOnlyWhereNothingElseIsAsked) {
  EXPECT_EQ(meant("memory of quote-service", true), "fullness");
  EXPECT_EQ(meant("memory of quote-service"), "");
}

TEST(AskedMetrics, LeaveWhoseTheyAre) {
  const auto found = meant_metric("lag of the intake?", {{"intake_scan_lag"}}, {"intake"}, false,
                                  [](const auto&) { return true; });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->question, "intake_scan_lag of the intake?");
}

TEST(AskedMetrics, AreNotCutOutOfANameThatIsWrittenAsOne) {
  EXPECT_EQ(meant("night-worker memory"), "");
  EXPECT_EQ(meant("worker memory-leak"), "");
  EXPECT_EQ(meant("worker memory."), "fullness");
}

TEST(AskedMetrics, StandInAQuestionByAllOfTheirWords) {
  const auto stretches = [](std::string_view question) {
    std::vector<std::string_view> found;
    for (const Stretch& s : metrics_in_words(question, {{"error_rate"}, {"up"}, {"vans_online"}}))
      found.push_back(question.substr(s.begin, s.end - s.begin));
    return found;
  };
  EXPECT_EQ(stretches("what is the Error rate of vans"),
            std::vector<std::string_view>{"Error rate"});
  EXPECT_TRUE(stretches("is the rate of error up").empty());
}

TEST(AskedMetrics, AreNotGuessed) {
  for (const std::string_view question :
       {"error rate of quotes", "is the parcel scanner slow?", "belt speed?", "db connections?",
        "http requests", "is the cache. hit me"})
    EXPECT_EQ(meant(question), "") << question;
}

}  // namespace
}  // namespace precedent
