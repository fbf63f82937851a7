// Feedback over HTTP: thumbs on answers, and what becomes of them, as `precedent feedback` does it.
//
// Thread safety: as Router. Ownership: borrows its parts, which outlive the router's calls.
#pragma once

#include "base/clock.h"
#include "server/http/router.h"
#include "server/knowledge/knowledge_desk.h"
#include "server/turns/chats.h"

namespace precedent {

void add_feedback_routes(Router& router, const KnowledgeServices& knowledge, const Chats& chats,
                         const Clock& clock);

}  // namespace precedent
