#include "changes/window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "changes/changes_lab.h"
#include "changes/fixed_changes.h"

namespace precedent {
namespace {

using testing::HasSubstr;

const TimePoint kNow = moment("2026-11-18T09:30:00Z");
const FixedChanges kShop("log", {deploy("search-service", "2.31.0", "2026-11-17T15:40:00Z")});

std::string read(std::string_view text, std::string_view service = "search-service") {
  const auto window = read_window(text, kNow, service, &kShop);
  if (!window) return window.error().text();
  return format_time(*window->range.from) + " " + format_time(*window->range.to) +
         (window->deploy ? " " + window->deploy->change.version : "");
}

TEST(ChangeWindow, Durations) {
  EXPECT_EQ(read("24h"), "2026-11-17T09:30:00Z 2026-11-18T09:30:01Z");
  EXPECT_EQ(read(" 30m "), "2026-11-18T09:00:00Z 2026-11-18T09:30:01Z");
  EXPECT_EQ(read("2w"), "2026-11-04T09:30:00Z 2026-11-18T09:30:01Z");
  for (const char* bad : {"0h", "-1h", "h", "1", "1y", "1.5h", "99999999999999999999h", "9999999d"})
    EXPECT_FALSE(read_duration(bad)) << bad;
}

TEST(ChangeWindow, Times) {
  EXPECT_EQ(read("since=2026-11-17T12:00Z"), "2026-11-17T12:00:00Z 2026-11-18T09:30:01Z");
  EXPECT_EQ(read("Since 2026-11-17"), "2026-11-17T00:00:00Z 2026-11-18T09:30:01Z");
  EXPECT_EQ(read("2026-11-10/2026-11-11"), "2026-11-10T00:00:00Z 2026-11-11T00:00:00Z");
}

TEST(ChangeWindow, TheLastDeploy) {
  EXPECT_EQ(read("since=last-deploy"), "2026-11-17T15:40:00Z 2026-11-18T09:30:01Z 2.31.0");
  EXPECT_EQ(read("last deploy"), read("since=last-deploy"));
  EXPECT_THAT(read("last-deploy", "ledger"), HasSubstr("no deploy of ledger is known"));
  EXPECT_THAT(read_window("last-deploy", kNow, "", nullptr).error().text(),
              HasSubstr("no deploy is known"));
}

TEST(ChangeWindow, WhatIsNoneSaysTheForms) {
  for (const char* bad : {"", "soon", "since=", "2026-11-18/2026-11-17", "2026-11-18/nonsense"})
    EXPECT_THAT(read(bad), HasSubstr("write 24h, 7d, since=")) << bad;
  EXPECT_THAT(read("since=2026-12-01"), HasSubstr("in the future"));
}

}  // namespace
}  // namespace precedent
