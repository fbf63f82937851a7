#include "index/qdrant_fake_filter.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_access.h"
#include "base/time.h"
#include "index/qdrant_points.h"

namespace precedent::fake_qdrant {
namespace {

using nlohmann::json;

constexpr const char* kClauses[] = {"must", "should", "must_not"};

bool is_filter(const json& condition) {
  return std::ranges::any_of(kClauses, [&](const char* key) { return condition.contains(key); });
}

// One condition or a list of them.
std::vector<json> conditions(const json& clause) {
  if (clause.is_array()) return {clause.begin(), clause.end()};
  if (clause.is_null()) return {};
  return {clause};
}

std::vector<json> values_of(const json& payload, const std::string& key) {
  const json& value = foreign::member(payload, key.c_str());
  if (value.is_array()) return {value.begin(), value.end()};
  if (value.is_null()) return {};
  return {value};
}

std::optional<double> number_of(const json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return std::nullopt;
  const auto time = parse_time(value.get<std::string>());
  if (!time) return std::nullopt;
  return static_cast<double>(time->time_since_epoch().count());
}

bool in_range(const json& value, const json& range) {
  const auto number = number_of(value);
  if (!number) return false;
  const auto holds = [&](const char* key, auto compare) {
    const json& bound = foreign::member(range, key);
    // A range over dates does not see numbers, nor the other way round.
    if (bound.is_null()) return true;
    return bound.is_string() == value.is_string() && compare(*number, number_of(bound).value_or(0));
  };
  return holds("gt", std::greater<>()) && holds("gte", std::greater_equal<>()) &&
         holds("lt", std::less<>()) && holds("lte", std::less_equal<>());
}

bool field_matches(const json& condition, const json& payload) {
  const auto values = values_of(payload, condition["key"].get<std::string>());
  const json& match = foreign::member(condition, "match");
  return std::ranges::any_of(values, [&](const json& value) {
    if (condition.contains("range")) return in_range(value, condition["range"]);
    if (match.contains("value")) return value == match["value"];
    const json& any = foreign::member(match, "any");
    return std::ranges::find(any, value) != any.end();
  });
}

bool holds(const json& condition, const json& id, const json& payload) {
  if (is_filter(condition)) return matches(condition, id, payload);
  if (condition.contains("has_id"))
    return std::ranges::find(condition["has_id"], id) != condition["has_id"].end();
  if (condition.contains("is_empty"))
    return values_of(payload, condition["is_empty"]["key"].get<std::string>()).empty();
  return field_matches(condition, payload);
}

}  // namespace

Result<void> check_filter(const json& filter, const std::string& path) {
  if (filter.is_null()) return {};
  for (const char* clause : kClauses) {
    const auto list = conditions(foreign::member(filter, clause));
    for (size_t i = 0; i < list.size(); ++i) {
      const std::string at = fmt::format("{}.{}[{}]", path, clause, i);
      if (is_filter(list[i])) {
        TRY(check_filter(list[i], at));
        continue;
      }
      if (list[i].contains("has_id") || list[i].contains("is_empty")) continue;
      if (!list[i].contains("key") || (!list[i].contains("match") && !list[i].contains("range"))) {
        return fail(ErrorCode::kCorrupt,
                    fmt::format("Validation error in JSON body: [{}.__all__: Validation error: At "
                                "least one field condition must be specified [{{}}]]",
                                at));
      }
    }
  }
  return {};
}

bool matches(const json& filter, const json& id, const json& payload) {
  const auto one = [&](const json& condition) { return holds(condition, id, payload); };
  const auto should = conditions(foreign::member(filter, "should"));
  return std::ranges::all_of(conditions(foreign::member(filter, "must")), one) &&
         std::ranges::none_of(conditions(foreign::member(filter, "must_not")), one) &&
         (should.empty() || std::ranges::any_of(should, one));
}

std::vector<std::string> keys_of(const json& filter) {
  std::vector<std::string> keys;
  for (const char* clause : kClauses) {
    for (const json& condition : conditions(foreign::member(filter, clause))) {
      if (condition.contains("key")) keys.push_back(condition["key"].get<std::string>());
      for (std::string& key : keys_of(condition)) keys.push_back(std::move(key));
    }
  }
  return keys;
}

}  // namespace precedent::fake_qdrant
