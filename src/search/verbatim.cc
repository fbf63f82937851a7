#include "search/verbatim.h"

#include <algorithm>

#include "base/ascii.h"

namespace precedent {
namespace {

constexpr float kEmpty = 0.25f;  // a word that says nothing by itself
constexpr float kName = 3.5f;    // the code of an error, a name that its form marks
// A run of this weight is chance ("the payment service"); one of the other is a message.
constexpr float kChance = 2;
constexpr float kWhole = 6;
// What stands in a message and differs (a path, a name) costs as much as a word that tells, and a
// little for each of its words: single words on both sides of it join to nothing.
constexpr float kGap = 1;
constexpr float kGapWord = 0.08f;

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

// "HpaReflected", "OWL-MAIL-BURST": where a name that its form marks begins at `at`, its end; else
// `at`. Words that begin in capitals and follow each other without a space, or three and more in
// capitals with hyphens; a constant of a program ("MAX_SIZE") is read word by word.
size_t marked_end(std::string_view text, size_t at) {
  if (at > 0 && (is_alnum(text[at - 1]) || text[at - 1] == '-' || text[at - 1] == '.')) return at;
  size_t end = at, humps = 0, parts = 1, in_part = 0;
  bool all_upper = true;
  for (; end < text.size() && (is_alnum(text[end]) || text[end] == '-'); ++end) {
    if (text[end] == '-') {
      if (in_part < 2) return at;
      ++parts;
      in_part = 0;
      continue;
    }
    if (is_digit(text[end])) return at;
    ++in_part;
    if (!is_upper(text[end])) all_upper = false;
    const bool next_lower =
        end + 1 < text.size() && is_letter(text[end + 1]) && !is_upper(text[end + 1]);
    if (is_upper(text[end]) && next_lower) ++humps;
  }
  if (end == at || in_part < 2) return at;
  const bool camel = parts == 1 && humps >= 2 && is_upper(text[at]);
  const bool joined = parts >= 3 && all_upper;
  return camel || joined ? end : at;
}

char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

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
    if (const size_t end = std::max(code_end(text, at), marked_end(text, at)); end > at) {
      words.push_back({std::string(text.substr(at, end - at)), kName});
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

bool Verbatim::Word::is_name() const { return weight >= kName; }

bool Verbatim::names(std::string_view text) const {
  const std::vector<Word> words = words_of(text);
  return std::ranges::any_of(words, [&](const Word& word) {
    return word.is_name() && std::ranges::find(words_, word.text, &Word::text) != words_.end();
  });
}

bool Verbatim::holds(std::string_view head) const {
  const std::vector<Word> words = words_of(head);
  float weight = 0;
  for (const Word& word : words) weight += word.weight;
  if (weight < kChance) return false;
  return !std::ranges::search(words_, words, {}, &Word::text, &Word::text).empty();
}

float Verbatim::shared(std::string_view text) const {
  const std::vector<Word> words = words_of(text);
  float best = 0;
  // Of what ends at each word of the question and at the word of the text before: the weight of a
  // run, and what is left of it within a gap. Local alignment with affine gaps (Gotoh 1982).
  struct Cell {
    float run = 0, gap = 0;
  };
  std::vector<Cell> row(words_.size() + 1), next(words_.size() + 1);
  for (const Word& word : words) {
    for (size_t i = 0; i < words_.size(); ++i) {
      Cell& cell = next[i + 1];
      const float before = std::max(row[i].run, row[i].gap);
      cell.run = words_[i].text == word.text ? before + word.weight : 0;
      cell.gap =
          std::max({0.0F, cell.run - kGap, next[i].gap - kGapWord, row[i + 1].gap - kGapWord});
      best = std::max(best, cell.run);
    }
    std::swap(row, next);
  }
  return std::clamp((best - kChance) / (kWhole - kChance), 0.0f, 1.0f);
}

}  // namespace precedent
