#include "agent/language/nearest_name.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace precedent {
namespace {

// Names in files are short; what is longer is no misspelt name, and the cost is quadratic.
constexpr size_t kMaxBytes = 64;

}  // namespace

size_t edit_distance(std::string_view a, std::string_view b) {
  a = a.substr(0, kMaxBytes);
  b = b.substr(0, kMaxBytes);
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substitute, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known) {
  const auto nearest = std::ranges::min_element(
      known, {}, [&](std::string_view candidate) { return edit_distance(name, candidate); });
  return nearest == known.end() ? std::string_view() : *nearest;
}

}  // namespace precedent
