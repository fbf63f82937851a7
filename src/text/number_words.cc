#include "text/number_words.h"

#include <algorithm>
#include <array>

namespace precedent {
namespace {

struct NamedNumber {
  std::string_view name;
  double value;
};

constexpr std::array kNumberWords = {
    NamedNumber{"zero", 0},      NamedNumber{"two", 2},        NamedNumber{"three", 3},
    NamedNumber{"four", 4},      NamedNumber{"five", 5},       NamedNumber{"six", 6},
    NamedNumber{"seven", 7},     NamedNumber{"eight", 8},      NamedNumber{"nine", 9},
    NamedNumber{"ten", 10},      NamedNumber{"eleven", 11},    NamedNumber{"twelve", 12},
    NamedNumber{"thirteen", 13}, NamedNumber{"fourteen", 14},  NamedNumber{"fifteen", 15},
    NamedNumber{"sixteen", 16},  NamedNumber{"seventeen", 17}, NamedNumber{"eighteen", 18},
    NamedNumber{"nineteen", 19}, NamedNumber{"twenty", 20},    NamedNumber{"thirty", 30},
    NamedNumber{"forty", 40},    NamedNumber{"fifty", 50},     NamedNumber{"sixty", 60},
    NamedNumber{"seventy", 70},  NamedNumber{"eighty", 80},    NamedNumber{"ninety", 90},
    NamedNumber{"hundred", 100}, NamedNumber{"dozen", 12},
};

}  // namespace

std::optional<double> number_word(std::string_view word) {
  const auto* const found = std::ranges::find(kNumberWords, word, &NamedNumber::name);
  return found == kNumberWords.end() ? std::nullopt : std::optional(found->value);
}

}  // namespace precedent
