// Days, weeks, months, seasons and years in questions, and parts of them.
#include <gtest/gtest.h>

#include "time/time_lab.h"

namespace precedent {
namespace {

TEST(TimePeriods, DaysWithAName) {
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

TEST(TimePeriods, CalendarWords) {
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

TEST(TimePeriods, Ago) {
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

TEST(TimePeriods, Days) {
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

TEST(TimePeriods, MonthsQuartersYears) {
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

TEST(TimePeriods, HalfYearsAndQuartersWithoutAYear) {
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

TEST(TimePeriods, AYearNeedsNoPreposition) {
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

TEST(TimePeriods, PartsOfADay) {
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

TEST(TimePeriods, PartsOfAPeriod) {
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

TEST(TimePeriods, Seasons) {
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

TEST(TimePeriods, DaysOfNoMonth) {
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

TEST(TimePeriods, WeeksAndYearsThatAreSaid) {
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

TEST(TimePeriods, BoundariesOfTheCalendar) {
  EXPECT_EQ(ranges("last month", at("2026-01-31T12:00:00Z")), "2025-12-01..2026-01-01");
  EXPECT_EQ(ranges("last week", at("2026-01-01T00:00:00Z")), "2025-12-22..2025-12-29");
  EXPECT_EQ(ranges("this week", at("2026-11-16T00:00:01Z")), "2026-11-16..2026-11-16T00:00:01Z");
  EXPECT_EQ(ranges("last quarter", at("2026-02-10T00:00:00Z")), "2025-10-01..2026-01-01");
  EXPECT_EQ(ranges("in March", at("2026-03-01T00:00:00Z")), "2026-03-01..2026-04-01");
  EXPECT_EQ(ranges("99999999999 days ago"), "");
  EXPECT_EQ(ranges("last 999999 years"), "");
}

TEST(TimePeriods, TonightIsTheEveningThatHasCome) {
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
