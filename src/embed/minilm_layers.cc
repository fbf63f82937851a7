#include "embed/minilm_layers.h"

#include <algorithm>
#include <cmath>

#include "embed/minilm_steps.h"

namespace precedent {
namespace {

template <size_t width>
void raise(std::array<float, width>& peaks, const float* x, size_t rows) {
  for (size_t r = 0; r < rows; ++r, x += width) {
    for (size_t i = 0; i < width; ++i) peaks[i] = std::max(peaks[i], std::abs(x[i]));
  }
}

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

  Result<void> encode(std::span<const BlockText> block, Workspace& work,
                      const LowRank* updates) const override {
    look_up(weights_, block, work);
    for (size_t i = 0; i < layers_.size(); ++i) {
      TRY(run(layers_[i], block, work, updates == nullptr ? nullptr : updates->of(i), nullptr));
    }
    pool(block, work);
    return {};
  }

  // Raises `peaks` to what the block shows.
  Result<void> measure(std::span<const BlockText> block, Workspace& work, Peaks& peaks) const {
    look_up(weights_, block, work);
    for (size_t i = 0; i < layers_.size(); ++i) {
      TRY(run(layers_[i], block, work, nullptr, &peaks[i]));
    }
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

  // Queries, keys and values of a token side by side. Where the weights lie apart, each third goes
  // through `context`: oneDNN's fast products (brgemm) write no rows with gaps, and the first use
  // of those that do costs 30 ms.
  static Result<void> project(const Layer& layer, size_t rows, Workspace& work) {
    const float* x = work.x.get();
    float* wide = work.wide.get();
    if (layer.qkv.size() == 1)
      return work.products.multiply(layer.qkv[0], Epilogue::kBias, x, rows, layer.qkv_bias.data(),
                                    wide);
    size_t column = 0;
    for (const DenseWeights& part : layer.qkv) {
      const float* third = work.context.get();
      TRY(work.products.multiply(part, Epilogue::kBias, x, rows, layer.qkv_bias.data() + column,
                                 work.context.get()));
      for (size_t r = 0; r < rows; ++r, third += kHidden)
        std::copy_n(third, kHidden, wide + r * 3 * kHidden + column);
      column += kHidden;
    }
    return {};
  }

  static Result<void> run(const Layer& layer, std::span<const BlockText> block, Workspace& work,
                          const LayerUpdates* updates, LayerPeaks* peaks) {
    const size_t tokens = tokens_of(block), rows = padded_rows(tokens);
    float* x = work.x.get();
    float* wide = work.wide.get();
    if (peaks != nullptr) raise(peaks->qkv, x, tokens);
    TRY(project(layer, rows, work));
    if (updates != nullptr) update_attention(*updates, tokens, work);
    attend(block, work);
    if (updates != nullptr) update_output(*updates, tokens, work);
    if (peaks != nullptr) raise(peaks->attention_out, work.context.get(), tokens);
    TRY(work.products.multiply(layer.attention_out, Epilogue::kBiasAdd, work.context.get(), rows,
                               layer.source.attention_out.bias, x));
    kernels().norm(x, rows, layer.source.attention_norm);
    if (peaks != nullptr) raise(peaks->up, x, tokens);
    TRY(work.products.multiply(layer.up, Epilogue::kBiasGelu, x, rows, layer.source.up.bias, wide));
    if (peaks != nullptr) raise(peaks->down, wide, tokens);
    TRY(work.products.multiply(layer.down, Epilogue::kBiasAdd, wide, rows, layer.source.down.bias,
                               x));
    kernels().norm(x, rows, layer.source.down_norm);
    return {};
  }

  const MiniLmWeights& weights_;
  std::vector<Layer> layers_;
};

Result<std::unique_ptr<FloatLayers>> make_float_layers(const MiniLmWeights& weights, bool pack) {
  auto layers = std::make_unique<FloatLayers>(weights);
  for (const LayerWeights& layer : weights.layers) TRY(layers->add(layer, pack));
  return layers;
}

}  // namespace

Result<std::unique_ptr<Layers>> make_stored_layers(const MiniLmWeights& weights) {
  return TRY(make_float_layers(weights, /*pack=*/false));
}

Result<std::unique_ptr<Layers>> make_packed_layers(const MiniLmWeights& weights) {
  return TRY(make_float_layers(weights, /*pack=*/true));
}

Result<Peaks> measure_peaks(const MiniLmWeights& weights,
                            std::span<const std::vector<BlockText>> blocks) {
  const auto layers = TRY(make_float_layers(weights, /*pack=*/false));
  Workspace work;
  Peaks peaks;
  for (const auto& block : blocks) TRY(layers->measure(block, work, peaks));
  return peaks;
}

}  // namespace precedent
