#include "agent/converse/extremes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Incident lasting(std::string id, std::optional<int> minutes, std::string severity) {
  Incident incident;
  incident.incident_id = std::move(id);
  incident.opened_at = TimePoint(std::chrono::hours(24 * 365 * 50 + 9));
  if (minutes) incident.resolved_at = *incident.opened_at + std::chrono::minutes(*minutes);
  incident.severity = std::move(severity);
  return incident;
}

TEST(Extremes, WhatHasNoMeasureIsNoExtreme) {
  const Incident a = lasting("A", 20, "SEV2"), b = lasting("B", std::nullopt, "SEV1"),
                 c = lasting("C", 90, "SEV1");
  const std::vector<const Incident*> all = {&a, &b, &c};
  const Extremal shortest = extreme_of(Extreme::kShortest, all);
  EXPECT_THAT(shortest.places, ElementsAre(0));
  EXPECT_EQ(shortest.unmeasured, 1U);
  EXPECT_EQ(extreme_text(Extreme::kShortest, shortest, all),
            "The shortest of these 3 incidents: A, 20 min. 1 of them has no recorded end.");
  EXPECT_THAT(extreme_of(Extreme::kLongest, all).places, ElementsAre(2));
  EXPECT_THAT(extreme_of(Extreme::kLongest, std::vector{&b}).places, IsEmpty());
}

TEST(Extremes, EqualOnesAreAllNamed) {
  const Incident a = lasting("A", 20, "SEV2"), b = lasting("B", 30, "sev-1"),
                 c = lasting("C", 90, "P1");
  const std::vector<const Incident*> all = {&a, &b, &c};
  const Extremal worst = extreme_of(Extreme::kSeverest, all);
  EXPECT_EQ(extreme_text(Extreme::kSeverest, worst, all),
            "The severest of these 3 incidents: B and C, sev-1.");
}

TEST(Extremes, ASeverityOfAnUnknownScaleMayBeTheWorst) {
  const Incident a = lasting("A", 20, "SEV2"), b = lasting("B", 30, "spicy");
  EXPECT_THAT(extreme_of(Extreme::kSeverest, std::vector{&a, &b}).places, IsEmpty());
}

}  // namespace
}  // namespace precedent
