// Feedback over HTTP: thumbs on answers, and what becomes of them, as `precedent feedback` does it.
//
// Thread safety: as Router. Ownership: borrows its parts, which outlive the router's calls.
#pragma once

#include "base/clock.h"
#include "server/chats.h"
#include "server/knowledge_desk.h"
#include "server/router.h"

namespace precedent {

void add_feedback_routes(Router& router, const KnowledgeServices& knowledge, const Chats& chats,
                         const Clock& clock);

}  // namespace precedent
