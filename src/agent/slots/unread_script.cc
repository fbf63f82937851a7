#include "agent/slots/unread_script.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include "agent/slots/subjects.h"
#include "base/strings.h"

namespace precedent {

bool is_unread_script(std::string_view question) {
  static const RE2 kWord("(\\S+)"), kLetter("\\pL");
  // Letters that are neither Latin nor of no script, such as the sign of micro.
  static const RE2 kForeign("[^\\PL\\p{Latin}\\p{Common}]");
  size_t words = 0, foreign = 0;
  re2::StringPiece rest(question.data(), question.size());
  for (re2::StringPiece word; RE2::FindAndConsume(&rest, kWord, &word);) {
    words += RE2::PartialMatch(word, kLetter) ? 1 : 0;
    foreign += RE2::PartialMatch(word, kForeign) ? 1 : 0;
  }
  return foreign > 0 && 2 * foreign >= words;
}

std::vector<std::string> things_named(std::string_view question, const Catalogue& catalogue,
                                      TimePoint now) {
  const SelfQuery query = read_self_query(question, catalogue, now);
  std::vector<std::string> names;
  for (const Subject& subject : find_subjects(question, query.ids, query.names, {})) {
    switch (subject.kind) {
      case SubjectKind::kIncident:
      case SubjectKind::kEndpoint:
      case SubjectKind::kService:
      case SubjectKind::kApplication:
      case SubjectKind::kFile:
      case SubjectKind::kSymbol: names.push_back(subject.text); break;
      default: break;
    }
  }
  return names;
}

std::string unread_script_note(const std::vector<std::string>& names) {
  const std::string note =
      "This question is in a script that cannot be read without a model (docs/models.md).";
  return names.empty()
             ? note + " Ask in English, or configure a model."
             : fmt::format("{} Only the names in it were read: {}.", note, join(names, ", "));
}

}  // namespace precedent
