// Record → Document: what the fields of one record mean, and whether the record can be used.
//
// A record becomes an incident, unless it (or the operator) names another kind. What cannot be read
// costs its field, not the record: its text is kept as it was written. docs/ingest.md has the
// rules. Thread safety: pure.
#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string_view>

#include "base/date_order.h"
#include "ingest/records/field_map.h"
#include "ingest/records/record.h"
#include "knowledge/document.h"

namespace precedent {

// What the reader of a file knows beyond the record.
struct RecordContext {
  // Whether a column has day or month first.
  std::function<DateOrder(const std::string& column)> date_order = [](const std::string&) {
    return DateOrder::kUnknown;
  };
  // Told of each field that could not be read, with the reason.
  std::function<void(BadRecord&&)> unread_field = [](BadRecord&&) {};
  std::string_view map_name = "--map";  // what messages call the operator's own mapping
  std::string_view map_sign = "=";      // what it has between a field and its column
};

// `source` stays empty, and so does the id of another kind than an incident that names none: the
// caller knows them. `forced`: --kind. The document's `body_line` is 0: its text is a value in the
// file rather than lines of it. Errors: a record without id, or with neither title nor text.
std::expected<Document, BadRecord> document_of(const Record& record, const FieldMap& fields,
                                               std::optional<Kind> forced,
                                               const RecordContext& context = {});

}  // namespace precedent
