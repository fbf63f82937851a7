// The low-rank updates of an adapter: for each layer, what is added to the four products of
// attention, y += B · (A · x) beside y = W · x (Hu et al., "LoRA", 2021).
//
// They sit on attention alone: what goes into its products is single precision in fp32 and in int8,
// so that an adapter means the same in both. The base's weights are neither copied nor changed.
// Read from a file by adapter.h, applied in minilm_steps.h.
//
// Thread safety: plain values, immutable once read.
#pragma once

#include <array>
#include <vector>

#include "embed/minilm_weights.h"

namespace precedent {

struct LowRankUpdate {
  std::vector<float> a;  // kRank × kHidden
  std::vector<float> b;  // kRank × kHidden: B transposed, so that a row of y is made in one sweep
};

struct LayerUpdates {
  LowRankUpdate query, key, value, output;
};

struct LowRank {
  // Layers before this have none: they are as in the base.
  size_t first = 0;
  std::array<LayerUpdates, kLayers> layers;

  // Null: none.
  const LayerUpdates* of(size_t layer) const { return layer < first ? nullptr : &layers[layer]; }
};

}  // namespace precedent
