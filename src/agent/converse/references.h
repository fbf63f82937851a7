// References: which incident of the conversation a follow-up means, and the question made whole.
//
//   "What was the resolution?"          the one talked about last
//   "compare it with the first"         both
//   "and the second one?"               of the list shown last; also last, latest, oldest, other
//   "and the shortest?"                 of the list shown last, by what its records say
//   "the one in March", "the night one" by when it was opened
//   "the PayU one", "the SEV1", "the one about DNS"   by what its record says
//   "back to the first one we looked at"  over the whole conversation
//   "no, I meant 006", "sorry, PayU Core, not checkout"  the question before, corrected
//   "and in March?", "april?", "what about checkout-api?"  the question before, with another time or name
//   "has this happened before?"  incidents like the one talked about
//   "what do I do now?"                what to do about it
//   "who do I call?"                   whoever owns what was talked about
//   "when did it start?", "and the errors?", "what about checkout-api?"  the system that was asked about:
//                                      what was read of it, or the same asked again
//   "next step?", "what does it say about X"   the document that the last answer was about
//   "and how long is it kept?"          nothing with an id: both questions together
//
// Rules over words and over the records of the conversation, in the order of the list in the .cc;
// each says which one decided. A question with a subject of its own is no reference.
// Thread safety: pure functions over values.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/converse/conversation.h"
#include "agent/language/question_type.h"
#include "search/self_query.h"

namespace precedent {

// What earlier calls have returned of a system in operation, where that is all that is asked: no call is made.
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

Reference resolve_reference(std::string_view question, const Conversation& conversation,
                            const ReferenceContext& context);

}  // namespace precedent
