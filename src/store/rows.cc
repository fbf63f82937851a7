#include "store/rows.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/ids.h"

static_assert(std::endian::native == std::endian::little,
              "vectors are stored as they are in memory");

namespace precedent::rows {
namespace {

using nlohmann::json;

// Texts are valid UTF-8 by the time they get here; replacing is for the case that they are not.
std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<Attributes> attributes_of_json(std::string_view text) {
  Attributes attributes;
  if (text == "{}") return attributes;
  const json value = parse_json(text);
  if (!value.is_object()) return std::nullopt;
  for (const auto& [key, item] : value.items()) {
    if (!item.is_string()) return std::nullopt;
    attributes.emplace(key, item.get<std::string>());
  }
  return attributes;
}

std::optional<TimePoint> time_of(const db::SqlRow& row, int column) {
  if (row.is_null(column)) return std::nullopt;
  return TimePoint(std::chrono::seconds(row.integer(column)));
}

constexpr std::array kLevelFields = {&CorpusLengths::Level::points, &CorpusLengths::Level::title,
                                     &CorpusLengths::Level::heading, &CorpusLengths::Level::meta,
                                     &CorpusLengths::Level::body};

}  // namespace

const std::string_view kDocumentColumns =
    "d.point, d.id, d.kind, d.title, d.path, s.path, d.services, d.symptoms, d.tags, "
    "d.application, d.severity, "
    "d.status, d.opened_at, d.updated_at, d.resolved_at, d.attributes, d.body_line, b.body";
const std::string_view kDocumentTables =
    "documents d JOIN sources s ON s.id = d.source JOIN bodies b ON b.point = d.point";

Result<Document> read_document(const db::SqlRow& row) {
  Document d;
  d.id = row.string(1);
  const auto kind = parse_kind(row.text(2));
  d.title = row.string(3);
  d.path = row.string(4);
  d.source = row.string(5);
  auto services = list_of_json(row.text(6));
  auto symptoms = list_of_json(row.text(7));
  auto tags = list_of_json(row.text(8));
  d.application = row.string(9);
  d.severity = row.string(10);
  d.status = row.string(11);
  d.opened_at = time_of(row, 12);
  d.updated_at = time_of(row, 13);
  d.resolved_at = time_of(row, 14);
  auto attributes = attributes_of_json(row.text(15));
  d.body_line = static_cast<uint32_t>(row.integer(16));
  d.body = row.string(17);
  if (!kind || !services || !symptoms || !tags || !attributes) {
    return fail(
        ErrorCode::kCorrupt,
        fmt::format(
            "the stored document '{}' is damaged; ingest its source {} again after removing it, or "
            "restore the data directory from a backup",
            d.id, d.source));
  }
  d.kind = *kind;
  d.services = std::move(*services);
  d.symptoms = std::move(*symptoms);
  d.tags = std::move(*tags);
  d.attributes = std::move(*attributes);
  return d;
}

std::optional<int64_t> seconds(const std::optional<TimePoint>& time) {
  if (!time) return std::nullopt;
  return time->time_since_epoch().count();
}

std::optional<int64_t> began_at(const Document& document) {
  if (document.opened_at || document.kind != Kind::kIncident) return seconds(document.opened_at);
  return seconds(date_in_id(document.id));
}

std::string list_to_json(const std::vector<std::string>& list) {
  return list.empty() ? "[]" : dump(json(list));
}

std::string attributes_to_json(const Attributes& attributes) {
  if (attributes.empty()) return "{}";
  json value = json::object();
  for (const auto& [key, text] : attributes) value[key] = text;
  return dump(value);
}

std::optional<std::vector<std::string>> list_of_json(std::string_view text) {
  std::vector<std::string> list;
  if (text == "[]") return list;
  const json value = parse_json(text);
  if (!value.is_array()) return std::nullopt;
  for (const json& item : value) {
    if (!item.is_string()) return std::nullopt;
    list.push_back(item.get<std::string>());
  }
  return list;
}

namespace {

constexpr std::pair<const char*, std::string Document::*> kTexts[] = {
    {"id", &Document::id},
    {"title", &Document::title},
    {"body", &Document::body},
    {"path", &Document::path},
    {"source", &Document::source},
    {"application", &Document::application},
    {"severity", &Document::severity},
    {"status", &Document::status},
};
constexpr std::pair<const char*, std::vector<std::string> Document::*> kLists[] = {
    {"services", &Document::services},
    {"symptoms", &Document::symptoms},
    {"tags", &Document::tags},
};
constexpr std::pair<const char*, std::optional<TimePoint> Document::*> kTimes[] = {
    {"opened_at", &Document::opened_at},
    {"updated_at", &Document::updated_at},
    {"resolved_at", &Document::resolved_at},
};

}  // namespace

std::string document_to_json(const Document& document) {
  json out = {{"kind", name(document.kind)}, {"body_line", document.body_line}};
  for (const auto& [key, field] : kTexts) out[key] = document.*field;
  for (const auto& [key, field] : kLists) out[key] = document.*field;
  for (const auto& [key, field] : kTimes)
    if (document.*field) out[key] = *seconds(document.*field);
  out["attributes"] = json::object();
  for (const auto& [key, text] : document.attributes) out["attributes"][key] = text;
  return dump(out);
}

std::optional<Document> document_of_json(std::string_view text) {
  const json value = parse_json(text);
  if (!value.is_object()) return std::nullopt;
  Document document;
  const json kind = value.value("kind", json()), line = value.value("body_line", json());
  if (!kind.is_string() || !line.is_number_unsigned()) return std::nullopt;
  const auto known = parse_kind(kind.get<std::string>());
  if (!known) return std::nullopt;
  document.kind = *known;
  document.body_line = line.get<uint32_t>();
  for (const auto& [key, field] : kTexts) {
    const json item = value.value(key, json());
    if (!item.is_string()) return std::nullopt;
    document.*field = item.get<std::string>();
  }
  for (const auto& [key, field] : kLists) {
    auto list = list_of_json(dump(value.value(key, json())));
    if (!list) return std::nullopt;
    document.*field = std::move(*list);
  }
  for (const auto& [key, field] : kTimes) {
    const json item = value.value(key, json());
    if (item.is_null()) continue;
    if (!item.is_number_integer()) return std::nullopt;
    document.*field = TimePoint(std::chrono::seconds(item.get<int64_t>()));
  }
  auto attributes = attributes_of_json(dump(value.value("attributes", json())));
  if (!attributes) return std::nullopt;
  document.attributes = std::move(*attributes);
  return document;
}

db::Blob blob_of(const std::vector<float>& vector) {
  return {{reinterpret_cast<const char*>(vector.data()), vector.size() * sizeof(float)}};
}

std::vector<float> vector_of(std::string_view bytes) {
  std::vector<float> vector(bytes.size() / sizeof(float));
  if (!vector.empty()) std::memcpy(vector.data(), bytes.data(), vector.size() * sizeof(float));
  return vector;
}

std::string lengths_to_json(const CorpusLengths& lengths, const CorpusLengths& code) {
  json levels = json::array();
  for (const auto* level : {&lengths.chunks, &lengths.documents, &code.chunks, &code.documents}) {
    json values = json::array();
    for (const auto field : kLevelFields) values.push_back(level->*field);
    levels.push_back(std::move(values));
  }
  return dump(levels);
}

std::optional<std::pair<CorpusLengths, CorpusLengths>> lengths_of_json(std::string_view text) {
  const json levels = parse_json(text);
  std::pair<CorpusLengths, CorpusLengths> lengths;
  const std::array order = {&lengths.first.chunks, &lengths.first.documents, &lengths.second.chunks,
                            &lengths.second.documents};
  // Two levels: written before code was counted apart.
  if (!levels.is_array() || (levels.size() != 2 && levels.size() != order.size()))
    return std::nullopt;
  for (size_t i = 0; i < levels.size(); ++i) {
    CorpusLengths::Level& level = *order[i];
    if (!levels[i].is_array() || levels[i].size() != kLevelFields.size()) return std::nullopt;
    for (size_t f = 0; f < kLevelFields.size(); ++f) {
      if (!levels[i][f].is_number_unsigned()) return std::nullopt;
      level.*kLevelFields[f] = levels[i][f].get<uint64_t>();
    }
  }
  return lengths;
}

}  // namespace precedent::rows
