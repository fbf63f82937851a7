// Record: what a JSON object, a CSV row or a block of front matter says, before anybody asks what
// its fields mean.
//
// Made by json_reader, csv_reader and front_matter; given a meaning by field_map.h and
// record_document.h. BadRecord is what every reader reports instead of stopping. Thread safety:
// plain values.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace precedent {

// A record of more fields than this is not one: real exports stay below 300, and looking a name up
// is linear.
inline constexpr size_t kMaxFields = 2000;

struct Value {
  enum class Type { kNull, kBool, kNumber, kText, kList, kObject };

  Type type = Type::kNull;
  // Scalars as written (booleans "true" and "false"); lists and objects as compact JSON.
  std::string text;

  // Null, "" or white space, [] or {}: the field might as well be absent.
  bool blank() const;
  bool operator==(const Value&) const = default;
};

struct Field {
  std::string name;
  Value value;
  bool operator==(const Field&) const = default;
};

// Follows the name of a field whose text is kept, and shall not be taken for its value.
inline constexpr std::string_view kAsWritten = " as written";

struct Record {
  std::vector<Field> fields;  // as written, in order; a name that comes twice keeps its last value
  std::string path;           // of the file, as the operator named it
  size_t line = 0;            // on which the record begins, 1-based
  size_t number = 0;          // its place in a JSON list, 1-based; 0 where its line says enough

  void set(std::string name, Value value);
  // Null if there is no field of exactly this name.
  const Value* find(std::string_view name) const;
};

struct BadRecord {
  std::string path;
  size_t line = 0;    // 1-based; 0: the file as a whole
  std::string field;  // as the source names it; "" if it is not about one field
  std::string message;
  std::string record = {};  // "record 3 of the list, A-3" where the line does not say which; or ""
  std::string value = {};   // of the field (value_shown()); "" where there is none
  // No column of the file holds the field, so that all of its records are bad: `alike` further
  // ones.
  bool unmapped = false;
  size_t alike = 0;

  // "incidents.csv:12: 'opened_at': …"
  std::string text() const;
  bool operator==(const BadRecord&) const = default;
};

// What is told of a value that is wrong: as it begins, without secrets.
std::string value_shown(const Value& value);

// What a record above the limit is told.
std::string too_large(size_t max_bytes);

// An error stops the reading and is handed to the caller: the sink is cancelled or full.
using RecordSink = std::function<Result<void>(Record&&)>;
using BadRecordSink = std::function<void(BadRecord&&)>;

// The scalars of a list, of JSON list text ("[\"a\",\"b\"]"), or of text separated by commas,
// semicolons or line breaks; trimmed, blanks and repetitions left out. Nested lists and objects
// stay as compact JSON.
std::vector<std::string> list_items(const Value& value);

}  // namespace precedent
