#include "index/qdrant_collection.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/foreign_json.h"
#include "base/json_access.h"

namespace precedent {
namespace {

using nlohmann::json;

// A value for each document at most, and no knowledge base has more services or tags than this.
constexpr size_t kFacetLimit = 100'000;
// Ids in one request: some 40 bytes each.
constexpr size_t kIdsAtOnce = 10'000;

Result<QdrantSnapshot> read_snapshot(const json& said) {
  QdrantSnapshot snapshot{foreign::string_at(said, "name"),
                          foreign::string_at(said, "creation_time"), number_member(said, "size")};
  if (snapshot.name.empty()) return foreign_answer("a snapshot without a name");
  return snapshot;
}

}  // namespace

Result<void> QdrantCollection::write(std::string_view method, std::string_view path,
                                     std::string_view body) {
  TRY(api_->call(method, fmt::format("{}{}?wait=true", path_, path), body, QdrantApi::Use::kWrite));
  return {};
}

Result<bool> QdrantCollection::exists() const {
  const json said = TRY(api_->call("GET", path_ + "/exists"));
  const json& found = foreign::member(said, "exists");
  return found.is_boolean() && found.get<bool>();
}

Result<void> QdrantCollection::create(size_t dimensions) {
  json sparse = json::object();
  for (const char* vector : kSparseVectors) sparse[vector] = json::object();
  const json body = {{"vectors", {{kDenseVector, {{"size", dimensions}, {"distance", "Dot"}}}}},
                     {"sparse_vectors", sparse},
                     {"shard_number", config().shards}};
  TRY(api_->call("PUT", path_, dump_json(body), QdrantApi::Use::kWrite));
  // Before the first point: an index that comes later makes no graph for filters.
  for (const QdrantField& field : qdrant_fields()) {
    TRY(write("PUT", "/index",
              dump_json({{"field_name", field.name}, {"field_schema", field.type}})));
  }
  return {};
}

Result<void> QdrantCollection::drop() {
  TRY(api_->call("DELETE", path_, {}, QdrantApi::Use::kWrite));
  return {};
}

Result<std::string> QdrantCollection::behind_alias(std::string_view alias) const {
  const json said = TRY(api_->call("GET", "/aliases"));
  const json& aliases = foreign::member(said, "aliases");
  if (!aliases.is_array()) return foreign_answer("a list of aliases that is none");
  for (const json& each : aliases) {
    if (foreign::string_at(each, "alias_name") == alias)
      return foreign::string_at(each, "collection_name");
  }
  return "";
}

Result<void> QdrantCollection::take_alias(std::string_view alias, bool from_another) {
  json actions = json::array();
  if (from_another) actions.push_back({{"delete_alias", {{"alias_name", alias}}}});
  actions.push_back({{"create_alias", {{"collection_name", name_}, {"alias_name", alias}}}});
  TRY(api_->call("POST", "/collections/aliases", dump_json({{"actions", actions}}),
                 QdrantApi::Use::kWrite));
  return {};
}

Result<QdrantSnapshot> QdrantCollection::make_snapshot() {
  return read_snapshot(TRY(api_->call("POST", path_ + "/snapshots", {}, QdrantApi::Use::kWrite)));
}

Result<std::vector<QdrantSnapshot>> QdrantCollection::snapshots() const {
  const json list = TRY(api_->call("GET", path_ + "/snapshots"));
  if (!list.is_array()) return foreign_answer("a list of snapshots that is none");
  std::vector<QdrantSnapshot> snapshots;
  for (const json& each : list) snapshots.push_back(TRY(read_snapshot(each)));
  std::ranges::sort(snapshots, {}, &QdrantSnapshot::made_at);
  return snapshots;
}

std::string QdrantCollection::snapshot_address(std::string_view snapshot) const {
  std::string_view base = config().url;
  while (base.ends_with('/')) base.remove_suffix(1);
  return fmt::format("{}{}/snapshots/{}", base, path_, percent_encoded(snapshot));
}

Result<size_t> QdrantCollection::dimensions() const {
  const json info = TRY(api_->call("GET", path_));
  const json& params = foreign::member(foreign::member(info, "config"), "params");
  const size_t size =
      number_member(foreign::member(foreign::member(params, "vectors"), kDenseVector), "size");
  const json& sparse = foreign::member(params, "sparse_vectors");
  bool complete = size > 0 && size <= 65'536;
  for (const char* vector : kSparseVectors)
    complete = complete && sparse.is_object() && sparse.contains(vector);
  if (complete) return size;
  return fail(ErrorCode::kCorrupt,
              fmt::format("the collection {} at {} has not the vectors of an index of precedent; "
                          "`precedent ingest` builds another",
                          name_, address()));
}

Result<void> QdrantCollection::upsert(std::span<const std::string> points) {
  std::string body;
  const auto send = [&]() -> Result<void> {
    if (body.empty()) return {};
    return write("PUT", "/points", body + "]}");
  };
  for (const std::string& point : points) {
    if (!body.empty() && body.size() + point.size() > config().batch_bytes) {
      TRY(send());
      body.clear();
    }
    body += body.empty() ? R"({"points":[)" : ",";
    body += point;
  }
  return send();
}

Result<void> QdrantCollection::set_payload(const json& payload, std::span<const std::string> ids) {
  for (size_t begin = 0; begin < ids.size(); begin += kIdsAtOnce) {
    const auto some = ids.subspan(begin, std::min(kIdsAtOnce, ids.size() - begin));
    TRY(write("POST", "/points/payload",
              dump_json({{"payload", payload},
                         {"points", std::vector<std::string>(some.begin(), some.end())}})));
  }
  return {};
}

Result<void> QdrantCollection::delete_key(const char* key, const json& filter) {
  return write("POST", "/points/payload/delete",
               dump_json({{"keys", json::array({key})}, {"filter", filter}}));
}

Result<void> QdrantCollection::remove(const json& filter) {
  return write("POST", "/points/delete", dump_json({{"filter", filter}}));
}

Result<json> QdrantCollection::payload(std::string_view id) const {
  const json record = TRY(api_->call("GET", fmt::format("{}/points/{}", path_, id)));
  return foreign::member(record, "payload");
}

Result<void> QdrantCollection::scroll(
    const json& filter, const json& with,
    const std::function<Result<void>(const json& point)>& each) const {
  json body = with;
  body["filter"] = filter;
  body["limit"] = config().page_points;
  for (std::string last;;) {
    const json page = TRY(post("/points/scroll", dump_json(body)));
    const json& points = foreign::member(page, "points");
    if (!points.is_array()) return foreign_answer("a page without points");
    for (const json& point : points) TRY(each(point));
    const json& next = foreign::member(page, "next_page_offset");
    if (next.is_null()) return {};
    // A server that goes round in circles would keep us for ever.
    if (!next.is_string() || next.get_ref<const std::string&>() <= last)
      return foreign_answer("pages that are in no order");
    last = next.get<std::string>();
    body["offset"] = next;
  }
}

Result<std::vector<std::vector<PointScore>>> QdrantCollection::query(
    std::span<const std::string> searches) const {
  const json result = TRY(
      post("/points/query/batch", fmt::format(R"({{"searches":[{}]}})", fmt::join(searches, ","))));
  if (!result.is_array() || result.size() != searches.size())
    return foreign_answer("another number of lists than was asked for");
  std::vector<std::vector<PointScore>> lists;
  for (const json& list : result) lists.push_back(TRY(read_hits(list)));
  return lists;
}

Result<size_t> QdrantCollection::count(const json& filter) const {
  const json counted = TRY(post("/points/count", dump_json({{"filter", filter}, {"exact", true}})));
  if (!foreign::member(counted, "count").is_number_unsigned())
    return foreign_answer("a count without count");
  return number_member(counted, "count");
}

Result<std::vector<std::pair<std::string, size_t>>> QdrantCollection::facet(
    const char* key, const json& filter) const {
  const json result = TRY(
      post("/facet",
           dump_json({{"key", key}, {"filter", filter}, {"limit", kFacetLimit}, {"exact", true}})));
  const json& hits = foreign::member(result, "hits");
  if (!hits.is_array()) return foreign_answer("a facet without hits");
  std::vector<std::pair<std::string, size_t>> counts;
  for (const json& hit : hits)
    counts.emplace_back(foreign::string_at(hit, "value"), number_member(hit, "count"));
  return counts;
}

}  // namespace precedent
