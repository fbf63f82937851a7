#include "graph/checkpoint_coder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using ::testing::HasSubstr;

Step sample() {
  return {StepSource::kInput,
          7,
          TimePoint(std::chrono::seconds(1'700'000'000)),
          {{{"a", "x"}, {{1, std::string("b\0c", 3)}, {2, ""}}}, {}},
          {{"b", ""}, {"b", "2"}},
          {{"user", "ann"}}};
}

Pending sample_pending() {
  return {3, Pending::Kind::kAsked, {{1, "w"}}, {{"n", "arg"}}, "?", {"yes", ""}};
}

TEST(CheckpointCoder, WhatWasWrittenIsRead) {
  EXPECT_EQ(decode_step(encode_step(sample())).value(), sample());
  EXPECT_EQ(decode_step(encode_step({})).value(), Step{});
  EXPECT_EQ(decode_pending(3, encode_pending(sample_pending())).value(), sample_pending());
}

TEST(CheckpointCoder, TheBytesOfFormat1StayAsTheyAre) {
  // A change here is a new format: old rows must stay readable.
  std::string hex;
  for (const char c : encode_step(sample()))
    hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  EXPECT_EQ(hex,
            "012d60f8b0000e80c49fd50c020162000162013201047573657203616e6e02016101780201036200630200"
            "000000");
}

TEST(CheckpointCoder, EveryFlippedBitAndEveryCutIsNoticed) {
  const std::string bytes = encode_step(sample());
  for (size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_FALSE(decode_step(bytes.substr(0, i))) << "cut at " << i;
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      const auto step = decode_step(damaged);
      ASSERT_FALSE(step) << i << "." << bit;
      EXPECT_EQ(step.error().code,
                i == 0 && bit > 0 ? ErrorCode::kInvalidArgument : ErrorCode::kCorrupt);
    }
  }
}

TEST(CheckpointCoder, AFormatFromTheFutureIsRefusedWithTheRemedy) {
  std::string bytes = encode_pending(sample_pending());
  bytes[0] = 2;
  const auto pending = decode_pending(3, bytes);
  ASSERT_FALSE(pending);
  EXPECT_EQ(pending.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(pending.error().message, HasSubstr("format 2, written by a newer precedent"));
}

}  // namespace
}  // namespace precedent
