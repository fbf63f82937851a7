#include "search/verbatim.h"

#include <algorithm>

#include "base/ascii.h"

namespace precedent {
namespace {

constexpr float kEmpty = 0.25f;  // a word that says nothing by itself
constexpr float kCode = 3.5f;    // the code of an error
// A run of this weight is chance ("the payment service"); one of the other is a message.
constexpr float kChance = 2;
constexpr float kWhole = 6;

// "TS-503", "ORA-01555": where a code begins at `at`, its end; else `at`. "INC-2025-01-20" is none.
size_t code_end(std::string_view text, size_t at) {
  constexpr size_t kFewestLetters = 2, kMostLetters = 8, kMostDigits = 6;
  if (at > 0 && (is_alnum(text[at - 1]) || text[at - 1] == '-')) return at;
  size_t end = at;
  while (end < text.size() && is_upper(text[end])) ++end;
  const size_t letters = end - at;
  if (letters < kFewestLetters || letters > kMostLetters || end >= text.size() || text[end] != '-')
    return at;
  const size_t digits = ++end;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end == digits || end - digits > kMostDigits) return at;
  const bool goes_on = end < text.size() && (is_alnum(text[end]) || text[end] == '-');
  return goes_on ? at : end;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

Verbatim::Verbatim(std::string_view question, const Analyzer& analyzer) : analyzer_(&analyzer) {
  words_ = words_of(question);
}

std::vector<Verbatim::Word> Verbatim::words_of(std::string_view text) const {
  std::vector<Word> words;
  size_t at = 0;
  while (at < text.size() && words.size() < kMaxWords) {
    std::string word;
    bool digits = false;
    if (const size_t end = code_end(text, at); end > at) {
      words.push_back({std::string(text.substr(at, end - at)), kCode});
      at = end;
      continue;
    }
    // Bytes above ASCII are letters of some script.
    for (; at < text.size() && (is_alnum(text[at]) || static_cast<unsigned char>(text[at]) >= 0x80);
         ++at) {
      digits = digits || is_digit(text[at]);
      word += lower(text[at]);
    }
    ++at;
    if (word.empty()) continue;
    if (digits) {
      // "10.0.0.7" and "3000" are each one number.
      if (words.empty() || words.back().text != "#") words.push_back({"#", kEmpty});
      continue;
    }
    const bool tells = word.size() > 2 && !analyzer_->terms(word).empty();
    words.push_back({std::move(word), tells ? 1 : kEmpty});
  }
  return words;
}

float Verbatim::shared(std::string_view text) const {
  const std::vector<Word> words = words_of(text);
  float best = 0;
  // The weight of the run that ends at each word of the question and the one of the text before.
  std::vector<float> run(words_.size() + 1, 0), next(words_.size() + 1, 0);
  for (const Word& word : words) {
    for (size_t i = 0; i < words_.size(); ++i) {
      next[i + 1] = words_[i].text == word.text ? run[i] + word.weight : 0;
      best = std::max(best, next[i + 1]);
    }
    std::swap(run, next);
  }
  return std::clamp((best - kChance) / (kWhole - kChance), 0.0f, 1.0f);
}

}  // namespace precedent
