// What the layers of both precisions do alike: the embedding of the word pieces, attention and
// pooling, over the texts of a block. Internal to minilm_layers.cc and minilm_int8.cc.
#pragma once

#include <span>

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

inline void pool(std::span<const BlockText> block, Workspace& work) {
  const float* x = work.x.get();
  for (const BlockText& text : block) {
    kernels().pool(x, text.ids.size(), text.vector);
    x += text.ids.size() * kHidden;
  }
}

}  // namespace precedent
