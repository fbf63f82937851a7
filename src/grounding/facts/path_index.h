// Paths: the files that the receipts name, with the lines that they show of them.
//
// Thread safety: const methods may run in several threads.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "knowledge/document.h"

namespace precedent {

// Whether a file is named: not at all, but not with these lines, or as far as lines agree.
enum class PathMatch : uint8_t { kUnknown, kWrongLines, kMatch };

// Without ":41-58".
std::string_view without_lines(std::string_view path);

class PathIndex {
 public:
  void add(std::string_view path, const LineRange& lines);
  // By the whole path or by the end of it.
  PathMatch find(std::string_view path, const LineRange& lines) const;

 private:
  std::unordered_map<std::string, std::vector<LineRange>> paths_;
};

}  // namespace precedent
