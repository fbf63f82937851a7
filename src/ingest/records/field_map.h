// FieldMap: which field of a foreign record is which field of ours.
//
// Names compare without case, spaces, '-', '_' and '.', so `rootCause`, `Root Cause` and
// `root_cause` are one. Rules, first to last: a --map names the column outright; a field of the
// canonical name beats every alias; an earlier alias beats a later one; a field whose value is
// blank, or under an alias of another shape (`resolved: true`), is no candidate. A field that loses
// keeps its own name: nothing is dropped. The table is in docs/ingest.md. Thread safety: immutable
// after creation.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/records/record.h"

namespace precedent {

// true/false, yes/no, y/n, t/f, 1/0, on/off, x; any case. Nothing for anything else.
std::optional<bool> parse_bool(std::string_view text);

struct MappedRecord {
  // By canonical name. Lifetime: points into the record.
  std::map<std::string_view, const Field*> known;
  std::vector<const Field*> rest;  // not blank, in order

  // Null if the record has none.
  const Field* find(std::string_view canonical) const;
};

class FieldMap {
 public:
  // `overrides`: "field=column" each. Errors: kInvalidArgument for a field that does not exist,
  // naming those that do, and for a field given twice. `called`: what messages call `overrides`.
  static Result<FieldMap> create(std::span<const std::string> overrides,
                                 std::string_view called = "--map");

  MappedRecord map(const Record& record) const;

  // Which canonical fields `columns` have by name or by an override; and which columns these are.
  struct ByName {
    std::vector<std::string_view> fields;
    std::vector<std::string> columns;
  };
  ByName by_name(std::span<const std::string> columns) const;
  // The same map with further columns named, where it names none for the field yet.
  FieldMap with(std::span<const std::pair<std::string_view, std::string>> columns) const;

  // Whether a column was named for this field.
  bool names(std::string_view canonical) const { return columns_.contains(canonical); }

  // The same map without the overrides whose column is not among `columns`.
  FieldMap within(std::span<const std::string> columns) const;

  // Columns of the overrides that are not among `columns`, as the operator wrote them.
  std::vector<std::string> missing_from(std::span<const std::string> columns) const;

 private:
  std::map<std::string_view, std::string> columns_;  // canonical name → folded column
  std::map<std::string, std::string> written_;       // folded column → as the operator wrote it
};

// Which record it is, for people, where its line does not say: "record 3 of the list, A-3". "" for
// a record that is not in a list.
std::string place_in_list(const Record& record);

// The canonical names, in the order of the documentation.
std::vector<std::string_view> canonical_fields();

}  // namespace precedent
