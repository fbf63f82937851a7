// The layers in int8. How outliers are kept from spoiling the code:
// docs/decisions/0014-int8-by-peaks.md.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "embed/minilm_layers.h"
#include "embed/minilm_steps.h"

namespace precedent {
namespace {

// How much of a channel's outliers its weights take over: 0 none, 1 all. Chosen by the cosine to
// fp32 on texts of several kinds; neighbours within .1 are nearly as good.
constexpr float kShareOfQkv = 0.6f, kShare = 0.3f;

struct Matrix {
  size_t outputs, inputs;
  std::vector<float> values;
};

std::vector<float> values_of(const float* values, size_t n) { return {values, values + n}; }

Matrix matrix_of(const float* values, size_t outputs, size_t inputs) {
  return {outputs, inputs, values_of(values, outputs * inputs)};
}

Matrix rows_of(const Matrix& matrix, std::span<const size_t> chosen) {
  Matrix result{chosen.size(), matrix.inputs, {}};
  for (const size_t row : chosen) {
    const auto first = matrix.values.begin() + static_cast<ptrdiff_t>(row * matrix.inputs);
    result.values.insert(result.values.end(), first, first + static_cast<ptrdiff_t>(matrix.inputs));
  }
  return result;
}

Matrix columns_of(const Matrix& matrix, std::span<const size_t> chosen) {
  Matrix result{matrix.outputs, chosen.size(), {}};
  for (size_t n = 0; n < matrix.outputs; ++n) {
    for (const size_t k : chosen) result.values.push_back(matrix.values[n * matrix.inputs + k]);
  }
  return result;
}

std::vector<float> chosen_of(std::span<const float> values, std::span<const size_t> chosen) {
  std::vector<float> result;
  for (const size_t i : chosen) result.push_back(values[i]);
  return result;
}

// Multiplies each column of the matrix by s = peak^share / rms(column)^(1 − share), and returns
// what the activations are multiplied by in turn, 1 / s.
std::vector<float> take_over(Matrix& matrix, std::span<const float> peaks, float share) {
  std::vector<float> factors;
  for (size_t k = 0; k < matrix.inputs; ++k) {
    double squares = 0;
    for (size_t i = k; i < matrix.values.size(); i += matrix.inputs)
      squares += double{matrix.values[i]} * matrix.values[i];
    const auto rms = static_cast<float>(std::sqrt(squares / static_cast<double>(matrix.outputs)));
    const float s =
        std::pow(std::max(peaks[k], 1e-5f), share) / std::pow(std::max(rms, 1e-5f), 1 - share);
    for (size_t i = k; i < matrix.values.size(); i += matrix.inputs) matrix.values[i] *= s;
    factors.push_back(1 / s);
  }
  return factors;
}

struct CodedMatrix {
  DenseWeights weights;
  std::vector<float> scale, sum, bias;

  ColumnCode columns() const { return {scale.data(), sum.data(), bias.data()}; }
};

Result<CodedMatrix> code_matrix(const Matrix& matrix, std::vector<float> bias) {
  std::vector<int8_t> coded(matrix.values.size());
  std::vector<float> scale(matrix.outputs), sum(matrix.outputs);
  for (size_t n = 0; n < matrix.outputs; ++n) {
    const float* row = matrix.values.data() + n * matrix.inputs;
    float largest = 1e-20f;
    for (size_t k = 0; k < matrix.inputs; ++k) largest = std::max(largest, std::abs(row[k]));
    int32_t total = 0;
    for (size_t k = 0; k < matrix.inputs; ++k) {
      const auto code = static_cast<int8_t>(std::lround(row[k] * (127.0f / largest)));
      coded[n * matrix.inputs + k] = code;
      total += code;
    }
    scale[n] = largest / 127.0f;
    sum[n] = scale[n] * static_cast<float>(total);
  }
  return CodedMatrix{
      .weights = TRY(DenseWeights::packed_int8(coded.data(), matrix.outputs, matrix.inputs)),
      .scale = std::move(scale),
      .sum = std::move(sum),
      .bias = std::move(bias)};
}

std::vector<size_t> largest_first(std::span<const float> peaks) {
  std::vector<size_t> order(peaks.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) { return peaks[a] > peaks[b]; });
  return order;
}

class Int8Layers final : public Layers {
 public:
  explicit Int8Layers(const MiniLmWeights& weights) : weights_(weights) {}

  Result<void> add(const LayerWeights& layer, const LayerPeaks& peaks) {
    Matrix qkv{3 * kHidden, kHidden, joined_matrix(layer)};
    Matrix attention_out = matrix_of(layer.attention_out.matrix, kHidden, kHidden);
    Matrix up = matrix_of(layer.up.matrix, kUpWidth, kHidden);
    Matrix down = matrix_of(layer.down.matrix, kHidden, kUpWidth);
    Factors factors{.qkv = take_over(qkv, peaks.qkv, kShareOfQkv),
                    .attention_out = take_over(attention_out, peaks.attention_out, kShare),
                    .up = take_over(up, peaks.up, kShare),
                    .down = take_over(down, peaks.down, kShare)};
    // The inner channels may come in any order, as long as both their matrices have the same.
    const std::vector<size_t> order = largest_first(peaks.down);
    const std::span<const size_t> channels = order;
    factors.down = chosen_of(factors.down, order);
    layers_.push_back({.qkv = TRY(code_matrix(qkv, joined_bias(layer))),
                       .attention_out = TRY(code_matrix(
                           attention_out, values_of(layer.attention_out.bias, kHidden))),
                       .up = TRY(code_matrix(rows_of(up, order),
                                             chosen_of(values_of(layer.up.bias, kUpWidth), order))),
                       .down_peaks = TRY(code_matrix(columns_of(down, channels.first(kPeakWidth)),
                                                     std::vector<float>(kHidden))),
                       .down_rest = TRY(code_matrix(columns_of(down, channels.subspan(kPeakWidth)),
                                                    values_of(layer.down.bias, kHidden))),
                       .factors = std::move(factors),
                       .attention_norm = layer.attention_norm,
                       .down_norm = layer.down_norm});
    return {};
  }

  Result<void> encode(std::span<const BlockText> block, Workspace& work,
                      const LowRank* updates) const override {
    const size_t rows = padded_rows(tokens_of(block));
    look_up(weights_, block, work);
    kernels().quantize(work.x.get(), rows, kHidden, layers_.front().factors.qkv.data(),
                       work.narrow.get(), work.narrow_codes.get());
    for (size_t i = 0; i < layers_.size(); ++i) {
      TRY(attention(layers_[i], block, rows, work, updates == nullptr ? nullptr : updates->of(i)));
      // What the last layer codes is not read.
      const Layer& next = layers_[std::min(i + 1, layers_.size() - 1)];
      for (size_t row = 0; row < rows; row += kChunkRows) {
        TRY(inner(layers_[i], next, row, std::min(kChunkRows, rows - row), work));
      }
    }
    pool(block, work);
    return {};
  }

 private:
  // Rows whose inner layer (1,536 sums of four bytes) is made, coded and consumed before the next:
  // 400 KB stay in the second-level cache.
  static constexpr size_t kChunkRows = 64;

  // What the inputs of each product are multiplied by before they are coded.
  struct Factors {
    std::vector<float> qkv, attention_out, up, down;
  };

  struct Layer {
    CodedMatrix qkv, attention_out, up, down_peaks, down_rest;
    Factors factors;
    NormParameters attention_norm, down_norm;
  };

  static int32_t* products_of(Workspace& work) {
    return reinterpret_cast<int32_t*>(work.wide.get());
  }

  static Result<void> attention(const Layer& layer, std::span<const BlockText> block, size_t rows,
                                Workspace& work, const LayerUpdates* updates) {
    const Kernels& k = kernels();
    const size_t tokens = tokens_of(block);
    int32_t* products = products_of(work);
    uint8_t* narrow = work.narrow.get();
    RowCode* codes = work.narrow_codes.get();
    TRY(work.products.multiply_int8(layer.qkv.weights, narrow, rows, products));
    k.dequantize(products, rows, 3 * kHidden, codes, layer.qkv.columns(), work.wide.get());
    if (updates != nullptr) update_attention(*updates, tokens, work);
    attend(block, work);
    if (updates != nullptr) update_output(*updates, tokens, work);
    k.quantize(work.context.get(), rows, kHidden, layer.factors.attention_out.data(), narrow,
               codes);
    TRY(work.products.multiply_int8(layer.attention_out.weights, narrow, rows, products));
    k.add_norm_quantize(products, rows, codes, layer.attention_out.columns(), work.x.get(),
                        layer.attention_norm, layer.factors.up.data(), narrow, codes);
    return {};
  }

  static Result<void> inner(const Layer& layer, const Layer& next, size_t first, size_t rows,
                            Workspace& work) {
    const Kernels& k = kernels();
    int32_t* products = products_of(work);
    float* x = work.x.get() + first * kHidden;
    uint8_t* narrow = work.narrow.get() + first * kHidden;
    RowCode* codes = work.narrow_codes.get() + first;
    const InnerCodes inner{.peaks = work.inner_peaks.get(),
                           .peak_codes = work.inner_peak_codes.get(),
                           .rest = work.inner_rest.get(),
                           .rest_codes = work.inner_rest_codes.get()};
    TRY(work.products.multiply_int8(layer.up.weights, narrow, rows, products));
    k.gelu_quantize(products, rows, codes, layer.up.columns(), layer.factors.down.data(), inner);
    TRY(work.products.multiply_int8(layer.down_peaks.weights, inner.peaks, rows, products));
    k.add(products, rows, inner.peak_codes, layer.down_peaks.columns(), x);
    TRY(work.products.multiply_int8(layer.down_rest.weights, inner.rest, rows, products));
    k.add_norm_quantize(products, rows, inner.rest_codes, layer.down_rest.columns(), x,
                        layer.down_norm, next.factors.qkv.data(), narrow, codes);
    return {};
  }

  const MiniLmWeights& weights_;
  std::vector<Layer> layers_;
};

}  // namespace

Result<std::unique_ptr<Layers>> make_int8_layers(const MiniLmWeights& weights, const Peaks& peaks) {
  auto layers = std::make_unique<Int8Layers>(weights);
  for (size_t i = 0; i < kLayers; ++i) TRY(layers->add(weights.layers[i], peaks[i]));
  return layers;
}

bool int8_supported() { return __builtin_cpu_supports("avx512vnni") != 0; }

}  // namespace precedent
