#include "net/sse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Events = std::vector<SseEvent>;

Events decode(std::initializer_list<std::string_view> pieces) {
  SseDecoder decoder;
  Events events;
  for (const std::string_view piece : pieces)
    EXPECT_TRUE(decoder.feed(piece, [&](const SseEvent& event) {
      events.push_back(event);
      return true;
    }));
  return events;
}

struct Case {
  const char* name;
  std::string bytes;
  Events expected;
};

class SseStreams : public testing::TestWithParam<Case> {};

TEST_P(SseStreams, GiveTheSameEventsWhereverTheyAreCut) {
  const auto& [name, bytes, expected] = GetParam();
  EXPECT_EQ(decode({bytes}), expected);
  for (size_t i = 0; i <= bytes.size(); ++i) {
    for (size_t j = i; j <= bytes.size(); j += 3) {
      const std::string_view all = bytes;
      EXPECT_EQ(decode({all.substr(0, i), all.substr(i, j - i), all.substr(j)}), expected)
          << "cut at " << i << " and " << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    , SseStreams,
    testing::Values(
        Case{"Simple", "data: a\n\n", {{"", "a", ""}}},
        Case{"SeveralDataLines", "data: a\ndata: b\ndata:\n\n", {{"", "a\nb\n", ""}}},
        Case{"CarriageReturns",
             "data: a\rdata: b\r\rdata: c\r\r",
             {{"", "a\nb", ""}, {"", "c", ""}}},
        Case{"BothLineEnds",
             "event: x\r\ndata: a\r\n\r\ndata: b\r\n\r\n",
             {{"x", "a", ""}, {"", "b", ""}}},
        Case{"CommentsAndUnknownFields", ": ping\n\n:\nfoo: 1\ndata: a\nbar\n\n", {{"", "a", ""}}},
        Case{"OneSpaceIsCutOff", "data:a\n\ndata:  b\n\n", {{"", "a", ""}, {"", " b", ""}}},
        Case{"ByteOrderMark",
             "\xEF\xBB\xBF"
             "data: a\n\n\xEF\xBB\xBF"
             "data: b\n\n",
             {{"", "a", ""}}},
        Case{"IdStays",
             "id: 7\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
             {{"", "a", "7"}, {"", "b", "7"}, {"", "c", ""}}},
        Case{"IdWithNulIsIgnored", std::string("id: 7\0\ndata: a\n\n", 16), {{"", "a", ""}}},
        Case{"EmptyDataIsAnEvent", "data\n\ndata\ndata\n\n", {{"", "", ""}, {"", "\n", ""}}},
        Case{"TypeAloneIsNone", "event: x\n\ndata: a\n\n", {{"", "a", ""}}},
        Case{"CutEventIsNone", "data: a\n\ndata: b\n", {{"", "a", ""}}},
        Case{"Umlauts",
             "data: \xC3\xBC\xF0\x9F\x98\x80\n\n",
             {{"", "\xC3\xBC\xF0\x9F\x98\x80", ""}}}),
    [](const auto& test) { return test.param.name; });

TEST(SseDecoder, TakesRetryOnlyAsDigits) {
  SseDecoder decoder;
  const auto ignore = [](const SseEvent&) { return true; };
  ASSERT_TRUE(decoder.feed("retry: 1500\nretry: soon\nretry: 2s\n", ignore));
  EXPECT_EQ(decoder.retry(), std::chrono::milliseconds(1500));
}

TEST(SseDecoder, StopsWhenToldTo) {
  SseDecoder decoder;
  std::vector<std::string> seen;
  ASSERT_TRUE(decoder.feed("data: a\n\ndata: b\n\n", [&](const SseEvent& event) {
    seen.push_back(event.data);
    return false;
  }));
  EXPECT_THAT(seen, ElementsAre("a"));
}

TEST(SseDecoder, RefusesEndlessLinesAndEvents) {
  const auto ignore = [](const SseEvent&) { return true; };
  SseDecoder lines({.max_line_bytes = 10});
  EXPECT_TRUE(lines.feed("data: abcd", ignore));
  const auto too_long = lines.feed("e", ignore);
  ASSERT_FALSE(too_long);
  EXPECT_EQ(too_long.error().code, ErrorCode::kResourceExhausted);
  EXPECT_THAT(too_long.error().message, HasSubstr("10 bytes"));
  SseDecoder events({.max_event_bytes = 3});
  EXPECT_FALSE(events.feed("data: ab\ndata: cd\n", ignore));
}

}  // namespace
}  // namespace precedent
