#include "agent/frozen/same_question.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/ascii.h"
#include "base/strings.h"

namespace precedent {
namespace {

// Function words that change what is asked. The analyser drops them, since they do not tell
// documents apart. These classes of English words are closed.
constexpr auto kQuestionWords = std::to_array<std::string_view>(
    {"how", "what", "when", "where", "which", "who", "whom", "why"});
constexpr auto kDirections =
    std::to_array<std::string_view>({"by", "from", "into", "than", "to", "with"});
constexpr auto kPast = std::to_array<std::string_view>({"did", "had", "was", "were"});

struct Spoken {
  std::vector<std::string> content;    // analysed, in order
  std::vector<std::string> questions;  // sorted, each once
  std::vector<std::string> directions;
  std::vector<std::string> past;     // sorted, each once
  std::vector<std::string> opening;  // the first word, of a question without a question word
  std::vector<std::string> letters;  // "a" that is a name: no article, as no word follows
};

template <size_t N>
bool is_one_of(const std::string& word, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, word) != words.end();
}

Spoken read(std::string_view question, const Analyzer& analyzer) {
  Spoken spoken;
  for (Term& term : analyzer.analyze(question))
    if (!term.part) spoken.content.push_back(std::move(term.text));
  std::string before, word;
  const std::string lower = ascii_lower(question) + " ";
  for (size_t i = 0; i < lower.size(); ++i) {
    if (is_lower(lower[i])) {
      word += lower[i];
      continue;
    }
    if (word.empty()) continue;
    if (spoken.opening.empty()) spoken.opening.push_back(word);
    if (is_one_of(word, kQuestionWords)) spoken.questions.push_back(word);
    if (is_one_of(word, kPast)) spoken.past.push_back(word);
    // "How to fix" is "how do I fix".
    if (is_one_of(word, kDirections) && !is_one_of(before, kQuestionWords))
      spoken.directions.push_back(word);
    const size_t next = lower.find_first_not_of(' ', i);
    const bool ends = next == std::string::npos || std::string_view(".,;:?!").contains(lower[next]);
    if (word == "a" && ends) spoken.letters.push_back(word);
    before = std::exchange(word, {});
  }
  for (auto* words : {&spoken.questions, &spoken.past}) {
    std::ranges::sort(*words);
    const auto again = std::ranges::unique(*words);
    words->erase(again.begin(), again.end());
  }
  if (!spoken.questions.empty()) spoken.opening.clear();
  return spoken;
}

bool are_synonyms(const std::string& a, const std::string& b, const Synonyms& synonyms) {
  const auto leads_to = [&](const std::string& from, const std::string& to) {
    const auto found = synonyms.expand({from});
    return std::ranges::find(found, to, &Synonyms::Expansion::term) != found.end();
  };
  return leads_to(a, b) && leads_to(b, a);
}

// The first place at which one has another word than the other; "" if there is none.
template <typename Same>
std::string first_difference(const std::vector<std::string>& a, const std::vector<std::string>& b,
                             Same same) {
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    if (i < a.size() && i < b.size() && same(a[i], b[i])) continue;
    if (i >= a.size()) return fmt::format("'{}'", b[i]);
    if (i >= b.size()) return fmt::format("'{}'", a[i]);
    return fmt::format("'{}' and '{}'", a[i], b[i]);
  }
  return "";
}

}  // namespace

std::string difference_of(std::string_view a, std::string_view b, const Analyzer& analyzer,
                          const Synonyms& synonyms) {
  const Spoken x = read(a, analyzer), y = read(b, analyzer);
  const auto same_term = [&](const std::string& one, const std::string& other) {
    return one == other || are_synonyms(one, other, synonyms);
  };
  if (std::string found = first_difference(x.content, y.content, same_term); !found.empty())
    return found;
  for (const auto list :
       {&Spoken::questions, &Spoken::opening, &Spoken::past, &Spoken::letters, &Spoken::directions})
    if (std::string found = first_difference(x.*list, y.*list, std::equal_to<>()); !found.empty())
      return found;
  return "";
}

}  // namespace precedent
