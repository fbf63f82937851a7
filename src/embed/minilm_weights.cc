#include "embed/minilm_weights.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/foreign_json.h"

namespace precedent {
namespace {

constexpr int64_t kHiddenDim = kHidden, kUpDim = kUpWidth;
// Rows of the position and segment tables.
constexpr int64_t kPositions = 512, kSegments = 2;

class Reader {
 public:
  Reader(const SafeTensors& file, std::string prefix) : file_(file), prefix_(std::move(prefix)) {}

  Result<const float*> table(std::string_view name, int64_t rows, int64_t columns) const {
    const int64_t shape[] = {rows, columns};
    return TRY(file_.floats(prefix_ + std::string(name), shape)).data();
  }
  Result<const float*> vector(const std::string& name, int64_t size) const {
    const int64_t shape[] = {size};
    return TRY(file_.floats(prefix_ + name, shape)).data();
  }
  Result<LinearWeights> linear(const std::string& name, int64_t outputs, int64_t inputs) const {
    return LinearWeights{.matrix = TRY(table(name + ".weight", outputs, inputs)),
                         .bias = TRY(vector(name + ".bias", outputs))};
  }
  Result<NormParameters> norm(const std::string& name) const {
    return NormParameters{.gamma = TRY(vector(name + ".weight", kHiddenDim)),
                          .beta = TRY(vector(name + ".bias", kHiddenDim))};
  }

 private:
  const SafeTensors& file_;
  std::string prefix_;
};

Result<LayerWeights> read_layer(const SafeTensors& file, size_t index) {
  const Reader layer(file, fmt::format("encoder.layer.{}.", index));
  return LayerWeights{
      .query = TRY(layer.linear("attention.self.query", kHiddenDim, kHiddenDim)),
      .key = TRY(layer.linear("attention.self.key", kHiddenDim, kHiddenDim)),
      .value = TRY(layer.linear("attention.self.value", kHiddenDim, kHiddenDim)),
      .attention_out = TRY(layer.linear("attention.output.dense", kHiddenDim, kHiddenDim)),
      .attention_norm = TRY(layer.norm("attention.output.LayerNorm")),
      .up = TRY(layer.linear("intermediate.dense", kUpDim, kHiddenDim)),
      .down = TRY(layer.linear("output.dense", kHiddenDim, kUpDim)),
      .down_norm = TRY(layer.norm("output.LayerNorm")),
  };
}

}  // namespace

Result<MiniLmWeights> read_weights(const SafeTensors& file, size_t vocabulary) {
  const Reader embeddings(file, "embeddings.");
  MiniLmWeights weights{
      .vocabulary = vocabulary,
      .words = TRY(
          embeddings.table("word_embeddings.weight", static_cast<int64_t>(vocabulary), kHiddenDim)),
      .positions = TRY(embeddings.table("position_embeddings.weight", kPositions, kHiddenDim)),
      .type = TRY(embeddings.table("token_type_embeddings.weight", kSegments, kHiddenDim)),
      .norm = TRY(embeddings.norm("LayerNorm")),
      .layers = {},
  };
  for (size_t i = 0; i < kLayers; ++i) weights.layers[i] = TRY(read_layer(file, i));
  return weights;
}

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

Result<void> check_config(std::string_view config_json) {
  const auto config = parse_json(config_json);
  const nlohmann::json expected = {
      {"hidden_size", kHidden},        {"num_hidden_layers", kLayers},
      {"num_attention_heads", kHeads}, {"hidden_act", "gelu"},
      {"intermediate_size", kUpWidth}, {"layer_norm_eps", 1e-12},
      {"model_type", "bert"},          {"position_embedding_type", "absolute"}};
  if (!config.is_object())
    return fail(ErrorCode::kCorrupt, "config.json: not a JSON object; fetch the model again");
  for (const auto& [field, value] : expected.items()) {
    if (!config.contains(field) || config[field] != value) {
      return fail(
          ErrorCode::kCorrupt,
          fmt::format(
              "config.json: {} is {}, expected {}: another model than all-MiniLM-L6-v2; fetch that",
              field,
              config.contains(field)
                  ? config[field].dump(-1, ' ', true, nlohmann::json::error_handler_t::replace)
                  : "missing",
              value.dump()));
    }
  }
  return {};
}

}  // namespace precedent
