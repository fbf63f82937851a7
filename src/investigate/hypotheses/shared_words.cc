#include "investigate/hypotheses/shared_words.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/strings.h"
#include "investigate/symptoms/words.h"

namespace precedent {
namespace {

constexpr size_t kLeastWord = 3;
// Half of a full score: two words that no other commit edits.
constexpr double kHalf = 2;

// Units stand in the names of metrics and in any code.
bool is_unit(std::string_view word) {
  constexpr std::array<std::string_view, 10> kUnits = {"second",  "seconds", "minute", "minutes",
                                                       "total",   "ratio",   "count",  "bytes",
                                                       "percent", "per"};
  return std::ranges::find(kUnits, word) != kUnits.end();
}

std::set<std::string> words_of(std::string_view text) {
  std::set<std::string> out;
  for (std::string& part : parts_of(text))
    if (part.size() >= kLeastWord && !is_unit(part) &&
        part.find_first_not_of("0123456789") != std::string::npos)
      out.insert(std::move(part));
  for (const std::string_view whole : identifiers_of(text))
    if (whole.size() >= 2 * kLeastWord &&
        whole.find_first_not_of("0123456789") != std::string_view::npos)
      out.insert(ascii_lower(whole));
  return out;
}

}  // namespace

std::string edited_text(const ChangeCandidate& candidate) {
  std::string out = changed_text(candidate.hunks, '+') + changed_text(candidate.hunks, '-');
  for (const Hunk& hunk : candidate.hunks) out += hunk.file + '\n';
  return out;
}

SharedWords::SharedWords(const CaseFile& evidence) {
  for (size_t i = 0; i < evidence.changes.candidates.size(); ++i) {
    const ChangeCandidate& candidate = evidence.changes.candidates[i];
    if (!candidate.has_diff) continue;
    ++count_;
    for (const std::string& word : words_of(edited_text(candidate))) commits_[word].insert(i);
  }
  std::set<std::string> calm;
  for (const LogTemplate& made : evidence.logs)
    if (!made.fresh && !made.bad()) calm.merge(words_of(made.detail));
  for (const std::string& service : evidence.graph.services()) calm.merge(words_of(service));
  const auto say = [&](std::string_view text) {
    for (const std::string& word : words_of(text))
      if (!calm.contains(word)) said_.insert(word);
  };
  for (const LogTemplate& made : evidence.logs)
    if (made.bad() && (made.fresh || made.grown)) say(made.detail);
  for (const MetricFinding& finding : evidence.metrics.findings)
    if (finding.worse) say(finding.metric);
  for (const TraceSpan& span : evidence.traces.spans)
    if (span.failed) say(span.name + ' ' + span.error);
  for (const std::string& text : evidence.brief.symptoms) say(text);
}

SharedWords::Overlap SharedWords::with(std::string_view changed) const {
  Overlap out;
  std::vector<std::pair<double, std::string>> found;
  double sum = 0;
  for (const std::string& word : words_of(changed)) {
    if (!said_.contains(word)) continue;
    const auto commits = commits_.find(word);
    const double frequency =
        commits == commits_.end() ? 1 : static_cast<double>(commits->second.size());
    // Of the inverse document frequency that a word of one commit has.
    const double all = std::log(static_cast<double>(count_) + 1);
    const double rarity = all > 0 ? std::max(0.0, 1 - std::log(frequency) / all) : 1;
    sum += rarity;
    found.emplace_back(rarity, word);
  }
  std::ranges::sort(found, std::greater<>());
  for (const auto& [rarity, word] : found) out.words.push_back(word);
  out.score = sum / (sum + kHalf);
  out.rarest = found.empty() ? 0 : found.front().first;
  return out;
}

}  // namespace precedent
