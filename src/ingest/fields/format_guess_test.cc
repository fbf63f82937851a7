#include "ingest/fields/format_guess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> guess(std::vector<std::string> texts,
                               DateOrder order = DateOrder::kUnknown) {
  return guess_formats(texts, order);
}

TEST(FormatGuess, WhatBeginsWithTheYearNeedsNone) {
  EXPECT_THAT(guess({"2025-01-20", "2025-01-20T13:05:00Z", "2025-01-20 13:05"}), IsEmpty());
}

TEST(FormatGuess, DayAndMonthStandAsTheColumnHasThem) {
  EXPECT_THAT(guess({"03/04/2025 12:00", "13/04/2025 08:00"}), ElementsAre("%d/%m/%Y %H:%M"));
  EXPECT_THAT(guess({"03/04/2025 4:15 PM"}, DateOrder::kMonthFirst),
              ElementsAre("%m/%d/%Y %I:%M %p"));
  EXPECT_THAT(guess({"14.08.23 06:20"}), ElementsAre("%d.%m.%y %H:%M"));
  EXPECT_THAT(guess({"20 Jan 2025", "5 Feb 2025"}), ElementsAre("%d %b %Y"));
}

TEST(FormatGuess, SeveralToolsWroteIntoOneColumn) {
  EXPECT_THAT(guess({"03/04/2025", "04/04/2025", "2025-04-05", "Easter"}),
              ElementsAre("%d/%m/%Y", "%Y-%m-%d"));
  EXPECT_THAT(guess({"Easter"}), IsEmpty());
}

}  // namespace
}  // namespace precedent
