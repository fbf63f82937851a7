#include "index/quantized.h"

// g++ 12 warns about undefined registers in its own header, which it means to be undefined.
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>

#include <algorithm>
#include <cmath>

namespace precedent {
namespace {

int32_t plain_with_query(const uint8_t* row, const int8_t* query, size_t n) {
  int32_t sum = 0;
  for (size_t i = 0; i < n; ++i) sum += static_cast<int32_t>(row[i]) * query[i];
  return sum;
}

int32_t plain_of_rows(const uint8_t* a, const uint8_t* b, size_t n) {
  int32_t sum = 0;
  for (size_t i = 0; i < n; ++i) sum += (static_cast<int32_t>(a[i]) - 128) * b[i];
  return sum;
}

__attribute__((target("avx2"))) inline int32_t sum_lanes(__m256i sums) {
  __m128i four = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
  four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
  four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0xb1));
  return _mm_cvtsi128_si32(four);
}

// Widened to 16 bits: the 8-bit product of AVX2 (maddubs) saturates.
__attribute__((target("avx2"))) int32_t avx2_with_query(const uint8_t* row, const int8_t* query,
                                                        size_t n) {
  __m256i sums = _mm256_setzero_si256();
  for (size_t i = 0; i < n; i += 16) {
    const __m256i a =
        _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(row + i)));
    const __m256i b =
        _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(query + i)));
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(a, b));
  }
  return sum_lanes(sums);
}

__attribute__((target("avx2"))) int32_t avx2_of_rows(const uint8_t* a, const uint8_t* b, size_t n) {
  const __m256i middle = _mm256_set1_epi16(128);
  __m256i sums = _mm256_setzero_si256();
  for (size_t i = 0; i < n; i += 16) {
    const __m256i x =
        _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(a + i)));
    const __m256i y =
        _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(b + i)));
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(_mm256_sub_epi16(x, middle), y));
  }
  return sum_lanes(sums);
}

__attribute__((target("avx512f,avx512vnni"))) int32_t vnni_with_query(const uint8_t* row,
                                                                      const int8_t* query,
                                                                      size_t n) {
  __m512i even = _mm512_setzero_si512(), odd = _mm512_setzero_si512();
  size_t i = 0;
  for (; i + 128 <= n; i += 128) {
    even = _mm512_dpbusd_epi32(even, _mm512_loadu_si512(row + i), _mm512_loadu_si512(query + i));
    odd = _mm512_dpbusd_epi32(odd, _mm512_loadu_si512(row + i + 64),
                              _mm512_loadu_si512(query + i + 64));
  }
  if (i < n)
    even = _mm512_dpbusd_epi32(even, _mm512_loadu_si512(row + i), _mm512_loadu_si512(query + i));
  return _mm512_reduce_add_epi32(_mm512_add_epi32(even, odd));
}

__attribute__((target("avx512f,avx512vnni"))) int32_t vnni_of_rows(const uint8_t* a,
                                                                   const uint8_t* b, size_t n) {
  const __m512i middle = _mm512_set1_epi8(static_cast<char>(0x80));
  __m512i sums = _mm512_setzero_si512();
  for (size_t i = 0; i < n; i += 64) {
    const __m512i x =
        _mm512_xor_si512(_mm512_loadu_si512(a + i), middle);  // minus 128, as a signed byte
    sums = _mm512_dpbusd_epi32(sums, _mm512_loadu_si512(b + i), x);
  }
  return _mm512_reduce_add_epi32(sums);
}

}  // namespace

std::vector<IntegerProducts> all_integer_products() {
  std::vector<IntegerProducts> all = {{&plain_with_query, &plain_of_rows}};
  if (__builtin_cpu_supports("avx2")) all.push_back({&avx2_with_query, &avx2_of_rows});
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni")) {
    all.push_back({&vnni_with_query, &vnni_of_rows});
  }
  return all;
}

const IntegerProducts& integer_products() {
  static const IntegerProducts fastest = all_integer_products().back();
  return fastest;
}

QuantizedQuery::QuantizedQuery(std::span<const float> query)
    : values(quantized_stride(query.size())) {
  float highest = 0;
  for (const float value : query) highest = std::max(highest, std::abs(value));
  if (!(highest > 0) || !std::isfinite(highest)) return;
  scale = highest / 127;
  for (size_t i = 0; i < query.size(); ++i) {
    values[i] = static_cast<int8_t>(std::lrint(query[i] / scale));
    offset += 128 * values[i];
  }
}

float QuantizedRows::score(const QuantizedQuery& query, size_t i) const {
  static const auto product = integer_products().with_query;
  return static_cast<float>(product(row(i), query.values.data(), stride) - query.offset) *
         (scales[i] * query.scale);
}

float quantize_row(std::span<const float> row, uint8_t* out) {
  float highest = 0;
  for (const float value : row) highest = std::max(highest, std::abs(value));
  const float scale = highest / 127;
  const float inverse = scale > 0 ? 1 / scale : 0;
  std::fill(out, out + quantized_stride(row.size()), uint8_t{128});
  for (size_t i = 0; i < row.size(); ++i) {
    const long value = std::clamp(std::lrint(row[i] * inverse), -127L, 127L);
    out[i] = static_cast<uint8_t>(value + 128);
  }
  return scale;
}

}  // namespace precedent
