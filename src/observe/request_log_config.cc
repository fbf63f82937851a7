#include "observe/request_log_config.h"

#include "base/strings.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKeys[] = {"requests"};
constexpr std::string_view kOff = "off";

}  // namespace

Result<fs::path> read_request_log(std::string_view yaml, std::string_view path,
                                  const std::optional<std::string>& variable,
                                  const fs::path& otherwise, ConfigProblems* all) {
  const ConfigSection root(TRY(parse_yaml(yaml, path)), path, "", all);
  std::string said;
  if (root.has("log")) {
    const ConfigSection section = root.section("log");
    TRY(section.check(kKeys));
    TRY(section.read("requests", said));
  }
  if (variable) return iequals(trim(*variable), kOff) ? fs::path() : fs::path(trim(*variable));
  if (said.empty()) return otherwise;
  return iequals(said, kOff) ? fs::path() : fs::path(path).parent_path() / said;
}

}  // namespace precedent
