// What a question wants, read off its words by rule.
//
// Thread safety: pure functions over values.
#pragma once

#include "agent/understand/open_intent.h"

namespace precedent {

// `asked` is the question as the conversation completes it (agent/converse/references.h).
OpenIntent read_intent(const Reference& asked, const IntentContext& context);

}  // namespace precedent
