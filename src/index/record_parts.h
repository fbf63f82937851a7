// RecordParts: records one after another and where each begins, without copying them: those that
// lie one behind the other in memory are one part.
//
// Thread safety: one thread. Lifetime: the records must live until the parts are written.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace precedent {

class RecordParts {
 public:
  void add(std::string_view record) {
    begins_.push_back(begins_.back() + record.size());
    if (record.empty()) return;
    if (!parts_.empty() && parts_.back().data() + parts_.back().size() == record.data()) {
      parts_.back() = {parts_.back().data(), parts_.back().size() + record.size()};
    } else {
      parts_.push_back(record);
    }
  }

  // One more than there are records.
  const std::vector<uint64_t>& begins() const { return begins_; }
  const std::vector<std::string_view>& parts() const { return parts_; }

 private:
  std::vector<uint64_t> begins_ = {0};
  std::vector<std::string_view> parts_;
};

}  // namespace precedent
