// Understanding: the intent of a question, read with the names that only its sources know: of
// systems called in short or misspelt, of metrics, authors and flags.
//
// Thread safety: pure but for the look-ups in the sources, which may be asked by several threads.
#pragma once

#include "agent/sources/sources.h"
#include "agent/understand/open_intent.h"

namespace precedent {

OpenIntent understand(const Reference& asked, const IntentContext& context, const Sources& sources);

}  // namespace precedent
