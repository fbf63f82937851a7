#include "agent/language/operator_file.h"

#include "files/files.h"

namespace precedent {
namespace {

// Rules and sentences: a few pages.
constexpr size_t kMaxBytes = 1 << 20;

}  // namespace

Result<OperatorFile> read_operator_file(const std::filesystem::path& data_dir,
                                        std::string_view name, std::string_view built_in) {
  const std::filesystem::path file = data_dir / name;
  std::error_code ignored;
  const auto status = std::filesystem::status(file, ignored);
  if (status.type() == std::filesystem::file_type::not_found)
    return OperatorFile{std::string(built_in), "config/" + std::string(name)};
  return OperatorFile{TRY(read_file(file, kMaxBytes)), file.string()};
}

}  // namespace precedent
