#include "cli/config/qdrant_place.h"

#include "cli/config/config_file.h"

namespace precedent {

Result<std::optional<QdrantConfig>> configured_qdrant(const std::filesystem::path& data_dir,
                                                      const std::string& config) {
  const ConfigFile file =
      TRY(find_config_file("precedent.yaml", "PRECEDENT_CONFIG", config, data_dir));
  return read_qdrant_config(file.text, file.path, qdrant_environment);
}

Result<std::shared_ptr<QdrantApi>> qdrant_for_answers(const std::filesystem::path& data_dir,
                                                      const std::string& config) {
  auto found = TRY(configured_qdrant(data_dir, config));
  return found ? QdrantApi::open(impatient(std::move(*found))) : nullptr;
}

Result<std::shared_ptr<QdrantApi>> qdrant_for_writing(const std::filesystem::path& data_dir,
                                                      const std::string& config) {
  auto found = TRY(configured_qdrant(data_dir, config));
  return found ? QdrantApi::open(std::move(*found)) : nullptr;
}

}  // namespace precedent
