// Request logs, read back: line by line, however long the file; what is no record is counted and
// named, and the rest goes on.
//
// Thread safety: one stream, one thread.
#pragma once

#include <functional>
#include <istream>
#include <string>
#include <vector>

#include "observe/request_record.h"

namespace precedent {

struct BadLine {
  size_t line = 0;  // 1-based
  std::string why;
};

struct RequestsRead {
  size_t records = 0;
  size_t bad = 0;
  std::vector<BadLine> bad_lines;  // the first few
};

// Memory is bounded by the longest line that the log may hold (kMaxRequestLine). Blank lines are
// none.
RequestsRead read_requests(std::istream& in, const std::function<void(const RequestRecord&)>& each);

}  // namespace precedent
