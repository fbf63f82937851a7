// FieldNotes: what is wrong with single fields: of each column of a file the first, or the first of
// each different value, and how many more.
//
// Thread safety: a plain object.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/records/record.h"

namespace precedent {

class FieldNotes {
 public:
  // `consequence`: what became of the fields. `values`: how many different ones of a column are
  // told.
  explicit FieldNotes(std::string_view consequence, size_t values = 1)
      : consequence_(consequence), values_(values) {}

  void add(BadRecord&& field) {
    Column& column = columns_[std::pair(field.path, field.field)];
    const auto told = column.told.find(values_ == 1 ? "" : field.value);
    if (told != column.told.end()) {
      ++notes_[told->second].more;
    } else if (column.told.size() >= values_) {
      ++notes_[column.last].others;
    } else if (notes_.size() < kMaxNotes) {
      column.last = notes_.size();
      column.told.emplace(values_ == 1 ? "" : field.value, notes_.size());
      notes_.push_back({std::move(field)});
    }
  }

  struct Told {
    const BadRecord& first;
    std::string message;  // of the field
    std::string warning;  // the same with its place
  };
  // Lifetime: the object's.
  std::vector<Told> told() const {
    std::vector<Told> all;
    for (const Note& note : notes_) {
      const BadRecord& first = note.first;
      const std::string record = first.record.empty() ? "" : " (" + first.record + ")";
      const std::string others =
          count(note.more, values_ == 1 ? "of this column" : "of this value") +
          count(note.others, "with other values of this column");
      all.push_back({first, fmt::format("{}{}; {}{}", first.message, record, consequence_, others),
                     fmt::format("{}; {}{}", first.text(), consequence_, others)});
    }
    return all;
  }

 private:
  // A folder that is wrong in every file must not fill the memory with complaints.
  static constexpr size_t kMaxNotes = 1000;

  static std::string count(size_t more, std::string_view of) {
    return more == 0 ? "" : fmt::format(" ({} more {})", more, of);
  }

  struct Note {
    BadRecord first;
    size_t more = 0;    // like it
    size_t others = 0;  // of the column, that are not told
  };
  struct Column {
    std::map<std::string, size_t> told;  // value → its note
    size_t last = 0;
  };
  const std::string_view consequence_;
  const size_t values_;
  std::map<std::pair<std::string, std::string>, Column> columns_;
  std::vector<Note> notes_;
};

}  // namespace precedent
