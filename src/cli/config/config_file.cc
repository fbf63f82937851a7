#include "cli/config/config_file.h"

#include <cstdlib>

#include "files/files.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

// A configuration is a few pages of text.
constexpr size_t kMaxConfigBytes = 1 << 20;

}  // namespace

Result<ConfigFile> find_config_file(std::string_view file, const char* variable,
                                    const std::string& named, const fs::path& data_dir) {
  const char* environment = std::getenv(variable);
  std::string path = !named.empty() ? named : environment != nullptr ? environment : "";
  if (path.empty()) {
    std::error_code ignored;
    for (const fs::path& place : {fs::path("config") / file, data_dir / file}) {
      if (!fs::is_regular_file(place, ignored)) continue;
      path = place.string();
      break;
    }
  }
  if (path.empty()) return ConfigFile{};
  auto text = read_file(path, kMaxConfigBytes);
  // What somebody named must be there.
  if (!text && !named.empty()) return fail(ErrorCode::kInvalidArgument, text.error().text());
  if (!text) return std::unexpected(text.error());
  return ConfigFile{path, std::move(*text)};
}

}  // namespace precedent
