// Dataset versions over HTTP: what `precedent dataset` can do, by the same rules; the files of a
// version come from an upload.
//
// Thread safety: as Router. Ownership: borrows its parts, which outlive the router's calls.
#pragma once

#include "server/http/router.h"
#include "server/knowledge/knowledge_desk.h"
#include "server/knowledge/uploads.h"
#include "server/turns/turns.h"

namespace precedent {

// `turns` run what is watched while it happens.
void add_dataset_routes(Router& router, const KnowledgeServices& knowledge, Uploads& uploads,
                        Turns& turns);

}  // namespace precedent
