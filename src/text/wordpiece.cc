// The look-up. Greedy matching asks for the longest prefix of what is left of a word, so a word of
// n bytes may ask n times at each of its pieces. The hash is a polynomial over bytes: with the
// hashes of all prefixes of the word at hand, that of any substring costs one multiplication, and a
// miss ends at a slot's tag without touching the vocabulary. Most words are in the vocabulary
// whole, and cost one look-up.
#include "text/wordpiece.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "base/utf8.h"
#include "text/wordpiece_chars.h"

namespace precedent {
namespace {

// The reference's limit: longer words are [UNK].
constexpr size_t kMaxWordChars = 100;
// Bytes of the longest word that is looked up.
constexpr size_t kMaxWordBytes = kMaxWordChars * 4;

constexpr uint64_t kMultiplier = 0x9E3779B97F4A7C15;

constexpr auto kPowers = [] {
  std::array<uint64_t, kMaxWordBytes + 1> powers{};
  powers[0] = 1;
  for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * kMultiplier;
  return powers;
}();

constexpr uint64_t extend(uint64_t hash, unsigned char byte) {
  return hash * kMultiplier + byte + 1;
}

// Spreads a polynomial hash over all bits and tells pieces that continue from those that begin.
constexpr uint64_t finish(uint64_t hash, bool continues) {
  hash ^= continues ? 0xD6E8FEB86659FD93 : 0;
  hash ^= hash >> 32;
  hash *= 0xD6E8FEB86659FD93;
  return hash ^ (hash >> 32);
}

// Code points and folding of ASCII, which is nearly all there is.
constexpr auto kAscii = [] {
  std::array<BertClass, 128> classes{};
  for (int c = 0; c < 128; ++c) {
    const bool letter = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    classes[c] = c == ' ' || c == '\t' || c == '\n' || c == '\r' ? BertClass::kSpace
                 : c < 32 || c == 127                            ? BertClass::kDropped
                 : letter                                        ? BertClass::kLetter
                                                                 : BertClass::kPunctuation;
  }
  return classes;
}();

}  // namespace

// Walks a text once, gathers one word at a time and hands its pieces to `sink` (id, begin, end).
class WordPieceTokenizer::Scanner {
 public:
  Scanner(const WordPieceTokenizer& vocabulary, std::string_view text, size_t max_pieces)
      : vocabulary_(vocabulary), text_(text), max_pieces_(max_pieces) {}

  template <typename Sink>
  void run(Sink&& sink) {
    size_t pos = 0;
    while (pos < text_.size() && produced_ < max_pieces_) {
      const auto byte = static_cast<unsigned char>(text_[pos]);
      if (byte < 0x80) {
        ascii(byte, static_cast<uint32_t>(pos), sink);
        ++pos;
      } else {
        const CodePoint at = code_point_at(text_, pos);
        other(at, static_cast<uint32_t>(pos), sink);
        pos += at.bytes;
      }
    }
    end_word(sink);
  }

 private:
  template <typename Sink>
  void ascii(unsigned char c, uint32_t pos, Sink& sink) {
    switch (kAscii[c]) {
      case BertClass::kLetter:
        add_char(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c, pos, pos + 1);
        break;
      case BertClass::kDropped: break;
      case BertClass::kSpace: end_word(sink); break;
      default:
        end_word(sink);
        add_char(c, pos, pos + 1);
        end_word(sink);
    }
  }

  template <typename Sink>
  void other(const CodePoint& at, uint32_t pos, Sink& sink) {
    const BertClass kind = bert_class(at.value);
    if (kind == BertClass::kDropped) return;
    if (kind == BertClass::kSpace) return end_word(sink);
    char32_t folded[kMaxFolded];
    const int n = bert_fold(at.value, folded);
    if (kind == BertClass::kAlone) end_word(sink);
    for (int i = 0; i < n; ++i) {
      // Folding may make punctuation (U+037E becomes `;`): what counts is the class afterwards.
      const bool alone = bert_class(folded[i]) == BertClass::kPunctuation;
      if (alone) end_word(sink);
      add_char(folded[i], pos, pos + static_cast<uint32_t>(at.bytes));
      if (alone) end_word(sink);
    }
    if (kind == BertClass::kAlone) end_word(sink);
  }

  void add_char(char32_t c, uint32_t begin, uint32_t end) {
    if (chars_ == 0) word_begin_ = begin;
    word_end_ = end;
    if (++chars_ > kMaxWordChars) return;
    if (c < 0x80) return add_byte(static_cast<unsigned char>(c), begin, end);
    char_.clear();
    append_utf8(char_, c);
    for (const char byte : char_) add_byte(static_cast<unsigned char>(byte), begin, end);
  }

  void add_byte(unsigned char byte, uint32_t begin, uint32_t end) {
    word_[bytes_] = static_cast<char>(byte);
    source_[bytes_] = {begin, end};
    hashes_[bytes_ + 1] = extend(hashes_[bytes_], byte);
    ++bytes_;
  }

  template <typename Sink>
  void end_word(Sink& sink) {
    if (chars_ == 0) return;
    if (chars_ > kMaxWordChars || !match()) {
      found_.clear();
      found_.push_back({vocabulary_.unknown_, word_begin_, word_end_});
    }
    for (const WordPiece& piece : found_) {
      if (produced_ == max_pieces_) break;
      sink(piece);
      ++produced_;
    }
    chars_ = bytes_ = 0;
  }

  // The word as pieces in found_, or false if it cannot be composed.
  bool match() {
    found_.clear();
    for (size_t start = 0; start < bytes_;) {
      const size_t end = longest_match(start);
      if (end == start) return false;
      start = end;
    }
    return true;
  }

  // Adds the longest piece at `start`, and returns where it ends; `start` if there is none.
  size_t longest_match(size_t start) {
    const bool continues = start > 0;
    size_t end = std::min(bytes_, start + vocabulary_.longest_[continues]);
    for (; end > start; --end) {
      if (end < bytes_ && (static_cast<unsigned char>(word_[end]) & 0xC0) == 0x80) continue;
      const uint64_t hash = hashes_[end] - hashes_[start] * kPowers[end - start];
      const int32_t id =
          vocabulary_.find(finish(hash, continues), {word_ + start, end - start}, continues);
      if (id < 0) continue;
      found_.push_back({id, source_[start].begin, source_[end - 1].end});
      break;
    }
    return end;
  }

  struct Source {
    uint32_t begin, end;
  };

  const WordPieceTokenizer& vocabulary_;
  std::string_view text_;
  size_t max_pieces_;
  size_t produced_ = 0;

  // The word being gathered, folded.
  size_t chars_ = 0, bytes_ = 0;
  uint32_t word_begin_ = 0, word_end_ = 0;
  char word_[kMaxWordBytes];
  Source source_[kMaxWordBytes];
  uint64_t hashes_[kMaxWordBytes + 1] = {0};
  std::string char_;
  std::vector<WordPiece> found_;
};

Result<WordPieceTokenizer> WordPieceTokenizer::from_vocabulary(std::string_view vocab_txt) {
  // A line number must fit an id, an offset 32 bits; real vocabularies have a quarter of a
  // megabyte.
  if (vocab_txt.size() > (size_t{1} << 28)) {
    return fail(ErrorCode::kCorrupt,
                "vocab.txt: larger than 256 MiB, not a WordPiece vocabulary; fetch it again");
  }
  WordPieceTokenizer tokenizer;
  tokenizer.vocabulary_ = vocab_txt;
  const auto lines = static_cast<size_t>(std::count(vocab_txt.begin(), vocab_txt.end(), '\n')) + 1;
  tokenizer.pieces_.reserve(lines);
  tokenizer.slots_.resize(std::bit_ceil(2 * lines));
  for (size_t pos = 0; pos < vocab_txt.size();) {
    const size_t end = std::min(vocab_txt.find('\n', pos), vocab_txt.size());
    TRY(tokenizer.add(vocab_txt.substr(pos, end - pos), static_cast<uint32_t>(pos)));
    pos = end + 1;
  }
  for (const auto& [id, piece] : {std::pair{tokenizer.unknown_, "[UNK]"},
                                  {tokenizer.begin_, "[CLS]"},
                                  {tokenizer.end_, "[SEP]"}}) {
    if (id < 0) {
      return fail(
          ErrorCode::kCorrupt,
          fmt::format("vocab.txt: {} is missing, not a BERT vocabulary; fetch it again", piece));
    }
  }
  return tokenizer;
}

Result<void> WordPieceTokenizer::add(std::string_view line, uint32_t offset) {
  const auto id = static_cast<int32_t>(pieces_.size());
  if (line == "[UNK]") unknown_ = id;
  if (line == "[CLS]") begin_ = id;
  if (line == "[SEP]") end_ = id;
  const bool continues = line.size() > 2 && line.starts_with("##");
  const std::string_view bytes = continues ? line.substr(2) : line;
  // Longer than any word that is looked up: keeps its id, is never found.
  const bool reachable = !bytes.empty() && bytes.size() <= kMaxWordBytes;
  pieces_.push_back({offset + (continues ? 2 : 0),
                     static_cast<uint16_t>(std::min<size_t>(bytes.size(), UINT16_MAX)), continues});
  if (!reachable) return {};

  uint64_t hash = 0;
  for (const char byte : bytes) hash = extend(hash, static_cast<unsigned char>(byte));
  hash = finish(hash, continues);
  if (find(hash, bytes, continues) >= 0) {
    return fail(ErrorCode::kCorrupt,
                fmt::format("vocab.txt:{}: '{}' occurs twice; fetch it again", id + 1, line));
  }
  longest_[continues] = std::max(longest_[continues], bytes.size());
  size_t slot = hash & (slots_.size() - 1);
  while (slots_[slot].id >= 0) slot = (slot + 1) & (slots_.size() - 1);
  slots_[slot] = {static_cast<uint32_t>(hash >> 32), id};
  return {};
}

int32_t WordPieceTokenizer::find(uint64_t hash, std::string_view bytes, bool continues) const {
  const auto tag = static_cast<uint32_t>(hash >> 32);
  for (size_t slot = hash & (slots_.size() - 1); slots_[slot].id >= 0;
       slot = (slot + 1) & (slots_.size() - 1)) {
    if (slots_[slot].tag != tag) continue;
    const Entry& entry = pieces_[static_cast<size_t>(slots_[slot].id)];
    if (entry.continues == continues &&
        std::string_view(vocabulary_).substr(entry.offset, entry.length) == bytes) {
      return slots_[slot].id;
    }
  }
  return -1;
}

std::string_view WordPieceTokenizer::spelling(int32_t id) const {
  const Entry& entry = pieces_[static_cast<size_t>(id)];
  const uint32_t mark = entry.continues ? 2 : 0;
  return std::string_view(vocabulary_).substr(entry.offset - mark, entry.length + mark);
}

std::vector<WordPiece> WordPieceTokenizer::pieces(std::string_view text, size_t max_pieces) const {
  std::vector<WordPiece> result;
  Scanner(*this, text, max_pieces).run([&](const WordPiece& piece) { result.push_back(piece); });
  return result;
}

size_t WordPieceTokenizer::count(std::string_view text) const {
  size_t n = 0;
  Scanner(*this, text, SIZE_MAX).run([&](const WordPiece&) { ++n; });
  return n;
}

void WordPieceTokenizer::encode(std::string_view text, size_t max_ids,
                                std::vector<int32_t>& ids) const {
  ids.push_back(begin_);
  Scanner(*this, text, max_ids - 2).run([&](const WordPiece& piece) { ids.push_back(piece.id); });
  ids.push_back(end_);
}

}  // namespace precedent
