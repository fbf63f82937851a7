#include "cli/command/input.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <istream>
#include <iterator>

#include "cli/command/command.h"
#include "files/temporary_folder.h"

namespace precedent {
namespace {

std::string file_of(const TemporaryFolder& folder, std::string_view text) {
  const std::string path = (folder.path() / "input").string();
  std::ofstream(path) << text;
  return path;
}

TEST(Input, LinesComeOneAfterAnother) {
  const TemporaryFolder folder;
  const std::string long_line(100'000, 'x');
  auto lines = InputLines::open(file_of(folder, "a\r\n\n" + long_line + "\nlast"), 200'000);
  ASSERT_TRUE(lines);
  std::string line;
  for (const std::string& expected :
       {std::string("a"), std::string(), long_line, std::string("last")}) {
    ASSERT_TRUE(lines->next(line).value());
    EXPECT_EQ(line, expected);
  }
  EXPECT_FALSE(lines->next(line).value());
}

TEST(Input, WhatIsTooLargeIsRefused) {
  const TemporaryFolder folder;
  const std::string path = file_of(folder, std::string(300'000, 'x'));
  EXPECT_EQ(read_input(path, 1 << 10).error().code, ErrorCode::kResourceExhausted);
  EXPECT_EQ(read_input(path, 1 << 20)->size(), 300'000U);
  std::string line;
  EXPECT_EQ(InputLines::open(path, 1 << 10)->next(line).error().code,
            ErrorCode::kResourceExhausted);
  // Without an end.
  EXPECT_EQ(read_input("/dev/zero", 1 << 20).error().code, ErrorCode::kResourceExhausted);
}

TEST(Input, AFolderIsAnErrorAndNoEmptyInput) {
  const TemporaryFolder folder;
  std::string line;
  EXPECT_FALSE(read_input(folder.path().string(), 1 << 10));
  EXPECT_FALSE(InputLines::open(folder.path().string(), 1 << 10)->next(line));
}

TEST(Input, AnInterruptEndsTheWaiting) {
  const TemporaryFolder folder;
  const std::string pipe = (folder.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int writer = ::open(pipe.c_str(), O_RDWR);
  interrupted().cancel();
  EXPECT_EQ(read_input(pipe, 1 << 10).error().code, ErrorCode::kCancelled);
  // A pipe into which nobody writes is opened, and waited for, in the same way.
  ::close(writer);
  EXPECT_EQ(read_input(pipe, 1 << 10).error().code, ErrorCode::kCancelled);
  const auto buffer = InputBuffer::open(pipe);
  ASSERT_TRUE(buffer);
  std::istream in(buffer->get());
  EXPECT_EQ(in.get(), std::istream::traits_type::eof());
  EXPECT_EQ((*buffer)->failure().error().code, ErrorCode::kCancelled);
  interrupted().reset();
}

TEST(Input, AStreamGivesAllBytesAndSaysWhatWentWrong) {
  const TemporaryFolder folder;
  const std::string text(200'001, 'x');
  const auto whole = InputBuffer::open(file_of(folder, text));
  ASSERT_TRUE(whole);
  std::istream in(whole->get());
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), text);
  EXPECT_TRUE((*whole)->failure());
  const auto none = InputBuffer::open(folder.path().string());
  ASSERT_TRUE(none);
  EXPECT_EQ(std::istream(none->get()).get(), std::istream::traits_type::eof());
  EXPECT_FALSE((*none)->failure());
  EXPECT_FALSE(InputBuffer::open("/nonexistent"));
}

}  // namespace
}  // namespace precedent
