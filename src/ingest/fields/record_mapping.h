// RecordMapping: a file that says how the records of an export become incidents.
//
//   fields:
//     incident_id: {template: "INC-{opened:%Y-%m-%d}-{n:03}"}
//     title: Summary                                   # a column
//     description: [Summary, Details]                  # several, joined by blank lines
//     severity: {column: Priority, values: {P1: SEV1, P2: SEV2}}
//     opened_at: {column: Opened, format: "%d/%m/%Y %H:%M", zone: Europe/Berlin}  # or several
//     source_system: {constant: ServiceNow}
//   ignore: [Internal Notes]
//   unknown: keep                                      # or drop, or refuse
//   limits: {max_bad: 1%, max_vanished: 20%}
//
// What the mapping does not name is read as without one (field_map.h). docs/datasets.md explains
// each key. Thread safety: immutable after parsing; a RecordMapper belongs to one reading.
#pragma once

#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/config_values.h"
#include "base/error.h"
#include "ingest/records/record.h"

namespace precedent {

struct MappedField {
  std::string field;                 // canonical
  std::string place;                 // where it is said: "m.yaml:3: fields.title"
  std::vector<std::string> columns;  // as written
  std::string constant;
  std::string pattern;                        // of an id: "INC-{opened:%Y-%m-%d}-{n:03}"
  std::map<std::string, std::string> values;  // folded → what it becomes
  std::vector<std::string> formats;  // of a time, as strptime has them; none: the usual ones
  std::string zone;                  // of times without an offset; "" for UTC
};

// A column as a mapping names it.
struct NamedColumn {
  std::string column;
  std::string place;     // "m.yaml:3: fields.title"
  bool ignored = false;  // under `ignore`: nothing lacks it
  bool operator==(const NamedColumn&) const = default;
};

class RecordMapping {
 public:
  enum class Unknown : uint8_t { kKeep, kDrop, kRefuse };

  // Errors: kInvalidArgument naming file, line and key; with `all`, each goes there instead.
  static Result<RecordMapping> parse(std::string_view yaml, std::string_view path,
                                     ConfigProblems* all = nullptr);

  Unknown unknown() const { return unknown_; }
  // Shares of all records, 0–1, above which a version is not activated.
  double max_bad() const { return max_bad_; }
  double max_vanished() const { return max_vanished_; }

  // The columns that it names and that are not among `columns`.
  std::vector<NamedColumn> missing_from(std::span<const std::string> columns) const;
  // The field that a column becomes; "" if none is named, or only as part of another.
  std::string_view field_of(std::string_view column) const;
  // Where the mapping names a column; null where it does not.
  const MappedField* naming(std::string_view column) const;
  bool ignores(std::string_view column) const;

 private:
  friend class RecordMapper;
  std::vector<MappedField> fields_;
  std::vector<NamedColumn> ignored_;
  Unknown unknown_ = Unknown::kKeep;
  double max_bad_ = 1, max_vanished_ = 1;
};

// Applies a mapping to the records of one reading, in their order: it counts those whose ids are
// made.
class RecordMapper {
 public:
  explicit RecordMapper(std::shared_ptr<const RecordMapping> mapping)
      : mapping_(std::move(mapping)) {}

  enum class Note : uint8_t {
    kUnknownValue,  // not among the values of the mapping: it stays as it is
    kUnreadTime,    // does not follow the format: its text stays, as "Opened as written"
  };
  using TellNote = std::function<void(Note, BadRecord&&)>;
  // The record with fields under canonical names. Errors: an id that cannot be made.
  std::expected<Record, BadRecord> map(Record&& record, const TellNote& tell);

 private:
  std::expected<std::string, std::string> id_of(const MappedField& field, const Record& record,
                                                const Record& mapped);

  std::shared_ptr<const RecordMapping> mapping_;
  std::map<std::string, size_t> counted_;  // ids made so far, by what precedes their number
};

}  // namespace precedent
