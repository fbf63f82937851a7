// What the layers of both precisions do alike: the embedding of the word pieces, attention, an
// adapter's updates and pooling, over the texts of a block. Internal to minilm_layers.cc and
// minilm_int8.cc.
#pragma once

#include <algorithm>
#include <span>

#include "embed/low_rank.h"
#include "embed/minilm_workspace.h"

namespace precedent {

inline size_t tokens_of(std::span<const BlockText> block) {
  size_t tokens = 0;
  for (const BlockText& text : block) tokens += text.ids.size();
  return tokens;
}

// Word + position + segment, normalised; the padding rows keep what they had.
inline void look_up(const MiniLmWeights& weights, std::span<const BlockText> block,
                    Workspace& work) {
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

inline void attend(std::span<const BlockText> block, Workspace& work) {
  size_t row = 0;
  for (const BlockText& text : block) {
    kernels().attention(work.wide.get() + row * 3 * kHidden, text.ids.size(),
                        work.context.get() + row * kHidden, work.attention.get());
    row += text.ids.size();
  }
}

// Adds the updates of queries, keys and values, which lie side by side in `wide`. REQUIRES: x is
// still what they were made of.
inline void update_attention(const LayerUpdates& updates, size_t tokens, Workspace& work) {
  size_t column = 0;
  for (const LowRankUpdate* update : {&updates.query, &updates.key, &updates.value}) {
    kernels().low_rank(work.x.get(), tokens, update->a.data(), update->b.data(),
                       work.wide.get() + column, 3 * kHidden);
    column += kHidden;
  }
}

// Adds the update of attention's output to x, to which the output itself is added, too.
inline void update_output(const LayerUpdates& updates, size_t tokens, Workspace& work) {
  kernels().low_rank(work.context.get(), tokens, updates.output.a.data(), updates.output.b.data(),
                     work.x.get(), kHidden);
}

inline void pool(std::span<const BlockText> block, Workspace& work) {
  const float* x = work.x.get();
  for (const BlockText& text : block) {
    const size_t numbers = text.ids.size() * kHidden;
    kernels().pool(x, text.ids.size(), text.vector);
    if (text.rows != nullptr) std::copy_n(x, numbers, text.rows);
    x += numbers;
  }
}

}  // namespace precedent
