#include "observe/request_reader.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "observe/request_log.h"

namespace precedent {
namespace {

// As many as a person looks at.
constexpr size_t kShownBadLines = 10;

// One line without its end; at most kMaxRequestLine bytes of it are kept. False at the end.
bool read_line(std::istream& in, std::string& line, bool& too_long) {
  line.clear();
  too_long = false;
  std::streambuf& bytes = *in.rdbuf();
  constexpr int kEnd = std::char_traits<char>::eof();
  int c = bytes.sbumpc();
  if (c == kEnd) return false;
  for (; c != kEnd && c != '\n'; c = bytes.sbumpc()) {
    if (line.size() < kMaxRequestLine)
      line += static_cast<char>(c);
    else
      too_long = true;
  }
  return true;
}

}  // namespace

RequestsRead read_requests(std::istream& in,
                           const std::function<void(const RequestRecord&)>& each) {
  RequestsRead read;
  std::string line;
  bool too_long = false;
  for (size_t number = 1; read_line(in, line, too_long); ++number) {
    if (trim(line).empty()) continue;
    const auto bad = [&](std::string why) {
      ++read.bad;
      if (read.bad_lines.size() < kShownBadLines)
        read.bad_lines.push_back({number, std::move(why)});
    };
    if (too_long) {
      bad(fmt::format("is longer than {} bytes", kMaxRequestLine));
      continue;
    }
    const auto record = parse_request_line(line);
    if (!record) {
      bad(record.error().message);
      continue;
    }
    ++read.records;
    each(*record);
  }
  return read;
}

}  // namespace precedent
