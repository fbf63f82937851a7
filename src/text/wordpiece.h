// WordPiece: text → the vocabulary ids that BERT's uncased models read, with the bytes each came
// from.
//
// Exactly the reference tokenizer (Hugging Face `BertTokenizerFast`, do_lower_case), with one
// difference by intent:
// `[SEP]` and its like in the text are punctuation and letters, never special tokens. Steps:
// control characters dropped, ideographs set apart, NFD without accents, lower case, words split at
// white space and punctuation, greedy longest match from the left; a word that cannot be composed,
// or has more than 100 characters, is one [UNK]. Source: Wu et al., "Google's Neural Machine
// Translation System" (2016), §4.1.
//
// Vocabulary: vocab.txt, one piece a line, the line number is the id, `##` marks a piece that
// continues a word. Does not read files: embed/ hands it the bytes.
//
// Thread safety: a tokenizer may be shared between threads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace precedent {

struct WordPiece {
  int32_t id = 0;
  // Bytes of the source, half-open, at code point boundaries. In order, never decreasing; two
  // pieces share their bytes only where one code point became several (a Hangul syllable).
  uint32_t begin = 0, end = 0;
  bool operator==(const WordPiece&) const = default;
};

class WordPieceTokenizer {
 public:
  // The content of vocab.txt. Errors: kCorrupt if [UNK], [CLS] or [SEP] is missing or a piece
  // occurs twice.
  static Result<WordPieceTokenizer> from_vocabulary(std::string_view vocab_txt);

  // The pieces of `text`, without [CLS] and [SEP]; at most `max_pieces`, reading no further than
  // needed. `text` should be valid UTF-8 (ill-formed bytes are dropped). REQUIRES: text shorter
  // than 4 GiB.
  std::vector<WordPiece> pieces(std::string_view text, size_t max_pieces = SIZE_MAX) const;
  // As many as pieces() would give.
  size_t count(std::string_view text) const;
  // Appends [CLS], the pieces' ids and [SEP] to `ids`: at most `max_ids` (at least 2) in all.
  void encode(std::string_view text, size_t max_ids, std::vector<int32_t>& ids) const;

  size_t vocabulary_size() const { return pieces_.size(); }
  // The piece as the vocabulary spells it. REQUIRES: 0 <= id < vocabulary_size().
  std::string_view spelling(int32_t id) const;
  int32_t unknown_id() const { return unknown_; }

 private:
  struct Entry {  // the bytes of a piece without `##`
    uint32_t offset = 0;
    uint16_t length = 0;
    bool continues = false;
  };
  struct Slot {
    uint32_t tag = 0;  // high bits of the hash: spares most comparisons
    int32_t id = -1;   // -1: free
  };
  class Scanner;

  WordPieceTokenizer() = default;
  Result<void> add(std::string_view line, uint32_t offset);
  int32_t find(uint64_t hash, std::string_view bytes, bool continues) const;

  std::string vocabulary_;
  std::vector<Entry> pieces_;
  std::vector<Slot> slots_;     // open addressing, a power of two, at most half full
  size_t longest_[2] = {0, 0};  // in bytes, of pieces that begin and that continue a word
  int32_t unknown_ = -1, begin_ = -1, end_ = -1;
};

}  // namespace precedent
