// The type of a question, decided by rule from what was read off it.
//
// Thread safety: pure functions over values.
#pragma once

#include "agent/understand/open_intent.h"

namespace precedent {

// REQUIRES: everything of `intent` is set but its type, documents, applications, lists_only and
// confidence, which this sets; the cue that decided is added.
void decide_type(OpenIntent& intent, const SelfQuery& read, const IntentContext& context);

// Another reader's opinion, as far as the question gives what such a question is answered with;
// else it is only noted (Intent::after).
void take_type(Intent& intent, QuestionType type);

}  // namespace precedent
