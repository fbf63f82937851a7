#include "embed/minilm_layers.h"

#include <algorithm>
#include <cmath>

namespace precedent {
namespace {

size_t tokens_of(std::span<const BlockText> block) {
  size_t tokens = 0;
  for (const BlockText& text : block) tokens += text.ids.size();
  return tokens;
}

// Word + position + segment, normalised; the padding rows keep what they had.
void look_up(const MiniLmWeights& weights, std::span<const BlockText> block, Workspace& work) {
  float* x = work.x.get();
  for (const BlockText& text : block) {
    for (size_t t = 0; t < text.ids.size(); ++t, x += kHidden) {
      const float* word = weights.words + static_cast<size_t>(text.ids[t]) * kHidden;
      const float* position = weights.positions + t * kHidden;
      for (size_t i = 0; i < kHidden; ++i) x[i] = word[i] + position[i] + weights.type[i];
    }
  }
  kernels().norm(work.x.get(), tokens_of(block), weights.norm);
}

void attend(std::span<const BlockText> block, Workspace& work) {
  size_t row = 0;
  for (const BlockText& text : block) {
    kernels().attention(work.wide.get() + row * 3 * kHidden, text.ids.size(),
                        work.context.get() + row * kHidden, work.attention.get());
    row += text.ids.size();
  }
}

void pool(std::span<const BlockText> block, Workspace& work) {
  const float* x = work.x.get();
  for (const BlockText& text : block) {
    kernels().pool(x, text.ids.size(), text.vector);
    x += text.ids.size() * kHidden;
  }
}

// The three matrices of attention below each other: 3·kHidden × kHidden.
std::vector<float> joined_matrix(const LayerWeights& layer) {
  std::vector<float> joined;
  joined.reserve(3 * kHidden * kHidden);
  for (const LinearWeights& part : {layer.query, layer.key, layer.value}) {
    joined.insert(joined.end(), part.matrix, part.matrix + kHidden * kHidden);
  }
  return joined;
}

std::vector<float> joined_bias(const LayerWeights& layer) {
  std::vector<float> joined;
  for (const LinearWeights& part : {layer.query, layer.key, layer.value}) {
    joined.insert(joined.end(), part.bias, part.bias + kHidden);
  }
  return joined;
}

// --- fp32

class FloatLayers final : public Layers {
 public:
  explicit FloatLayers(const MiniLmWeights& weights) : weights_(weights) {}

  Result<void> add(const LayerWeights& layer, bool pack) {
    const auto hold = pack ? &DenseWeights::packed : &DenseWeights::borrowed;
    std::vector<DenseWeights> qkv;
    if (pack) {
      qkv.push_back(TRY(DenseWeights::packed(joined_matrix(layer).data(), 3 * kHidden, kHidden)));
    } else {
      for (const LinearWeights& part : {layer.query, layer.key, layer.value}) {
        qkv.push_back(TRY(DenseWeights::borrowed(part.matrix, kHidden, kHidden)));
      }
    }
    layers_.push_back({.qkv = std::move(qkv),
                       .qkv_bias = joined_bias(layer),
                       .attention_out = TRY(hold(layer.attention_out.matrix, kHidden, kHidden)),
                       .up = TRY(hold(layer.up.matrix, kUpWidth, kHidden)),
                       .down = TRY(hold(layer.down.matrix, kHidden, kUpWidth)),
                       .source = layer});
    return {};
  }

  Result<void> encode(std::span<const BlockText> block, Workspace& work) const override {
    const size_t rows = padded_rows(tokens_of(block));
    look_up(weights_, block, work);
    for (const Layer& layer : layers_) TRY(run(layer, block, rows, work));
    pool(block, work);
    return {};
  }

 private:
  struct Layer {
    std::vector<DenseWeights> qkv;  // one joined, or the three where they lie
    std::vector<float> qkv_bias;
    DenseWeights attention_out, up, down;
    LayerWeights source;
  };

  static Result<void> run(const Layer& layer, std::span<const BlockText> block, size_t rows,
                          Workspace& work) {
    float* x = work.x.get();
    float* wide = work.wide.get();
    size_t column = 0;
    for (const DenseWeights& part : layer.qkv) {
      TRY(work.products.multiply(part, Epilogue::kBias, x, rows, layer.qkv_bias.data() + column,
                                 wide + column, 3 * kHidden));
      column += part.outputs();
    }
    attend(block, work);
    TRY(work.products.multiply(layer.attention_out, Epilogue::kBiasAdd, work.context.get(), rows,
                               layer.source.attention_out.bias, x, kHidden));
    kernels().norm(x, rows, layer.source.attention_norm);
    TRY(work.products.multiply(layer.up, Epilogue::kBiasGelu, x, rows, layer.source.up.bias, wide,
                               kUpWidth));
    TRY(work.products.multiply(layer.down, Epilogue::kBiasAdd, wide, rows, layer.source.down.bias,
                               x, kHidden));
    kernels().norm(x, rows, layer.source.down_norm);
    return {};
  }

  const MiniLmWeights& weights_;
  std::vector<Layer> layers_;
};

Result<std::unique_ptr<Layers>> make_float_layers(const MiniLmWeights& weights, bool pack) {
  auto layers = std::make_unique<FloatLayers>(weights);
  for (const LayerWeights& layer : weights.layers) TRY(layers->add(layer, pack));
  return layers;
}

// --- int8

struct CodedMatrix {
  DenseWeights weights;
  std::vector<float> scale, sum, bias;

  ColumnCode columns() const { return {scale.data(), sum.data(), bias.data()}; }
};

Result<CodedMatrix> code_matrix(const float* matrix, const float* bias, size_t outputs,
                                size_t inputs) {
  std::vector<int8_t> coded(outputs * inputs);
  std::vector<float> scale(outputs), sum(outputs);
  for (size_t n = 0; n < outputs; ++n) {
    const float* row = matrix + n * inputs;
    float largest = 1e-20f;
    for (size_t k = 0; k < inputs; ++k) largest = std::max(largest, std::abs(row[k]));
    int32_t total = 0;
    for (size_t k = 0; k < inputs; ++k) {
      const auto code = static_cast<int8_t>(std::lround(row[k] * (127.0f / largest)));
      coded[n * inputs + k] = code;
      total += code;
    }
    scale[n] = largest / 127.0f;
    sum[n] = scale[n] * static_cast<float>(total);
  }
  return CodedMatrix{.weights = TRY(DenseWeights::packed_int8(coded.data(), outputs, inputs)),
                     .scale = std::move(scale),
                     .sum = std::move(sum),
                     .bias = std::vector<float>(bias, bias + outputs)};
}

class Int8Layers final : public Layers {
 public:
  explicit Int8Layers(const MiniLmWeights& weights) : weights_(weights) {}

  Result<void> add(const LayerWeights& layer) {
    layers_.push_back(
        {.qkv = TRY(code_matrix(joined_matrix(layer).data(), joined_bias(layer).data(), 3 * kHidden,
                                kHidden)),
         .attention_out = TRY(
             code_matrix(layer.attention_out.matrix, layer.attention_out.bias, kHidden, kHidden)),
         .up = TRY(code_matrix(layer.up.matrix, layer.up.bias, kUpWidth, kHidden)),
         .down = TRY(code_matrix(layer.down.matrix, layer.down.bias, kHidden, kUpWidth)),
         .attention_norm = layer.attention_norm,
         .down_norm = layer.down_norm});
    return {};
  }

  Result<void> encode(std::span<const BlockText> block, Workspace& work) const override {
    const size_t rows = padded_rows(tokens_of(block));
    look_up(weights_, block, work);
    kernels().quantize(work.x.get(), rows, kHidden, work.narrow.get(), work.narrow_codes.get());
    for (const Layer& layer : layers_) {
      TRY(attention(layer, block, rows, work));
      for (size_t row = 0; row < rows; row += kChunkRows) {
        TRY(inner(layer, row, std::min(kChunkRows, rows - row), work));
      }
    }
    pool(block, work);
    return {};
  }

 private:
  // Rows whose inner layer (1,536 sums of four bytes) is made, coded and consumed before the next:
  // 400 KB stay in the second-level cache.
  static constexpr size_t kChunkRows = 64;

  struct Layer {
    CodedMatrix qkv, attention_out, up, down;
    NormParameters attention_norm, down_norm;
  };

  static int32_t* products_of(Workspace& work) {
    return reinterpret_cast<int32_t*>(work.wide.get());
  }

  static Result<void> attention(const Layer& layer, std::span<const BlockText> block, size_t rows,
                                Workspace& work) {
    const Kernels& k = kernels();
    int32_t* products = products_of(work);
    TRY(work.products.multiply_int8(layer.qkv.weights, work.narrow.get(), rows, products));
    k.dequantize(products, rows, 3 * kHidden, work.narrow_codes.get(), layer.qkv.columns(),
                 work.wide.get());
    attend(block, work);
    k.quantize(work.context.get(), rows, kHidden, work.narrow.get(), work.narrow_codes.get());
    TRY(work.products.multiply_int8(layer.attention_out.weights, work.narrow.get(), rows,
                                    products));
    k.add_norm_quantize(products, rows, work.narrow_codes.get(), layer.attention_out.columns(),
                        work.x.get(), layer.attention_norm, work.narrow.get(),
                        work.narrow_codes.get());
    return {};
  }

  static Result<void> inner(const Layer& layer, size_t first, size_t rows, Workspace& work) {
    const Kernels& k = kernels();
    int32_t* products = products_of(work);
    uint8_t* narrow = work.narrow.get() + first * kHidden;
    RowCode* codes = work.narrow_codes.get() + first;
    TRY(work.products.multiply_int8(layer.up.weights, narrow, rows, products));
    k.gelu_quantize(products, rows, codes, layer.up.columns(), work.inner.get(),
                    work.inner_codes.get());
    TRY(work.products.multiply_int8(layer.down.weights, work.inner.get(), rows, products));
    k.add_norm_quantize(products, rows, work.inner_codes.get(), layer.down.columns(),
                        work.x.get() + first * kHidden, layer.down_norm, narrow, codes);
    return {};
  }

  const MiniLmWeights& weights_;
  std::vector<Layer> layers_;
};

}  // namespace

Result<std::unique_ptr<Layers>> make_stored_layers(const MiniLmWeights& weights) {
  return make_float_layers(weights, /*pack=*/false);
}

Result<std::unique_ptr<Layers>> make_packed_layers(const MiniLmWeights& weights) {
  return make_float_layers(weights, /*pack=*/true);
}

Result<std::unique_ptr<Layers>> make_int8_layers(const MiniLmWeights& weights) {
  auto layers = std::make_unique<Int8Layers>(weights);
  for (const LayerWeights& layer : weights.layers) TRY(layers->add(layer));
  return layers;
}

bool int8_supported() { return __builtin_cpu_supports("avx512vnni") != 0; }

}  // namespace precedent
