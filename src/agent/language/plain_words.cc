#include "agent/language/plain_words.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/characters.h"
#include "text/words.h"

namespace precedent {
namespace {

constexpr std::string_view kSentenceEnd = "|";

PlainWords from_words(std::vector<std::string> words) {
  PlainWords plain{std::move(words), {}};
  for (const std::string& word : plain.words) {
    if (!plain.text.empty()) plain.text += ' ';
    plain.text += word;
  }
  return plain;
}

// Whether the mark at `pos` ends a sentence: a line break, or . ! ? ; before white space or the
// end. Dots in a row only pause.
bool ends_sentence(std::string_view text, size_t pos) {
  if (text[pos] == '\n') return true;
  if (pos > 0 && text[pos] == '.' && text[pos - 1] == '.') return false;
  if (text[pos] != '.' && text[pos] != '!' && text[pos] != '?' && text[pos] != ';') return false;
  return pos + 1 == text.size() || text[pos + 1] == ' ' || text[pos + 1] == '\n';
}

char letter_for(char digit) {
  switch (digit) {
    case '0': return 'o';
    case '1': return 'i';
    case '3': return 'e';
    case '4': return 'a';
    case '5': return 's';
    case '7': return 't';
    default: return digit;
  }
}

}  // namespace

PlainWords plain_words(std::string_view text) {
  NormalText normal;
  normalize(text, 0, normal);
  std::string folded = std::move(normal.text);
  fold_case(folded);
  std::vector<std::string> words;
  std::string word;
  const auto finish = [&] {
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  };
  for (size_t at = 0; at < folded.size();) {
    const CodePoint point = code_point_at(folded, at);
    const CharClass kind = char_class(point.value);
    if (is_word(kind)) {
      word += folded.substr(at, point.bytes);
    } else if (kind == CharClass::kIdeograph) {
      finish();
      words.emplace_back(folded.substr(at, point.bytes));
    } else if (kind != CharClass::kApostrophe && kind != CharClass::kInvisible) {
      finish();
      if (ends_sentence(folded, at) && !words.empty() && words.back() != kSentenceEnd)
        words.emplace_back(kSentenceEnd);
    }
    at += point.bytes;
  }
  finish();
  if (!words.empty() && words.back() == kSentenceEnd) words.pop_back();
  return from_words(std::move(words));
}

PlainWords undisguised(const PlainWords& plain) {
  std::vector<std::string> words = plain.words;
  for (std::string& word : words) {
    const bool letter = std::ranges::any_of(word, is_lower);
    if (letter) std::ranges::transform(word, word.begin(), letter_for);
  }
  return from_words(std::move(words));
}

bool PhraseSet::add(std::string_view phrase) {
  std::vector<std::string> words = plain_words(phrase).words;
  std::erase(words, kSentenceEnd);
  if (words.empty()) return false;
  std::string first = words.front();
  by_first_word_.emplace(std::move(first), Phrase{std::move(words), std::string(phrase)});
  return true;
}

std::vector<PhraseSet::Match> PhraseSet::find(const PlainWords& text) const {
  const std::vector<std::string>& words = text.words;
  std::vector<Match> found;
  for (size_t at = 0; at < words.size();) {
    const Phrase* longest = nullptr;
    const auto [begin, end] = by_first_word_.equal_range(words[at]);
    for (auto it = begin; it != end; ++it) {
      const Phrase& phrase = it->second;
      if (longest != nullptr && phrase.words.size() <= longest->words.size()) continue;
      if (phrase.words.size() <= words.size() - at &&
          std::equal(phrase.words.begin(), phrase.words.end(),
                     words.begin() + static_cast<std::ptrdiff_t>(at)))
        longest = &phrase;
    }
    if (longest != nullptr) found.push_back({longest->as_written, at, at + longest->words.size()});
    at += longest == nullptr ? 1 : longest->words.size();
  }
  return found;
}

}  // namespace precedent
