// The report of an upload as clients see it (docs/server.md).
//
// Thread safety: pure function.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "server/knowledge/knowledge_desk.h"

namespace precedent {

// {ready, files: […], required_missing: […], fields: […], documents: {added, changed, unchanged}}
nlohmann::json to_json(const UploadReport& report);

}  // namespace precedent
