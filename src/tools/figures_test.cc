#include "tools/figures.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

TEST(NumberIn, TakesANumberWithItsUnitAndNothingElse) {
  const auto is = [](std::string_view cell, double value) {
    EXPECT_EQ(number_in(cell), value) << cell;
  };
  is("7", 7);
  is(" 1,250 ", 1250);
  is("1.250.000", 1250000);
  is("EUR 2 850", 2850);
  is("3'400 kg", 3400);
  is("38.5 %", 38.5);
  is("1,5", 1.5);
  is("1.234", 1.234);
  is("12,345.67", 12345.67);
  is("-4", -4);
  is("$-4.25", -4.25);
  for (const std::string_view cell :
       {"", "none", "2026-03-09", "08:30", "INC-12", "SEV1", "v2", "1.2.3.4", "between 3 and 5",
        "about forty of 60 stores", "1,2,3"})
    EXPECT_EQ(number_in(cell), std::nullopt) << cell;
}

TEST(FigureText, GroupsThousandsAndEndsWithTheLastDigitThatMatters) {
  EXPECT_EQ(figure_text(38610), "38,610");
  EXPECT_EQ(figure_text(1234567.5), "1,234,567.5");
  EXPECT_EQ(figure_text(0.25), "0.25");
  EXPECT_EQ(figure_text(-999), "-999");
  EXPECT_EQ(figure_text(-1000), "-1,000");
  EXPECT_EQ(figure_text(0), "0");
}

}  // namespace
}  // namespace precedent
