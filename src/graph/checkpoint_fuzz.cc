// Any bytes as a stored row: the decoders end, and what they accept is what would be written. The
// checksum is put right first, or nothing would get past it; the bytes as they are are tried too.
#include <cstdint>
#include <cstdlib>

#include "base/hash.h"
#include "graph/checkpoint_coder.h"

namespace {

void check(std::string_view bytes) {
  using namespace precedent;
  if (const auto step = decode_step(bytes)) {
    const auto again = decode_step(encode_step(*step));
    if (!again || !(*again == *step)) std::abort();
  }
  if (const auto pending = decode_pending(1, bytes)) {
    const auto again = decode_pending(1, encode_pending(*pending));
    if (!again || !(*again == *pending)) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check(bytes);
  const uint64_t hash = precedent::hash64(bytes);
  std::string sealed(1, '\1');
  for (int i = 0; i < 4; ++i) sealed.push_back(static_cast<char>(hash >> (8 * i)));
  check(sealed.append(bytes));
  return 0;
}
