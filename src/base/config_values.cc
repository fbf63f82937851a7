#include "base/config_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "base/nearest.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

// No wait of this program is longer.
constexpr double kMaxSeconds = 24 * 3600;

template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::chrono::milliseconds> duration_of(std::string_view text) {
  constexpr std::pair<std::string_view, double> kUnits[] = {
      {"ms", 0.001}, {"s", 1}, {"m", 60}, {"h", 3600}};
  double unit = 1;
  for (const auto& [suffix, seconds] : kUnits) {
    if (!text.ends_with(suffix)) continue;
    text = trim(text.substr(0, text.size() - suffix.size()));
    unit = seconds;
    break;
  }
  const auto number = number_of<double>(text);
  if (!number || !(*number >= 0 && *number * unit <= kMaxSeconds)) return std::nullopt;
  return std::chrono::milliseconds(std::llround(*number * unit * 1000));
}

std::string text_of_key(const YAML::Node& key) { return key.IsScalar() ? key.Scalar() : ""; }

std::string shown(std::string_view text) { return std::string(utf8_prefix(text, 60)); }

}  // namespace

Result<YAML::Node> parse_yaml(std::string_view text, std::string_view path) {
  try {
    return YAML::Load(std::string(text));
  } catch (const YAML::Exception& error) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}:{}: this is no YAML ({}); check indentation and quotes", path,
                            error.mark.line + 1, error.msg));
  }
}

YAML::Node ConfigSection::at(std::string_view key) const {
  if (!node_.IsMap()) return YAML::Node(YAML::NodeType::Undefined);
  // A const node: operator[] of another would create the key.
  const YAML::Node& node = node_;
  const YAML::Node value = node[std::string(key)];
  // What yaml-cpp gives for an absent key raises when it is asked anything more.
  return value.IsDefined() ? value : YAML::Node(YAML::NodeType::Undefined);
}

bool ConfigSection::has(std::string_view key) const {
  const YAML::Node value = at(key);
  return value.IsDefined() && !value.IsNull();
}

std::string ConfigSection::text(std::string_view key) const {
  const YAML::Node value = at(key);
  return has(key) && value.IsScalar() ? value.Scalar() : "";
}

std::string ConfigSection::place(std::string_view key) const {
  const YAML::Node value = at(key);
  const int line = (value.IsDefined() ? value : node_).Mark().line + 1;
  return fmt::format("{}:{}: {}{}", path_, line, prefix_, key);
}

std::unexpected<Error> ConfigSection::wrong(std::string_view key, std::string_view what) const {
  return fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", place(key), what));
}

Result<void> ConfigSection::settle(Result<void> part) const {
  if (part || problems_ == nullptr) return part;
  problems_->push_back(std::move(part).error());
  return {};
}

Result<void> ConfigSection::check(std::span<const std::string_view> keys) const {
  const std::string_view own = std::string_view(prefix_).substr(0, prefix_.size() - 1);
  const std::vector<std::string> known(keys.begin(), keys.end());
  if (!node_.IsMap())
    return settle(
        fail(ErrorCode::kInvalidArgument,
             fmt::format("{}:{}: {} is no mapping; its keys are {}", path_, node_.Mark().line + 1,
                         own.empty() ? "the file" : own, join(known, ", "))));
  TRY(check_once());
  for (const auto& entry : node_) {
    const std::string key = text_of_key(entry.first);
    if (std::ranges::find(known, key) != known.end()) continue;
    const auto close = nearest(key, known);
    TRY(problem(
        entry.first,
        fmt::format("is unknown; {}", close ? fmt::format("did you mean {}?", *close)
                                            : fmt::format("the keys are {}", join(known, ", ")))));
  }
  return {};
}

Result<void> ConfigSection::check_once() const {
  if (!node_.IsMap()) return {};
  std::set<std::string> seen;
  for (const auto& entry : node_)
    if (!seen.insert(text_of_key(entry.first)).second)
      TRY(problem(entry.first, "is there twice; keep one"));
  return {};
}

Result<void> ConfigSection::problem(const YAML::Node& key, std::string_view what) const {
  return settle(
      fail(ErrorCode::kInvalidArgument, fmt::format("{}:{}: {}{} {}", path_, key.Mark().line + 1,
                                                    prefix_, shown(text_of_key(key)), what)));
}

Result<void> ConfigSection::read(std::string_view key, std::string& out) const {
  if (!has(key)) return {};
  if (!at(key).IsScalar()) return settle(wrong(key, "is no text"));
  out = trim(text(key));
  return {};
}

Result<void> ConfigSection::read(std::string_view key, int64_t& out, int64_t min,
                                 int64_t max) const {
  if (!has(key)) return {};
  const auto number = number_of<int64_t>(text(key));
  if (!number || *number < min || *number > max)
    return settle(wrong(
        key, fmt::format("'{}' is no whole number from {} to {}", shown(text(key)), min, max)));
  out = *number;
  return {};
}

Result<void> ConfigSection::read(std::string_view key, double& out, double min, double max) const {
  if (!has(key)) return {};
  const auto number = number_of<double>(text(key));
  if (!number || !(*number >= min && *number <= max))
    return settle(
        wrong(key, fmt::format("'{}' is no number from {} to {}", shown(text(key)), min, max)));
  out = *number;
  return {};
}

Result<void> ConfigSection::read(std::string_view key, std::chrono::milliseconds& out) const {
  if (!has(key)) return {};
  const auto duration = duration_of(text(key));
  if (!duration)
    return settle(wrong(key, fmt::format("'{}' is no duration; write it like 500ms, 90s, 5m or 1h",
                                         shown(text(key)))));
  out = *duration;
  return {};
}

Result<void> ConfigSection::read(std::string_view key, std::vector<std::string>& out) const {
  if (!has(key)) return {};
  const YAML::Node value = at(key);
  if (value.IsScalar()) {
    out = {std::string(trim(value.Scalar()))};
    return {};
  }
  if (!value.IsSequence()) return settle(wrong(key, "is neither a text nor a list of texts"));
  out.clear();
  for (const YAML::Node& item : value) {
    if (!item.IsScalar()) return settle(wrong(key, "holds something that is no text"));
    out.emplace_back(trim(item.Scalar()));
  }
  return {};
}

Result<std::vector<ConfigSection>> ConfigSection::items(std::string_view key) const {
  std::vector<ConfigSection> items;
  if (!has(key)) return items;
  const YAML::Node list = at(key);
  if (!list.IsSequence()) {
    TRY(settle(wrong(key, "is no list; begin each item with a dash")));
    return items;
  }
  for (const YAML::Node& item : list)
    items.emplace_back(item, path_, fmt::format("{}{}[{}].", prefix_, key, items.size()),
                       problems_);
  return items;
}

std::vector<std::string> ConfigSection::keys() const {
  std::vector<std::string> keys;
  if (!node_.IsMap()) return keys;
  for (const auto& entry : node_) keys.push_back(text_of_key(entry.first));
  return keys;
}

ConfigSection ConfigSection::section(std::string_view key) const {
  return ConfigSection(at(key), path_, fmt::format("{}{}.", prefix_, key), problems_);
}

}  // namespace precedent
