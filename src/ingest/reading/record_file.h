// A file of records, JSON or CSV, as a whole: how it is read, and what its columns say together.
//
// reader.h reads every such file twice: first for its survey, which tells whether a mapped column
// exists and in which order dates have day and month; then for its records. Thread safety: pure but
// for the file system and the sinks.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/date_order.h"
#include "base/limits.h"
#include "ingest/fields/column_guess.h"
#include "ingest/reading/sources.h"
#include "ingest/records/byte_source.h"
#include "ingest/records/record.h"

namespace precedent {

// JSON in a file that is called .csv is read as JSON: exports are misnamed, and every row would be
// lost. REQUIRES: check_text_file(in) found nothing. Errors: what `sink` returns, and a failed
// read.
Result<void> read_record_file(const SourceFile& file, const Limits& limits, ByteSource& in,
                              const RecordSink& sink, const BadRecordSink& bad);

struct FileSurvey {
  size_t records = 0;
  std::vector<std::string> columns;  // as written, in the order in which they first come
  std::map<std::string, DateOrderVotes, std::less<>> dates;  // by column
  ColumnProfiles profiles;

  // Of a column; where it decides nothing, of the other columns of the file if they agree.
  DateOrder order_of(std::string_view column) const;
};

// Empty for a file that cannot be read: reading it for its records says why.
// Errors: kCancelled.
Result<FileSurvey> survey(const SourceFile& file, const Limits& limits, const CancelToken* cancel);

}  // namespace precedent
