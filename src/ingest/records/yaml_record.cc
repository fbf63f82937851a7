#include "ingest/records/yaml_record.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <exception>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/strings.h"

namespace precedent {
namespace {

// Real front matter stays below 10 KB; the parser's time on hostile text grows faster than the
// text.
constexpr size_t kMaxBytes = 64 * 1024;
// Values that the mapping may unfold to, and how deep: aliases can make few lines mean millions.
constexpr int kMaxNodes = 10'000;
constexpr int kMaxDepth = 32;

// Lines of one file that may be put right.
constexpr int kMaxMended = 20;

// "title: Post-mortem: x" → "title: 'Post-mortem: x'". People write values without quotes; YAML
// takes a colon, a bracket or a quote in them for its own. Nothing if the line is no field with a
// bare value, so that nothing is gained.
std::optional<std::string> with_quotes(std::string_view line) {
  const size_t colon = line.find(": ");
  const std::string_view key = line.substr(0, colon);
  if (colon == std::string_view::npos || key.find_first_of("'\"[{#") != std::string_view::npos)
    return std::nullopt;
  const std::string_view value = trim(line.substr(colon + 1));
  const bool quoted = value.size() > 1 && value.starts_with('\'') && value.ends_with('\'');
  // "[draft] Fail over" is a text, "[a, b" a list whose end is missing.
  constexpr std::string_view kOpeners = "[{\"", kClosers = "]}\"";
  const size_t opener = value.empty() ? std::string_view::npos : kOpeners.find(value[0]);
  if (opener != std::string_view::npos && value.find(kClosers[opener], 1) >= value.size() - 1)
    return std::nullopt;
  if (value.empty() || quoted || value.starts_with('|') || value.starts_with('>'))
    return std::nullopt;
  std::string mended = fmt::format("{}: '", key);
  for (const char c : value) mended.append(c == '\'' ? 2 : 1, c);
  return mended + "'";
}

// Puts line `number` (0-based) of `yaml` right. False if it cannot.
bool mend_line(std::string& yaml, int number) {
  size_t begin = 0;
  for (int i = 0; i < number && begin != std::string::npos; ++i) {
    begin = yaml.find('\n', begin);
    if (begin != std::string::npos) ++begin;
  }
  if (number < 0 || begin >= yaml.size()) return false;
  const size_t end = std::min(yaml.find('\n', begin), yaml.size());
  const auto mended = with_quotes(std::string_view(yaml).substr(begin, end - begin));
  if (!mended) return false;
  yaml.replace(begin, end - begin, *mended);
  return true;
}

// A line that is broken YAML is read as people mean it, if it is a field with a bare value. Throws
// what the parser says of the text as it was written, where that does not help.
YAML::Node load(std::string_view text) {
  std::string yaml(text);
  std::exception_ptr first;
  for (int mended = 0;; ++mended) {
    try {
      return YAML::Load(yaml);
    } catch (const YAML::Exception& e) {
      if (!first) first = std::current_exception();
      // The parser may find out one line too late.
      if (e.mark.is_null() || mended == kMaxMended ||
          (!mend_line(yaml, e.mark.line) && !mend_line(yaml, e.mark.line - 1)))
        std::rethrow_exception(first);
    }
  }
}

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
    const YAML::Node root = load(yaml);
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
