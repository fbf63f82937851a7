#include "search/time_hints.h"

#include <gtest/gtest.h>

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
      {"on Black Friday last year", "2025-11-28..2025-11-29"},
      {"last Christmas", "2025-12-25..2025-12-26"},
      {"from New Year on", "2026-01-01..*"},
      {"between Christmas and New Year", "2025-12-25..2026-01-02"},
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
      {"a week ago", "2026-11-09..2026-11-16"},
      {"a couple of weeks ago", "2026-11-02..2026-11-09"},
      {"since two weeks ago", "2026-11-06..*"},  // the day, not its Monday
      {"since a month ago", "2026-10-20..*"},
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

TEST(TimeHints, AYearNeedsNoPreposition) {
  check({
      {"SEV1 incidents 2026", "2026-01-01..2027-01-01"},
      {"list merchant portal incidents 2025?", "2025-01-01..2026-01-01"},
      {"2024 outages of the gateway", "2024-01-01..2025-01-01"},
      {"northwind 2022: who was hit?", "2022-01-01..2023-01-01"},
      {"and 2025?", "2025-01-01..2026-01-01"},
      {"2027", "2027-01-01..2028-01-01"},
      {"2028", ""},  // nobody asks for it yet
      {"incidents 1989", ""},
      {"connection refused on port 2019", ""},
      {"mysql error 2013", ""},
      {"error 2006: server has gone away", ""},
      {"requests were more than 2000", ""},
      {"upgrade to version 2024", ""},
      {"windows server 2019", ""},
      {"ports 2000 and 2001", ""},
      {"user_id=2019", ""},
      {"took 1,2019", ""},
      {"release v2024, 2024.1 and app-2024", ""},
      {"it failed for 2000 merchants", ""},
      {"2021 merchants affected", ""},
      {"2021 records failed, row 2022", ""},
      // The numbers of a pasted text are anything.
      {"the job wrote this and stopped: worker started, worker read the file, worker sent the "
       "batch, "
       "worker waited for the answer of the other side, worker read, worker saw 3 left, 2024",
       ""},
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

TEST(TimeHints, PartsOfADay) {
  check({
      {"this morning", "2026-11-20T06:00..2026-11-20T09:30"},
      {"since this morning", "2026-11-20T06:00..*"},
      {"early this morning", "2026-11-20..2026-11-20T09:00"},
      {"this afternoon", ""},  // still to come
      {"this evening", ""},
      {"today in the afternoon", ""},
      {"yesterday morning", "2026-11-19T06:00..2026-11-19T12:00"},
      {"yesterday afternoon", "2026-11-19T12:00..2026-11-19T18:00"},
      {"yesterday in the evening", "2026-11-19T18:00..2026-11-20"},
      {"late last evening", "2026-11-19T18:00..2026-11-20"},
      {"on Thursday night", "2026-11-19T18:00..2026-11-20T06:00"},
      {"burnt 30% overnight. Explain", "2026-11-19T18:00..2026-11-20T06:00"},
      {"overnight in production", "2026-11-19T18:00..2026-11-20T06:00"},
      {"on Friday evening", "2026-11-13T18:00..2026-11-14"},
      {"since Sat night", "2026-11-14T18:00..*"},
      {"the evening of March 4", "2026-03-04T18:00..2026-03-05"},
      {"in the early hours of Monday", "2026-11-16..2026-11-16T06:00"},
      {"from last Friday evening to Monday morning", "2026-11-13T18:00..2026-11-16T12:00"},
      {"Thursday evening last week", "2026-11-12T18:00..2026-11-13"},
      {"since 21:05 last night", "2026-11-19T21:05..*"},
      {"since 9:30 last night", "2026-11-19T21:30..*"},
      {"since 02:00 last night", "2026-11-20T02:00..*"},
      {"between 22:00 last night and 03:00 this morning", "2026-11-19T22:00..2026-11-20T03:00"},
  });
  EXPECT_EQ(ranges("this morning", at("2026-11-20T03:00:00Z")), "2026-11-20..2026-11-20T03:00");
  EXPECT_EQ(ranges("this morning", at("2026-11-20T15:00:00Z")),
            "2026-11-20T06:00..2026-11-20T12:00");
}

TEST(TimeHints, ClocksInWords) {
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

TEST(TimeHints, OneHalfOfTheDayHoldsForBothEnds) {
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

TEST(TimeHints, TimeZonesBecomeUtc) {
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

TEST(TimeHints, PartsOfAPeriod) {
  check({
      {"during the first half of September", "2026-09-01..2026-09-16"},
      {"the second half of September", "2026-09-16..2026-10-01"},
      {"first half of 2025", "2025-01-01..2025-07-01"},
      {"in the second half of this year", "2026-07-01..2027-01-01"},
      {"at the end of last year", "2025-12-01..2026-01-01"},
      {"at the beginning of last year", "2025-01-01..2025-02-01"},
      {"at the beginning of last month", "2026-10-01..2026-10-11"},
      {"at the end of last month", "2026-10-21..2026-11-01"},
      {"at the end of last week", "2026-11-14..2026-11-16"},
      {"since the beginning of the month", "2026-11-01..*"},
      {"since the end of September", "2026-10-01..*"},
      {"before the end of October", "*..2026-11-01"},
      {"until the beginning of March", "*..2026-03-01"},
      {"after the start of last year", "2025-01-01..*"},
      {"in the first week of October", "2026-10-01..2026-10-08"},
      {"the last two weeks of September", "2026-09-17..2026-10-01"},
      {"the last 3 months of 2025", "2025-10-01..2026-01-01"},
      {"at the end of the month", ""},  // of every month
      {"the second half of the payload", ""},
      {"at the end of next", ""},
  });
}

TEST(TimeHints, Seasons) {
  check({
      {"during the summer of 2025", "2025-06-01..2025-09-01"},
      {"in spring 2025", "2025-03-01..2025-06-01"},
      {"fall of 2025", "2025-09-01..2025-12-01"},
      {"autumn last year", "2025-09-01..2025-12-01"},
      {"winter 2024/25", "2024-12-01..2025-03-01"},
      {"last summer", "2026-06-01..2026-09-01"},
      {"last winter", "2025-12-01..2026-03-01"},
      {"over the summer", "2026-06-01..2026-09-01"},
      {"upgrade to spring 2025.0.3", ""},
      {"spring 2025 release", ""},
      {"last spring upgrade", ""},
      {"requests fall 2000 below", ""},
      {"in winter 2024/26", ""},
  });
  EXPECT_EQ(ranges("last summer", at("2026-07-10T00:00:00Z")), "2025-06-01..2025-09-01");
}

TEST(TimeHints, DaysOfNoMonth) {
  check({
      {"since the 2nd", "2026-11-02..*"},
      {"what happened on the 5th?", "2026-11-05..2026-11-06"},
      {"since the 21st", "2026-10-21..*"},  // not in the future
      {"on the 31st", "2026-10-31..2026-11-01"},
      {"until the 5th", "*..2026-11-06"},
      {"between the 5th and the 20th", "2026-11-05..2026-11-21"},
      {"from the 28th to the 3rd", "2026-10-28..2026-11-04"},
      {"on the 5th of last month", "2026-10-05..2026-10-06"},
      {"since the 2nd attempt", ""},
      {"after the 2nd replica was added", ""},
      {"on the 2nd, 3rd and 4th attempt", ""},
      {"on the 2nd in the list", ""},
      {"between the 1st and the 2nd replica", ""},
      {"between the 5th and the 95th percentile", ""},
      {"on the 32nd", ""},
  });
}

TEST(TimeHints, WeeksAndYearsThatAreSaid) {
  check({
      {"since Thursday last week", "2026-11-12..*"},
      {"on Monday this week", "2026-11-16..2026-11-17"},
      {"on Friday, 6 November", "2026-11-06..2026-11-07"},
      {"Between Sunday 21:30 and 23:00", "2026-11-15T21:30..2026-11-15T23:00"},
      {"between Thursday and Saturday", "2026-11-12..2026-11-15"},
      {"in March last year", "2025-03-01..2025-04-01"},
      {"Q3 of last year", "2025-07-01..2025-10-01"},
      {"on 3 July last year", "2025-07-03..2025-07-04"},
      {"same time last week", "2026-11-13..2026-11-14"},
      {"the same time yesterday", "2026-11-19..2026-11-20"},
      {"the same day last month", "2026-10-20..2026-10-21"},
      {"a fortnight ago", "2026-11-02..2026-11-09"},
      {"the weekend of 7 November", "2026-11-07..2026-11-09"},
      {"mid-October", "2026-10-01..2026-11-01"},
      {"late September 2025", "2025-09-01..2025-10-01"},
      {"from October to December", "2026-10-01..2027-01-01"},  // still going on
  });
}

TEST(TimeHints, HalfYearsAndQuartersWithoutAYear) {
  check({
      {"incidents in H1", "2026-01-01..2026-07-01"},
      {"in H2?", "2026-07-01..2027-01-01"},
      {"in H1 last year", "2025-01-01..2025-07-01"},
      {"incidents Q3", "2026-07-01..2026-10-01"},
      {"errors in H2 on startup", ""},  // the database
      {"H1 is missing", ""},
      {"q1-consumer lags", ""},
      {"in Q3 FY25", ""},
  });
}

TEST(TimeHints, WindowsThatStillLast) {
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

TEST(TimeHints, WhatBegan) {
  check({
      {"messages arrive late? started on Tuesday", "2026-11-17..*"},
      {"It began at 08:05.", "2026-11-20T08:05..*"},
      {"incidents that started on Tuesday", "2026-11-17..2026-11-18"},
      {"starting on Monday", "2026-11-16..*"},
  });
}

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

TEST(TimeHints, TonightIsTheEveningThatHasCome) {
  const auto tonight = [](std::string_view now, std::string_view question) {
    const auto hints = find_time_hints(question, parse_time(now).value());
    return hints.empty() || !hints[0].range.from ? "" : format_time(*hints[0].range.from);
  };
  EXPECT_EQ(tonight("2027-02-10T03:10:00Z", "slow since tonight"), "2027-02-09T18:00:00Z");
  EXPECT_EQ(tonight("2027-02-10T21:30:00Z", "errors tonight?"), "2027-02-10T18:00:00Z");
  EXPECT_EQ(tonight("2027-02-10T12:00:00Z", "what will be deployed tonight?"), "");
}

}  // namespace
}  // namespace precedent
