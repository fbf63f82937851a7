// Changes over HTTP: a pipeline that deploys, or a flag service, says so (docs/changes.md).
//
// Thread safety: as Router. Ownership: borrows the desk, which outlives the router's calls.
#pragma once

#include "server/http/router.h"
#include "server/knowledge/knowledge_desk.h"

namespace precedent {

void add_changes_route(Router& router, KnowledgeDesk& desk);

}  // namespace precedent
