#include "ingest/yaml_record.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>

namespace precedent {
namespace {

// Real front matter stays below 10 KB; the parser's time on hostile text grows faster than the
// text.
constexpr size_t kMaxBytes = 64 * 1024;
// Values that the mapping may unfold to, and how deep: aliases can make few lines mean millions.
constexpr int kMaxNodes = 10'000;
constexpr int kMaxDepth = 32;

struct TooMuch {};

// Throws TooMuch.
nlohmann::json to_json(const YAML::Node& node, int& budget, int depth) {
  if (--budget < 0 || depth > kMaxDepth) throw TooMuch{};
  switch (node.Type()) {
    case YAML::NodeType::Scalar: return node.Scalar();
    case YAML::NodeType::Sequence: {
      auto list = nlohmann::json::array();
      for (const auto& item : node) list.push_back(to_json(item, budget, depth + 1));
      return list;
    }
    case YAML::NodeType::Map: {
      auto object = nlohmann::json::object();
      for (const auto& item : node) {
        const std::string key = item.first.IsScalar()
                                    ? item.first.Scalar()
                                    : to_json(item.first, budget, depth + 1).dump();
        object[key] = to_json(item.second, budget, depth + 1);
      }
      return object;
    }
    default: return nullptr;
  }
}

Value to_value(const YAML::Node& node, int& budget) {
  const nlohmann::json json = to_json(node, budget, 0);
  if (json.is_null()) return {};
  if (json.is_string()) return {Value::Type::kText, json.get<std::string>()};
  return {json.is_array() ? Value::Type::kList : Value::Type::kObject,
          json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)};
}

}  // namespace

std::expected<Record, BadRecord> read_yaml(std::string_view yaml, const std::string& path,
                                           size_t line) {
  const auto refuse = [&](size_t at, std::string message) {
    return std::unexpected(BadRecord{path, at, "", "the front matter " + std::move(message)});
  };
  if (yaml.size() > kMaxBytes)
    return refuse(line, fmt::format("is larger than {} KB; shorten it", kMaxBytes >> 10));
  Record record{{}, path, line};
  try {
    const YAML::Node root = YAML::Load(std::string(yaml));
    if (!root.IsMap()) return record;
    int budget = kMaxNodes;
    for (const auto& item : root) {
      if (!item.first.IsScalar()) continue;
      record.set(item.first.Scalar(), to_value(item.second, budget));
    }
  } catch (const YAML::Exception& e) {
    const size_t at = e.mark.is_null() ? line : line + static_cast<size_t>(e.mark.line);
    return refuse(at,
                  fmt::format("is broken YAML at column {}: {}; quote values that hold ': ' or '#'",
                              e.mark.column + 1, e.msg));
  } catch (const TooMuch&) {
    return refuse(line, "unfolds to too many values; write it without aliases");
  } catch (const std::exception& e) {
    return refuse(line, fmt::format("cannot be read: {}", e.what()));
  }
  return record;
}

}  // namespace precedent
