#include "observe/request_reader.h"

#include <gtest/gtest.h>

#include <sstream>

#include "observe/request_log.h"

namespace precedent {
namespace {

std::string line_with(std::string question) {
  RequestRecord record;
  record.question = std::move(question);
  return request_line(record) + "\n";
}

TEST(RequestReader, BadLinesAreCountedAndNamedAndTheRestIsRead) {
  std::istringstream in(line_with("one") + "\n{\"time\": \n" + line_with("two") +
                        std::string(kMaxRequestLine + 1, 'x') + "\n" + line_with("three") +
                        "{\"ti");
  std::vector<std::string> questions;
  const RequestsRead read =
      read_requests(in, [&](const RequestRecord& record) { questions.push_back(record.question); });
  EXPECT_EQ(questions, (std::vector<std::string>{"one", "two", "three"}));
  EXPECT_EQ(read.records, 3u);
  EXPECT_EQ(read.bad, 3u);
  ASSERT_EQ(read.bad_lines.size(), 3u);
  EXPECT_EQ(read.bad_lines[0].line, 3u);
  EXPECT_EQ(read.bad_lines[0].why, "is not valid JSON");
  EXPECT_EQ(read.bad_lines[1].line, 5u);
  EXPECT_EQ(read.bad_lines[1].why, "is longer than 32000 bytes");
  EXPECT_EQ(read.bad_lines[2].line, 7u);
}

TEST(RequestReader, OfManyBadLinesAFewAreNamed) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "no JSON\n";
  std::istringstream in(text);
  const RequestsRead read = read_requests(in, [](const RequestRecord&) {});
  EXPECT_EQ(read.bad, 1000u);
  EXPECT_EQ(read.bad_lines.size(), 10u);
}

TEST(RequestReader, AnEmptyLogHasNoRecords) {
  std::istringstream in("");
  const RequestsRead read = read_requests(in, [](const RequestRecord&) { FAIL(); });
  EXPECT_EQ(read.records + read.bad, 0u);
}

}  // namespace
}  // namespace precedent
