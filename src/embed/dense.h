// The encoder's matrix products, over oneDNN: y = x · Wᵀ with W as PyTorch stores it (outputs ×
// inputs, row-major).
//
// Three ways to hold W: borrowed (used where it lies, as in the mapped file: nothing to prepare,
// about a third slower), packed fp32 and packed int8 (oneDNN's own layout: made once, for bulk
// work). A product is compiled by oneDNN for each shape (0.2–3 ms), so row counts come in buckets
// (padded_rows) and the compiled products are kept.
//
// Each product runs on the calling thread alone: the embedder runs blocks in parallel instead,
// which measured faster than sharing one product, and starts no OpenMP team for a short question.
// OneThread sees to that.
//
// Errors: kInternal with oneDNN's message. oneDNN's exceptions end here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/error.h"

namespace precedent {

// What happens to x · Wᵀ on its way to y.
enum class Epilogue : uint8_t {
  kBias,      // y = x · Wᵀ + bias
  kBiasGelu,  // y = gelu(x · Wᵀ + bias), the exact one (erf)
  kBiasAdd,   // y += x · Wᵀ + bias
};

// Row counts are rounded up to this bucket; the rows beyond are computed and ignored, so x and y
// need room for them.
constexpr size_t padded_rows(size_t rows) { return rows <= 8 ? 8 : (rows + 15) / 16 * 16; }

// While it lives, oneDNN calls of this thread use this thread only.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

// Thread safety: immutable, may be shared.
class DenseWeights {
 public:
  // Lifetime: `weights` outlives the result.
  static Result<DenseWeights> borrowed(const float* weights, size_t outputs, size_t inputs);
  static Result<DenseWeights> packed(const float* weights, size_t outputs, size_t inputs);
  static Result<DenseWeights> packed_int8(const int8_t* weights, size_t outputs, size_t inputs);

  DenseWeights(DenseWeights&&) noexcept;
  DenseWeights& operator=(DenseWeights&&) noexcept;
  ~DenseWeights();

 private:
  friend class DenseProducts;
  struct Impl;
  explicit DenseWeights(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Compiled products and their scratch memory. Thread safety: one thread at a time; make one for
// each.
class DenseProducts {
 public:
  DenseProducts();
  DenseProducts(DenseProducts&&) noexcept;
  ~DenseProducts();

  // x: rows × inputs; y: rows × outputs. REQUIRES: rows == padded_rows(rows); fp32 weights.
  Result<void> multiply(const DenseWeights& weights, Epilogue epilogue, const float* x, size_t rows,
                        const float* bias, float* y);
  // The bare integer sums. REQUIRES: as above, int8 weights.
  Result<void> multiply_int8(const DenseWeights& weights, const uint8_t* x, size_t rows,
                             int32_t* y);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace precedent
