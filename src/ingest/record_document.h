// Record → Document: what the fields of one record mean, and whether the record can be used.
//
// A record becomes an incident, unless it (or the operator) names another kind. docs/ingest.md has
// the rules. Thread safety: pure but for the map, which notes what it saw.
#pragma once

#include <expected>
#include <optional>

#include "ingest/field_map.h"
#include "ingest/record.h"
#include "knowledge/document.h"

namespace precedent {

// `source` stays empty: the caller knows it. `forced`: --kind. The document's `body_line` is 0: its
// text is a value in the file rather than lines of it.
std::expected<Document, BadRecord> document_of(const Record& record, FieldMap& fields,
                                               std::optional<Kind> forced);

}  // namespace precedent
