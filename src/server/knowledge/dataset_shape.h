// Dataset versions as JSON, for the API and for `--json` (docs/datasets.md), and in words.
//
// Thread safety: pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "server/knowledge/knowledge_desk.h"
#include "store/dataset_version.h"

namespace precedent {

nlohmann::json to_json(const DatasetVersion& version);
nlohmann::json to_json(const VersionDifference& difference);
nlohmann::json to_json(const MadeActive& made);
nlohmann::json to_json(const ValidatedVersion& validated);

// "activated by ana although a limit forbade it: a harbour was sold".
std::string told(const VersionActivation& activation);

}  // namespace precedent
