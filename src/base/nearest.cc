#include "base/nearest.h"

#include <algorithm>

#include "base/strings.h"

namespace precedent {
namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view wrong, const std::vector<std::string>& names) {
  // Long foreign strings are no typos, and the distance is quadratic.
  if (wrong.size() > 64) return std::nullopt;
  const std::string lower = ascii_lower(wrong);
  const std::string* best = nullptr;
  size_t best_distance = std::max<size_t>(2, wrong.size() / 3) + 1;
  for (const std::string& name : names) {
    const size_t distance = edit_distance(lower, ascii_lower(name));
    if (distance < best_distance) {
      best_distance = distance;
      best = &name;
    }
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

}  // namespace precedent
