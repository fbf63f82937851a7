#include "agent/findings/given_arguments.h"

#include <nlohmann/json.hpp>

#include "base/foreign_json.h"

namespace precedent {

std::vector<std::string> given_words(const Receipt& receipt, std::string_view name) {
  const nlohmann::json args = parse_json(receipt.args);
  std::vector<std::string> words;
  if (!args.is_object()) return words;
  const auto found = args.find(name);
  if (found == args.end()) return words;
  for (const nlohmann::json& word : *found)
    if (word.is_string()) words.push_back(word.get<std::string>());
  return words;
}

std::string given_text(const Receipt& receipt, std::string_view name) {
  const nlohmann::json args = parse_json(receipt.args);
  if (!args.is_object()) return "";
  const auto found = args.find(name);
  return found == args.end() || !found->is_string() ? "" : found->get<std::string>();
}

}  // namespace precedent
