#include "agent/converse/held_terms.h"

#include <re2/re2.h>

#include <algorithm>

#include "agent/language/field_words.h"
#include "base/strings.h"
#include "text/analyzer.h"

namespace precedent {

namespace {

std::set<std::string> named_by_a_version() {
  const auto terms = Analyzer().terms("version release");
  return {terms.begin(), terms.end()};
}

}  // namespace

std::set<std::string> terms_of(const Incident& i) {
  std::string text;
  for (const std::string* part : {&i.title, &i.impacted_application, &i.severity, &i.status,
                                  &i.root_cause, &i.accountable_party, &i.description})
    text.append(*part).append("\n");
  text += i.action_taken + "\n" + i.mitigation + "\n";
  text += join(i.services, "\n") + "\n" + join(i.tags, "\n");
  for (const auto& [key, value] : i.extra) text += "\n" + key + "\n" + value;
  const auto terms = Analyzer().terms(text);
  std::set<std::string> held(terms.begin(), terms.end());
  // "Which version was it?": a number of that form says it without the word.
  static const RE2 kVersion("\\b\\d+\\.\\d+\\.\\d+\\b");
  if (RE2::PartialMatch(text, kVersion)) held.merge(named_by_a_version());
  return held;
}

std::set<std::string> terms_of(const Document& d) {
  std::string text = d.title + "\n" + d.body + "\n" + join(d.services, "\n") + "\n" +
                     join(d.symptoms, "\n") + "\n" + join(d.tags, "\n");
  for (const auto& [key, value] : d.attributes) text += "\n" + key + "\n" + value;
  const auto terms = Analyzer().terms(text);
  return {terms.begin(), terms.end()};
}

std::vector<std::string> words_not_held(std::string_view question,
                                        const std::set<std::string>& held) {
  std::vector<std::string> strange;
  size_t known = 0;
  for (const std::string_view word : split(question, ' ')) {
    const std::vector<std::string> own = own_terms(word);
    // "Doesn't" is no word of a record.
    if (own.empty() || word.contains("n't") || word.contains("n’t")) continue;
    const bool any =
        std::ranges::any_of(own, [&](const auto& term) { return held.contains(term); });
    if (any) {
      ++known;
      continue;
    }
    const size_t end = word.find_last_not_of("?!.,;:\"' \n");
    strange.emplace_back(word.substr(0, end + 1));
  }
  return strange.size() >= known ? strange : std::vector<std::string>{};
}

}  // namespace precedent
