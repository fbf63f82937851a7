// The knowledge store that is configured: PRECEDENT_STORE_URL (store/store_address.h), else
// `store.url` of config/precedent.yaml, else precedent.db in the data directory.
//
// Thread safety: pure but for the file system and the environment.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "agent/sources/knowledge_base.h"
#include "base/config_values.h"
#include "store/store_address.h"

namespace precedent {

class QdrantApi;

// `config` names the file as --config does. Errors: kInvalidArgument naming variable, file or line.
Result<StoreAddress> configured_store(const std::filesystem::path& data_dir,
                                      const std::string& config = "");

// `yaml` is the text of the file `path`. Nothing: no PostgreSQL is named. A password has no place
// in it. Errors: kInvalidArgument with path:line:key; with `all`, all of them.
Result<std::optional<std::string>> read_store_config(std::string_view yaml, std::string_view path,
                                                     ConfigProblems* all = nullptr);

// Over the store that is configured. `server`: where the index is; null: in the data directory.
Result<std::unique_ptr<KnowledgeBase>> open_knowledge(const std::filesystem::path& data_dir,
                                                      std::shared_ptr<QdrantApi> server);
// For answers, with the index that is configured.
Result<std::unique_ptr<KnowledgeBase>> open_knowledge(const std::filesystem::path& data_dir);
// The same, for what others read: without paths of this machine.
Result<std::unique_ptr<KnowledgeBase>> open_knowledge_for_others(
    const std::filesystem::path& data_dir);

}  // namespace precedent
