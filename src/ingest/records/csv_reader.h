// CSV → records: one for each row, fields named by the header row. A stream: memory is bounded by
// one row.
//
// Format: RFC 4180 with quoted line breaks; lines end with \n, \r\n or \r; the delimiter is found
// out among comma, tab, semicolon and pipe (a first line "sep=;" decides). A quote inside an
// unquoted field is text. Blank rows are passed over. After a row with a quote that is never closed
// the reading goes on with the line below its first one. Thread safety: pure but for the source and
// the sinks.
#pragma once

#include <string>

#include "ingest/records/byte_source.h"
#include "ingest/records/record.h"

namespace precedent {

struct CsvOptions {
  std::string path;  // for records and messages
  size_t max_record_bytes = 0;
  char delimiter = 0;  // 0: found out
};

// REQUIRES: check_text_file(in) found nothing. Errors: what `sink` returns, and a failed read.
Result<void> read_csv(ByteSource& in, const CsvOptions& options, const RecordSink& sink,
                      const BadRecordSink& bad);

}  // namespace precedent
