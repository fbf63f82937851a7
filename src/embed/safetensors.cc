#include "embed/safetensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/foreign_json.h"

namespace precedent {
namespace {

static_assert(std::endian::native == std::endian::little,
              "tensors are used as they lie in the file");

// The format's own bound is 100 MB; 16 MB describe a hundred thousand tensors.
constexpr uint64_t kMaxHeaderBytes = 16 * 1024 * 1024;

std::optional<uint64_t> element_bytes(std::string_view dtype) {
  static constexpr std::pair<std::string_view, uint64_t> kSizes[] = {
      {"F64", 8},  {"I64", 8}, {"U64", 8}, {"F32", 4}, {"I32", 4}, {"U32", 4}, {"F16", 2},
      {"BF16", 2}, {"I16", 2}, {"U16", 2}, {"I8", 1},  {"U8", 1},  {"BOOL", 1}};
  for (const auto& [name, bytes] : kSizes) {
    if (name == dtype) return bytes;
  }
  return std::nullopt;
}

// The product of the dimensions and the element size; nothing if it exceeds 64 bits.
std::optional<uint64_t> tensor_bytes(std::span<const int64_t> shape, uint64_t element) {
  uint64_t bytes = element;
  for (const int64_t dimension : shape) {
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(dimension), &bytes))
      return std::nullopt;
  }
  return bytes;
}

std::optional<std::vector<int64_t>> read_counts(const nlohmann::json& array) {
  if (!array.is_array()) return std::nullopt;
  std::vector<int64_t> counts;
  for (const auto& item : array) {
    if (!item.is_number_integer()) return std::nullopt;
    if (item.is_number_unsigned() && item.get<uint64_t>() > INT64_MAX) return std::nullopt;
    counts.push_back(item.get<int64_t>());
    if (counts.back() < 0) return std::nullopt;
  }
  return counts;
}

// What is wrong with the entry, or the tensor.
std::expected<Tensor, std::string> read_tensor(const nlohmann::json& entry,
                                               std::span<const std::byte> data) {
  if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string() ||
      !entry.contains("shape") || !entry.contains("data_offsets")) {
    return std::unexpected("lacks dtype, shape or data_offsets");
  }
  Tensor tensor{.dtype = entry["dtype"].get<std::string>(), .shape = {}, .bytes = {}};
  const auto element = element_bytes(tensor.dtype);
  if (!element) return std::unexpected(fmt::format("has the unknown dtype '{}'", tensor.dtype));
  const auto shape = read_counts(entry["shape"]);
  if (!shape) return std::unexpected("has a shape that is no list of counts");
  tensor.shape = *shape;
  const auto offsets = read_counts(entry["data_offsets"]);
  if (!offsets || offsets->size() != 2)
    return std::unexpected("has data_offsets that are no pair of counts");
  const auto begin = static_cast<uint64_t>((*offsets)[0]),
             end = static_cast<uint64_t>((*offsets)[1]);
  if (begin > end || end > data.size()) {
    return std::unexpected(fmt::format("lies at {}–{} of {} data bytes", begin, end, data.size()));
  }
  if (tensor_bytes(tensor.shape, *element) != end - begin) {
    return std::unexpected(fmt::format("has {} bytes, which {} of {} are not", end - begin,
                                       fmt::join(tensor.shape, "×"), tensor.dtype));
  }
  tensor.bytes = data.subspan(begin, end - begin);
  return tensor;
}

// The header's length is the file's first eight bytes. REQUIRES: the file has them.
uint64_t header_bytes_of(std::span<const std::byte> file) {
  uint64_t bytes = 0;
  std::memcpy(&bytes, file.data(), sizeof bytes);
  return bytes;
}

// REQUIRES: the header lies within the file.
nlohmann::json header_of(std::span<const std::byte> file, uint64_t bytes) {
  const auto* text = reinterpret_cast<const char*>(file.data()) + sizeof bytes;
  return parse_json(std::string_view(text, bytes));
}

}  // namespace

Result<TensorTable> parse_safetensors(std::span<const std::byte> file, std::string_view origin,
                                      std::string_view remedy) {
  const auto corrupt = [&](std::string_view what) {
    return fail(ErrorCode::kCorrupt, fmt::format("{}: {}; {}", origin, what, remedy));
  };
  if (file.size() < sizeof(uint64_t)) return corrupt("too short for a safetensors file");
  const uint64_t header_bytes = header_bytes_of(file);
  if (header_bytes > std::min<uint64_t>(file.size() - sizeof header_bytes, kMaxHeaderBytes)) {
    return corrupt(
        fmt::format("a header of {} bytes does not fit a file of {}", header_bytes, file.size()));
  }
  const auto header = header_of(file, header_bytes);
  if (!header.is_object()) return corrupt("the header is not a JSON object");

  TensorTable tensors;
  const auto data = file.subspan(sizeof header_bytes + header_bytes);
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    auto tensor = read_tensor(entry, data);
    if (!tensor) return corrupt(fmt::format("tensor '{}' {}", name, tensor.error()));
    tensors.emplace(name, *std::move(tensor));
  }
  return tensors;
}

std::map<std::string, std::string, std::less<>> safetensors_metadata(
    std::span<const std::byte> file) {
  std::map<std::string, std::string, std::less<>> found;
  const auto header = header_of(file, header_bytes_of(file));
  if (!header.contains("__metadata__") || !header["__metadata__"].is_object()) return found;
  for (const auto& [name, value] : header["__metadata__"].items())
    if (value.is_string()) found.emplace(name, value.get<std::string>());
  return found;
}

Result<SafeTensors> SafeTensors::open(const std::filesystem::path& path) {
  SafeTensors result;
  result.file_ = TRY(MappedFile::open(path));
  result.origin_ = path.string();
  result.tensors_ = TRY(parse_safetensors(result.file_.bytes(), result.origin_));
  return result;
}

Result<std::span<const float>> SafeTensors::floats(std::string_view name,
                                                   std::span<const int64_t> shape) const {
  const auto found = tensors_.find(name);
  const auto corrupt = [&](std::string_view what) {
    return fail(ErrorCode::kCorrupt,
                fmt::format("{}: tensor '{}' {}, expected F32 {}; fetch the model again", origin_,
                            name, what, fmt::join(shape, "×")));
  };
  if (found == tensors_.end()) return corrupt("is missing");
  const Tensor& tensor = found->second;
  if (tensor.dtype != "F32" || !std::ranges::equal(tensor.shape, shape)) {
    return corrupt(fmt::format("is {} {}", tensor.dtype, fmt::join(tensor.shape, "×")));
  }
  if (reinterpret_cast<uintptr_t>(tensor.bytes.data()) % alignof(float) != 0)
    return corrupt("is not aligned");
  return std::span(reinterpret_cast<const float*>(tensor.bytes.data()),
                   tensor.bytes.size() / sizeof(float));
}

}  // namespace precedent
