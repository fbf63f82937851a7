// JSON → records: JSON lines, an array, one object, several objects after one another, or an object
// that wraps the list ({"incidents": […]}), told apart by content. A stream: memory is bounded by
// one record.
//
// After a broken record the reading goes on with the next line (JSON lines) or the next object that
// begins in the same column (arrays and objects over several lines). Format: RFC 8259, UTF-8.
// Nesting deeper than 64 is refused. Thread safety: pure but for the source and the sinks.
#pragma once

#include <string>

#include "ingest/records/byte_source.h"
#include "ingest/records/record.h"

namespace precedent {

struct JsonOptions {
  std::string path;  // for records and messages
  size_t max_record_bytes = 0;
  // The file's name says JSON lines: believed where the first line leaves it open.
  bool named_lines = false;
};

// REQUIRES: check_text_file(in) found nothing. Errors: what `sink` returns, and a failed read.
Result<void> read_json(ByteSource& in, const JsonOptions& options, const RecordSink& sink,
                       const BadRecordSink& bad);

}  // namespace precedent
