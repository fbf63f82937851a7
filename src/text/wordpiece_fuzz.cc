// Any bytes as text: pieces lie in order inside the text, and counting agrees with listing. Any
// bytes as a vocabulary: refused or usable.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "text/wordpiece.h"

namespace precedent {
namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

void tokenize(const WordPieceTokenizer& tokenizer, std::string_view text) {
  const auto pieces = tokenizer.pieces(text);
  uint32_t previous = 0;
  for (const WordPiece& piece : pieces) {
    check(piece.begin >= previous && piece.begin < piece.end && piece.end <= text.size());
    check(piece.id >= 0 && static_cast<size_t>(piece.id) < tokenizer.vocabulary_size());
    previous = piece.begin;
  }
  check(tokenizer.count(text) == pieces.size());
}

}  // namespace
}  // namespace precedent

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using precedent::WordPieceTokenizer;
  static const WordPieceTokenizer kTokenizer = *WordPieceTokenizer::from_vocabulary(
      "[UNK]\n[CLS]\n[SEP]\na\n##a\nab\n##b\n##\u00f8\n\u4e2d\n\u1100\n##\u1161\n.\n");
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  precedent::tokenize(kTokenizer, bytes);

  const size_t cut = bytes.find('\xff');
  if (cut == std::string_view::npos) return 0;
  const auto other = WordPieceTokenizer::from_vocabulary(bytes.substr(0, cut));
  if (other) precedent::tokenize(*other, bytes.substr(cut + 1));
  return 0;
}
