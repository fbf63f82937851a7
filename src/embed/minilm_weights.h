// The parameters of all-MiniLM-L6-v2 as views into its mapped .safetensors file, checked for shape.
//
// Source of the names: Hugging Face `BertModel`. Matrices are outputs × inputs, row-major.
//
// Thread safety: immutable. Lifetime: views live as long as the SafeTensors they were read from.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "embed/kernels.h"
#include "embed/safetensors.h"

namespace precedent {

inline constexpr size_t kLayers = 6;

struct LinearWeights {
  const float* matrix;
  const float* bias;
};

struct LayerWeights {
  LinearWeights query, key, value;  // kHidden × kHidden each
  LinearWeights attention_out;      // kHidden × kHidden
  NormParameters attention_norm;
  LinearWeights up;    // kUpWidth × kHidden
  LinearWeights down;  // kHidden × kUpWidth
  NormParameters down_norm;
};

struct MiniLmWeights {
  size_t vocabulary;
  const float* words;      // vocabulary × kHidden
  const float* positions;  // at least kMaxTokens × kHidden
  const float* type;       // kHidden: the first segment's
  NormParameters norm;
  std::array<LayerWeights, kLayers> layers;
};

// Errors: kCorrupt, naming the tensor whose shape is another model's.
Result<MiniLmWeights> read_weights(const SafeTensors& file, size_t vocabulary);

// The three matrices of attention below each other (3·kHidden × kHidden), and their biases.
std::vector<float> joined_matrix(const LayerWeights& layer);
std::vector<float> joined_bias(const LayerWeights& layer);

// Whether config.json describes the architecture that this code computes. Errors: kCorrupt, naming
// the field.
Result<void> check_config(std::string_view config_json);

}  // namespace precedent
