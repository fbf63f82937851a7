#include "grounding/text/tokens.h"

#include <algorithm>
#include <string>

#include "base/ascii.h"
#include "base/hash.h"
#include "grounding/text/plain_english.h"
#include "text/characters.h"
#include "text/words.h"

namespace precedent {

bool is_contrast(const Token& token) {
  if (token.kind != TokenKind::kStop) return false;
  static const uint64_t kWords[] = {hash64("while"), hash64("whereas"), hash64("but"),
                                    hash64("although")};
  return std::ranges::find(kWords, token.term) != std::end(kWords);
}

uint64_t term_of(std::string_view spelling) {
  std::string word;
  bool foreign = false;
  for (const char c : spelling) {
    if (c == '-') continue;
    word += is_upper(c) ? static_cast<char>(c + 32) : c;
    foreign = foreign || static_cast<unsigned char>(c) >= 0x80;
  }
  if (foreign) {
    // "Novotný" is "Novotny".
    NormalText plain;
    normalize(word, 0, plain);
    word = std::move(plain.text);
    fold_case(word);
  }
  if (std::ranges::all_of(word, is_lower)) {
    if (const std::string_view base = base_form(word); !base.empty()) word = base;
    thread_stemmer().stem(word);
  }
  return hash64(word);
}

}  // namespace precedent
