// The kernels once, for any vector width W: compiled for AVX2 (W = 8) and AVX-512 (W = 16) by the
// .cc files that include this. Written with the compilers' vector extensions; every function is
// inlined into a caller that carries the target attribute, so that the instructions are that
// caller's. Contracts are in kernels.h.
// Over 400 lines: the kernels of one encoder, inlined into one caller.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>

#include "embed/kernels.h"

#define PRECEDENT_INLINE [[gnu::always_inline]] static inline

namespace precedent {

template <size_t W>
struct Simd {
  typedef float F __attribute__((vector_size(W * 4)));
  typedef int32_t I __attribute__((vector_size(W * 4)));
  typedef uint8_t B __attribute__((vector_size(W)));

  PRECEDENT_INLINE F load(const float* p) {
    F v;
    std::memcpy(&v, p, sizeof v);
    return v;
  }
  PRECEDENT_INLINE I load_int(const int32_t* p) {
    I v;
    std::memcpy(&v, p, sizeof v);
    return v;
  }
  PRECEDENT_INLINE void store(float* p, F v) { std::memcpy(p, &v, sizeof v); }
  PRECEDENT_INLINE I as_int(F x) {
    I v;
    std::memcpy(&v, &x, sizeof v);
    return v;
  }
  PRECEDENT_INLINE F as_float(I x) {
    F v;
    std::memcpy(&v, &x, sizeof v);
    return v;
  }
  PRECEDENT_INLINE F all(float x) { return x - F{}; }  // x − 0 is x, also for −0
  PRECEDENT_INLINE F max(F a, F b) { return a > b ? a : b; }
  PRECEDENT_INLINE F min(F a, F b) { return a < b ? a : b; }

  PRECEDENT_INLINE float sum(F v) {
    float a[W];
    std::memcpy(a, &v, sizeof v);
    for (size_t half = W / 2; half > 0; half /= 2) {
      for (size_t i = 0; i < half; ++i) a[i] += a[i + half];
    }
    return a[0];
  }
  PRECEDENT_INLINE float largest(F v) {
    float a[W];
    std::memcpy(a, &v, sizeof v);
    for (size_t half = W / 2; half > 0; half /= 2) {
      for (size_t i = 0; i < half; ++i) a[i] = a[i] > a[i + half] ? a[i] : a[i + half];
    }
    return a[0];
  }

  // e^x for x <= 0, relative error below 3e-7; x below −87 gives e^−87. 2^n · e^r with |r| <= ln 2
  // / 2; the polynomial is the Taylor series of degree 6, whose remainder there is 1.3e-7.
  PRECEDENT_INLINE F exp(F x) {
    x = max(x, all(-87.0f));
    const float round =
        12582912.0f;  // 1.5 · 2^23: adding it leaves the nearest integer in the low bits
    const F shifted = x * 1.44269504f + round;
    const F n = shifted - round;
    const F r = (x - n * 0.693359375f) + n * 2.12194440e-4f;  // ln 2 in two parts
    F p = r * (1.0f / 720) + 1.0f / 120;
    p = p * r + 1.0f / 24;
    p = p * r + 1.0f / 6;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;
    // The bits of 1.5 · 2^23 + n are 0x4B400000 + n.
    return as_float(as_int(p) + ((as_int(shifted) - 0x4B400000) << 23));
  }

  // x · Φ(x), absolute error below 2.4e-4 for |x| <= 8. Φ(t) − ½ = t · P(t²) with t clamped to
  // ±4.2, P the minimax polynomial of degree 7 (Lawson's iteration, weighted for the error of the
  // product).
  PRECEDENT_INLINE F gelu(F x) {
    const F t = min(max(x, all(-4.2f)), all(4.2f));
    const F z = t * t;
    F p = z * -9.613302376e-10f + 8.329931234e-08f;
    p = p * z - 3.139904948e-06f;
    p = p * z + 6.826658500e-05f;
    p = p * z - 9.607627636e-04f;
    p = p * z + 9.337462485e-03f;
    p = p * z - 6.559936702e-02f;
    p = p * z + 3.985087276e-01f;
    return x * (t * p + 0.5f);
  }
};

template <size_t W>
struct SimdKernels {
  using V = Simd<W>;
  using F = typename V::F;
  using I = typename V::I;
  using B = typename V::B;

  PRECEDENT_INLINE void norm_row(float* x, NormParameters parameters) {
    F total = {};
    for (size_t i = 0; i < kHidden; i += W) total += V::load(x + i);
    const float mean = V::sum(total) / kHidden;
    F squares = {};
    for (size_t i = 0; i < kHidden; i += W) {
      const F d = V::load(x + i) - mean;
      squares += d * d;
    }
    const float inverse = 1.0f / std::sqrt(V::sum(squares) / kHidden + kNormEpsilon);
    for (size_t i = 0; i < kHidden; i += W) {
      const F scaled = (V::load(x + i) - mean) * inverse;
      V::store(x + i, scaled * V::load(parameters.gamma + i) + V::load(parameters.beta + i));
    }
  }

  PRECEDENT_INLINE void norm(float* x, size_t rows, NormParameters parameters) {
    for (size_t r = 0; r < rows; ++r) norm_row(x + r * kHidden, parameters);
  }

  PRECEDENT_INLINE void pool(const float* x, size_t tokens, float* out) {
    F squares = {};
    for (size_t i = 0; i < kHidden; i += W) {
      F total = {};
      for (size_t r = 0; r < tokens; ++r) total += V::load(x + r * kHidden + i);
      total = total / static_cast<float>(tokens);
      V::store(out + i, total);
      squares += total * total;
    }
    const float inverse = 1.0f / std::sqrt(V::sum(squares));
    for (size_t i = 0; i < kHidden; i += W) V::store(out + i, V::load(out + i) * inverse);
  }

  // --- Attention. A block of kRows queries against all keys: scores (a product of kRows × 32 ×
  // keys, held in registers two vectors of keys at a time), softmax without the division, then the
  // weighted sum of the values.

  static constexpr size_t kRows = W == 16 ? 8 : 4;
  static constexpr size_t kStride = 3 * kHidden;

  struct Head {
    const float* queries;  // kStride apart
    float* keys;           // transposed: kHeadWidth rows of `padded`
    float* values;         // tokens rows of kHeadWidth
    float* weights;        // kRows rows of `padded`
    size_t tokens, padded;
  };

  PRECEDENT_INLINE void gather(const float* qkv, size_t head, const Head& to) {
    const float scale = 1.0f / std::sqrt(static_cast<float>(kHeadWidth));
    const float* keys = qkv + kHidden + head * kHeadWidth;
    const float* values = qkv + 2 * kHidden + head * kHeadWidth;
    for (size_t t = 0; t < to.tokens; ++t) {
      for (size_t d = 0; d < kHeadWidth; ++d)
        to.keys[d * to.padded + t] = keys[t * kStride + d] * scale;
      std::memcpy(to.values + t * kHeadWidth, values + t * kStride, kHeadWidth * sizeof(float));
    }
    for (size_t d = 0; d < kHeadWidth; ++d) {
      for (size_t t = to.tokens; t < to.padded; ++t) to.keys[d * to.padded + t] = 0;
    }
  }

  // A number times a vector is left to the compiler's own broadcast: through a helper that builds
  // the vector, g++ 12 emits a masked one each time, and attention takes half of a long text's time
  // instead of a tenth.
  //
  // Scores of the padding are set far below any real one, so that their weights vanish.
  PRECEDENT_INLINE void scores(const Head& head, const float* const (&query)[kRows]) {
    for (size_t t = 0; t < head.padded; t += 2 * W) {
      F low[kRows] = {}, high[kRows] = {};
#pragma GCC unroll 4
      for (size_t d = 0; d < kHeadWidth; ++d) {
        const float* keys = head.keys + d * head.padded + t;
        const F a = V::load(keys), b = V::load(keys + W);
#pragma GCC unroll 8
        for (size_t r = 0; r < kRows; ++r) {
          low[r] += query[r][d] * a;
          high[r] += query[r][d] * b;
        }
      }
#pragma GCC unroll 8
      for (size_t r = 0; r < kRows; ++r) {
        V::store(head.weights + r * head.padded + t, low[r]);
        V::store(head.weights + r * head.padded + t + W, high[r]);
      }
    }
    for (size_t r = 0; r < kRows; ++r) {
      for (size_t t = head.tokens; t < head.padded; ++t) head.weights[r * head.padded + t] = -1e30f;
    }
  }

  // Scores become e^(score − the largest); returns one over their sum.
  PRECEDENT_INLINE float soften(float* weights, size_t padded) {
    F best = V::load(weights);
    for (size_t t = W; t < padded; t += W) best = V::max(best, V::load(weights + t));
    const float largest = V::largest(best);
    F total = {};
    for (size_t t = 0; t < padded; t += W) {
      const F e = V::exp(V::load(weights + t) - largest);
      V::store(weights + t, e);
      total += e;
    }
    return 1.0f / V::sum(total);
  }

  PRECEDENT_INLINE void weigh(const Head& head, const float (&inverse)[kRows],
                              float* const (&out)[kRows]) {
    for (size_t d = 0; d < kHeadWidth; d += 2 * W) {
      F low[kRows] = {}, high[kRows] = {};
      for (size_t t = 0; t < head.tokens; ++t) {
        const F a = V::load(head.values + t * kHeadWidth + d),
                b = V::load(head.values + t * kHeadWidth + d + W);
#pragma GCC unroll 8
        for (size_t r = 0; r < kRows; ++r) {
          low[r] += head.weights[r * head.padded + t] * a;
          high[r] += head.weights[r * head.padded + t] * b;
        }
      }
#pragma GCC unroll 8
      for (size_t r = 0; r < kRows; ++r) {
        V::store(out[r] + d, low[r] * inverse[r]);
        V::store(out[r] + d + W, high[r] * inverse[r]);
      }
    }
  }

  PRECEDENT_INLINE void attention(const float* qkv, size_t tokens, float* out, float* scratch) {
    Head head{};
    head.tokens = tokens;
    head.padded = (tokens + 2 * W - 1) / (2 * W) * (2 * W);
    head.keys = scratch;
    head.values = head.keys + kHeadWidth * head.padded;
    head.weights = head.values + kHeadWidth * head.padded;
    for (size_t h = 0; h < kHeads; ++h) {
      gather(qkv, h, head);
      for (size_t first = 0; first < tokens; first += kRows) {
        const float* query[kRows];
        float* target[kRows];
        float inverse[kRows];
        for (size_t r = 0; r < kRows; ++r) {
          // A short last block computes its last row several times.
          const size_t row = first + r < tokens ? first + r : tokens - 1;
          query[r] = qkv + row * kStride + h * kHeadWidth;
          target[r] = out + row * kHidden + h * kHeadWidth;
        }
        scores(head, query);
        for (size_t r = 0; r < kRows; ++r)
          inverse[r] = soften(head.weights + r * head.padded, head.padded);
        weigh(head, inverse, target);
      }
    }
  }

  // --- int8

  PRECEDENT_INLINE F number(const int32_t* product, float row_scale, float row_offset,
                            const ColumnCode& c, size_t i) {
    const F scaled =
        __builtin_convertvector(V::load_int(product + i), F) * (V::load(c.scale + i) * row_scale);
    return scaled + (V::load(c.sum + i) * row_offset + V::load(c.bias + i));
  }

  PRECEDENT_INLINE RowCode quantize_row(const float* x, size_t width, F low, F high, uint8_t* q) {
    const float least = -V::largest(-low), most = V::largest(high);
    const float range = most - least > 1e-20f ? most - least : 1e-20f;
    const float inverse = 255.0f / range;
    const float shift = 0.5f - least * inverse;
    for (size_t i = 0; i < width; i += W) {
      // Truncation after adding ½ rounds; the clamp meets the rounding of `inverse`.
      const F code = V::min(V::load(x + i) * inverse + shift, V::all(255.0f));
      const B bytes = __builtin_convertvector(__builtin_convertvector(code, I), B);
      std::memcpy(q + i, &bytes, sizeof bytes);
    }
    return {range / 255.0f, least};
  }

  PRECEDENT_INLINE void quantize(const float* x, size_t rows, size_t width, const float* factors,
                                 uint8_t* q, RowCode* codes) {
    float row[kUpWidth];
    for (size_t r = 0; r < rows; ++r, x += width, q += width) {
      F low = V::all(std::numeric_limits<float>::max()), high = -low;
      for (size_t i = 0; i < width; i += W) {
        const F y = V::load(x + i) * V::load(factors + i);
        V::store(row + i, y);
        low = V::min(low, y);
        high = V::max(high, y);
      }
      codes[r] = quantize_row(row, width, low, high, q);
    }
  }

  PRECEDENT_INLINE void dequantize(const int32_t* products, size_t rows, size_t width,
                                   const RowCode* codes, ColumnCode columns, float* out) {
    for (size_t r = 0; r < rows; ++r, products += width, out += width) {
      for (size_t i = 0; i < width; i += W) {
        V::store(out + i, number(products, codes[r].scale, codes[r].offset, columns, i));
      }
    }
  }

  PRECEDENT_INLINE void add_row(const int32_t* products, RowCode code, ColumnCode columns,
                                float* x) {
    for (size_t i = 0; i < kHidden; i += W) {
      V::store(x + i, V::load(x + i) + number(products, code.scale, code.offset, columns, i));
    }
  }

  PRECEDENT_INLINE void add(const int32_t* products, size_t rows, const RowCode* codes,
                            ColumnCode columns, float* x) {
    for (size_t r = 0; r < rows; ++r) {
      add_row(products + r * kHidden, codes[r], columns, x + r * kHidden);
    }
  }

  PRECEDENT_INLINE void add_norm_quantize(const int32_t* products, size_t rows,
                                          const RowCode* codes, ColumnCode columns, float* x,
                                          NormParameters parameters, const float* factors,
                                          uint8_t* q, RowCode* new_codes) {
    for (size_t r = 0; r < rows; ++r, products += kHidden, x += kHidden) {
      add_row(products, codes[r], columns, x);
      norm_row(x, parameters);
      quantize(x, 1, kHidden, factors, q + r * kHidden, new_codes + r);
    }
  }

  // The inner channels from `first` on, coded over their own range.
  template <size_t first, size_t width>
  PRECEDENT_INLINE RowCode gelu_quantize_part(const int32_t* products, RowCode code,
                                              ColumnCode columns, const float* factors,
                                              uint8_t* q) {
    float row[width];
    F low = V::all(std::numeric_limits<float>::max()), high = -low;
    for (size_t i = 0; i < width; i += W) {
      const F y = V::gelu(number(products, code.scale, code.offset, columns, first + i)) *
                  V::load(factors + first + i);
      V::store(row + i, y);
      low = V::min(low, y);
      high = V::max(high, y);
    }
    return quantize_row(row, width, low, high, q);
  }

  PRECEDENT_INLINE void gelu_quantize(const int32_t* products, size_t rows, const RowCode* codes,
                                      ColumnCode columns, const float* factors, InnerCodes to) {
    for (size_t r = 0; r < rows; ++r, products += kUpWidth) {
      to.peak_codes[r] = gelu_quantize_part<0, kPeakWidth>(products, codes[r], columns, factors,
                                                           to.peaks + r * kPeakWidth);
      to.rest_codes[r] = gelu_quantize_part<kPeakWidth, kRestWidth>(
          products, codes[r], columns, factors, to.rest + r * kRestWidth);
    }
  }

  PRECEDENT_INLINE void low_rank(const float* x, size_t rows, const float* a, const float* b,
                                 float* y, size_t stride) {
    for (size_t row = 0; row < rows; ++row, x += kHidden, y += stride) {
      F sums[kRank] = {};
      for (size_t k = 0; k < kHidden; k += W) {
        const F part = V::load(x + k);
        for (size_t r = 0; r < kRank; ++r) sums[r] += part * V::load(a + r * kHidden + k);
      }
      float inner[kRank];
      for (size_t r = 0; r < kRank; ++r) inner[r] = V::sum(sums[r]);
      for (size_t n = 0; n < kHidden; n += W) {
        F out = V::load(y + n);
        for (size_t r = 0; r < kRank; ++r) out += V::load(b + r * kHidden + n) * inner[r];
        V::store(y + n, out);
      }
    }
  }
};

// The table of one instruction set: PRECEDENT_KERNELS(kAvx512Kernels, "AVX-512", 16, "avx512f,…").
#define PRECEDENT_KERNELS(table, label, W, isa)                                                    \
  namespace {                                                                                      \
  __attribute__((target(isa))) void norm(float* x, size_t rows, NormParameters p) {                \
    SimdKernels<W>::norm(x, rows, p);                                                              \
  }                                                                                                \
  __attribute__((target(isa))) void attention(const float* qkv, size_t tokens, float* out,         \
                                              float* scratch) {                                    \
    SimdKernels<W>::attention(qkv, tokens, out, scratch);                                          \
  }                                                                                                \
  __attribute__((target(isa))) void pool(const float* x, size_t tokens, float* out) {              \
    SimdKernels<W>::pool(x, tokens, out);                                                          \
  }                                                                                                \
  __attribute__((target(isa))) void quantize(const float* x, size_t rows, size_t width,            \
                                             const float* factors, uint8_t* q, RowCode* codes) {   \
    SimdKernels<W>::quantize(x, rows, width, factors, q, codes);                                   \
  }                                                                                                \
  __attribute__((target(isa))) void dequantize(const int32_t* products, size_t rows, size_t width, \
                                               const RowCode* codes, ColumnCode columns,           \
                                               float* out) {                                       \
    SimdKernels<W>::dequantize(products, rows, width, codes, columns, out);                        \
  }                                                                                                \
  __attribute__((target(isa))) void add(const int32_t* products, size_t rows,                      \
                                        const RowCode* codes, ColumnCode columns, float* x) {      \
    SimdKernels<W>::add(products, rows, codes, columns, x);                                        \
  }                                                                                                \
  __attribute__((target(isa))) void add_norm_quantize(const int32_t* products, size_t rows,        \
                                                      const RowCode* codes, ColumnCode columns,    \
                                                      float* x, NormParameters p,                  \
                                                      const float* factors, uint8_t* q,            \
                                                      RowCode* new_codes) {                        \
    SimdKernels<W>::add_norm_quantize(products, rows, codes, columns, x, p, factors, q,            \
                                      new_codes);                                                  \
  }                                                                                                \
  __attribute__((target(isa))) void gelu_quantize(const int32_t* products, size_t rows,            \
                                                  const RowCode* codes, ColumnCode columns,        \
                                                  const float* factors, InnerCodes to) {           \
    SimdKernels<W>::gelu_quantize(products, rows, codes, columns, factors, to);                    \
  }                                                                                                \
  __attribute__((target(isa))) void low_rank(const float* x, size_t rows, const float* a,          \
                                             const float* b, float* y, size_t stride) {            \
    SimdKernels<W>::low_rank(x, rows, a, b, y, stride);                                            \
  }                                                                                                \
  }                                                                                                \
  const Kernels table = {label,      norm, attention,         pool,          quantize,             \
                         dequantize, add,  add_norm_quantize, gelu_quantize, low_rank};

}  // namespace precedent
