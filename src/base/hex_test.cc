#include "base/hex.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

TEST(HexTest, BytesGoAndComeBack) {
  const std::string bytes("\x00\x7f\xa9\xff", 4);
  EXPECT_EQ(to_hex(bytes), "007fa9ff");
  EXPECT_EQ(from_hex("007fa9ff"), bytes);
  EXPECT_EQ(from_hex(""), "");
}

TEST(HexTest, OnlyWhatWasWrittenThisWayIsRead) {
  for (const char* other : {"0", "0g", "g0", "A9", "a9A", "0x", " 0", "\xc3\xa9"})
    EXPECT_FALSE(from_hex(other)) << other;
}

TEST(HexTest, ADigitHasTwoCasesAndAnythingElseNoValue) {
  EXPECT_EQ(hex_value('f'), 15);
  EXPECT_EQ(hex_value('F'), 15);
  for (const char other : {'g', 'G', '/', ':', '@', '`', '\0'}) EXPECT_EQ(hex_value(other), -1);
}

}  // namespace
}  // namespace precedent
