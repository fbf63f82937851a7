#include "base/utf8.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

using namespace std::string_literals;

struct Case {
  std::string bytes;
  std::optional<size_t> invalid_at;
  std::string repaired;
};

const std::string kBad = "\xEF\xBF\xBD";  // U+FFFD

// The ill-formed sequences are those of the Unicode standard, chapter 3.9.
const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = {
      {"", std::nullopt, ""},
      {"plain", std::nullopt, "plain"},
      {"\xC3\xA9t\xC3\xA9 \xE6\x97\xA5 \xF0\x9F\x98\x80", std::nullopt,
       "\xC3\xA9t\xC3\xA9 \xE6\x97\xA5 \xF0\x9F\x98\x80"},
      {"a\0b"s, std::nullopt, "a\0b"s},
      {"\xEF\xBF\xBF", std::nullopt, "\xEF\xBF\xBF"},          // a noncharacter is well-formed
      {"\xF4\x8F\xBF\xBF", std::nullopt, "\xF4\x8F\xBF\xBF"},  // U+10FFFF
      {"\xF4\x90\x80\x80", 0, kBad + kBad + kBad + kBad},      // above it
      {"ab\x80", 2, "ab" + kBad},                              // a stray continuation
      {"caf\xE9 ok", 3, "caf" + kBad + " ok"},                 // Latin-1
      {"\xC0\xAF", 0, kBad + kBad},                            // overlong '/'
      {"\xE0\x80\xAF", 0, kBad + kBad + kBad},                 // overlong
      {"\xF0\x80\x80\xAF", 0, kBad + kBad + kBad + kBad},      // overlong
      {"\xED\xA0\x80", 0, kBad + kBad + kBad},                 // a surrogate
      {"\xE2\x82", 0, kBad},                                   // cut off: one replacement
      {"\xF0\x9F\x98x", 0, kBad + "x"},                        // a maximal prefix: one
      {"\xFF\xFE", 0, kBad + kBad},
  };
  return kCases;
}

TEST(Utf8, FindsTheFirstIllFormedByteAndRepairsByMaximalPrefixes) {
  for (const Case& c : cases()) {
    EXPECT_EQ(invalid_utf8_at(c.bytes), c.invalid_at) << testing::PrintToString(c.bytes);
    EXPECT_EQ(repair_utf8(c.bytes), c.repaired) << testing::PrintToString(c.bytes);
    EXPECT_FALSE(invalid_utf8_at(repair_utf8(c.bytes)));
  }
}

TEST(Utf8, EveryCodePointIsReadBackAsItWasWritten) {
  for (char32_t c = 0; c <= 0x10FFFF; c += c < 0x3000 ? 1 : 37) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, c);
    ASSERT_FALSE(invalid_utf8_at(text)) << static_cast<uint32_t>(c);
    const CodePoint read = code_point_at(text, 0);
    ASSERT_EQ(read.value, c);
    ASSERT_EQ(read.bytes, text.size());
  }
}

TEST(Utf8, AnIllFormedByteReadsAsOneReplacement) {
  const CodePoint read = code_point_at("\xE2\x82", 0);
  EXPECT_EQ(read.value, char32_t{0xFFFD});
  EXPECT_EQ(read.bytes, 1u);
}

TEST(Utf8, PrefixNeverCutsACodePoint) {
  const std::string text = "a\xC3\xA9\xF0\x9F\x98\x80z";
  const size_t expected[] = {0, 1, 1, 3, 3, 3, 3, 7, 8, 8};
  for (size_t max = 0; max < std::size(expected); ++max)
    EXPECT_EQ(utf8_prefix(text, max).size(), expected[max]) << max;
}

TEST(Utf8, StripControlsTakesWhatHidesTextAndKeepsLines) {
  EXPECT_EQ(strip_controls("a\0b\x1B[31m\tc\n\x7F"s), "ab[31m\tc\n");
  EXPECT_EQ(strip_controls("a\u202Eb\u2066c\U000E0041d\u0085e"), "abcde");
  EXPECT_EQ(strip_controls("日本語 é 😀"), "日本語 é 😀");
}

}  // namespace
}  // namespace precedent
