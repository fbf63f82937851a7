// Rows of a store ↔ the structs of knowledge/. The only place that knows column orders and the
// JSON in columns.
//
// Thread safety: pure functions over a row of the caller's.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "db/sql.h"
#include "knowledge/document.h"
#include "store/index_build.h"

namespace precedent::rows {

// SELECT {columns} FROM {tables} … in the order that read_document expects.
extern const std::string_view kDocumentColumns;
extern const std::string_view kDocumentTables;
inline constexpr int kDocumentColumnCount = 18;

// Errors: kCorrupt, naming the document, if a column is not what was written.
Result<Document> read_document(const db::SqlRow& row);

// When it began, for order and for time ranges: opened_at, else the date in an incident's id.
std::optional<int64_t> began_at(const Document& document);
std::optional<int64_t> seconds(const std::optional<TimePoint>& time);

std::string list_to_json(const std::vector<std::string>& list);
std::string attributes_to_json(const Attributes& attributes);
// Nothing if `json` is not a list of texts.
std::optional<std::vector<std::string>> list_of_json(std::string_view json);

// A document as one text, for the records of dataset versions.
std::string document_to_json(const Document& document);
// Nothing where it is not what was written.
std::optional<Document> document_of_json(std::string_view json);

// Length in bytes must be a multiple of four; little-endian floats as in memory.
// Lifetime: of the vector.
db::Blob blob_of(const std::vector<float>& vector);
std::vector<float> vector_of(std::string_view bytes);

std::string lengths_to_json(const CorpusLengths& lengths, const CorpusLengths& code);
// {prose, code}. Nothing where it is not what was written.
std::optional<std::pair<CorpusLengths, CorpusLengths>> lengths_of_json(std::string_view json);

}  // namespace precedent::rows
