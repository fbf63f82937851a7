#include "search/time_hints.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/strings.h"

namespace precedent {
namespace {

TimePoint at(std::string_view text) { return parse_time(text).value(); }

// A Friday.
const TimePoint kNow = at("2026-11-20T09:30:00Z");

std::string written(const std::optional<TimePoint>& t) {
  if (!t) return "*";
  const std::string text = format_time(*t);
  return text.ends_with("T00:00:00Z") ? text.substr(0, 10)
         : text.ends_with(":00Z")     ? text.substr(0, 16)
                                      : text;
}

// "2025-01-20..2025-01-21", hints separated by "; ", "" if there are none.
std::string ranges(std::string_view question, TimePoint now = kNow) {
  std::string out;
  for (const TimeHint& hint : find_time_hints(question, now)) {
    if (!out.empty()) out += "; ";
    out += written(hint.range.from) + ".." + written(hint.range.to);
  }
  return out;
}

struct Case {
  const char* question;
  const char* expected;
};

void check(std::initializer_list<Case> cases) {
  for (const Case& c : cases) EXPECT_EQ(ranges(c.question), c.expected) << c.question;
}

TEST(TimeHints, CountedWindowsEndNow) {
  check({
      {"Show me incidents from the last 7 days", "2026-11-13T09:30..2026-11-20T09:30"},
      {"incidents in the past week", "2026-11-13T09:30..2026-11-20T09:30"},
      {"outages over the last 24 hours", "2026-11-19T09:30..2026-11-20T09:30"},
      {"last 24h", "2026-11-19T09:30..2026-11-20T09:30"},
      {"what broke in the last 30 minutes", "2026-11-20T09:00..2026-11-20T09:30"},
      {"errors in the last 90 min", "2026-11-20T08:00..2026-11-20T09:30"},
      {"the past two weeks", "2026-11-06T09:30..2026-11-20T09:30"},
      {"during the last couple of days", "2026-11-18T09:30..2026-11-20T09:30"},
      {"last few hours", "2026-11-20T06:30..2026-11-20T09:30"},
      {"past 3 months of PayU incidents", "2026-08-22T09:30..2026-11-20T09:30"},
      {"previous 10 days", "2026-11-10T09:30..2026-11-20T09:30"},
      {"last hour", "2026-11-20T08:30..2026-11-20T09:30"},
      {"in the last day", "2026-11-19T09:30..2026-11-20T09:30"},
      {"in the last month", "2026-10-21T09:30..2026-11-20T09:30"},
      {"last 2 years", "2024-11-20T09:30..2026-11-20T09:30"},
      {"the last 48-hour window", "2026-11-18T09:30..2026-11-20T09:30"},
  });
}

TEST(TimeHints, DaysWithAName) {
  check({
      {"incidents on black friday 2025", "2025-11-28..2025-11-29"},
      {"what broke on Black Friday?", "2025-11-28..2025-11-29"},
      {"black friday, 2024 outages", "2024-11-29..2024-11-30"},
      {"since cyber monday in 2023", "2023-11-27..*"},
      {"on thanksgiving 2018", "2018-11-22..2018-11-23"},
      {"outages on christmas eve", "2025-12-24..2025-12-25"},
      {"on Christmas 2024", "2024-12-25..2024-12-26"},
      {"the new year's eve outage", "2025-12-31..2026-01-01"},
      {"on new year's day 2025", "2025-01-01..2025-01-02"},
      {"halloween", "2026-10-31..2026-11-01"},
      {"the christmas-tree deadlock", ""},
  });
}

TEST(TimeHints, CountedWindowsSayTheirDays) {
  const auto days = [](std::string_view question) {
    const auto hints = find_time_hints(question, kNow);
    return hints.size() == 1 ? hints[0].days.value_or(-1) : -2;
  };
  EXPECT_EQ(days("last 7 days"), 7);
  EXPECT_EQ(days("past week"), 7);
  EXPECT_EQ(days("last 36 hours"), 2);
  EXPECT_EQ(days("last 10 minutes"), 1);
  EXPECT_EQ(days("last fortnight"), 14);
  EXPECT_EQ(days("last week"), -1);  // a calendar week does not end now
}

TEST(TimeHints, CalendarWords) {
  check({
      {"what happened today?", "2026-11-20..2026-11-20T09:30"},
      {"yesterday's outages", "2026-11-19..2026-11-20"},
      {"the day before yesterday", "2026-11-18..2026-11-19"},
      {"last night", "2026-11-19T18:00..2026-11-20T06:00"},
      {"this morning", "2026-11-20..2026-11-20T09:30"},
      {"incidents this week", "2026-11-16..2026-11-20T09:30"},
      {"incidents last week", "2026-11-09..2026-11-16"},
      {"the week before last", "2026-11-02..2026-11-09"},
      {"over the weekend", "2026-11-14..2026-11-16"},
      {"this month", "2026-11-01..2026-11-20T09:30"},
      {"last month", "2026-10-01..2026-11-01"},
      {"this quarter", "2026-10-01..2026-11-20T09:30"},
      {"in the last quarter", "2026-07-01..2026-10-01"},
      {"this year", "2026-01-01..2026-11-20T09:30"},
      {"how many SEV1 last year?", "2025-01-01..2026-01-01"},
      {"on Monday", "2026-11-16..2026-11-17"},
      {"last Friday", "2026-11-13..2026-11-14"},
      {"since Wednesday", "2026-11-18..*"},
  });
}

TEST(TimeHints, Ago) {
  check({
      {"3 days ago", "2026-11-17..2026-11-18"},
      {"a week ago", "2026-11-13..2026-11-20"},
      {"a couple of weeks ago", "2026-11-06..2026-11-13"},
      {"two months ago", "2026-09-01..2026-10-01"},
      {"2 hours ago", "2026-11-20T07:30..2026-11-20T09:30"},
      {"30 min ago", "2026-11-20T09:00..2026-11-20T09:30"},
      {"a year ago", "2025-01-01..2026-01-01"},
      {"since 3 days ago", "2026-11-17..*"},
  });
}

TEST(TimeHints, Days) {
  check({
      {"What happened on 2025-01-20?", "2025-01-20..2025-01-21"},
      {"on 2025/1/20", "2025-01-20..2025-01-21"},
      {"on January 20, 2025", "2025-01-20..2025-01-21"},
      {"Jan 20th 2025", "2025-01-20..2025-01-21"},
      {"the 20th of January 2025", "2025-01-20..2025-01-21"},
      {"20 Jan 2025", "2025-01-20..2025-01-21"},
      {"on 20.01.2025", "2025-01-20..2025-01-21"},
      {"on 01/20/2025", "2025-01-20..2025-01-21"},
      {"on 20/01/2025", "2025-01-20..2025-01-21"},
      {"on March 4", "2026-03-04..2026-03-05"},
      {"on December 4", "2025-12-04..2025-12-05"},  // not in the future
      {"on May 5", "2026-05-05..2026-05-06"},
      {"on 2024-02-29", "2024-02-29..2024-03-01"},
      {"the outage of 24 August 2025", "2025-08-24..2025-08-25"},
      {"incidents on 2025-01-20 at 14:05", "2025-01-20..2025-01-21"},
      {"at 10:30 yesterday", "2026-11-19..2026-11-20"},
  });
}

TEST(TimeHints, MonthsQuartersYears) {
  check({
      {"in January 2025", "2025-01-01..2025-02-01"},
      {"January 2025", "2025-01-01..2025-02-01"},
      {"in Sept. 2025", "2025-09-01..2025-10-01"},
      {"in March", "2026-03-01..2026-04-01"},
      {"in december", "2025-12-01..2026-01-01"},
      {"in May", "2026-05-01..2026-06-01"},
      {"in early March", "2026-03-01..2026-04-01"},
      {"in 2025-03", "2025-03-01..2025-04-01"},
      {"in 2024", "2024-01-01..2025-01-01"},
      {"SEV1 incidents in Q1 2025", "2025-01-01..2025-04-01"},
      {"Q4 of 2024", "2024-10-01..2025-01-01"},
      {"2025 Q2", "2025-04-01..2025-07-01"},
      {"in the second quarter of 2025", "2025-04-01..2025-07-01"},
      {"in Q3", "2026-07-01..2026-10-01"},
      {"H1 2025", "2025-01-01..2025-07-01"},
      {"in the week of March 4, 2026", "2026-03-02..2026-03-09"},
  });
}

TEST(TimeHints, OneEnd) {
  check({
      {"since yesterday", "2026-11-19..*"},
      {"since March", "2026-03-01..*"},
      {"since 2024", "2024-01-01..*"},
      {"since the beginning of 2026", "2026-01-01..*"},
      {"since 14:30", "2026-11-19T14:30..*"},  // 14:30 of today is still to come
      {"since 08:00", "2026-11-20T08:00..*"},
      {"since 2025-01-20 14:05", "2025-01-20T14:05..*"},
      {"since 2025-01-20T14:05:00Z", "2025-01-20T14:05..*"},
      {"after 2025-01-20", "2025-01-21..*"},
      {"before March 2025", "*..2025-03-01"},
      {"prior to 2025-01-20", "*..2025-01-20"},
      {"until last week", "*..2026-11-16"},
      {"up to 5 March 2025", "*..2025-03-06"},
      {"from March onwards", "2026-03-01..*"},
      {"starting from 1 October", "2026-10-01..*"},
      {"after 2pm on March 4, 2026", "2026-03-04T14:00..*"},
  });
}

TEST(TimeHints, TwoEnds) {
  check({
      {"between 3 March and 5 March 2025", "2025-03-03..2025-03-06"},
      {"between 3 and 5 March 2025", "2025-03-03..2025-03-06"},
      {"between the 3rd and the 5th of March 2025", "2025-03-03..2025-03-06"},
      {"between March 3 and March 5", "2026-03-03..2026-03-06"},
      {"March 3-5, 2025", "2025-03-03..2025-03-06"},
      {"3-5 March 2025", "2025-03-03..2025-03-06"},
      {"from March 3 to 5, 2025", "2025-03-03..2025-03-06"},
      {"from 2025-01-20 to 2025-01-25", "2025-01-20..2025-01-26"},
      {"2025-01-20 – 2025-01-25", "2025-01-20..2025-01-26"},
      {"from January to March 2025", "2025-01-01..2025-04-01"},
      {"from January 2025 to March", "2025-01-01..2025-04-01"},
      {"from December 28 to January 3, 2025", "2024-12-28..2025-01-04"},
      {"between December and February", "2025-12-01..2026-03-01"},
      {"between 2024 and 2025", "2024-01-01..2026-01-01"},
      {"from March until now", "2026-03-01..2026-11-20T09:30"},
      {"from last week to yesterday", "2026-11-09..2026-11-20"},
      {"from Q1 2025 through Q2 2025", "2025-01-01..2025-07-01"},
      {"yesterday and last Monday", "2026-11-19..2026-11-20; 2026-11-16..2026-11-17"},
  });
}

TEST(TimeHints, TimesOfDayNarrowADay) {
  check({
      {"On March 4, 2021, between 18:00 and 18:30, there was a failure.",
       "2021-03-04T18:00..2021-03-04T18:30"},
      {"during the specified time range of March 6, 2021, from 06:00 to 06:30",
       "2021-03-06T06:00..2021-03-06T06:30"},
      {"On March 4, 2021, within the time range of 14:30 to 15:00, a failure",
       "2021-03-04T14:30..2021-03-04T15:00"},
      {"Between March 9, 2021, from 10:00 to 10:30", "2021-03-09T10:00..2021-03-09T10:30"},
      {"from 23:30 March 5, 2021 to 00:00 March 6, 2021", "2021-03-05T23:30..2021-03-06"},
      {"the time range of March 5, 2021, from 23:30 to March 6, 2021, at 00:00",
       "2021-03-05T23:30..2021-03-06"},
      {"March 5, 2021, 23:30 to March 6, 2021, 00:15", "2021-03-05T23:30..2021-03-06T00:15"},
      {"On March 5, 2021, from 23:30 to 00:00", "2021-03-05T23:30..2021-03-06"},
      {"within the 30-minute window from 14:30 to 15:00 on March 4, 2021",
       "2021-03-04T14:30..2021-03-04T15:00"},
      {"within the time range of 08:00 to 08:30", "2026-11-20T08:00..2026-11-20T08:30"},
      {"within the time range of 14:30 to 15:00", "2026-11-19T14:30..2026-11-19T15:00"},
      {"between 2pm and 4 pm yesterday", "2026-11-19T14:00..2026-11-19T16:00"},
      {"yesterday between 14:00 and 15:30", "2026-11-19T14:00..2026-11-19T15:30"},
      {"today from 07:00 to 08:00", "2026-11-20T07:00..2026-11-20T08:00"},
      {"2025-01-20 from 9:00 am to 10:15 am UTC", "2025-01-20T09:00..2025-01-20T10:15"},
      {"14:30-15:00 on 2025-01-20", "2025-01-20T14:30..2025-01-20T15:00"},
      {"between 23:30 and 00:15 on March 5, 2021", "2021-03-04T23:30..2021-03-05T00:15"},
      {"from 2025-01-20T14:05Z to 2025-01-20T15:00Z", "2025-01-20T14:05..2025-01-20T15:00"},
      {"from yesterday 14:00 until now", "2026-11-19T14:00..2026-11-20T09:30"},
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

TEST(TimeHints, BoundariesOfTheCalendar) {
  EXPECT_EQ(ranges("last month", at("2026-01-31T12:00:00Z")), "2025-12-01..2026-01-01");
  EXPECT_EQ(ranges("last week", at("2026-01-01T00:00:00Z")), "2025-12-22..2025-12-29");
  EXPECT_EQ(ranges("this week", at("2026-11-16T00:00:01Z")), "2026-11-16..2026-11-16T00:00:01Z");
  EXPECT_EQ(ranges("last quarter", at("2026-02-10T00:00:00Z")), "2025-10-01..2026-01-01");
  EXPECT_EQ(ranges("in March", at("2026-03-01T00:00:00Z")), "2026-03-01..2026-04-01");
  EXPECT_EQ(ranges("99999999999 days ago"), "");
  EXPECT_EQ(ranges("last 999999 years"), "");
}

// Each of these made some pattern look at the whole rest of the question at every word.
TEST(TimeHints, HostileQuestionsAreReadOnce) {
  for (const char* piece : {"from ", "between the ", "last week past ", "in the last a ",
                            "on      ", "march ", "14:30 to ", "2025-01-20 to ", "1 ",
                            "INC-2025-01-20-001 ", "a-1 ", "\xE2\x80\x91", "may 5 and "}) {
    std::string question;
    while (question.size() < 64 * 1024) question += piece;
    EXPECT_LE(find_time_hints(question, kNow).size(), question.size());
  }
}

// The incident questions of a public set, where the folder that holds it is present. Tests run in
// the source folder.
TEST(TimeHints, ReadsThePublicIncidentQuestions) {
  const char* set = std::getenv("PRECEDENT_SHARED_DATA");
  const std::filesystem::path file =
      std::filesystem::path(set != nullptr ? set : "../shared/data") /
      "07_intent_openrca_bank/questions.jsonl";
  std::ifstream in(file);
  if (!in) GTEST_SKIP() << "no " << file << "; PRECEDENT_SHARED_DATA names another folder";
  size_t read = 0;
  for (std::string line; std::getline(in, line);) {
    const auto row = nlohmann::json::parse(line);
    const std::string question = row["question"];
    const auto& range = row["time_range"];
    const TimeRange expected{at(range["start"].get<std::string>()),
                             at(range["end"].get<std::string>())};
    EXPECT_EQ(intersection(find_time_hints(question, kNow)), expected)
        << row["qid"] << ' ' << question << "\n  read " << ranges(question);
    ++read;
  }
  EXPECT_GT(read, 0u);
}

}  // namespace
}  // namespace precedent
