// Uploads as clients see them (docs/server.md).
//
// Thread safety: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "server/uploads.h"

namespace precedent {

// {ready, files: […], required_missing: […], fields: […], documents: {added, changed, unchanged}}
nlohmann::json to_json(const UploadReport& report);
// {upload_id, expires_at, state, report}
nlohmann::json to_json(const UploadShown& upload);

}  // namespace precedent
