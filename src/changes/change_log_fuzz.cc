// Any bytes as a change log: reading ends, and every change is fit to be shown.
#include <cstdint>
#include <cstdlib>

#include "base/utf8.h"
#include "changes/change_log.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace precedent;
  const ParsedLog log =
      parse_change_log(std::string_view(reinterpret_cast<const char*>(data), size), "log.jsonl");
  if ((log.bad_lines > 0) != !log.first_problem.empty()) std::abort();
  for (const Change& change : log.changes) {
    if (change.id.empty() || change.title.empty() || change.line == 0) std::abort();
    if (change.files.size() > kMaxChangedFiles || change.files_total < change.files.size())
      std::abort();
    for (const std::string* text : {&change.id, &change.title, &change.author, &change.from}) {
      if (invalid_utf8_at(*text) || text->find('\n') != std::string::npos) std::abort();
    }
  }
  return 0;
}
