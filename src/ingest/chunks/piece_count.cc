#include "ingest/chunks/piece_count.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/utf8.h"

namespace precedent {
namespace {

// Hundredths of a piece for a run of letters and digits: the means by length over some 90,000 words
// of runbooks and incident reports, cut by the vocabulary of BERT's uncased models.
size_t word_cost(size_t letters, size_t digits) {
  const size_t length = letters + digits;
  if (digits == 0) {
    if (length <= 2) return 100;
    if (length <= 5) return 108;
    if (length <= 8) return 124;
    if (length <= 14) return 165;
    return length * 32;
  }
  if (letters == 0) return length <= 2 ? 100 : length <= 4 ? 140 : length * 50;
  return std::max<size_t>(190, length * 52);
}

}  // namespace

size_t estimate_pieces(std::string_view text) {
  size_t hundredths = 0;
  for (size_t i = 0; i < text.size();) {
    size_t letters = 0, digits = 0;
    for (; i < text.size() && (is_letter(text[i]) || is_digit(text[i])); ++i) {
      ++(is_digit(text[i]) ? digits : letters);
    }
    if (letters + digits > 0) {
      hundredths += word_cost(letters, digits);
    } else {
      const CodePoint point = code_point_at(text, i);
      // Punctuation, ideographs and most letters of other scripts are a piece each.
      if (point.value > ' ') hundredths += 100;
      i += point.bytes;
    }
  }
  return (hundredths + 99) / 100;
}

}  // namespace precedent
