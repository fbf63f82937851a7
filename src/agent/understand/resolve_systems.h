// What only sources know of the systems in a question: which service is meant, and when its last
// deploy was.
//
// Thread safety: pure but for the look-ups in the sources.
#pragma once

#include "agent/sources/sources.h"
#include "agent/understand/intent.h"

namespace precedent {

// Fills Intent::service and the deploy of Intent::deploy; says in its cues by what they are known.
void resolve_systems(Intent& intent, const Sources& sources);

}  // namespace precedent
