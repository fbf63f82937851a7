// Which tools there are. A new one joins here.
//
// Thread safety: pure functions.
#pragma once

#include "tools/tool.h"

namespace precedent {

// The tools over the knowledge base, in the order they are listed.
Toolset knowledge_tools();
// Those, and the tools that ask the systems in operation.
Toolset all_tools();
// Those of all that have something to ask.
Toolset tools_for(const LiveSources& live);

}  // namespace precedent
