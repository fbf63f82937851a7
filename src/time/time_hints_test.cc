// What is a time among other words, and where it stands.
#include <gtest/gtest.h>

#include "time/time_lab.h"

namespace precedent {
namespace {

TEST(TimeHints, OneBesideAnother) {
  check({
      {"this month vs October", "2026-11-01..2026-11-20T09:30; 2026-10-01..2026-11-01"},
      {"compare October with November", "2026-10-01..2026-11-01; 2026-11-01..2026-12-01"},
      {"outages of the app, 2024 and 2025", "2024-01-01..2026-01-01"},
      {"errors in 2024 and 2025", "2024-01-01..2025-01-01; 2025-01-01..2026-01-01"},
      {"in the past 30 days than in the 30 days before?",
       "2026-10-21T09:30..2026-11-20T09:30; 2026-09-21T09:30..2026-10-21T09:30"},
      {"last week and the week before", "2026-11-09..2026-11-16; 2026-11-02..2026-11-09"},
      {"this month and may fail", "2026-11-01..2026-11-20T09:30"},
      {"the 30 days before", ""},
      {"last week, 3 days before the release", "2026-11-09..2026-11-16"},
      {"ports 2000 and 2001", ""},
      {"error codes, 2024 and 2025 of them", ""},
  });
}

TEST(TimeHints, WhatIsNoTime) {
  for (const char* question : {
           "Show me incident INC-2025-08-24-001",
           "INC‑2025‑08‑24‑001 and INC-2025-08-24-001 again",
           "compare INC-2025-08-24-001 with INC-2025-08-24-002",
           "what does PM-2025-03-04 say",
           "open postmortems/2025-10-26-payouts-twice.md",
           "what is in 2025-10-26-payouts-twice.md",
           "CVE-2024-12345",
           "checkout may fail when the pool is empty",
           "2 may crash at once",
           "why may 5 pods restart",
           "it recovers in 5 minutes",
           "timeout after 30 seconds",
           "retries for 3 days",
           "a second failure of the third gateway",
           "wait a second",
           "upgrade to 1.2.3 from 1.2.2",
           "since v2.10 of the chart",
           "host 10.2.3.4 is down",
           "port 8080 on 10.2.3.4:5432",
           "How do I fix HTTP 403 errors in PayU?",
           "HTTP 404 on /api/search",
           "a burst of 2000 requests",
           "latency rose from 2000 to 4000 ms",
           "after 2000 connections",
           "limit of 2048 files",
           "lines 1000-12 of the log",
           "model 5003-01",
           "march through the checklist",
           "pods 3-5 are down",
           "between 3 and 5 pods",
           "on 2025-13-45",
           "on February 30, 2025",
           "on 3/4/2025",  // March or April
           "the last 5 incidents",
           "last deploy of checkout-api",
           "550e8400-e29b-41d4-a716-446655440000",
           "mac 00:1a:2b:3c:4d:5e",
           "ratio 3:1 of retries",
           "between 4 and 5 retries",
           "3-5 pm2 workers",
           "the overnight export failed",
           "overnight-batch is down",
           "since lunch-menu-api was deployed",
           "noon-service",
           "since the second deploy",
           "since a second failure",
           "at noon every day",
           "in the morning",
           "the night shift",
           "same day delivery",
           "at the same time",
           "Monday.com integration",
           "sat nav",
           "october-fest",
           "since 2 nodes",
           "past 3 deploys",
           "end of support",
           "",
           "   ",
       }) {
    EXPECT_EQ(ranges(question), "") << question;
  }
}

TEST(TimeHints, SayWhereTheyStand) {
  const std::string question = "What broke, on March 4, 2021, between 18:00 and 18:30 UTC?";
  const auto hints = find_time_hints(question, kNow);
  ASSERT_EQ(hints.size(), 1u);
  EXPECT_EQ(hints[0].text, "on March 4, 2021, between 18:00 and 18:30 UTC");
  EXPECT_EQ(question.substr(hints[0].begin, hints[0].end - hints[0].begin), hints[0].text);
}

TEST(TimeHints, SeveralComeInOrder) {
  EXPECT_EQ(ranges("since March, but not in May 2026; before yesterday"),
            "2026-03-01..*; 2026-05-01..2026-06-01; *..2026-11-19");
}

TEST(TimeHints, IntersectionBoundsBothEnds) {
  const auto both = [](std::string_view question) {
    const TimeRange range = intersection(find_time_hints(question, kNow));
    return written(range.from) + ".." + written(range.to);
  };
  EXPECT_EQ(both("nothing"), "*..*");
  EXPECT_EQ(both("since March and before June 2026"), "2026-03-01..2026-06-01");
  EXPECT_EQ(both("in 2025, in the month of March 2025"), "2025-03-01..2025-04-01");
  EXPECT_EQ(both("compare March 2025 with May 2025"), "2025-03-01..2025-06-01");
  EXPECT_EQ(both("since June 2026, before March 2026"), "*..*");
}

// Each of these made some pattern look at the whole rest of the question at every word.
TEST(TimeHints, HostileQuestionsAreReadOnce) {
  for (const char* piece :
       {"from ", "between the ", "last week past ", "in the last a ", "on      ", "march ",
        "14:30 to ", "2025-01-20 to ", "1 ", "INC-2025-01-20-001 ", "a-1 ", "\xE2\x80\x91",
        "may 5 and ", "first half of the ", "2024 and 2025 ", "been down for 3 day ",
        "the 2nd and the ", "friday night "}) {
    std::string question;
    while (question.size() < 64 * 1024) question += piece;
    EXPECT_LE(find_time_hints(question, kNow).size(), question.size());
  }
}

}  // namespace
}  // namespace precedent
