// The moment that a question asks about.
#include <gtest/gtest.h>

#include "time/time_hints.h"

namespace precedent {
namespace {

TEST(FindMoment, OfNoDayIsTheLatestOne) {
  const TimePoint now = parse_time("2027-02-10T03:10:00Z").value();
  const auto moment = [&](std::string_view question) {
    const auto found = find_moment(question, now);
    return found ? format_time(*found) : "";
  };
  EXPECT_EQ(moment("p95 of /v1/x at 21:00"), "2027-02-09T21:00:00Z");
  EXPECT_EQ(moment("p95 of /v1/x around 2:30 am"), "2027-02-10T02:30:00Z");
  EXPECT_EQ(moment("is it the 22:15 deploy of pickup-api?"), "2027-02-09T22:15:00Z");
  EXPECT_EQ(moment("p95 yesterday at 22:30"), "2027-02-09T22:30:00Z");
  EXPECT_EQ(moment("p95 at 22:30 on 2027-02-03"), "2027-02-03T22:30:00Z");
}

TEST(FindMoment, IsNoEndOfARange) {
  const TimePoint now = parse_time("2027-02-10T03:10:00Z").value();
  for (const std::string_view question :
       {"slow since 21:00", "errors before 14:00 yesterday", "between 14:00 and 15:00",
        "errors until 02:00", "how many errors yesterday", "port 21"})
    EXPECT_FALSE(find_moment(question, now)) << question;
}

}  // namespace
}  // namespace precedent
