#include "agent/understand/system_words.h"

#include <algorithm>

namespace precedent {

std::set<std::string> system_words(const Intent& intent) {
  std::set<std::string> words = telling_words(intent.service);
  for (const Subject& subject : intent.subjects)
    if (subject.kind == SubjectKind::kEndpoint || subject.kind == SubjectKind::kService)
      words.merge(telling_words(subject.text));
  // Two letters say what kind of thing it is ("db"), which others are, too.
  constexpr size_t kTells = 3;
  const auto tells = [](const std::string& word) { return word.size() >= kTells; };
  if (std::ranges::any_of(words, tells))
    std::erase_if(words, [&](const std::string& word) { return !tells(word); });
  return words;
}

LabelSet::const_iterator naming_label(const LabelSet& labels, const std::set<std::string>& words) {
  return std::ranges::find_if(labels, [&](const auto& label) {
    const std::set<std::string> its = telling_words(label.second);
    return std::ranges::any_of(words, [&](const std::string& word) { return its.contains(word); });
  });
}

const TopSeries* own_series(const MetricsResult& metric, const std::set<std::string>& words) {
  const TopSeries* own = nullptr;
  bool others = false;
  for (const TopSeries& top : metric.top) {
    const bool named = naming_label(top.labels, words) != top.labels.end();
    if (named && own == nullptr) own = &top;
    others |= !named;
  }
  return others ? own : nullptr;
}

}  // namespace precedent
