#include "store/store_address.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

#include "base/strings.h"
#include "db/database_place.h"
#include "store/index_build.h"

namespace precedent {
namespace {

constexpr const char* kUrl = "PRECEDENT_STORE_URL";
constexpr const char* kUrlFile = "PRECEDENT_STORE_URL_FILE";
constexpr size_t kMaxUrlBytes = 4096;

Result<std::string> read_url_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kMaxUrlBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  const std::string url(trim(text));
  if (url.empty() || text.size() > kMaxUrlBytes)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: {} cannot be read, is empty or is longer than {} bytes; write one "
                            "line into it, like postgresql://user:password@host/database",
                            kUrlFile, path, kMaxUrlBytes));
  return url;
}

}  // namespace

std::string StoreAddress::place() const {
  return is_file() ? file.string() : db::database_place(url);
}

Result<void> check_store_url(const std::string& url) {
  const bool known = url.starts_with("postgresql://") || url.starts_with("postgres://") ||
                     url.find('=') != std::string::npos;
  if (known) return {};
  return fail(ErrorCode::kInvalidArgument,
              "the address of the store is none of a PostgreSQL; write it like "
              "postgresql://user@host/database");
}

Result<std::optional<std::string>> read_store_url(
    const std::function<std::optional<std::string>(const char*)>& environment) {
  auto url = environment(kUrl);
  const auto file = environment(kUrlFile);
  if (url && file)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} and {} are both set; keep one of them", kUrl, kUrlFile));
  if (file) url = TRY(read_url_file(*file));
  if (!url) return std::nullopt;
  if (auto checked = check_store_url(*url); !checked)
    return std::unexpected(std::move(checked).error().within(file ? kUrlFile : kUrl));
  return url;
}

Result<StoreAddress> store_address(const std::filesystem::path& data_dir) {
  auto url = TRY(read_store_url([](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
  }));
  return StoreAddress{store_file(data_dir), std::move(url).value_or("")};
}

}  // namespace precedent
