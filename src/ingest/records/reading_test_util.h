// For the tests of the readers: what a reader handed on, as text that is easy to compare.
#pragma once

#include <fmt/format.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "ingest/records/byte_source.h"
#include "ingest/records/record.h"

namespace precedent {

// "3: id=A-1 title=x" for each record; texts as written, other types with a mark: n: number, b:
// bool, l: list, o: object, null.
inline std::string text_of(const Record& record) {
  std::string text = fmt::format("{}:", record.line);
  for (const Field& field : record.fields) {
    constexpr std::string_view kMarks[] = {"null", "b:", "n:", "", "l:", "o:"};
    text += fmt::format(" {}={}{}", field.name, kMarks[static_cast<int>(field.value.type)],
                        field.value.text);
  }
  return text;
}

struct Read {
  std::vector<std::string> records;
  std::vector<std::string> bad;  // "line: message", with 'field' where there is one
  Result<void> result;
};

// `read(source, sink, bad_sink)` over `text`; from memory, or through a file in blocks as users
// have it.
template <typename ReadFunction>
Read read_text(std::string_view text, ReadFunction read, bool through_file = false) {
  Read out;
  const RecordSink sink = [&](Record&& record) -> Result<void> {
    out.records.push_back(text_of(record));
    return {};
  };
  const BadRecordSink bad = [&](BadRecord&& b) {
    out.bad.push_back(b.field.empty() ? fmt::format("{}: {}", b.line, b.message)
                                      : fmt::format("{}: '{}' {}", b.line, b.field, b.message));
  };
  const auto run = [&](ByteSource in) {
    if (const auto problem = check_text_file(in)) {
      out.bad.push_back("0: " + *problem);
    } else {
      out.result = read(in, sink, bad);
    }
  };
  if (!through_file) {
    run(ByteSource::of(text));
    return out;
  }
  std::string name = (std::filesystem::temp_directory_path() / "precedent-read-XXXXXX").string();
  const int fd = ::mkstemp(name.data());
  std::ofstream(name, std::ios::binary) << text;
  run(ByteSource::open(name).value());
  ::close(fd);
  std::filesystem::remove(name);
  return out;
}

}  // namespace precedent
