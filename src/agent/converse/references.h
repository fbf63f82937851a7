// References: which incident of the conversation a follow-up means, and the question made whole.
//
//   "What was the resolution?"      the one talked about last
//   "compare it with the first"     both
//   "and the second one?"           of the list shown last; also last, latest, oldest, other
//   "and the shortest?"             of the list shown last, by what its records say
//   "the one in March"              by when it was opened
//   "the PayU one", "the SEV1"      by what its record says
//   "back to the first one"         over the whole conversation
//   "no, I meant 006"               the question before, corrected
//   "and in March?", "april?"       the question before, with another time or name
//   "has this happened before?"     incidents like the one talked about
//   "what do I do now?"             what to do about it
//   "who do I call?"                whoever owns what was talked about
//   "when did it start?"            the system that was asked about: what was read of it
//   "and the errors?"               the same system asked again
//   "next step?"                    the document that the last answer was about
//   "and how long is it kept?"      nothing with an id: both questions together
//
// Rules over words and over the records of the conversation, in the order of the list in the .cc;
// each says which one decided. A question with a subject of its own is no reference.
// Thread safety: pure functions over values.
#pragma once

#include <string_view>

#include "agent/converse/conversation.h"
#include "agent/converse/reference.h"

namespace precedent {

Reference resolve_reference(std::string_view question, const Conversation& conversation,
                            const ReferenceContext& context);

}  // namespace precedent
