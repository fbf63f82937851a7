// Sources over HTTP: how current each is, and a sync before its time (docs/sources.md).
//
// Thread safety: as Router. Ownership: borrows the desk, which outlives the router's calls.
#pragma once

#include "server/auth/caller.h"
#include "server/http/router.h"
#include "server/knowledge/source_desk.h"

namespace precedent {

// `desk` null: there are no sources. What went wrong names hosts and paths: editors alone see it.
// How many documents a source has is told to whoever may see them all.
void add_source_routes(Router& router, SourceDesk* desk, const Caller& caller);

}  // namespace precedent
