// What the encoder does between its matrix products: normalisation, attention, pooling, and the
// changes between fp32 and int8. The products themselves are dense.h's.
//
// One table of functions for each instruction set, chosen once: AVX-512, AVX2, or plain C++
// (kernels_plain.cc), which is also the oracle of the tests. All matrices are row-major; rows need
// no alignment. Widths are multiples of 16.
//
// Thread safety: the functions keep no state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace precedent {

// The shape of all-MiniLM-L6-v2.
inline constexpr size_t kHidden = 384;
inline constexpr size_t kHeads = 12;
inline constexpr size_t kHeadWidth = kHidden / kHeads;
inline constexpr size_t kUpWidth = 1536;
// Of the inner layer's kUpWidth channels, those with the largest values come first in int8 and are
// coded apart: beside them the others would share what is left of 256 steps.
inline constexpr size_t kPeakWidth = 64;
inline constexpr size_t kRestWidth = kUpWidth - kPeakWidth;
inline constexpr float kNormEpsilon = 1e-12f;
inline constexpr size_t kMaxTokens = 256;  // of one text, with [CLS] and [SEP]
inline constexpr size_t kRank = 8;         // of an adapter's low-rank updates

// The affine code of one row of activations: value = offset + scale · q, q in 0…255.
struct RowCode {
  float scale = 0, offset = 0;
};

// What turns a row of int8 products back into numbers. With symmetric weights w = scale[n] · w8 and
// the row's code,
//   Σ_k x·w + bias[n] = scale[n] · row.scale · Σ q·w8 + row.offset · sum[n] + bias[n],   sum[n] =
//   scale[n] · Σ w8
struct ColumnCode {
  const float* scale;
  const float* sum;
  const float* bias;
};

// Where the inner layer goes: two matrices, each row of each with its own code.
struct InnerCodes {
  uint8_t* peaks;  // rows × kPeakWidth
  RowCode* peak_codes;
  uint8_t* rest;  // rows × kRestWidth
  RowCode* rest_codes;
};

struct NormParameters {
  const float* gamma;
  const float* beta;
};

struct Kernels {
  std::string_view name;

  // Each of `rows` rows of kHidden to mean 0, variance 1, then gamma and beta; in place.
  void (*norm)(float* x, size_t rows, NormParameters parameters);

  // Self-attention of one text, all heads. qkv: tokens × 3·kHidden (queries, keys, values side by
  // side); out: tokens × kHidden. scratch: kAttentionScratch floats. REQUIRES: 0 < tokens <=
  // kMaxTokens.
  void (*attention)(const float* qkv, size_t tokens, float* out, float* scratch);

  // The mean over rows, scaled to unit length. REQUIRES: tokens > 0.
  void (*pool)(const float* x, size_t tokens, float* out);

  // Codes each row of x · factors (one a column) over its own range. REQUIRES: width <= kUpWidth.
  void (*quantize)(const float* x, size_t rows, size_t width, const float* factors, uint8_t* q,
                   RowCode* codes);

  // Products to numbers. `out` may be the same memory as `products`.
  void (*dequantize)(const int32_t* products, size_t rows, size_t width, const RowCode* codes,
                     ColumnCode columns, float* out);

  // x += the products' numbers. Width kHidden.
  void (*add)(const int32_t* products, size_t rows, const RowCode* codes, ColumnCode columns,
              float* x);

  // add, then norm(x), then quantize(x · factors); x stays without the factors.
  void (*add_norm_quantize)(const int32_t* products, size_t rows, const RowCode* codes,
                            ColumnCode columns, float* x, NormParameters parameters,
                            const float* factors, uint8_t* q, RowCode* new_codes);

  // quantize(gelu(the products' numbers) · factors). Width kUpWidth. GELU within 3e-4 of the exact
  // one: a hundredth of what eight bits resolve.
  void (*gelu_quantize)(const int32_t* products, size_t rows, const RowCode* codes,
                        ColumnCode columns, const float* factors, InnerCodes to);

  // y += B · (A · x) for each row. x: rows × kHidden; a: kRank × kHidden; b: kRank × kHidden, B
  // transposed; y: rows of kHidden, `stride` apart.
  void (*low_rank)(const float* x, size_t rows, const float* a, const float* b, float* y,
                   size_t stride);
};

// Keys of one head transposed, values of one head, and one block of attention weights.
inline constexpr size_t kAttentionScratch = (2 * kHeadWidth + 16) * (kMaxTokens + 16);

enum class InstructionSet : uint8_t { kPlain, kAvx2, kAvx512 };
// Null if this processor lacks it.
const Kernels* kernels_for(InstructionSet set);
// The best this processor has.
const Kernels& kernels();

}  // namespace precedent
