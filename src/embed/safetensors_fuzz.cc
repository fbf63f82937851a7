// Any bytes as a file: refused with a message, or every tensor lies inside it.
#include <cstdlib>

#include "embed/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span file(reinterpret_cast<const std::byte*>(data), size);
  const auto tensors = precedent::parse_safetensors(file, "fuzz");
  if (!tensors) return tensors.error().message.empty() ? std::abort(), 0 : 0;
  for (const auto& [name, tensor] : *tensors) {
    const auto* begin = tensor.bytes.data();
    if (!tensor.bytes.empty() &&
        (begin < file.data() || begin + tensor.bytes.size() > file.data() + size))
      std::abort();
  }
  return 0;
}
