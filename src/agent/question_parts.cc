#include "agent/question_parts.h"

#include <re2/re2.h>

#include <algorithm>

#include "agent/field_words.h"

namespace precedent {
namespace {

// More are a list that somebody pasted; one search finds what is common to them.
constexpr size_t kMostParts = 4;

bool is_live(QuestionType type) {
  return type == QuestionType::kDebugIncident || type == QuestionType::kExplainCode;
}

// Whether it stands alone: it names something, and nothing that only the sentence before says.
bool stands_alone(const Intent& part) {
  static const RE2 kLeans(
      "(?i)\\b(?:it|its|it['’]s|they|them|their|that|this|those|these|there|he|she)\\b");
  // "Who was accountable" names a field of what was named before.
  return !part.subjects.empty() && !own_terms(part.question).empty() &&
         !RE2::PartialMatch(part.question, kLeans);
}

bool shares_a_subject(const Intent& a, const Intent& b) {
  return std::ranges::any_of(a.subjects, [&](const Subject& subject) {
    return std::ranges::find(b.subjects, subject) != b.subjects.end();
  });
}

}  // namespace

std::vector<Intent> read_parts(const Intent& whole, const IntentContext& context) {
  const bool one = whole.follow_up || whole.questions.size() < 2 ||
                   whole.questions.size() > kMostParts || is_live(whole.type) ||
                   !whole.documents.kinds.empty() || whole.signals.changes || whole.signals.firing;
  if (one) return {};
  std::vector<Intent> parts;
  for (const std::string& question : whole.questions) {
    Intent part = read_intent({{}, question, ""}, context);
    if (is_live(part.type)) return {};
    const bool leans =
        !parts.empty() && (!stands_alone(part) || shares_a_subject(part, parts.back()));
    if (leans) {
      parts.back() = read_intent({{}, parts.back().question + "\n" + question, ""}, context);
      continue;
    }
    if (parts.empty() && part.subjects.empty()) return {};
    parts.push_back(std::move(part));
  }
  if (parts.size() < 2) parts.clear();
  return parts;
}

}  // namespace precedent
