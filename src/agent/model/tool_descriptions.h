// What a model is told about the tools: tools/ speaks of parameters, llm/ of descriptions, and
// neither knows the other.
//
// Thread safety: pure functions.
#pragma once

#include <vector>

#include "llm/tool_description.h"
#include "tools/tool.h"

namespace precedent {

ToolDescription describe(const ToolSpec& spec);
std::vector<ToolDescription> describe(const Toolset& tools);

}  // namespace precedent
