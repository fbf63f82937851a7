#include "index/qdrant_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "base/foreign_json.h"
#include "base/json_access.h"
#include "knowledge/case_fold.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr std::array kFields = {
    QdrantField{"born", "integer"},        QdrantField{"gone", "integer"},
    QdrantField{"stats", "integer"},       QdrantField{"point", "integer"},
    QdrantField{"level", "integer"},       QdrantField{"kind", "keyword"},
    QdrantField{"doc_id", "keyword"},      QdrantField{"folded_doc_id", "keyword"},
    QdrantField{"services", "keyword"},    QdrantField{"folded_services", "keyword"},
    QdrantField{"tags", "keyword"},        QdrantField{"folded_tags", "keyword"},
    QdrantField{"application", "keyword"}, QdrantField{"folded_application", "keyword"},
    QdrantField{"severity", "keyword"},    QdrantField{"folded_severity", "keyword"},
    QdrantField{"status", "keyword"},      QdrantField{"folded_status", "keyword"},
    QdrantField{"opened_at", "datetime"},
};

// Of lists that a payload may have; ours have a few hundred elements at most.
constexpr size_t kMaxList = 100'000;
// Of one sparse or dense vector.
constexpr size_t kMaxVector = 1'000'000;

// Without empty values, which are none, and without repetitions, which a facet would not count.
json folded(std::vector<std::string> values) {
  for (std::string& value : values) value = case_fold(value);
  std::ranges::sort(values);
  const auto repeated = std::ranges::unique(values);
  values.erase(repeated.begin(), repeated.end());
  std::erase(values, "");
  return values;
}

json folded_any(const std::vector<std::string>& values) {
  json list = json::array();
  for (const std::string& value : values) list.push_back(case_fold(value));
  return list;
}

json payload_json(const Point& point, uint64_t generation) {
  const Payload& p = point.payload;
  json made = {{"point", static_cast<int64_t>(point.id)},
               {"born", generation},
               {"level", static_cast<int>(p.level)},
               {"kind", name(p.kind)},
               {"doc_id", p.doc_id},
               {"folded_doc_id", folded({p.doc_id})},
               {"ordinal", p.ordinal},
               {"chunk_count", p.chunk_count},
               {"title", p.title},
               {"heading", p.heading},
               {"text", p.text},
               {"path", p.path},
               {"lines", {p.lines.begin, p.lines.end}},
               {"services", p.services},
               {"folded_services", folded(p.services)},
               {"tags", p.tags},
               {"folded_tags", folded(p.tags)},
               {"application", p.application},
               {"folded_application", folded({p.application})},
               {"severity", p.severity},
               {"folded_severity", folded({p.severity})},
               {"status", p.status},
               {"folded_status", folded({p.status})},
               {"dense", !point.dense.empty()}};
  if (p.opened_at) made["opened_at"] = format_time(*p.opened_at);
  return made;
}

std::string sparse_json(const SparseVector& sparse) {
  return fmt::format(R"({{"indices":[{}],"values":{}}})", fmt::join(sparse.terms, ","),
                     numbers_json(sparse.weights));
}

std::vector<std::string> texts(const json& list) {
  std::vector<std::string> values;
  if (!list.is_array()) return values;
  for (const json& value : list) {
    if (values.size() == kMaxList) break;
    if (value.is_string()) values.push_back(value.get<std::string>());
  }
  return values;
}

uint32_t small(uint64_t number) {
  return static_cast<uint32_t>(std::min<uint64_t>(number, std::numeric_limits<uint32_t>::max()));
}

Result<Payload> read_payload(const json& said) {
  Payload p;
  p.doc_id = foreign::string_at(said, "doc_id");
  const auto kind = parse_kind(foreign::string_at(said, "kind"));
  if (p.doc_id.empty() || !kind) return foreign_answer("a point without document or kind");
  p.kind = *kind;
  p.level = number_member(said, "level") == 1 ? Level::kDocument : Level::kChunk;
  p.ordinal = small(number_member(said, "ordinal"));
  p.chunk_count = small(number_member(said, "chunk_count"));
  p.title = foreign::string_at(said, "title");
  p.heading = texts(foreign::member(said, "heading"));
  p.text = foreign::string_at(said, "text");
  p.path = foreign::string_at(said, "path");
  if (const json& lines = foreign::member(said, "lines"); lines.is_array() && lines.size() == 2 &&
                                                          lines[0].is_number_unsigned() &&
                                                          lines[1].is_number_unsigned())
    p.lines = {small(lines[0].get<uint64_t>()), small(lines[1].get<uint64_t>())};
  p.services = texts(foreign::member(said, "services"));
  p.tags = texts(foreign::member(said, "tags"));
  p.application = foreign::string_at(said, "application");
  p.severity = foreign::string_at(said, "severity");
  p.status = foreign::string_at(said, "status");
  if (const std::string opened = foreign::string_at(said, "opened_at"); !opened.empty()) {
    const auto time = parse_time(opened);
    if (!time) return foreign_answer("a point with a date that is none");
    p.opened_at = *time;
  }
  return p;
}

Result<std::vector<float>> read_floats(const json& list) {
  std::vector<float> values;
  if (!list.is_array() || list.size() > kMaxVector) return foreign_answer("a vector that is none");
  for (const json& value : list) {
    if (!value.is_number()) return foreign_answer("a vector that is none");
    values.push_back(value.get<float>());
  }
  return values;
}

Result<SparseVector> read_sparse(const json& said) {
  SparseVector sparse;
  const json& indices = foreign::member(said, "indices");
  if (!indices.is_array() || indices.size() > kMaxVector)
    return foreign_answer("a sparse vector that is none");
  for (const json& index : indices) {
    if (!index.is_number_unsigned() || index.get<uint64_t>() > std::numeric_limits<uint32_t>::max())
      return foreign_answer("a sparse vector that is none");
    sparse.terms.push_back(index.get<uint32_t>());
  }
  sparse.weights = TRY(read_floats(foreign::member(said, "values")));
  if (sparse.terms.size() != sparse.weights.size())
    return foreign_answer("a sparse vector of two lengths");
  return sparse;
}

}  // namespace

const char* sparse_vector_name(Level level, Population population) {
  return kSparseVectors.at(2 * static_cast<size_t>(population) + static_cast<size_t>(level));
}

std::span<const QdrantField> qdrant_fields() { return kFields; }

FacetKeys facet_keys(Facet facet) {
  switch (facet) {
    case Facet::kKind: return {"kind", "kind"};
    case Facet::kService: return {"services", "folded_services"};
    case Facet::kTag: return {"tags", "folded_tags"};
    case Facet::kApplication: return {"application", "folded_application"};
    case Facet::kSeverity: return {"severity", "folded_severity"};
    case Facet::kStatus: return {"status", "folded_status"};
  }
  return {"kind", "kind"};
}

std::string qdrant_id(uint64_t id, uint64_t generation) {
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", id >> 32, id >> 16 & 0xffff,
                     id & 0xffff, generation >> 48, generation & 0xffff'ffff'ffff);
}

Result<uint64_t> point_id_of(const json& uuid) {
  if (!uuid.is_string()) return foreign_answer("a point whose id is none of precedent's");
  uint64_t id = 0;
  int digits = 0;
  for (const char c : uuid.get_ref<const std::string&>()) {
    if (digits == 16) return id;
    if (c == '-') continue;
    const bool letter = c >= 'a' && c <= 'f';
    if (!letter && (c < '0' || c > '9')) break;
    id = id << 4 | static_cast<uint64_t>(letter ? c - 'a' + 10 : c - '0');
    ++digits;
  }
  return foreign_answer("a point whose id is none of precedent's");
}

std::string numbers_json(std::span<const float> values, size_t filled_up_to) {
  std::string made = "[";
  for (const float value : values)
    fmt::format_to(std::back_inserter(made), "{}{}", made.size() > 1 ? "," : "", value);
  for (size_t i = values.size(); i < filled_up_to; ++i) made += made.size() > 1 ? ",0" : "0";
  return made + "]";
}

std::string point_json(const Point& point, uint64_t generation, size_t dimensions) {
  std::string vectors;
  if (!point.dense.empty())
    vectors = fmt::format(R"("{}":{})", kDenseVector, numbers_json(point.dense, dimensions));
  if (!point.sparse.terms.empty()) {
    vectors += fmt::format(R"({}"{}":{})", vectors.empty() ? "" : ",",
                           sparse_vector_name(point.payload.level, population(point.payload.kind)),
                           sparse_json(point.sparse));
  }
  return fmt::format(R"({{"id":"{}","vector":{{{}}},"payload":{}}})",
                     qdrant_id(point.id, generation), vectors,
                     dump_json(payload_json(point, generation)));
}

json match_any(std::string_view key, json values) {
  return {{"key", key}, {"match", {{"any", std::move(values)}}}};
}

json visible_in(uint64_t generation) {
  const auto until_now = [&](const char* key) -> json {
    return {{"key", key}, {"range", {{"lte", generation}}}};
  };
  return {{"must", json::array({until_now("born")})},
          {"must_not", json::array({until_now("gone")})}};
}

json filter_json(const Filter& filter, Level level, uint64_t generation) {
  json made = visible_in(generation);
  json& must = made["must"];
  must.push_back({{"key", "level"}, {"match", {{"value", static_cast<int>(level)}}}});
  if (!filter.kinds.empty()) {
    json kinds = json::array();
    for (const Kind kind : filter.kinds) kinds.push_back(name(kind));
    must.push_back(match_any("kind", kinds));
  }
  const auto any = [&](const char* key, const std::vector<std::string>& values) {
    if (!values.empty()) must.push_back(match_any(key, folded_any(values)));
  };
  any("folded_services", filter.services);
  any("folded_tags", filter.tags);
  any("folded_application", filter.applications);
  any("folded_doc_id", filter.ids);
  any("folded_severity", filter.severities);
  any("folded_status", filter.statuses);
  if (!filter.systems.empty()) {
    const json systems = folded_any(filter.systems);
    must.push_back({{"should", json::array({match_any("folded_services", systems),
                                            match_any("folded_application", systems)})}});
  }
  if (!filter.opened.unbounded()) {
    json range = json::object();
    if (filter.opened.from) range["gte"] = format_time(*filter.opened.from);
    if (filter.opened.to) range["lt"] = format_time(*filter.opened.to);
    must.push_back({{"key", "opened_at"}, {"range", range}});
  }
  return made;
}

Result<QdrantRecord> read_record(const json& record) {
  QdrantRecord made;
  made.id = TRY(point_id_of(foreign::member(record, "id")));
  made.qdrant_id = foreign::string_at(record, "id");
  const json& payload = foreign::member(record, "payload");
  const json& dense = foreign::member(payload, "dense");
  made.has_dense = dense.is_boolean() && dense.get<bool>();
  if (payload.is_object()) made.payload = TRY(read_payload(payload));
  const json& vectors = foreign::member(record, "vector");
  if (const json& found = foreign::member(vectors, kDenseVector); !found.is_null())
    made.dense = TRY(read_floats(found));
  for (const char* key : kSparseVectors) {
    if (const json& found = foreign::member(vectors, key); !found.is_null())
      made.sparse = TRY(read_sparse(found));
  }
  return made;
}

Result<std::vector<PointScore>> read_hits(const json& result) {
  const json& points = foreign::member(result, "points");
  if (!points.is_array()) return foreign_answer("a search without a list of points");
  std::vector<PointScore> hits;
  for (const json& point : points) {
    const json& score = foreign::member(point, "score");
    if (!score.is_number()) return foreign_answer("a hit without a score");
    hits.push_back({TRY(point_id_of(foreign::member(point, "id"))), score.get<float>()});
  }
  return hits;
}

uint64_t number_member(const json& object, const char* key) {
  const json& value = foreign::member(object, key);
  return value.is_number_unsigned() ? value.get<uint64_t>() : 0;
}

std::unexpected<Error> foreign_answer(std::string_view what) {
  return fail(ErrorCode::kCorrupt,
              fmt::format("Qdrant answered with {}; check that nothing else writes into the "
                          "collection, or drop it: `precedent ingest` builds it anew",
                          what));
}

}  // namespace precedent
