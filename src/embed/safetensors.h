// A .safetensors file, memory-mapped: named tensors whose numbers are used where they lie.
//
// Format: github.com/huggingface/safetensors: 8 bytes little-endian header length, a JSON header
// {name: {dtype, shape, data_offsets: [begin, end)}} with offsets counted from the end of the
// header, then the data. Every name, shape and offset is checked when the file is opened;
// afterwards nothing can reach outside the mapping.
//
// Thread safety: reading is safe from any thread. Lifetime: tensors live as long as the file object
// they came from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "files/files.h"

namespace precedent {

struct Tensor {
  std::string dtype;  // "F32", "F16", "I64", …
  std::vector<int64_t> shape;
  std::span<const std::byte> bytes;
};

using TensorTable = std::map<std::string, Tensor, std::less<>>;

// The tensors in `file`, which they borrow. Errors: kCorrupt, naming `origin`, the tensor, what is
// wrong and `remedy`.
Result<TensorTable> parse_safetensors(std::span<const std::byte> file, std::string_view origin,
                                      std::string_view remedy = "fetch the model again");

// What the file says about itself: the strings of its "__metadata__", by name; none without one.
// REQUIRES: parse_safetensors took the file.
std::map<std::string, std::string, std::less<>> safetensors_metadata(
    std::span<const std::byte> file);

class SafeTensors {
 public:
  // Errors: kNotFound, kPermission … as MappedFile::open; kCorrupt as parse_safetensors.
  static Result<SafeTensors> open(const std::filesystem::path& path);

  const TensorTable& tensors() const { return tensors_; }
  // The numbers of an F32 tensor that must have exactly this shape, row-major. Errors: kCorrupt if
  // it is missing or of another type or shape.
  Result<std::span<const float>> floats(std::string_view name,
                                        std::span<const int64_t> shape) const;

 private:
  SafeTensors() = default;
  MappedFile file_;
  std::string origin_;
  TensorTable tensors_;
};

}  // namespace precedent
