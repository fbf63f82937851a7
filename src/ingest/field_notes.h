// FieldNotes: what is wrong with single fields: the first of each column of a file, and how many
// more.
//
// Thread safety: a plain object.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/record.h"

namespace precedent {

class FieldNotes {
 public:
  // `consequence`: what became of the fields.
  explicit FieldNotes(std::string_view consequence) : consequence_(consequence) {}

  void add(BadRecord&& field) {
    const auto key = std::pair(field.path, field.field);
    if (const auto known = seen_.find(key); known != seen_.end()) {
      ++notes_[known->second].more;
    } else if (notes_.size() < kMaxNotes) {
      seen_.emplace(key, notes_.size());
      notes_.push_back({std::move(field), 0});
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
    for (const auto& [first, more] : notes_) {
      const std::string others = more == 0 ? "" : fmt::format(" ({} more of this column)", more);
      const std::string record = first.record.empty() ? "" : " (" + first.record + ")";
      all.push_back({first, fmt::format("{}{}; {}{}", first.message, record, consequence_, others),
                     fmt::format("{}; {}{}", first.text(), consequence_, others)});
    }
    return all;
  }

 private:
  // A folder that is wrong in every file must not fill the memory with complaints.
  static constexpr size_t kMaxNotes = 1000;
  const std::string_view consequence_;
  struct Note {
    BadRecord first;
    size_t more = 0;
  };
  std::map<std::pair<std::string, std::string>, size_t> seen_;
  std::vector<Note> notes_;
};

}  // namespace precedent
