// Vectors in 8 bits a value: a quarter of the bytes to read, for finding candidates that float rows
// then score exactly.
//
// A row is stored as round(value / scale) + 128 with scale = max |value| / 127, a query as
// round(value / scale); unsigned times signed is what the processors multiply (AVX-512 VNNI). Rows
// are padded to 64 values. The error of a score has a standard deviation of about 5e-4 for unit
// vectors of 384 dimensions. Thread safety: plain values and pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace precedent {

constexpr size_t quantized_stride(size_t dimensions) { return (dimensions + 63) / 64 * 64; }

struct QuantizedQuery {
  explicit QuantizedQuery(std::span<const float> query);
  std::vector<int8_t> values;  // padded with 0
  float scale = 0;
  int32_t offset = 0;  // what the 128 in every stored value adds to a product
};

// Rows in memory or in a segment.
struct QuantizedRows {
  std::span<const uint8_t> values;
  std::span<const float> scales;
  size_t stride = 0;

  bool empty() const { return scales.empty(); }
  size_t size() const { return scales.size(); }
  const uint8_t* row(size_t i) const { return values.data() + i * stride; }
  // About the dot product of the query and row i. REQUIRES: i < size(), the same dimensions.
  float score(const QuantizedQuery& query, size_t i) const;
};

// Writes one row. REQUIRES: `out` has quantized_stride(row.size()) bytes. Returns its scale.
float quantize_row(std::span<const float> row, uint8_t* out);

// Σ (a[i] − 128) · b[i] for stored rows, or Σ a[i] · b[i] with a query. `n` is a multiple of 64.
struct IntegerProducts {
  int32_t (*with_query)(const uint8_t* row, const int8_t* query, size_t n);
  int32_t (*of_rows)(const uint8_t* a, const uint8_t* b, size_t n);
};
// The fastest that this processor runs.
const IntegerProducts& integer_products();
// Each that this processor runs, the plain one first: for tests.
std::vector<IntegerProducts> all_integer_products();

}  // namespace precedent
