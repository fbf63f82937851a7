// ModelSaid: what a language model added to a report (investigate/model/ask_model.h). It is no part
// of the verdict.
//
// Thread safety: plain values.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace precedent {

struct PlacedByModel {
  std::string hypothesis;  // its id
  std::string why;         // as much of it as receipts prove; may be ""
};

struct ModelSaid {
  std::string name;     // of the model
  std::string summary;  // the sentences that receipts prove; may be ""
  // Open hypotheses of an inconclusive verdict, what the model would look at first first.
  std::vector<PlacedByModel> order = {};
  size_t left_out = 0;  // sentences that nothing proves
};

nlohmann::json to_json(const ModelSaid& said);
// "Written by the model openai gpt-4o; each sentence is proved by receipts".
std::string model_heading(const ModelSaid& said);
// Whether anything of it is worth a heading.
bool has_words(const std::optional<ModelSaid>& said);

}  // namespace precedent
