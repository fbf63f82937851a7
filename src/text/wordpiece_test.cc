#include "text/wordpiece.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

// Ids are line numbers: [PAD] 0, [UNK] 1, [CLS] 2, [SEP] 3, then pieces.
constexpr std::string_view kVocabulary =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\n"
    "un\n##aff\n##able\naff\nrun\n##ning\n##n\n$\n.\n/"
    "\n_\n[\n]\nsep\ncafe\n\u4e2d\n\u6587\n\u110b\n\u1165\n;\na\n##a\nstrasse\n"
    "##\u00f8\ns\n";

WordPieceTokenizer tokenizer() {
  auto result = WordPieceTokenizer::from_vocabulary(kVocabulary);
  EXPECT_TRUE(result) << result.error().text();
  return *std::move(result);
}

std::string spelled(std::string_view text) {
  static const WordPieceTokenizer kTokenizer = tokenizer();
  std::vector<std::string> parts;
  for (const WordPiece& piece : kTokenizer.pieces(text))
    parts.emplace_back(kTokenizer.spelling(piece.id));
  return join(parts, " ");
}

TEST(WordPiece, SplitsAsBertDoes) {
  struct Case {
    std::string_view what, text, pieces;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"nothing", "", ""},
           {"white space only", " \t\r\n\u00a0\u3000", ""},
           {"greedy longest match", "unaffable", "un ##aff ##able"},
           {"the longest piece wins", "running runn", "run ##ning run ##n"},
           {"a word that cannot be composed is one unknown", "unaffected", "[UNK]"},
           {"upper case folds", "UnAFFable", "un ##aff ##able"},
           {"composed accents go", "caf\u00e9", "cafe"},
           {"combining accents go", "cafe\u0301", "cafe"},
           {"an accent alone is nothing", "\u0301", ""},
           {"punctuation stands alone", "run.run", "run . run"},
           {"ASCII symbols count as punctuation", "$run", "$ run"},
           {"underscore too", "run_run", "run _ run"},
           {"special tokens are not parsed", "[SEP]", "[ sep ]"},
           {"ideographs stand alone", "run\u4e2d\u6587run", "run \u4e2d \u6587 run"},
           {"control characters vanish within a word", "r\u0007u\u200bn", "run"},
           {"but tabs separate", "run\trun", "run run"},
           {"vertical tab is a control character", "r\vun", "run"},
           {"a punctuation made by folding", "a\u037ea", "a ; a"},
           {"a continuing piece never begins a word", "ning", "[UNK]"},
           {"a piece that only continues, not ASCII", "a\u00f8", "a ##\u00f8"},
           {"private use and the replacement character vanish", "r\ue000u\ufffdn", "run"},
       }) {
    EXPECT_EQ(spelled(c.text), c.pieces) << c.what;
  }
}

TEST(WordPiece, WordsOfMoreThanHundredCharactersAreUnknown) {
  EXPECT_EQ(tokenizer().count(std::string(100, 'a')), 100u);
  EXPECT_EQ(spelled(std::string(101, 'a')), "[UNK]");
  std::string long_word(100'000, 'a');
  long_word += " run";
  EXPECT_EQ(spelled(long_word), "[UNK] run");
}

TEST(WordPiece, OffsetsNameTheBytesOfTheSource) {
  struct Case {
    std::string_view text;
    std::vector<std::pair<uint32_t, uint32_t>> offsets;
  };
  for (const Case& c : std::initializer_list<Case>{
           {" unaffable!", {{1, 3}, {3, 6}, {6, 10}, {10, 11}}},
           {"caf\u00e9.", {{0, 5}, {5, 6}}},
           {"r\u200bun", {{0, 6}}},
           {"\u4e2d\u6587", {{0, 3}, {3, 6}}},
           {"xyz run", {{0, 3}, {4, 7}}},
       }) {
    std::vector<std::pair<uint32_t, uint32_t>> found;
    for (const WordPiece& piece : tokenizer().pieces(c.text))
      found.emplace_back(piece.begin, piece.end);
    EXPECT_EQ(found, c.offsets) << c.text;
  }
}

TEST(WordPiece, EncodeFramesAndTruncates) {
  std::vector<int32_t> ids;
  tokenizer().encode("run run run", 256, ids);
  EXPECT_EQ(ids, (std::vector<int32_t>{2, 8, 8, 8, 3}));
  ids.clear();
  tokenizer().encode("run run run", 4, ids);
  EXPECT_EQ(ids, (std::vector<int32_t>{2, 8, 8, 3}));
  ids.clear();
  tokenizer().encode("", 2, ids);
  EXPECT_EQ(ids, (std::vector<int32_t>{2, 3}));
}

TEST(WordPiece, RefusesWhatIsNoVocabulary) {
  for (const auto& [text, named] :
       std::initializer_list<std::pair<std::string_view, std::string_view>>{
           {"", "[UNK]"},
           {"[UNK]\n[CLS]\n", "[SEP]"},
           {"[UNK]\n[CLS]\n[SEP]\nrun\nrun\n", "vocab.txt:5: 'run' occurs twice"},
       }) {
    const auto result = WordPieceTokenizer::from_vocabulary(text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().code, ErrorCode::kCorrupt);
    EXPECT_NE(result.error().message.find(named), std::string::npos) << result.error().message;
  }
}

// The oracle: one folded word, tried against every piece in the plainest way.
std::string plain_word(std::string_view word, const WordPieceTokenizer& vocabulary) {
  std::vector<std::string> parts;
  for (size_t start = 0; start < word.size();) {
    std::string best;
    for (size_t id = 0; id < vocabulary.vocabulary_size(); ++id) {
      const std::string piece(vocabulary.spelling(static_cast<int32_t>(id)));
      const std::string wanted = start == 0                ? piece
                                 : piece.starts_with("##") ? piece.substr(2)
                                                           : "";
      if (start == 0 && piece.starts_with("##")) continue;
      if (!wanted.empty() && word.substr(start).starts_with(wanted) && wanted.size() > best.size())
        best = wanted;
    }
    if (best.empty()) return "[UNK]";
    parts.push_back(start == 0 ? best : "##" + best);
    start += best.size();
  }
  return join(parts, " ");
}

TEST(WordPiece, LookUpAgreesWithTryingEveryPiece) {
  const WordPieceTokenizer vocabulary = tokenizer();
  const std::string_view syllables[] = {"un", "aff", "able", "run", "ning", "n", "a", "s", "e"};
  std::mt19937 random(7);
  for (int round = 0; round < 5000; ++round) {
    std::string word;
    for (size_t n = 1 + random() % 5; n > 0; --n)
      word += syllables[random() % std::size(syllables)];
    EXPECT_EQ(spelled(word), plain_word(word, vocabulary)) << word;
  }
}

TEST(WordPiece, AnyLimitIsAPrefix) {
  const WordPieceTokenizer vocabulary = tokenizer();
  const std::string text = "unaffable run_running, caf\u00e9 xyz \u4e2d\u6587.";
  const auto all = vocabulary.pieces(text);
  EXPECT_EQ(vocabulary.count(text), all.size());
  for (size_t limit = 0; limit <= all.size() + 1; ++limit) {
    const auto some = vocabulary.pieces(text, limit);
    EXPECT_EQ(some, std::vector<WordPiece>(all.begin(), all.begin() + std::min(limit, all.size())));
  }
}

}  // namespace
}  // namespace precedent
