// What belongs together in a line of the receipts.
#include <gtest/gtest.h>

#include "grounding/grounding_lab.h"

namespace precedent {
namespace {

constexpr std::string_view kAlerts =
    "## p95_latency\n"
    "Active alerts (3):\n"
    "- SearchSlow since 2026-11-18T08:22:30Z {severity=\"daytime\",team=\"mx\"}: p95 above 400 ms\n"
    "- DbBusy since 2026-11-18T08:42:30Z {severity=\"ticket\",team=\"mx\"}: CPU above 80%\n"
    "- CacheCold since 2026-11-17T16:12:30Z {severity=\"ticket\",team=\"mx\"}: hits below 40%\n";

TEST(Bindings, ALineOfAListKeepsItsWords) {
  expect_supported("SearchSlow has the severity daytime.", kAlerts);
  expect_unsupported("DbBusy has the severity daytime.", kAlerts);
}

TEST(Bindings, CountsOfWhatIsListedAndWhatIsMeantByThemPass) {
  const std::string_view text =
      "- 2026-11-17T08:25:00Z deploy of pay-service 5.3.5\n"
      "- 2026-11-17T09:30:00Z deploy of shop-api 7.8.0\n";
  expect_supported(
      "Two services were deployed: pay-service 5.3.5 at 08:25 and shop-api 7.8.0 at "
      "09:30.",
      text);
  expect_unsupported(
      "Five services were deployed: pay-service 5.3.5 at 08:25 and shop-api 7.8.0 at "
      "09:30.",
      text);
}

TEST(Bindings, SumsAndSharesOfWhatTheSentenceNames) {
  const std::string_view text =
      "Recovery of the first took 25 minutes, of the second 5 minutes, of the third 10 minutes. "
      "The "
      "error rate was 0.045 %.\n";
  expect_supported("Recovery took 25, 5 and 10 minutes, 40 minutes altogether.", text);
  expect_unsupported("Recovery took 25, 5 and 10 minutes, 55 minutes altogether.", text);
  expect_supported("The error rate was 4.5 per 10,000.", text);
  expect_unsupported("The error rate was 9.5 per 10,000.", text);
}

TEST(Bindings, NamesInOtherSpellingsAndInLists) {
  expect_supported("The mails came from the old Let's Encrypt account.",
                   "The mails came from the old letsencrypt account.");
  expect_supported("Cities hit include San Jose and London.",
                   "Cities hit include San Jose, Dallas, Chicago, Atlanta, London, Frankfurt.");
  expect_supported("The deploy was made by Pavel Novotny.",
                   "The deploy was made by Pavel Novotný.");
  expect_supported("Look at the p99 of the write duration.",
                   "Look at the 99th percentile of the write duration.");
}

}  // namespace
}  // namespace precedent
