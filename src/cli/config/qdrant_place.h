// Where the index is: in the Qdrant that precedent.yaml or the environment names, or in the data
// directory.
//
// Thread safety: pure but for the file system and the environment. Errors: those of find_config and
// read_qdrant_config.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "index/qdrant_api.h"

namespace precedent {

// `config`: the file of --config; "": looked for. Nothing: no Qdrant is named.
Result<std::optional<QdrantConfig>> configured_qdrant(const std::filesystem::path& data_dir,
                                                      const std::string& config = {});
// For whoever answers: it does not wait long. Null: no Qdrant is named.
Result<std::shared_ptr<QdrantApi>> qdrant_for_answers(const std::filesystem::path& data_dir,
                                                      const std::string& config = {});
// For whoever writes or checks. Null: no Qdrant is named.
Result<std::shared_ptr<QdrantApi>> qdrant_for_writing(const std::filesystem::path& data_dir,
                                                      const std::string& config = {});

}  // namespace precedent
