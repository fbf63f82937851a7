#include "index/qdrant_fake_collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/json_access.h"
#include "base/time.h"
#include "index/qdrant_points.h"

namespace precedent::fake_qdrant {
namespace {

using nlohmann::json;

constexpr std::array kTypes = {"keyword",  "integer", "float", "bool",
                               "datetime", "geo",     "text",  "uuid"};

bool is_uuid(const std::string& text) {
  if (text.size() != 36) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : std::isxdigit(static_cast<unsigned char>(text[i])) == 0)
      return false;
  }
  return true;
}

std::unexpected<Refusal> wrong_input(std::string what) {
  return fail(ErrorCode::kInvalidArgument, "Wrong input: " + std::move(what));
}

std::unexpected<Refusal> invalid(std::string what) {
  return fail(ErrorCode::kCorrupt, "Validation error in JSON body: [" + std::move(what) + "]");
}

Result<void> check_id(const json& id) {
  if (id.is_number_unsigned() || (id.is_string() && is_uuid(id.get<std::string>()))) return {};
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("Format error in JSON body: value {} is not a valid point ID, valid "
                          "values are either an unsigned integer or a UUID",
                          id.is_string() ? id.get<std::string>() : id.dump()));
}

size_t limit_of(const json& body, size_t otherwise) {
  return foreign::member(body, "limit").is_null() ? otherwise : body["limit"].get<size_t>();
}

float weight_of(const json& sparse, uint64_t term) {
  const json& indices = foreign::member(sparse, "indices");
  for (size_t i = 0; i < indices.size(); ++i)
    if (indices[i] == term) return sparse["values"][i].get<float>();
  return 0;
}

// A selector that names no key of `whole` leaves it out.
json picked(const json& whole, const json& selector) {
  if (selector.is_boolean()) return selector.get<bool>() ? whole : json();
  json some = json::object();
  for (const json& key : selector) {
    if (whole.contains(key.get<std::string>())) some[key.get<std::string>()] = whole[key];
  }
  return some;
}

}  // namespace

Collection::Key Collection::key_of(const json& id) {
  if (id.is_string()) return {UINT64_MAX, id.get<std::string>()};
  return {id.get<uint64_t>(), ""};
}

json Collection::id_of(const Key& key) {
  return key.second.empty() ? json(key.first) : json(key.second);
}

json Collection::info() const {
  json schema = json::object();
  for (const auto& [name, type] : indexes_) schema[name] = {{"data_type", type}};
  return {{"status", "green"},
          {"points_count", points_.size()},
          {"config", {{"params", params_}}},
          {"payload_schema", schema}};
}

Result<void> Collection::create_index(const json& body) {
  const std::string type = foreign::string_at(body, "field_schema");
  if (std::ranges::find(kTypes, type) == kTypes.end()) {
    return fail(ErrorCode::kInvalidArgument,
                "Format error in JSON body: data did not match any variant of untagged enum "
                "PayloadFieldSchema at line 1 column 1");
  }
  indexes_[foreign::string_at(body, "field_name")] = type;
  return {};
}

void Collection::patch(const json& body) {
  strict_ = foreign::member(body, "strict_mode_config");
  reads_left_ = static_cast<int64_t>(number_member(strict_, "read_rate_limit"));
}

Result<void> Collection::admit_read() {
  if (foreign::member(strict_, "read_rate_limit").is_null() || --reads_left_ >= 0) return {};
  return fail(ErrorCode::kResourceExhausted,
              "Rate limiting exceeded: Read rate limit exceeded: Operation requires 1 tokens but "
              "only 0.0 were available. Retry after 30s");
}

Result<void> Collection::check_point(const json& point, size_t index) const {
  TRY(check_id(foreign::member(point, "id")));
  if (!foreign::member(point, "vector").is_object()) return invalid("points.vector: missing");
  for (const auto& [name, vector] : point["vector"].items()) {
    const json& dense = foreign::member(foreign::member(params_, "vectors"), name.c_str());
    if (dense.is_object()) {
      const size_t wanted = number_member(dense, "size");
      if (vector.size() != wanted)
        return wrong_input(
            fmt::format("Vector dimension error: expected dim: {}, got {} for vector '{}'", wanted,
                        vector.size(), name));
      continue;
    }
    if (!foreign::member(params_, "sparse_vectors").contains(name))
      return wrong_input("Not existing vector name error: " + name);
    const json &indices = foreign::member(vector, "indices"),
               &values = foreign::member(vector, "values");
    if (std::set<json>(indices.begin(), indices.end()).size() != indices.size())
      return invalid(fmt::format(
          "points[{}].vector.?.indices: Validation error: must be unique [{{}}]", index));
    if (indices.size() != values.size())
      return invalid(
          fmt::format("points[{}].vector.?.values: Validation error: must be the same "
                      "length as indices [{{}}]",
                      index));
  }
  return {};
}

Result<void> Collection::upsert(const json& body) {
  const json& points = foreign::member(body, "points");
  if (points.empty()) return fail(ErrorCode::kInvalidArgument, "Bad request: Empty update request");
  for (size_t i = 0; i < points.size(); ++i) TRY(check_point(points[i], i));
  for (const json& point : points) {
    const json& payload = foreign::member(point, "payload");
    points_[key_of(point["id"])] = {payload.is_null() ? json::object() : payload, point["vector"]};
  }
  return {};
}

Result<std::vector<Collection::Key>> Collection::selected(const json& body) const {
  std::vector<Key> keys;
  if (body.contains("points")) {
    for (const json& id : body["points"]) {
      TRY(check_id(id));
      if (points_.contains(key_of(id))) keys.push_back(key_of(id));
    }
    return keys;
  }
  TRY(check_filter(foreign::member(body, "filter"), "filter"));
  for (const auto& [key, point] : points_)
    if (matches(body["filter"], id_of(key), point.payload)) keys.push_back(key);
  return keys;
}

Result<void> Collection::set_payload(const json& body) {
  for (const Key& key : TRY(selected(body))) points_[key].payload.update(body["payload"]);
  return {};
}

Result<void> Collection::delete_payload(const json& body) {
  for (const Key& key : TRY(selected(body)))
    for (const json& name : body["keys"]) points_[key].payload.erase(name.get<std::string>());
  return {};
}

Result<void> Collection::remove(const json& body) {
  for (const Key& key : TRY(selected(body))) {
    dead_.push_back(points_[key].vectors);
    points_.erase(key);
  }
  return {};
}

Result<void> Collection::check_limits(const json& body) const {
  if (foreign::member(body, "limit") == 0)
    return invalid("internal.limit: value 0 invalid, must be 1 or larger");
  TRY(check_filter(foreign::member(body, "filter"), "internal.filter"));
  const size_t most = number_member(strict_, "max_query_limit");
  if (most != 0 && limit_of(body, 10) > most) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("Bad request: Limit exceeded {} > {} for \"limit\". Help: Reduce the "
                            "\"limit\" parameter to or below {}.",
                            limit_of(body, 10), most, most));
  }
  if (foreign::member(strict_, "unindexed_filtering_retrieve") != false) return {};
  for (const std::string& key : keys_of(foreign::member(body, "filter"))) {
    if (indexes_.contains(key)) continue;
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("Bad request: Index required but not found for \"{}\" of one of the "
                            "following types: [keyword]. Help: Create an index for this key or use "
                            "a different filter.",
                            key));
  }
  return {};
}

float Collection::idf(const std::string& vector, uint64_t term) const {
  if (foreign::member(foreign::member(foreign::member(params_, "sparse_vectors"), vector.c_str()),
                      "modifier") != "idf")
    return 1;
  double all = 0, having = 0;
  const auto count = [&](const json& vectors) {
    if (!vectors.contains(vector)) return;
    ++all;
    having += weight_of(vectors[vector], term) != 0 ? 1 : 0;
  };
  for (const auto& [key, point] : points_) count(point.vectors);
  for (const json& vectors : dead_) count(vectors);
  return static_cast<float>(std::log1p((all - having + 0.5) / (having + 0.5)));
}

Result<Collection::Scores> Collection::scores(const json& body) const {
  TRY(check_limits(body));
  if (body.contains("prefetch")) return fused(body);
  const std::string vector = foreign::string_at(body, "using");
  const json& query = body["query"];
  const json& dense = foreign::member(foreign::member(params_, "vectors"), vector.c_str());
  if (dense.is_null() && !foreign::member(params_, "sparse_vectors").contains(vector))
    return wrong_input("Not existing vector name error: " + vector);
  if (dense.is_object() && query.size() != number_member(dense, "size"))
    return wrong_input(fmt::format("Vector dimension error: expected dim: {}, got {}",
                                   number_member(dense, "size"), query.size()));
  std::vector<float> factors;
  if (!dense.is_object()) {
    for (size_t i = 0; i < query["indices"].size(); ++i)
      factors.push_back(query["values"][i].get<float>() *
                        idf(vector, query["indices"][i].get<uint64_t>()));
  }
  Scores found;
  for (const auto& [key, point] : points_) {
    if (!point.vectors.contains(vector)) continue;
    if (!matches(foreign::member(body, "filter"), id_of(key), point.payload)) continue;
    const json& own = point.vectors[vector];
    float score = 0;
    bool meets = dense.is_object();
    for (size_t i = 0; dense.is_object() && i < query.size(); ++i)
      score += query[i].get<float>() * own[i].get<float>();
    for (size_t i = 0; i < factors.size(); ++i) {
      const float weight = weight_of(own, query["indices"][i].get<uint64_t>());
      meets = meets || weight != 0;
      score += factors[i] * weight;
    }
    if (meets) found.emplace_back(key, score);
  }
  // The highest id first among equals: no reader may rely on the server's order.
  std::ranges::sort(found, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first > b.first;
  });
  if (found.size() > limit_of(body, 10)) found.resize(limit_of(body, 10));
  return found;
}

// Reciprocal ranks, with the server's constant 2.
Result<Collection::Scores> Collection::fused(const json& body) const {
  std::map<Key, float> sums;
  for (const json& list : body["prefetch"]) {
    const Scores ranked = TRY(scores(list));
    for (size_t i = 0; i < ranked.size(); ++i)
      sums[ranked[i].first] += 1.0f / static_cast<float>(i + 2);
  }
  Scores found(sums.begin(), sums.end());
  std::ranges::stable_sort(found, std::greater<>(), [](const auto& hit) { return hit.second; });
  if (found.size() > limit_of(body, 10)) found.resize(limit_of(body, 10));
  return found;
}

json Collection::shown(const Key& key, const FakePoint& point, const json& body,
                       bool payload_by_default) const {
  json made = {{"id", id_of(key)}};
  const json& payload = foreign::member(body, "with_payload");
  const json& vectors = foreign::member(body, "with_vector");
  if (json some = picked(point.payload, payload.is_null() ? json(payload_by_default) : payload);
      !some.is_null())
    made["payload"] = std::move(some);
  if (json some = picked(point.vectors, vectors.is_null() ? json(false) : vectors); !some.is_null())
    made["vector"] = std::move(some);
  return made;
}

Result<json> Collection::query(const json& body) const {
  json points = json::array();
  for (const auto& [key, score] : TRY(scores(body))) {
    points.push_back(shown(key, points_.at(key), body, false));
    points.back()["score"] = score;
  }
  return json{{"points", points}};
}

Result<json> Collection::scroll(const json& body) const {
  TRY(check_limits(body));
  const json& order = foreign::member(body, "order_by");
  const std::string by =
      order.is_string() ? order.get<std::string>() : foreign::string_at(order, "key");
  std::vector<Key> found;
  for (const auto& [key, point] : points_)
    if (matches(foreign::member(body, "filter"), id_of(key), point.payload)) found.push_back(key);
  const auto value = [&](const Key& key) {
    return foreign::string_at(points_.at(key).payload, by.c_str());
  };
  if (!by.empty()) {
    const auto index = indexes_.find(by);
    if (index == indexes_.end() || index->second == "keyword") {
      return wrong_input(fmt::format(
          "No range index for `order_by` key: `{}`. Please create one to use `order_by`. Check "
          "https://qdrant.tech/documentation/concepts/indexing/#payload-index to see which payload "
          "schemas support Range conditions",
          by));
    }
    std::ranges::stable_sort(found, [&](const Key& a, const Key& b) {
      return foreign::string_at(order, "direction") == "desc" ? value(a) > value(b)
                                                              : value(a) < value(b);
    });
  } else if (body.contains("offset")) {
    std::erase_if(found, [&](const Key& key) { return key < key_of(body["offset"]); });
  }
  json points = json::array(), next;
  for (const Key& key : found) {
    if (points.size() == limit_of(body, 10)) {
      if (by.empty()) next = id_of(key);
      break;
    }
    points.push_back(shown(key, points_.at(key), body, true));
    if (!by.empty()) {
      const auto time = parse_time(value(key));
      points.back()["order_value"] = time ? time->time_since_epoch().count() * 1'000'000 : 0;
    }
  }
  return json{{"points", points}, {"next_page_offset", next}};
}

Result<json> Collection::count(const json& body) const {
  TRY(check_filter(foreign::member(body, "filter"), "filter"));
  const auto counted = std::ranges::count_if(points_, [&](const auto& entry) {
    return matches(foreign::member(body, "filter"), id_of(entry.first), entry.second.payload);
  });
  return json{{"count", counted}};
}

Result<json> Collection::facet(const json& body) const {
  const std::string name = foreign::string_at(body, "key");
  if (!indexes_.contains(name)) {
    return wrong_input(fmt::format(
        "No appropriate index for faceting: `{}`. Please create one to facet on this field. Check "
        "https://qdrant.tech/documentation/concepts/indexing/#payload-index to see which payload "
        "schemas support Match conditions",
        name));
  }
  TRY(check_limits(body));
  std::map<json, size_t> counts;
  for (const auto& [key, point] : points_) {
    if (!matches(foreign::member(body, "filter"), id_of(key), point.payload)) continue;
    const json& value = foreign::member(point.payload, name.c_str());
    if (!value.is_array() && !value.is_null()) ++counts[value];
    if (!value.is_array()) continue;
    for (const json& each : std::set<json>(value.begin(), value.end())) ++counts[each];
  }
  std::vector<std::pair<json, size_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater<>(), [](const auto& hit) { return hit.second; });
  json hits = json::array();
  for (const auto& [value, points] : sorted) {
    if (hits.size() < limit_of(body, 10)) hits.push_back({{"value", value}, {"count", points}});
  }
  return json{{"hits", hits}};
}

Result<json> Collection::retrieve(const json& body) const {
  json points = json::array();
  for (const json& id : body["ids"]) {
    const auto found = points_.find(key_of(id));
    if (found != points_.end()) points.push_back(shown(found->first, found->second, body, true));
  }
  return points;
}

Result<json> Collection::point(const json& id) const {
  TRY(check_id(id));
  const auto found = points_.find(key_of(id));
  if (found == points_.end())
    return fail(ErrorCode::kNotFound,
                fmt::format("Not found: Point with id {} does not exists!",
                            id.is_string() ? id.get<std::string>() : id.dump()));
  return shown(found->first, found->second, {{"with_payload", true}, {"with_vector", true}}, true);
}

}  // namespace precedent::fake_qdrant
