// The six transformer layers over one block: the tokens of several texts, one below the other,
// without padding.
//
// A block goes through all layers on one thread, in that thread's Workspace: its rows stay in the
// cache while the weights stream past. Only attention and pooling know where one text ends and the
// next begins. Architecture: Devlin et al., "BERT" (2018), post-norm; sentence vector: the mean of
// the last layer over all tokens, with [CLS] and [SEP], at unit length (Reimers and Gurevych,
// "Sentence-BERT", 2019).
//
// Thread safety: layers are immutable and shared; a Workspace belongs to one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "embed/dense.h"
#include "embed/minilm_weights.h"

namespace precedent {

// Tokens of a block: enough rows for the matrix products to reach their full speed, few enough for
// the second-level cache. At least one text of kMaxTokens fits.
inline constexpr size_t kBlockTokens = 256;

// Zeroed memory at cache line boundaries.
template <typename T>
class AlignedArray {
 public:
  explicit AlignedArray(size_t n)
      : data_(static_cast<T*>(std::aligned_alloc(64, (n * sizeof(T) + 63) / 64 * 64))) {
    if (data_ == nullptr) throw std::bad_alloc();
    std::memset(static_cast<void*>(data_.get()), 0, n * sizeof(T));
  }
  T* get() const { return data_.get(); }

 private:
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  std::unique_ptr<T, Free> data_;
};

struct Workspace {
  DenseProducts products;
  AlignedArray<float> x{kBlockTokens * kHidden};  // the residual stream
  AlignedArray<float> wide{kBlockTokens *
                           kUpWidth};  // queries, keys and values; then the inner layer
  AlignedArray<float> context{kBlockTokens * kHidden};  // what attention gathered
  AlignedArray<float> attention{kAttentionScratch};
  // int8 only; small enough to have always.
  AlignedArray<uint8_t> narrow{kBlockTokens * kHidden};  // x or context, coded
  AlignedArray<RowCode> narrow_codes{kBlockTokens};
  AlignedArray<uint8_t> inner_peaks{kBlockTokens * kPeakWidth};  // the inner layer, coded
  AlignedArray<RowCode> inner_peak_codes{kBlockTokens};
  AlignedArray<uint8_t> inner_rest{kBlockTokens * kRestWidth};
  AlignedArray<RowCode> inner_rest_codes{kBlockTokens};
};

// The word piece ids of one text, and where its vector goes (kHidden floats).
struct BlockText {
  std::span<const int32_t> ids;
  float* vector;
};

class Layers {
 public:
  virtual ~Layers() = default;
  // REQUIRES: at most kBlockTokens ids in all, at least one a text, each below the vocabulary's
  // size.
  virtual Result<void> encode(std::span<const BlockText> block, Workspace& work) const = 0;
};

// Lifetime of all: `weights` and the file behind them outlive the layers.
Result<std::unique_ptr<Layers>> make_stored_layers(const MiniLmWeights& weights);  // no preparation
Result<std::unique_ptr<Layers>> make_packed_layers(
    const MiniLmWeights& weights);  // 42 MB, some 20 ms

// The largest magnitude that each input of a layer's four products took.
struct LayerPeaks {
  std::array<float, kHidden> qkv{}, attention_out{}, up{};
  std::array<float, kUpWidth> down{};
};
using Peaks = std::array<LayerPeaks, kLayers>;

// The peaks of these blocks in fp32. Their vectors are written, too.
Result<Peaks> measure_peaks(const MiniLmWeights& weights,
                            std::span<const std::vector<BlockText>> blocks);

// Weights in 8 bits, symmetric for each output; activations in 8 bits, affine for each token, coded
// on the fly; attention, normalisation and the residual stream in fp32. 11 MB. `peaks` say where
// the activations' outliers are (docs/decisions/0014-int8-by-peaks.md). Needs VNNI instructions
// (int8_supported).
Result<std::unique_ptr<Layers>> make_int8_layers(const MiniLmWeights& weights, const Peaks& peaks);

// Without VNNI oneDNN adds pairs of int8 products in 16 bits, which overflow.
bool int8_supported();

}  // namespace precedent
