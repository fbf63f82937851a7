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
#include <memory>
#include <span>
#include <vector>

#include "embed/low_rank.h"
#include "embed/minilm_weights.h"
#include "embed/minilm_workspace.h"

namespace precedent {

class Layers {
 public:
  virtual ~Layers() = default;
  // REQUIRES: at most kBlockTokens ids in all, at least one a text, each below the vocabulary's
  // size. `updates`: of an adapter, added to the products of attention; null: the base alone.
  virtual Result<void> encode(std::span<const BlockText> block, Workspace& work,
                              const LowRank* updates) const = 0;
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
