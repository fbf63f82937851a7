// Uploads over HTTP: files in, a report of how they would be read, then their ingest as a stream of
// events (docs/server.md).
//
// Thread safety: as Router. Ownership: borrows its parts, which outlive the router's calls.
#pragma once

#include "server/http/router.h"
#include "server/knowledge/uploads.h"

namespace precedent {

void add_upload_routes(Router& router, Uploads& uploads);

}  // namespace precedent
