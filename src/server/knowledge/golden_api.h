// Golden examples over HTTP: what `precedent golden` can do, by the same rules.
//
// Thread safety: as Router. Ownership: borrows its parts, which outlive the router's calls.
#pragma once

#include "server/http/router.h"
#include "server/knowledge/knowledge_desk.h"

namespace precedent {

void add_golden_routes(Router& router, const KnowledgeServices& knowledge);

}  // namespace precedent
