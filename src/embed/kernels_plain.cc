// The kernels as their definitions read, in double where a sum is taken: the oracle, and what old
// processors run.
#include <algorithm>
#include <cmath>
#include <vector>

#include "embed/kernels.h"

namespace precedent {

extern const Kernels kAvx512Kernels;
extern const Kernels kAvx2Kernels;

namespace {

void norm(float* x, size_t rows, NormParameters parameters) {
  for (size_t r = 0; r < rows; ++r, x += kHidden) {
    double mean = 0, variance = 0;
    for (size_t i = 0; i < kHidden; ++i) mean += x[i];
    mean /= kHidden;
    for (size_t i = 0; i < kHidden; ++i) variance += (x[i] - mean) * (x[i] - mean);
    const double inverse = 1.0 / std::sqrt(variance / kHidden + kNormEpsilon);
    for (size_t i = 0; i < kHidden; ++i) {
      x[i] = static_cast<float>((x[i] - mean) * inverse * parameters.gamma[i] + parameters.beta[i]);
    }
  }
}

// softmax(q · Kᵀ / √width) · V for one query.
void attend(const float* query, const float* keys, const float* values, size_t tokens,
            double* weights, float* out) {
  constexpr size_t kStride = 3 * kHidden;
  double best = -1e300, total = 0;
  for (size_t t = 0; t < tokens; ++t) {
    double dot = 0;
    for (size_t d = 0; d < kHeadWidth; ++d) dot += double{query[d]} * keys[t * kStride + d];
    weights[t] = dot / std::sqrt(double{kHeadWidth});
    best = std::max(best, weights[t]);
  }
  for (size_t t = 0; t < tokens; ++t) total += weights[t] = std::exp(weights[t] - best);
  for (size_t d = 0; d < kHeadWidth; ++d) {
    double sum = 0;
    for (size_t t = 0; t < tokens; ++t) sum += weights[t] * values[t * kStride + d];
    out[d] = static_cast<float>(sum / total);
  }
}

void attention(const float* qkv, size_t tokens, float* out, float*) {
  std::vector<double> weights(tokens);
  for (size_t h = 0; h < kHeads; ++h) {
    const float* head = qkv + h * kHeadWidth;
    for (size_t t = 0; t < tokens; ++t) {
      attend(head + t * 3 * kHidden, head + kHidden, head + 2 * kHidden, tokens, weights.data(),
             out + t * kHidden + h * kHeadWidth);
    }
  }
}

void pool(const float* x, size_t tokens, float* out) {
  double squares = 0;
  double means[kHidden];
  for (size_t i = 0; i < kHidden; ++i) {
    double sum = 0;
    for (size_t t = 0; t < tokens; ++t) sum += x[t * kHidden + i];
    means[i] = sum / static_cast<double>(tokens);
    squares += means[i] * means[i];
  }
  for (size_t i = 0; i < kHidden; ++i) out[i] = static_cast<float>(means[i] / std::sqrt(squares));
}

void quantize(const float* x, size_t rows, size_t width, const float* factors, uint8_t* q,
              RowCode* codes) {
  std::vector<float> row(width);
  for (size_t r = 0; r < rows; ++r, x += width, q += width) {
    for (size_t i = 0; i < width; ++i) row[i] = x[i] * factors[i];
    const auto [low, high] = std::minmax_element(row.begin(), row.end());
    const float range = std::max(*high - *low, 1e-20f);
    codes[r] = {range / 255, *low};
    for (size_t i = 0; i < width; ++i) {
      q[i] = static_cast<uint8_t>(
          std::clamp(std::floor((row[i] - *low) * (255 / range) + 0.5f), 0.0f, 255.0f));
    }
  }
}

float number(int32_t product, const RowCode& row, const ColumnCode& c, size_t i) {
  return static_cast<float>(product) * c.scale[i] * row.scale + row.offset * c.sum[i] + c.bias[i];
}

void dequantize(const int32_t* products, size_t rows, size_t width, const RowCode* codes,
                ColumnCode columns, float* out) {
  std::vector<float> row(width);  // `out` may be `products`
  for (size_t r = 0; r < rows; ++r, products += width, out += width) {
    for (size_t i = 0; i < width; ++i) row[i] = number(products[i], codes[r], columns, i);
    std::copy(row.begin(), row.end(), out);
  }
}

void add(const int32_t* products, size_t rows, const RowCode* codes, ColumnCode columns, float* x) {
  for (size_t r = 0; r < rows; ++r) {
    for (size_t i = 0; i < kHidden; ++i)
      x[r * kHidden + i] += number(products[r * kHidden + i], codes[r], columns, i);
  }
}

void add_norm_quantize(const int32_t* products, size_t rows, const RowCode* codes,
                       ColumnCode columns, float* x, NormParameters parameters,
                       const float* factors, uint8_t* q, RowCode* new_codes) {
  add(products, rows, codes, columns, x);
  norm(x, rows, parameters);
  quantize(x, rows, kHidden, factors, q, new_codes);
}

void gelu_quantize(const int32_t* products, size_t rows, const RowCode* codes, ColumnCode columns,
                   const float* factors, InnerCodes to) {
  std::vector<float> row(kUpWidth);
  for (size_t r = 0; r < rows; ++r) {
    for (size_t i = 0; i < kUpWidth; ++i) {
      const double y = number(products[r * kUpWidth + i], codes[r], columns, i);
      row[i] = static_cast<float>(0.5 * y * (1 + std::erf(y / std::sqrt(2.0))));
    }
    quantize(row.data(), 1, kPeakWidth, factors, to.peaks + r * kPeakWidth, to.peak_codes + r);
    quantize(row.data() + kPeakWidth, 1, kRestWidth, factors + kPeakWidth, to.rest + r * kRestWidth,
             to.rest_codes + r);
  }
}

void low_rank(const float* x, size_t rows, const float* a, const float* b, float* y,
              size_t stride) {
  for (size_t row = 0; row < rows; ++row, x += kHidden, y += stride) {
    double inner[kRank] = {};
    for (size_t r = 0; r < kRank; ++r) {
      for (size_t k = 0; k < kHidden; ++k) inner[r] += double{a[r * kHidden + k]} * x[k];
    }
    for (size_t n = 0; n < kHidden; ++n) {
      double sum = y[n];
      for (size_t r = 0; r < kRank; ++r) sum += inner[r] * b[r * kHidden + n];
      y[n] = static_cast<float>(sum);
    }
  }
}

constexpr Kernels kPlainKernels = {"plain C++", norm, attention,         pool,          quantize,
                                   dequantize,  add,  add_norm_quantize, gelu_quantize, low_rank};

}  // namespace

const Kernels* kernels_for(InstructionSet set) {
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  switch (set) {
    case InstructionSet::kPlain: return &kPlainKernels;
    case InstructionSet::kAvx2: return avx2 ? &kAvx2Kernels : nullptr;
    case InstructionSet::kAvx512: return avx512 ? &kAvx512Kernels : nullptr;
  }
  return nullptr;
}

const Kernels& kernels() {
  static const Kernels& kBest = [] -> const Kernels& {
    for (const auto set : {InstructionSet::kAvx512, InstructionSet::kAvx2}) {
      if (const Kernels* found = kernels_for(set)) return *found;
    }
    return kPlainKernels;
  }();
  return kBest;
}

}  // namespace precedent
