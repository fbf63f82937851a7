#include "index/text_column_writer.h"

#include <algorithm>
#include <tuple>

#include "knowledge/case_fold.h"

namespace precedent {

void TextColumnWriter::add_group(const std::vector<std::string>& values) {
  for (const std::string& value : values) {
    if (value.empty()) continue;
    const auto next = static_cast<uint32_t>(spellings_.size());
    codes_.push_back(spellings_.try_emplace(value, next).first->second);
  }
  begins_.push_back(static_cast<uint32_t>(codes_.size()));
}

void TextColumnWriter::finish() {
  struct Entry {
    std::string folded;
    std::string_view spelling;
    uint32_t first_code;
  };
  std::vector<Entry> entries;
  entries.reserve(spellings_.size());
  for (const auto& [spelling, code] : spellings_)
    entries.push_back({case_fold(spelling), spelling, code});
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.folded, a.spelling) < std::tie(b.folded, b.spelling);
  });
  std::vector<uint32_t> final_code(entries.size());
  for (uint32_t code = 0; code < entries.size(); ++code) {
    final_code[entries[code].first_code] = code;
    dictionary_.add(entries[code].folded);
    dictionary_.add(entries[code].spelling);
  }
  for (uint32_t& code : codes_) code = final_code[code];
  spellings_.clear();
}

}  // namespace precedent
