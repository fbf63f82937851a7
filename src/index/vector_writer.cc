#include "index/vector_writer.h"

#include "index/bitmap.h"
#include "index/segment_format.h"

namespace precedent {

Result<void> VectorWriter::finish() {
  if (dimensions_ == 0) return {};
  zeros_.resize(row_stride(dimensions_));
  has_vector_.resize(Bitmap::words_for(rows_.size()));
  size_t present = 0;
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i] == nullptr) continue;
    has_vector_[i / 64] |= uint64_t{1} << (i % 64);
    ++present;
  }
  if (present < options_.quantize_from) return {};
  quantize();
  if (present < options_.graph_from) return {};
  const QuantizedRows rows{quantized_, scales_, quantized_stride(dimensions_)};
  graph_ = TRY(build_graph(rows, [&](size_t i) { return rows_[i] != nullptr; }, options_.threads));
  return {};
}

void VectorWriter::quantize() {
  const size_t stride = quantized_stride(dimensions_);
  quantized_.resize(rows_.size() * stride);
  scales_.resize(rows_.size());
  for (size_t i = 0; i < rows_.size(); ++i) {
    const float* row = rows_[i] != nullptr ? rows_[i] : zeros_.data();
    scales_[i] = quantize_row({row, dimensions_}, quantized_.data() + i * stride);
  }
}

std::vector<std::string_view> VectorWriter::row_parts() const {
  const auto bytes = [](const float* first, size_t count) {
    return std::string_view(reinterpret_cast<const char*>(first), count * sizeof(float));
  };
  std::vector<std::string_view> parts;
  if (dimensions_ == 0) return parts;
  for (const float* row : rows_) {
    parts.push_back(bytes(row != nullptr ? row : zeros_.data(), dimensions_));
    if (zeros_.size() != dimensions_)
      parts.push_back(bytes(zeros_.data(), zeros_.size() - dimensions_));
  }
  return parts;
}

}  // namespace precedent
