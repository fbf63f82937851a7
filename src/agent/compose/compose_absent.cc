#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "agent/compose/compose_parts.h"
#include "agent/language/fixed_phrases.h"
#include "base/ids.h"
#include "base/strings.h"

namespace precedent {
namespace {

// The one system that is named; "" if there is none, or there are several.
std::string asked_system(const Intent& intent) {
  std::string name;
  for (const Subject& subject : intent.subjects) {
    if (subject.kind != SubjectKind::kService && subject.kind != SubjectKind::kApplication)
      continue;
    if (!name.empty() && name_key(name) != name_key(subject.text)) return "";
    name = subject.text;
  }
  return name;
}

void not_recorded(Answer& answer, Writer& out, const std::string& what) {
  out.missing(fmt::format("{}: {} is not recorded.", kUnansweredNote, what));
  out.note(answer.missing.back());
}

}  // namespace

bool compose_absent(Answer& answer, Writer& out, const std::vector<Evidence>& evidence) {
  const Intent& intent = answer.intent;
  const std::string system = asked_system(intent);
  if (system.empty() || intent.follow_up || intent.questions.size() > 1) return false;
  if (intent.qualifiers.only_objective) {
    Asks asks;
    asks.objective = true;
    const auto is_one = [&](const Evidence& e) { return form_fit(asks, e) > 0; };
    if (std::ranges::any_of(evidence, is_one)) return false;
    not_recorded(answer, out, "a service level objective of " + system);
    return true;
  }
  if (!intent.qualifiers.dependants) return false;
  // A dependency is told in a design document, or in so many words.
  static const RE2 kLeans("(?i)\\b(?:depend\\w*|rel(?:y|ies) on|needs?|calls?|uses?)\\b");
  std::vector<Evidence> telling;
  std::ranges::copy_if(evidence, std::back_inserter(telling), [&](const Evidence& e) {
    const bool named = (" " + name_key(e.quote) + " ").contains(" " + name_key(system) + " ");
    const bool design = e.kind == Kind::kArchitecture || e.kind == Kind::kAdr;
    return named && (design || RE2::PartialMatch(e.quote, kLeans));
  });
  if (!quote_best(out, telling, kMaxQuotes)) not_recorded(answer, out, "what depends on " + system);
  return true;
}

}  // namespace precedent
