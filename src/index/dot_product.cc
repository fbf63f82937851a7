#include "index/dot_product.h"

// g++ 12 warns about undefined registers in its own header, which it means to be undefined.
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>

namespace precedent {
namespace {

__attribute__((target("avx512f"))) float avx512_dot_product(const float* a, const float* b,
                                                            size_t n) {
  __m512 sum0 = _mm512_setzero_ps(), sum1 = _mm512_setzero_ps();
  size_t i = 0;
  for (; i + 32 <= n; i += 32) {
    sum0 = _mm512_fmadd_ps(_mm512_loadu_ps(a + i), _mm512_loadu_ps(b + i), sum0);
    sum1 = _mm512_fmadd_ps(_mm512_loadu_ps(a + i + 16), _mm512_loadu_ps(b + i + 16), sum1);
  }
  for (; i < n; i += 16) {
    const size_t left = n - i;
    const __mmask16 mask = left >= 16 ? 0xffff : static_cast<__mmask16>((1u << left) - 1);
    sum0 = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(mask, a + i), _mm512_maskz_loadu_ps(mask, b + i),
                           sum0);
  }
  return _mm512_reduce_add_ps(_mm512_add_ps(sum0, sum1));
}

__attribute__((target("avx2,fma"))) float avx2_dot_product(const float* a, const float* b,
                                                           size_t n) {
  __m256 sum0 = _mm256_setzero_ps(), sum1 = _mm256_setzero_ps();
  size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    sum0 = _mm256_fmadd_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i), sum0);
    sum1 = _mm256_fmadd_ps(_mm256_loadu_ps(a + i + 8), _mm256_loadu_ps(b + i + 8), sum1);
  }
  alignas(32) float lanes[8];
  _mm256_store_ps(lanes, _mm256_add_ps(sum0, sum1));
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  for (; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

float plain_dot_product(const float* a, const float* b, size_t n) {
  // Eight sums, so that the compiler may use what registers the baseline has.
  float sums[8] = {};
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    for (size_t j = 0; j < 8; ++j) sums[j] += a[i + j] * b[i + j];
  }
  float sum = 0;
  for (const float part : sums) sum += part;
  for (; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

DotProduct dot_product() {
  static const DotProduct chosen = [] {
    if (__builtin_cpu_supports("avx512f")) return &avx512_dot_product;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return &avx2_dot_product;
    return &plain_dot_product;
  }();
  return chosen;
}

}  // namespace precedent
