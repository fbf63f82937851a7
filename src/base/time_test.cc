#include "base/time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/date_order.h"

namespace precedent {
namespace {

using testing::HasSubstr;

struct Spelling {
  std::string_view text;
  std::string_view expected;  // as format_time writes it
};

// Every form that base/time.h promises, and its neighbours.
constexpr Spelling kAccepted[] = {
    // ISO 8601
    {"2025-01-20", "2025-01-20T00:00:00Z"},
    {"2025-01-20T14:05:00Z", "2025-01-20T14:05:00Z"},
    {"2025-01-20t14:05:00z", "2025-01-20T14:05:00Z"},
    {"2025-01-20T14:05", "2025-01-20T14:05:00Z"},
    {"2025-01-20T14:05Z", "2025-01-20T14:05:00Z"},
    {"2025-01-20 14:05:09", "2025-01-20T14:05:09Z"},
    {"2025-01-20T14:05:09.123Z", "2025-01-20T14:05:09Z"},
    {"2025-01-20 14:05:09,999", "2025-01-20T14:05:09Z"},
    {"2025-01-20T14:05:09.123456789Z", "2025-01-20T14:05:09Z"},
    {"2025-01-20T14:05:00+02:00", "2025-01-20T12:05:00Z"},
    {"2025-01-20T14:05:00+0200", "2025-01-20T12:05:00Z"},
    {"2025-01-20T14:05:00+02", "2025-01-20T12:05:00Z"},
    {"2025-01-20T14:05:00-05:30", "2025-01-20T19:35:00Z"},
    {"2025-01-20T14:05:00.000+0000", "2025-01-20T14:05:00Z"},
    {"2025-01-20 14:05:00 +0200", "2025-01-20T12:05:00Z"},
    {"2025-01-20 14:05:00 UTC", "2025-01-20T14:05:00Z"},
    {"2025-01-20 14:05 GMT", "2025-01-20T14:05:00Z"},
    {"2025-01-20 14:05:00 utc", "2025-01-20T14:05:00Z"},
    {"2025-01-20T14:05:00+01:00[Europe/Paris]", "2025-01-20T13:05:00Z"},
    {"2025-01-20T00:30:00+14:00", "2025-01-19T10:30:00Z"},
    {"20250120", "2025-01-20T00:00:00Z"},
    {"20250120T140509Z", "2025-01-20T14:05:09Z"},
    {"20250120T1405", "2025-01-20T14:05:00Z"},
    {"20250120140509", "2025-01-20T14:05:09Z"},
    {"  2025-01-20  ", "2025-01-20T00:00:00Z"},
    {"2025-1-5", "2025-01-05T00:00:00Z"},
    {"2025-01-20 9:05", "2025-01-20T09:05:00Z"},
    {"2025‑01‑20", "2025-01-20T00:00:00Z"},
    {"2025-01-20T14:05:00−05:00", "2025-01-20T19:05:00Z"},
    // by named month
    {"14 Mar 2023 09:12", "2023-03-14T09:12:00Z"},
    {"14 March 2023", "2023-03-14T00:00:00Z"},
    {"14-Mar-2023", "2023-03-14T00:00:00Z"},
    {"14Mar2023", "2023-03-14T00:00:00Z"},
    {"March 14, 2023", "2023-03-14T00:00:00Z"},
    {"march 14 2023", "2023-03-14T00:00:00Z"},
    {"Sept 4, 2023", "2023-09-04T00:00:00Z"},
    {"4 May 2023", "2023-05-04T00:00:00Z"},
    {"Mar 14 2023 9:12 PM", "2023-03-14T21:12:00Z"},
    {"Mar 14, 2023 9:12:33 am", "2023-03-14T09:12:33Z"},
    {"Mar 14, 2023, 9:12:33\u202FPM", "2023-03-14T21:12:33Z"},
    {"Mar 14, 2023 12:00 AM", "2023-03-14T00:00:00Z"},
    {"Mar 14, 2023 12:00 PM", "2023-03-14T12:00:00Z"},
    {"Mar 14, 2023 9 p.m.", "2023-03-14T21:00:00Z"},
    {"March 14th, 2023 at 9pm", "2023-03-14T21:00:00Z"},
    {"the 1st of March 2023", "2023-03-01T00:00:00Z"},
    {"2023 March 14", "2023-03-14T00:00:00Z"},
    {"2023-Mar-14", "2023-03-14T00:00:00Z"},
    {"Tuesday, March 14, 2023", "2023-03-14T00:00:00Z"},
    {"14/Mar/23 9:12 AM", "2023-03-14T09:12:00Z"},
    {"14/Mar/99", "1999-03-14T00:00:00Z"},
    {"3/28/23 4:15 PM", "2023-03-28T16:15:00Z"},
    {"14.08.23 06:20", "2023-08-14T06:20:00Z"},
    {"20240102 0815", "2024-01-02T08:15:00Z"},
    {"14/Mar/2023:09:12:00 +0100", "2023-03-14T08:12:00Z"},
    {"09:12, 14 March 2023", "2023-03-14T09:12:00Z"},
    {"Mar 14, 2023 - 9:12 AM EST", "2023-03-14T14:12:00Z"},
    {"14 Mar 2023 09:12 CEST", "2023-03-14T07:12:00Z"},
    {"14 Mar 2023 09:12 UTC+2", "2023-03-14T07:12:00Z"},
    // RFC 2822, ctime, date(1), JavaScript
    {"Tue, 14 Mar 2023 09:12:00 +0000", "2023-03-14T09:12:00Z"},
    {"Tue, 14 Mar 2023 09:12:00 -0700", "2023-03-14T16:12:00Z"},
    {"Tue, 14 Mar 2023 09:12:00 GMT", "2023-03-14T09:12:00Z"},
    {"Tue, 14 Mar 2023 09:12:00 +0000 (UTC)", "2023-03-14T09:12:00Z"},
    {"14 Mar 2023 09:12 (UTC)", "2023-03-14T09:12:00Z"},
    {"Tue Mar 14 09:12:00 2023", "2023-03-14T09:12:00Z"},
    {"Tue Mar 14 09:12:00 UTC 2023", "2023-03-14T09:12:00Z"},
    {"Tue Mar 14 2023 09:12:00 GMT+0200 (Eastern European Standard Time)", "2023-03-14T07:12:00Z"},
    // in digits
    {"2023/03/14", "2023-03-14T00:00:00Z"},
    {"2023/03/14 09:12", "2023-03-14T09:12:00Z"},
    {"2023.03.14", "2023-03-14T00:00:00Z"},
    {"14.03.2023", "2023-03-14T00:00:00Z"},
    {"03.04.2023", "2023-04-03T00:00:00Z"},
    {"14.3.2023 9:12", "2023-03-14T09:12:00Z"},
    {"03/28/2023 18:40", "2023-03-28T18:40:00Z"},
    {"28/03/2023 18:40", "2023-03-28T18:40:00Z"},
    {"28-03-2023", "2023-03-28T00:00:00Z"},
    {"3/28/2023, 6:40:05 PM", "2023-03-28T18:40:05Z"},
    {"03/03/2023", "2023-03-03T00:00:00Z"},
    // since 1970
    {"1714060800", "2024-04-25T16:00:00Z"},
    {"1714060800.75", "2024-04-25T16:00:00Z"},
    {"1714060800123", "2024-04-25T16:00:00Z"},
    {"1714060800123456", "2024-04-25T16:00:00Z"},
    {"1714060800123456789", "2024-04-25T16:00:00Z"},
    {"999999999", "2001-09-09T01:46:39Z"},
    // far from today
    {"1985-06-03", "1985-06-03T00:00:00Z"},
    {"1961-04-12T06:07:00Z", "1961-04-12T06:07:00Z"},
    {"1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"},
    {"0001-01-01", "0001-01-01T00:00:00Z"},
    {"9999-12-31", "9999-12-31T00:00:00Z"},
    // the edges of a day
    {"2024-02-29", "2024-02-29T00:00:00Z"},
    {"2000-02-29", "2000-02-29T00:00:00Z"},
    {"2025-01-20T24:00:00Z", "2025-01-21T00:00:00Z"},
    {"2024-12-31T24:00", "2025-01-01T00:00:00Z"},
    {"2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"},
    {"2017-01-01T05:29:60+05:30", "2017-01-01T00:00:00Z"},
};

TEST(ParseTime, ReadsEverySpelling) {
  for (const auto& [text, expected] : kAccepted) {
    const auto time = parse_time(text);
    ASSERT_TRUE(time.has_value()) << text << ": " << time.error().message;
    EXPECT_EQ(format_time(*time), expected) << text;
  }
}

struct Refusal {
  std::string_view text;
  std::string_view why;  // part of the message
};

constexpr Refusal kRefused[] = {
    {"", "empty"},
    {"   ", "empty"},
    {"yesterday", "'yesterday'"},
    {"not a date", "'not'"},
    {"N/A", "not part of any date"},
    {"03/04/2023", "either way round"},
    {"3-4-2023", "either way round"},
    {"03/04/23", "four digits"},
    {"1.12.07", "four digits"},
    {"03/04/23 09:12", "either way"},
    {"23-04-03", "four digits"},
    {"14 Mar 23", "four digits"},
    {"2023-02-29", "no such day"},
    {"1900-02-29", "no such day"},
    {"2023-04-31", "no such day"},
    {"2023-13-01", "no such day"},
    {"2023-00-10", "no such day"},
    {"2023-01-00", "no such day"},
    {"2023-01-32", "no such day"},
    {"32.01.2023", "no such day"},
    {"13/13/2023", "no such day"},
    {"0000-01-01", "no such day"},
    {"20231301", "no such day"},
    {"2023-01-20T25:00", "no hour 25"},
    {"2023-01-20T24:01", "no hour 24"},
    {"2023-01-20T12:60", "no minute 60"},
    {"2023-01-20T12:30:61", "no second 61"},
    {"2023-01-20T12:30:60", "no second 60"},
    {"2023-01-20T12:5", "minutes have two digits"},
    {"2023-01-20T12:05:7", "seconds have two digits"},
    {"Mar 14 2023 13:00 PM", "no hour 13"},
    {"Mar 14 2023 0:30 AM", "no hour 0"},
    {"Mar 14 2023 PM", "AM or PM"},
    {"9:12 AM PM Mar 14 2023", "twice"},
    {"2023-01-20T12:30+15:00", "no such offset"},
    {"2023-01-20T12:30+01:60", "no such offset"},
    {"2023-01-20T12:30+123", "offset is written"},
    {"2023-01-20T12:30Z+01:00Z", "two time zones"},
    {"2023-01-20 12:30 IST", "'ist' is no time zone"},
    {"2023-01-20T12:30[Europe/Paris]", "does not tell the offset"},
    {"2023-01-20 12:30 13:30", "two times"},
    {"14 Mar Apr 2023", "two months"},
    {"2023-01", "are needed"},
    {"2023", "are needed"},
    {"March 2023", "are needed"},
    {"12:30", "are needed"},
    {"2023-01-20-05", "does not belong"},
    {"2023-01/20", "two equal signs"},
    {"2023 01 20", "two equal signs"},
    {"2023-W03-5", "'w'"},
    {"12345", "does not belong"},
    {"12345678901", "does not belong"},
    {"-1714060800", "does not belong"},
    {"1714060800s", "does not belong"},
    {"2023-01-20; DROP TABLE", "';' is not part"},
    {"2023-01-20\n2023-01-21", "not part of any date"},
};

TEST(ParseTime, RefusesWhatIsNoDateAndSaysWhy) {
  for (const auto& [text, why] : kRefused) {
    const auto time = parse_time(text);
    ASSERT_FALSE(time.has_value()) << text << " read as " << format_time(*time);
    EXPECT_EQ(time.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(time.error().message, HasSubstr(why)) << text;
    EXPECT_THAT(time.error().message, HasSubstr("write it as 2025-01-20")) << text;
  }
}

TEST(ParseTime, ShortensALongTextInItsMessage) {
  const auto time = parse_time(std::string(100'000, 'x'));
  ASSERT_FALSE(time.has_value());
  EXPECT_LT(time.error().message.size(), 300u);
}

TEST(ParseTime, ReadsBackWhatFormatTimeWrites) {
  for (int64_t second = -2'000'000'000; second < 4'000'000'000; second += 98'765'431) {
    const TimePoint time{std::chrono::seconds(second)};
    const auto again = parse_time(format_time(time));
    ASSERT_TRUE(again.has_value()) << format_time(time);
    EXPECT_EQ(*again, time);
  }
}

TEST(DateOrder, DecidesWhereTheTextDoesNot) {
  EXPECT_EQ(*parse_time("03/04/2026 10:00", DateOrder::kDayFirst),
            *parse_time("2026-04-03T10:00Z"));
  EXPECT_EQ(*parse_time("03-04-2026", DateOrder::kMonthFirst), *parse_time("2026-03-04"));
  EXPECT_EQ(*parse_time("2026/03/04", DateOrder::kDayFirst), *parse_time("2026-03-04"));
  EXPECT_EQ(*parse_time("03.04.2026", DateOrder::kMonthFirst), *parse_time("2026-04-03"));
  EXPECT_FALSE(parse_time("17/02/2026", DateOrder::kMonthFirst));
}

TEST(DateOrder, OneDateDecidesForItsColumn) {
  DateOrderVotes votes;
  for (const std::string_view text : {"03/04/2026", "soon", "a/b", "05/05/2026", "2026-01-02"})
    votes.see(text);
  EXPECT_TRUE(votes.needed());
  EXPECT_EQ(votes.order(), DateOrder::kUnknown);
  votes.see("17/02/2026");
  EXPECT_EQ(votes.order(), DateOrder::kDayFirst);
  EXPECT_EQ(votes.decided_by(), "17/02/2026");
  votes.see("02/17/2026");
  EXPECT_EQ(votes.order(), DateOrder::kUnknown) << "they contradict each other";
}

TEST(FormatDate, DropsTheClock) {
  EXPECT_EQ(format_date(TimePoint(std::chrono::seconds(-1))), "1969-12-31");
  EXPECT_EQ(format_date(TimePoint(std::chrono::seconds(86'400))), "1970-01-02");
}

TEST(TimeRange, IsHalfOpenAndOpenWhereAnEndIsMissing) {
  const TimePoint a{std::chrono::seconds(100)}, b{std::chrono::seconds(200)};
  const TimeRange range{a, b};
  EXPECT_TRUE(range.contains(a));
  EXPECT_FALSE(range.contains(b));
  EXPECT_TRUE((TimeRange{a, std::nullopt}).contains(b));
  EXPECT_TRUE((TimeRange{std::nullopt, b}).contains(a));
  EXPECT_TRUE(TimeRange{}.unbounded());
  EXPECT_FALSE(range.unbounded());
}

}  // namespace
}  // namespace precedent
