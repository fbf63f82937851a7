// Changes over HTTP: a pipeline that deploys, or a flag service, says so (docs/changes.md).
//
// Thread safety: as Router. Ownership: borrows the desk, which outlives the router's calls.
#pragma once

#include "server/knowledge_desk.h"
#include "server/router.h"

namespace precedent {

void add_changes_route(Router& router, KnowledgeDesk& desk);

}  // namespace precedent
