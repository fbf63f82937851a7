// How long something took, against the moments of the receipts.
#include <gtest/gtest.h>

#include "grounding/grounding_lab.h"

namespace precedent {
namespace {

constexpr std::string_view kTimeline =
    "## Incident INC-2026-05-04-001\n"
    "**Title**: Login refused\n"
    "**Opened**: 2026-05-04T00:00:00Z\n"
    "**Description**: Timeline:\n"
    "\n"
    "### 2026-05-04 16:30\n"
    "\n"
    "The first alert is sent by mail.\n"
    "\n"
    "### 16:33\n"
    "\n"
    "The ingress pods are deleted.\n"
    "\n"
    "### 16:47\n"
    "\n"
    "A bigger node pool is created and the old one is drained.\n"
    "\n"
    "### 17:12\n"
    "\n"
    "All pods run on the new nodes.\n"
    "\n"
    "### 18:57\n"
    "\n"
    "The login works again for every customer.\n"
    "\n"
    "### 19:40\n"
    "\n"
    "The status page is updated.\n"
    "\n"
    "### 20:05\n"
    "\n"
    "The incident is closed.\n";

TEST(Intervals, ADurationLiesBetweenTwoMomentsThatAreToldOf) {
  expect_supported("The ingress pods were deleted three minutes after the first alert.", kTimeline);
  expect_supported(
      "At 16:33 the ingress pods were deleted, and 14 minutes later a bigger node pool "
      "was created.",
      kTimeline);
  expect_supported("The login worked again two hours and 27 minutes after the first alert.",
                   kTimeline);
  expect_unsupported("The ingress pods were deleted 11 minutes after the first alert.", kTimeline);
}

TEST(Intervals, FractionsOfUnitsAreRead) {
  const std::string_view text =
      "The outage lasted from February 4, 2026, 05:35 UTC, to February 5, 22:09 UTC.\n";
  expect_supported("It lasted some 40 and a half hours, from 05:35 UTC on 4 February.", text);
  expect_unsupported("It lasted some 35 and a half hours, from 05:35 UTC on 4 February.", text);
  expect_supported("The copy took an hour and a half.", "The copy took 90 minutes.");
  expect_supported("Only four fifths of the mails were sent.", "Only 80 % of the mails were sent.");
  expect_supported("It began at 19:30 on the 4th.", "It began on 2026-05-04 at 7:30 PM.");
}

}  // namespace
}  // namespace precedent
