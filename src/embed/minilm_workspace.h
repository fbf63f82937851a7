// What the layers compute in: a block of texts, and the memory of the thread that takes it through
// them.
//
// Thread safety: a Workspace belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>

#include "embed/dense.h"
#include "embed/minilm_weights.h"

namespace precedent {

// Tokens of a block: enough rows for the matrix products to reach their full speed, few enough for
// the second-level cache. At least one text of kMaxTokens fits.
inline constexpr size_t kBlockTokens = 256;

// Zeroed memory at cache line boundaries.
template <typename T>
class AlignedArray {
 public:
  explicit AlignedArray(size_t n)
      : data_(static_cast<T*>(std::aligned_alloc(64, (n * sizeof(T) + 63) / 64 * 64))) {
    if (data_ == nullptr) throw std::bad_alloc();
    std::memset(static_cast<void*>(data_.get()), 0, n * sizeof(T));
  }
  T* get() const { return data_.get(); }

 private:
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  std::unique_ptr<T, Free> data_;
};

struct Workspace {
  DenseProducts products;
  AlignedArray<float> x{kBlockTokens * kHidden};  // the residual stream
  AlignedArray<float> wide{kBlockTokens *
                           kUpWidth};  // queries, keys and values; then the inner layer
  AlignedArray<float> context{kBlockTokens * kHidden};  // what attention gathered
  AlignedArray<float> attention{kAttentionScratch};
  // int8 only; small enough to have always.
  AlignedArray<uint8_t> narrow{kBlockTokens * kHidden};  // x or context, coded
  AlignedArray<RowCode> narrow_codes{kBlockTokens};
  AlignedArray<uint8_t> inner_peaks{kBlockTokens * kPeakWidth};  // the inner layer, coded
  AlignedArray<RowCode> inner_peak_codes{kBlockTokens};
  AlignedArray<uint8_t> inner_rest{kBlockTokens * kRestWidth};
  AlignedArray<RowCode> inner_rest_codes{kBlockTokens};
};

// The word piece ids of one text, where its vector goes (kHidden floats), and where the last
// layer's rows go (kHidden floats an id; null: nowhere).
struct BlockText {
  std::span<const int32_t> ids;
  float* vector;
  float* rows = nullptr;
};

}  // namespace precedent
