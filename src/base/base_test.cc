// error, hash, strings, cancel and clock: the small ones together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/strings.h"

namespace precedent {
namespace {

using testing::ElementsAre;

TEST(Error, EveryCodeHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (int code = 0; code <= static_cast<int>(ErrorCode::kInternal); ++code) {
    names.insert(name(static_cast<ErrorCode>(code)));
  }
  EXPECT_EQ(names.size(), static_cast<size_t>(ErrorCode::kInternal) + 1);
  EXPECT_EQ(name(ErrorCode::kInvalidArgument), "invalid_argument");
}

TEST(Error, ContextGrowsOutwards) {
  Error error{ErrorCode::kNotFound, "no such table"};
  EXPECT_EQ(error.text(), "no such table");
  error = std::move(error).within("opening the store");
  error = std::move(error).within("ingest");
  EXPECT_EQ(error.text(), "ingest: opening the store: no such table");
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
}

Result<int> half(int n) {
  if (n % 2 != 0) return fail(ErrorCode::kInvalidArgument, "odd");
  return n / 2;
}
Result<void> only_even(int n) {
  static_cast<void>(TRY(half(n)));
  return {};
}
Result<std::unique_ptr<int>> boxed_quarter(int n) {
  const int once = TRY(half(n));
  const int quarter = TRY(half(once));
  TRY(only_even(quarter));
  return std::make_unique<int>(quarter);
}

TEST(Try, YieldsTheValueOrReturnsTheError) {
  EXPECT_EQ(**boxed_quarter(8), 2);
  EXPECT_EQ(boxed_quarter(2).error().message, "odd");
  EXPECT_EQ(boxed_quarter(4).error().message, "odd");
}

TEST(Hash, IsStableAndTellsTextsApart) {
  EXPECT_EQ(content_hash("").size(), 32u);
  EXPECT_EQ(content_hash("abc"), content_hash(std::string("abc")));
  EXPECT_NE(content_hash("abc"), content_hash("abd"));
  // Stored in knowledge bases: must not change with the library.
  EXPECT_EQ(content_hash(""), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(hash64(""), 0x2d06800538d394c2ull);
}

TEST(Strings, TrimAndSqueezeKnowAsciiWhiteSpace) {
  EXPECT_EQ(trim(" \t\r\n a b \v\f"), "a b");
  EXPECT_EQ(trim(""), "");
  EXPECT_EQ(trim("  "), "");
  EXPECT_EQ(squeeze("  a \n\n b\t"), "a b");
  EXPECT_EQ(squeeze(""), "");
}

TEST(Strings, CaseFoldingLeavesOtherBytesAlone) {
  EXPECT_EQ(ascii_lower("ÄAZ[@`{"), "Äaz[@`{");
  EXPECT_TRUE(iequals("PayU", "pAYu"));
  EXPECT_FALSE(iequals("PayU", "PayU "));
  EXPECT_FALSE(iequals("[", "{")) << "32 apart, but no letters";
}

TEST(Strings, ABareNameIsTheSameHoweverItIsSpelt) {
  for (const std::string_view spelt : {"opened_at", "Opened-At", " opened at ", "openedAt."})
    EXPECT_EQ(bare_name(spelt), "openedat") << spelt;
  EXPECT_EQ(bare_name("Größe (m²)"), "größem²");
  EXPECT_EQ(bare_name("--"), "");
}

TEST(Strings, SplitKeepsEmptyParts) {
  EXPECT_THAT(split("a,,b,", ','), ElementsAre("a", "", "b", ""));
  EXPECT_THAT(split("", ','), ElementsAre(""));
}

TEST(Strings, SplitLinesAcceptsBothLineEnds) {
  EXPECT_THAT(split_lines("a\r\nb\n\nc"), ElementsAre("a", "b", "", "c"));
  EXPECT_THAT(split_lines("a\n"), ElementsAre("a"));
  EXPECT_THAT(split_lines("\n"), ElementsAre(""));
  EXPECT_THAT(split_lines(""), ElementsAre());
}

TEST(Strings, JoinUndoesSplit) {
  EXPECT_EQ(join({"a", "", "b"}, ", "), "a, , b");
  EXPECT_EQ(join({}, ", "), "");
}

TEST(CancelToken, StaysCancelled) {
  CancelToken token;
  EXPECT_TRUE(token.check().has_value());
  token.cancel();
  EXPECT_TRUE(token.cancelled());
  EXPECT_EQ(token.check().error().code, ErrorCode::kCancelled);
}

TEST(Clock, FixedStandsStillAndSystemCountsWholeSeconds) {
  const TimePoint then{std::chrono::seconds(12)};
  EXPECT_EQ(FixedClock(then).now(), then);
  EXPECT_GT(SystemClock().now(), *parse_time("2025-01-01"));
}

}  // namespace
}  // namespace precedent
