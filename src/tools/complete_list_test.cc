#include "tools/complete_list.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

Receipt metrics(std::string_view query) {
  Receipt receipt;
  receipt.tool = "metrics_query";
  receipt.args = "{\"query\":\"" + std::string(query) + "\"}";
  MetricsResult result;
  result.alert_source = "the snapshot snap";
  result.alerts.resize(1);
  result.alerts_total = 1;
  receipt.result = result;
  return receipt;
}

TEST(CompleteList, AlertsStandBesideAMetricWhateverItIsFilteredBy) {
  EXPECT_TRUE(lists_every_alert(metrics("metric=p95_latency filter=service=search")));
  EXPECT_TRUE(lists_every_alert(metrics("alert=*")));
  EXPECT_FALSE(lists_every_alert(metrics("alert=* filter=service=search")));
  EXPECT_FALSE(lists_every_alert(metrics("alert=SearchSlow")));
  EXPECT_FALSE(lists_every_alert(metrics("sum(up)")));
}

TEST(CompleteList, WhatWasCutOrNotReadIsNotAllOfIt) {
  Receipt cut = metrics("alert=*");
  std::get<MetricsResult>(cut.result).alerts_total = 2;
  EXPECT_FALSE(lists_every_alert(cut));
  Receipt unread = metrics("alert=*");
  std::get<MetricsResult>(unread.result).alert_problem = "refused";
  EXPECT_FALSE(lists_every_alert(unread));
  Receipt none = metrics("metric=p95_latency");
  std::get<MetricsResult>(none.result).alert_source.clear();
  EXPECT_FALSE(lists_every_alert(none));
}

TEST(CompleteList, TheWordsOfATextDecideNothing) {
  Receipt receipt;
  receipt.tool = "metrics_query";
  receipt.args = R"({"query":"alert=*"})";
  receipt.text = "Active alerts (1), says the snapshot snap:\n";
  EXPECT_FALSE(lists_every_alert(receipt));
}

TEST(CompleteList, ChangesAreAllOfTheirWindowUnlessSomeAreLeftOut) {
  Receipt receipt;
  receipt.tool = "recent_changes";
  receipt.args = R"({"window":"24h"})";
  ChangesResult result;
  result.asked = {{.name = "log.jsonl", .found = 1}};
  receipt.result = result;
  EXPECT_TRUE(lists_every_change(receipt));
  Receipt kinds = receipt;
  kinds.args = R"({"kinds":["deploy"]})";
  EXPECT_FALSE(lists_every_change(kinds));
  Receipt more = receipt;
  std::get<ChangesResult>(more.result).more = true;
  EXPECT_FALSE(lists_every_change(more));
  Receipt failed = receipt;
  std::get<ChangesResult>(failed.result).asked[0].failed = true;
  EXPECT_FALSE(lists_every_change(failed));
}

}  // namespace
}  // namespace precedent
