// What is known, over HTTP: documents listed, shown, searched and removed (docs/server.md).
//
// Thread safety: as Router. Ownership: borrows its parts, which outlive the router's calls.
#pragma once

#include "base/clock.h"
#include "server/http/router.h"
#include "server/knowledge/knowledge_desk.h"

namespace precedent {

void add_knowledge_routes(Router& router, const KnowledgeServices& knowledge, const Clock& clock);

}  // namespace precedent
