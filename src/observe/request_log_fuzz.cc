// Any bytes as a line of the log, and as every text of a record: what is written is one bounded
// line that is read back.
#include <cstdint>
#include <cstdlib>

#include "base/utf8.h"
#include "observe/counters.h"
#include "observe/request_log.h"

namespace {

void check_written(const precedent::RequestRecord& record) {
  const std::string line = precedent::request_line(record);
  if (line.size() >= precedent::kMaxRequestLine) std::abort();
  if (line.find('\n') != std::string::npos || precedent::invalid_utf8_at(line)) std::abort();
  const auto read = precedent::parse_request_line(line);
  if (!read || precedent::question_type(*read).empty() != precedent::question_type(record).empty())
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace precedent;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  static Counters counters({"doc_search"});
  if (const auto record = parse_request_line(bytes)) {
    counters.add(*record);
    check_written(*record);
  }
  RequestRecord record;
  record.question = record.intent = record.plan = record.answer = record.thread_id = bytes;
  // More than a line lists, where that is cheap.
  record.calls.assign(size < 256 ? 40 : 2, {"R1", bytes, bytes, bytes, "ok", RequestDuration(1)});
  check_written(record);
  return 0;
}
