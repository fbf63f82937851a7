// Dataset versions as JSON, for the API and for `--json` (docs/datasets.md).
//
// Thread safety: pure.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "store/dataset_version.h"

namespace precedent {

nlohmann::json to_json(const DatasetVersion& version);
nlohmann::json to_json(const VersionDifference& difference);
nlohmann::json to_json(const MadeActive& made);

}  // namespace precedent
