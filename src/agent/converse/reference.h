// Reference: what a follow-up means, and what it takes to find that out. Plain values.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/language/question_type.h"
#include "search/self_query.h"

namespace precedent {

// What earlier calls have returned of a system in operation, where that is all that is asked: no
// call is made.
enum class Recall {
  kNothing,
  kOnset,       // when it began
  kAuthor,      // the suspected deploy, its commits, and who made them
  kChanges,     // what was changed before it began
  kComparison,  // with the time before, a day or a week earlier
  kCode,        // that was changed
  kCause,       // the hypothesis
};

struct Reference {
  std::vector<std::string> ids;  // the incidents that are meant; empty: none of the conversation
  std::string question;          // what is asked, made whole; as it was said if nothing is missing
  std::string why;               // "" if the question stands alone
  std::string document = {};     // the id of the document that is meant; "": none
  bool parts_only = false;       // and nothing is asked but its next part: "and then?"
  bool advice = false;           // what to do now is asked, rather than what was done then
  std::string except = {};       // the incident beside which others are looked for; "": none
  std::string live = {};         // what systems were asked of, in words, if that is meant
  Recall recall = Recall::kNothing;
  std::string order = {};  // the verb, where it is told to do something: "roll it back"
  std::optional<QuestionType> type = {};     // where the rule knows it
  std::vector<std::string> candidates = {};  // one of these is meant, and nothing tells which
  bool is_reference() const { return !why.empty(); }
};

struct ReferenceContext {
  const Catalogue& catalogue;
  TimePoint now;
  // Whether a document of this normalised id exists.
  std::function<bool(std::string_view)> exists;
};

}  // namespace precedent
