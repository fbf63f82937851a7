// What BERT's tokenizer does with one code point: drop it, split at it, stand it alone, or fold it.
//
// Follows the reference (Hugging Face `tokenizers`, BertNormalizer and BertPreTokenizer) for all
// code points but 55 letters that gained a lower-case form after Unicode 15. The reference's
// character classes are those of Unicode 8; utf8proc's are newer, so wordpiece_chars.cc lists what
// changed in between.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>

namespace precedent {

enum class BertClass : uint8_t {
  kDropped,      // control and format characters, U+0000, U+FFFD
  kSpace,        // separates words
  kPunctuation,  // a word of its own, after folding
  kAlone,        // a CJK ideograph: a word of its own, after folding
  kLetter,       // anything else: part of a word
};

BertClass bert_class(char32_t code_point);

// A combining accent: removed from decomposed text.
bool bert_is_accent(char32_t code_point);

// Decomposed (NFD), accents removed, lower case. One code point gives up to kMaxFolded; returns how
// many, 0 for an accent.
inline constexpr int kMaxFolded =
    18;  // the longest canonical decomposition is 4; room for utf8proc
int bert_fold(char32_t code_point, char32_t (&out)[kMaxFolded]);

}  // namespace precedent
