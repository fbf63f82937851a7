// More logs than memory should hold: what is kept, and what is said.
#include "investigate/logs/log_keeper.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "files/temporary_folder.h"
#include "investigate/logs/log_files.h"

namespace precedent {
namespace {

using std::chrono::minutes;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const Instant kBegin{std::chrono::seconds(1'790'000'040)};
const Window kWindow{kBegin, kBegin + minutes(100), minutes(1)};

std::string line(int minute, std::string_view level, std::string_view text) {
  return fmt::format(R"({{"timestamp":"{}","service":"cart","level":"{}","msg":"{}"}})",
                     format_time(kBegin + minutes(minute)), level, text) +
         "\n";
}

class LogKeeperTest : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path() / name) << text;
  }
  LogLines read(size_t lines, size_t memory = kMaxLogMemory) const {
    return read_logs(folder_.path(), kWindow, {lines, memory});
  }
  static size_t of_level(const LogLines& read, LogLevel level) {
    return static_cast<size_t>(std::ranges::count(read.lines, level, &LogLine::level));
  }
  const TemporaryFolder folder_;
};

TEST_F(LogKeeperTest, WhatFitsIsKeptWhole) {
  write("logs.ndjson", line(1, "info", "a") + line(-500, "info", "b"));
  EXPECT_THAT(read(10).lines, SizeIs(2));
  EXPECT_THAT(read(10).missing, IsEmpty());
}

TEST_F(LogKeeperTest, TheLimitHoldsForAllFilesTogether) {
  for (const char* file : {"logs1.ndjson", "logs2.ndjson", "logs3.ndjson"}) {
    std::string text;
    for (int i = 0; i < 1000; ++i) text += line(i / 10, i % 100 == 7 ? "error" : "info", "a");
    write(file, text);
  }
  const LogLines found = read(500);
  EXPECT_LE(found.lines.size(), 500U);
  EXPECT_GE(found.lines.size(), 150U);
  EXPECT_EQ(of_level(found, LogLevel::kError), 30U) << "complaints stay";
  EXPECT_THAT(found.missing, Contains(HasSubstr("of 3000 lines were kept")));
  EXPECT_LE(read(3000, 100'000).lines.size(), 500U) << "memory is bounded, too";
}

TEST_F(LogKeeperTest, WhatIsOutsideTheWindowGoesFirst) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += line(i - 1000, "error", "long ago");
  for (int i = 0; i < 90; ++i) text += line(i, "info", "now");
  write("logs.ndjson", text);
  const LogLines found = read(100);
  EXPECT_EQ(of_level(found, LogLevel::kInfo), 90U);
  EXPECT_EQ(of_level(found, LogLevel::kError), 0U);
}

TEST_F(LogKeeperTest, LinesThatTakeTurnsAreBothThere) {
  std::string text;
  for (int i = 0; i < 400; ++i) text += line(i / 10, "info", i % 2 == 0 ? "even" : "odd");
  write("logs.ndjson", text);
  const LogLines found = read(150);
  const auto odd = std::ranges::count(found.lines, "odd", &LogLine::text);
  EXPECT_GT(odd, 10);
  EXPECT_LT(odd, static_cast<std::ptrdiff_t>(found.lines.size()) - 10);
}

TEST_F(LogKeeperTest, AFileIsReadAcrossItsBlocks) {
  const std::string huge(3 << 20, 'x');
  write("logs.ndjson", line(1, "info", "first") + line(2, "info", huge) + line(3, "info", "last"));
  const LogLines found = read(10);
  ASSERT_GE(found.lines.size(), 2U);
  EXPECT_EQ(found.lines.front().text, "first");
  EXPECT_EQ(found.lines.back().text, "last");
}

}  // namespace
}  // namespace precedent
