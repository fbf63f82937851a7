#include "investigate/verdict/model_said.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace precedent {

nlohmann::json to_json(const ModelSaid& said) {
  nlohmann::json order = nlohmann::json::array();
  for (const PlacedByModel& placed : said.order)
    order.push_back({{"hypothesis", placed.hypothesis}, {"why", placed.why}});
  return {{"name", said.name},
          {"summary", said.summary},
          {"order", std::move(order)},
          {"left_out", said.left_out}};
}

std::string model_heading(const ModelSaid& said) {
  return fmt::format("Written by the model {}, each sentence checked against the receipts",
                     said.name);
}

bool has_words(const std::optional<ModelSaid>& said) {
  return said && (!said->summary.empty() || !said->order.empty());
}

}  // namespace precedent
