#include "cli/tools_config.h"

#include <cstdlib>

#include "changes/changes_config.h"
#include "files/files.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

// Templates and sources of a few environments.
constexpr size_t kMaxConfigBytes = 1 << 20;

}  // namespace

Result<ConfigFile> find_tools_config(const std::string& named, const fs::path& data_dir) {
  const char* environment = std::getenv("PRECEDENT_TOOLS");
  std::string path = !named.empty() ? named : environment != nullptr ? environment : "";
  if (path.empty()) {
    std::error_code ignored;
    for (const fs::path& place : {fs::path("config/tools.yaml"), data_dir / "tools.yaml"}) {
      if (!fs::is_regular_file(place, ignored)) continue;
      path = place.string();
      break;
    }
  }
  if (path.empty()) return ConfigFile{};
  return ConfigFile{path, TRY(read_file(path, kMaxConfigBytes))};
}

Result<std::unique_ptr<ChangeSource>> configured_changes(const ConfigFile& file) {
  return open_changes(TRY(read_changes_config(file.text, file.path)));
}

}  // namespace precedent
