#include "text/code_analyzer.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/token_parts.h"
#include "text/words.h"

namespace precedent {
namespace {

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
bool is_identifier(char c) { return is_alnum(c) || c == '_'; }

// Whether a new word starts at i: maxSize, HTTPHeader, utf8; not inside HTTP.
bool starts_word(std::string_view text, size_t i) {
  const char before = text[i - 1], here = text[i];
  if (is_digit(before) != is_digit(here)) return true;
  if (!is_upper(here)) return false;
  if (!is_upper(before)) return true;
  if (i + 1 == text.size() || !is_lower(text[i + 1])) return false;
  // "URLs" is one word, "HTTPServer" two.
  const bool plural = text[i + 1] == 's' && (i + 2 == text.size() || !is_lower(text[i + 2]));
  return !plural;
}

class Run {
 public:
  Run(std::string_view text, std::vector<Term>& out)
      : text_(text), out_(out), stemmer_(thread_stemmer()) {}

  void run() {
    while (pos_ < text_.size()) {
      const char c = text_[pos_];
      if (!is_ascii(c)) {
        foreign(pos_);
      } else if (c == '\\' && pos_ + 1 < text_.size() && is_letter(text_[pos_ + 1])) {
        pos_ += 2;
      } else if (is_alnum(c) || c == '_') {
        token();
      } else {
        ++pos_;
      }
    }
  }

 private:
  // A stretch of words that holds characters beyond ASCII, as prose.
  void foreign(size_t begin) {
    while (pos_ < text_.size() && (!is_ascii(text_[pos_]) || is_letter(text_[pos_]))) ++pos_;
    for (Term& term : Analyzer().analyze(text_.substr(begin, pos_ - begin))) {
      term.begin += static_cast<uint32_t>(begin);
      term.end += static_cast<uint32_t>(begin);
      out_.push_back(std::move(term));
    }
  }

  void token() {
    const size_t begin = pos_;
    while (pos_ < text_.size() && (is_identifier(text_[pos_]) || joins(pos_))) ++pos_;
    if (pos_ < text_.size() && !is_ascii(text_[pos_])) return foreign(begin);
    const std::string_view token = text_.substr(begin, pos_ - begin);
    if (contraction(token)) return;
    const std::vector<WordSpan> words = identifier_words(token);
    // A lone letter is a loop's counter.
    const size_t said = letters_and_digits(token);
    if (said > 1 && (words.size() != 1 || words[0].end - words[0].begin < said))
      emit(token, begin, false);
    for (const WordSpan& word : words) {
      emit(token.substr(word.begin, word.end - word.begin), begin + word.begin,
           words.size() > 1 || said > word.end - word.begin);
    }
  }

  // A hyphen between two letters: dry-run, on-event; a subtraction is written apart or with digits.
  bool joins(size_t i) const {
    return text_[i] == '-' && i > 0 && i + 1 < text_.size() && is_letter(text_[i - 1]) &&
           is_letter(text_[i + 1]);
  }

  static size_t letters_and_digits(std::string_view token) {
    return static_cast<size_t>(std::ranges::count_if(token, is_alnum));
  }

  // The end of "it's" is dropped, "doesn't" altogether.
  bool contraction(std::string_view token) {
    if (pos_ + 1 >= text_.size() || text_[pos_] != '\'') return false;
    size_t end = pos_ + 1;
    while (end < text_.size() && is_letter(text_[end])) ++end;
    const std::string_view ending = text_.substr(pos_ + 1, end - pos_ - 1);
    constexpr std::array<std::string_view, 6> kEndings = {"s", "re", "ve", "ll", "d", "m"};
    const bool negation = ending == "t" && token.ends_with('n');
    if (negation || std::ranges::find(kEndings, ending) != kEndings.end()) pos_ = end;
    return negation;
  }

  // Joined, folded; letters alone are also stopped (as words) and stemmed.
  void emit(std::string_view word, size_t begin, bool part) {
    term_.clear();
    bool letters = true;
    for (const char c : word) {
      if (c == '_' || c == '-') continue;
      if (term_.size() == kMaxTermBytes) break;
      letters = letters && is_letter(c);
      term_ += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
    }
    if (term_.empty()) return;
    if (letters) {
      if (term_.size() == word.size() && is_stop_word(term_)) return;
      stemmer_.stem(term_);
    }
    out_.push_back(
        {term_, static_cast<uint32_t>(begin), static_cast<uint32_t>(begin + word.size()), part});
  }

  std::string_view text_;
  std::vector<Term>& out_;
  Stemmer& stemmer_;
  size_t pos_ = 0;
  std::string term_;
};

}  // namespace

std::vector<WordSpan> identifier_words(std::string_view identifier) {
  // A longer run is generated or encoded; its beginning says what there is to say.
  constexpr size_t kMaxWords = 16;
  std::vector<WordSpan> words;
  for (size_t i = 0; i < identifier.size() && words.size() < kMaxWords;) {
    if (identifier[i] == '_' || identifier[i] == '-') {
      ++i;
      continue;
    }
    size_t end = i + 1;
    while (end < identifier.size() && identifier[end] != '_' && identifier[end] != '-' &&
           !starts_word(identifier, end))
      ++end;
    if (end - i > 1 || is_digit(identifier[i]))
      words.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(end)});
    i = end;
  }
  return words;
}

std::vector<Term> CodeAnalyzer::analyze(std::string_view text) const {
  std::vector<Term> out;
  out.reserve(text.size() / 5);
  Run(text, out).run();
  return out;
}

std::vector<std::string> CodeAnalyzer::terms(std::string_view text) const {
  return texts_of(analyze(text));
}

}  // namespace precedent
