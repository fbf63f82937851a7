// A file of golden examples → drafts: the reading side of `precedent golden import`.
//
// Fields: question, answer; optional id, source_type, corrected_answer, reviewed, reviewed_by,
// reviewed_at, active, tags, sources. The `answer` of a negative example is the rejected one;
// `corrected_answer` is what may be served. docs/golden.md has the rules.
//
// Format: JSON lines, or whatever else json_reader.h takes. A bad record is reported with file,
// line and field, and skipped. Thread safety: one call, one thread.
#pragma once

#include <expected>
#include <functional>
#include <string>

#include "base/error.h"
#include "base/limits.h"
#include "ingest/records/byte_source.h"
#include "ingest/records/record.h"
#include "knowledge/golden.h"

namespace precedent {

struct GoldenReadOptions {
  std::string path;  // for messages
  Review reviewer;   // of records that are `reviewed` and do not say by whom or when
  Limits limits = {};
};

// One record. Errors: what is wrong with it, by field.
std::expected<GoldenDraft, BadRecord> golden_draft_of(const Record& record, const Review& reviewer);

using GoldenDraftSink = std::function<Result<void>(GoldenDraft&&, size_t line)>;

// Errors: what `sink` returns, and a failed read. A file that is no text is a bad record.
Result<void> read_golden(ByteSource& in, const GoldenReadOptions& options,
                         const GoldenDraftSink& sink, const BadRecordSink& bad);

}  // namespace precedent
