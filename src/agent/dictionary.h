// Dictionary: which words stand for themselves, and so are none that is misspelt: those of documents and code, those of metrics'
// names, and the whole words of the embedding model's vocabulary.
//
// Thread safety: as the sources it asks. Lifetime: `services` outlives it.
#pragma once

#include "agent/copilot_services.h"
#include "agent/known_systems.h"

namespace precedent {

// True of a word, too, where documents cannot be read: nothing is repaired on a guess.
IsWord dictionary_of(const CopilotServices& services, TimePoint now);

}  // namespace precedent
