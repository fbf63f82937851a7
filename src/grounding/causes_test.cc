// What is said to have caused something.
#include <gtest/gtest.h>

#include "grounding/grounding_lab.h"

namespace precedent {
namespace {

constexpr std::string_view kRecord =
    "## Incident INC-2026-05-04-001\n"
    "**Title**: Power lost in the data center\n"
    "**Root Cause**: A ground fault on a transformer then shut down both utility feeds. The "
    "incident "
    "highlighted the lack of a recovery plan, leading to longer downtime.\n"
    "**Action Taken**: Recovery involved long calls with the support of the vendor. The feeds were "
    "repaired.\n";

TEST(Causes, AVerbOfCausingNeedsAPassageThatTellsOfBoth) {
  expect_supported("A ground fault on a transformer took down both utility feeds.", kRecord);
  expect_supported("A ground fault on a transformer caused INC-2026-05-04-001.", kRecord);
  expect_unsupported("Slow answers of the vendor's support prolonged the downtime.", kRecord);
}

TEST(Causes, AThingThatNoReceiptHasIsNoCause) {
  expect_unsupported("A lightning strike on a transformer took down both utility feeds.", kRecord);
}

TEST(Causes, ThatItCameBeforeIsNoCause) {
  const std::string_view lines =
      "## changes\n"
      "- 2026-11-17T15:40:00Z deploy of shop-api 2.31.0\n"
      "- 2026-11-17T15:45:00Z the latency of search rose\n";
  expect_unsupported("The deploy of shop-api 2.31.0 caused the latency.", lines);
  expect_unsupported("The latency of search was caused by shop-api 2.31.0.", lines);
}

}  // namespace
}  // namespace precedent
