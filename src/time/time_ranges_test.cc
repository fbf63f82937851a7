// Windows and ranges with one end or two, and the times of day that bound them.
#include <gtest/gtest.h>

#include "time/time_lab.h"

namespace precedent {
namespace {

TEST(TimeRanges, CountedWindowsEndNow) {
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
      {"past 3 months of PayU incidents", "2026-08-20T09:30..2026-11-20T09:30"},
      {"previous 10 days", "2026-11-10T09:30..2026-11-20T09:30"},
      {"last hour", "2026-11-20T08:30..2026-11-20T09:30"},
      {"in the last day", "2026-11-19T09:30..2026-11-20T09:30"},
      {"in the last month", "2026-10-20T09:30..2026-11-20T09:30"},
      {"last 2 years", "2024-11-20T09:30..2026-11-20T09:30"},
      {"the last 48-hour window", "2026-11-18T09:30..2026-11-20T09:30"},
      {"in the last 12 months", "2025-11-20T09:30..2026-11-20T09:30"},
      {"the past fortnight", "2026-11-06T09:30..2026-11-20T09:30"},
      {"in the last half hour", "2026-11-20T09:00..2026-11-20T09:30"},
      {"the last half an hour", "2026-11-20T09:00..2026-11-20T09:30"},
      {"the last 30 seconds", "2026-11-20T09:29:30Z..2026-11-20T09:30"},
      {"the last twenty-four hours", "2026-11-19T09:30..2026-11-20T09:30"},
      {"the preceding thirty days", "2026-10-21T09:30..2026-11-20T09:30"},
      {"since 2 hours", "2026-11-20T07:30..*"},
  });
}

TEST(TimeRanges, CountedWindowsSayTheirDays) {
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

TEST(TimeRanges, WindowsThatStillLast) {
  check({
      {"saturates every day, has done for 3 days.", "2026-11-17T09:30..2026-11-20T09:30"},
      {"has been crashing every few minutes for 2 hours", "2026-11-20T07:30..2026-11-20T09:30"},
      {"it's been down for two hours, why", "2026-11-20T07:30..2026-11-20T09:30"},
      {"logs have been kept for 3 days", ""},
      {"has been keeping logs for 3 days", ""},
      {"has been running for 45 days", ""},
      {"has a timeout for 30 seconds", ""},
      {"has been down for a second time", ""},
      {"the job has been slow. Keep it for 3 days", ""},
      {"for 5 minutes", ""},
  });
}

TEST(TimeRanges, OneEnd) {
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

TEST(TimeRanges, WhatBegan) {
  check({
      {"messages arrive late? started on Tuesday", "2026-11-17..*"},
      {"It began at 08:05.", "2026-11-20T08:05..*"},
      {"incidents that started on Tuesday", "2026-11-17..2026-11-18"},
      {"starting on Monday", "2026-11-16..*"},
  });
}

TEST(TimeRanges, TwoEnds) {
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

TEST(TimeRanges, TimesOfDayNarrowADay) {
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

TEST(TimeRanges, ClocksInWords) {
  check({
      {"since midnight", "2026-11-20..*"},
      {"since lunch", "2026-11-19T12:00..*"},  // today's is still to come
      {"since yesterday noon", "2026-11-19T12:00..*"},
      {"from midnight to 6am", "2026-11-20..2026-11-20T06:00"},
      {"since 8 in the evening", "2026-11-19T20:00..*"},
      {"since 4 this morning", "2026-11-20T04:00..*"},
      {"between 4 and 5 this morning", "2026-11-20T04:00..2026-11-20T05:00"},
      {"since 3 o'clock in the morning", "2026-11-20T03:00..*"},
      {"since Feb 27 about 8 in the evening", "2026-02-27T20:00..*"},
      {"Feb 27 about 8 in the evening", "2026-02-27..2026-02-28"},
      {"since 11 at night", "2026-11-19T23:00..*"},
      {"since 2 at night", "2026-11-20T02:00..*"},
      {"since 3 p.m. yesterday", "2026-11-19T15:00..*"},
      {"from 11:05 onwards", "2026-11-19T11:05..*"},
      {"since about 3 pm", "2026-11-19T15:00..*"},
      {"until around noon yesterday", "*..2026-11-19T12:00"},
      {"on Monday after 17:00", "2026-11-16T17:00..2026-11-17"},
      {"yesterday before noon", "2026-11-19..2026-11-19T12:00"},
  });
}

TEST(TimeRanges, OneHalfOfTheDayHoldsForBothEnds) {
  check({
      {"between 3 and 5 pm yesterday", "2026-11-19T15:00..2026-11-19T17:00"},
      {"between 3-5pm yesterday", "2026-11-19T15:00..2026-11-19T17:00"},
      {"yesterday from 3:30 to 5 pm", "2026-11-19T15:30..2026-11-19T17:00"},
      {"between 11 and 1 pm yesterday", "2026-11-19T11:00..2026-11-19T13:00"},
      {"between 8 and 9 in the evening on March 4", "2026-03-04T20:00..2026-03-04T21:00"},
      {"from 9 am to 11:30 yesterday", "2026-11-19T09:00..2026-11-19T11:30"},
      {"from 11 am to 1:30 yesterday", "2026-11-19T11:00..2026-11-19T13:30"},
      {"from 09:00 to 5 pm yesterday", "2026-11-19T09:00..2026-11-19T17:00"},
      {"between 3 and 5 am", "2026-11-20T03:00..2026-11-20T05:00"},
  });
}

TEST(TimeRanges, TimeZonesBecomeUtc) {
  check({
      {"since 09:00 CET", "2026-11-20T08:00..*"},
      {"since 9am CEST", "2026-11-20T07:00..*"},
      {"from 01:10 to 04:40 PST yesterday", "2026-11-19T09:10..2026-11-19T12:40"},
      {"from 01:10 to 04:40 PDT yesterday", "2026-11-19T08:10..2026-11-19T11:40"},
      {"between 14:00 EST and 15:00 EST on March 4", "2026-03-04T19:00..2026-03-04T20:00"},
      {"between 14:00 EDT and 15:00 on March 4", "2026-03-04T18:00..2026-03-04T19:00"},
      {"since 09:30 BST", "2026-11-20T08:30..*"},
      {"since 09:00 IST", "2026-11-20T03:30..*"},
      {"since 09:00 GMT", "2026-11-20T09:00..*"},
      {"since 09:00Z", "2026-11-20T09:00..*"},
      {"since 08:00 (UTC)", "2026-11-20T08:00..*"},
      {"since 09:00 UTC+2", "2026-11-20T07:00..*"},
      {"since 01:00 GMT-05:00", "2026-11-20T06:00..*"},
      {"since 09:00+02:00", "2026-11-20T07:00..*"},
      {"since 2025-01-20T14:05:00+02:00", "2025-01-20T12:05..*"},
      {"since 2025-01-20T14:05-0500", "2025-01-20T19:05..*"},
      {"on 2025-01-20 14:00-15:00 +05:30", "2025-01-20T08:30..2025-01-20T09:30"},
      {"since 00:30 CEST", "2026-11-19T22:30..*"},
      {"since 20:00 PST", "2026-11-20T04:00..*"},  // of yesterday, there
      {"on 12 Nov 11:00 pm PST", "2026-11-13..2026-11-14"},
      {"14:00 UTC-15:00 UTC on 2025-01-20", "2025-01-20T14:00..2025-01-20T15:00"},
      {"between 9:00 ET and 10:00 ET", ""},  // an hour more or less by the season
      {"since 9:00 local time", ""},
  });
}

}  // namespace
}  // namespace precedent
