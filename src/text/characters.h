// What a code point is to the analyser, and the normal form of a stretch of text with the way back
// to its bytes.
//
// Classes follow Unicode's general categories, with the spellings folded that editors and chats
// substitute: every dash of ids.h is '-', every apostrophe is '\'', full-width ASCII is ASCII.
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace precedent {

enum class CharClass : uint8_t {
  kSeparator,
  kLower,  // letters without case, and marks, too
  kUpper,
  kDigit,
  kJoiner,  // holds a technical token together: _ . - / \ : @ +
  kApostrophe,
  kIdeograph,  // of a script written without spaces: Chinese, Japanese, Korean, Thai, Lao, Khmer,
               // Burmese
  kInvisible,  // soft hyphen, zero-width space: as if it were not there
};

CharClass char_class(char32_t code_point);

inline bool is_word(CharClass c) {
  return c == CharClass::kLower || c == CharClass::kUpper || c == CharClass::kDigit;
}

// Text in NFKC without accents (U+0300–036F) and invisible characters; case is kept, because it
// separates the words of an identifier. Byte i of `text` came from the bytes [begin[i], end[i]) of
// the source.
struct NormalText {
  std::string text;
  std::vector<uint32_t> begin, end;
};

// Replaces `out`. Offsets start at `base`, the place of `source` in a larger text.
void normalize(std::string_view source, uint32_t base, NormalText& out);

// The length of the user-perceived character at `pos`: a code point and the marks upon it, at most
// 32 code points (Unicode's stream-safe bound is 30), so that a mile of marks costs linear time.
size_t cluster_bytes(std::string_view text, size_t pos);

// Case folding: for ASCII lower case, otherwise Unicode's full folding (ß → ss).
void fold_case(std::string& text);

}  // namespace precedent
