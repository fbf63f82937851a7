// Dictionary: which words stand for themselves, and so are none that is misspelt: those of
// documents and code, those of metrics' names, and the whole words of the embedding model's
// vocabulary.
//
// Thread safety: as the sources it asks. Lifetime: what `sources` names outlives it.
#pragma once

#include "agent/sources/known_systems.h"
#include "agent/sources/sources.h"

namespace precedent {

// True of a word, too, where documents cannot be read: nothing is repaired on a guess.
IsWord dictionary_of(const Sources& sources, TimePoint now);

}  // namespace precedent
