#include "ingest/record_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "base/ids.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "ingest/clean_text.h"
#include "knowledge/incident.h"

namespace precedent {
namespace {

// Longer ids are texts in the wrong column; paths used as ids stay below.
constexpr size_t kMaxIdBytes = 500;

// What exports write where there is no date, and neither yes nor no.
bool is_none(std::string_view text) {
  constexpr std::array<std::string_view, 6> kNone = {"-", "n/a", "na", "none", "null", "unknown"};
  return std::ranges::any_of(kNone,
                             [&](std::string_view none) { return iequals(trim(text), none); });
}

// Reads the fields of one record; keeps the first thing that is wrong.
class FieldReader {
 public:
  FieldReader(const Record& record, const MappedRecord& mapped)
      : record_(record), mapped_(mapped) {}

  // One line: an id, a title, a name.
  std::string label(std::string_view canonical) {
    const Field* field = mapped_.find(canonical);
    return field == nullptr ? ""
                            : label_of(*field, canonical != "incident_id" && canonical != "title");
  }

  std::string label_of(const Field& field, bool list_allowed = false) {
    switch (field.value.type) {
      case Value::Type::kObject: return wrong(field, "is an object, expected text"), "";
      case Value::Type::kBool:
        return wrong(field, fmt::format("is {}, expected text", field.value.text)), "";
      case Value::Type::kList:
        if (!list_allowed) return wrong(field, "is a list, expected text"), "";
        return squeeze(clean_text(join(list_items(field.value), ", ")));
      default: return squeeze(clean_text(field.value.text));
    }
  }

  // Any number of lines; a list becomes a Markdown list.
  std::string text(std::string_view canonical) {
    const Field* field = mapped_.find(canonical);
    if (field == nullptr) return "";
    if (field->value.type == Value::Type::kObject)
      return wrong(*field, "is an object, expected text"), "";
    if (field->value.type != Value::Type::kList) return clean_text(field->value.text);
    std::string lines;
    for (const std::string& item : list_items(field->value)) {
      lines += fmt::format("{}- {}", lines.empty() ? "" : "\n", item);
    }
    return clean_text(lines);
  }

  std::vector<std::string> list(std::string_view canonical) {
    const Field* field = mapped_.find(canonical);
    if (field == nullptr) return {};
    if (field->value.type == Value::Type::kObject)
      return wrong(*field, "is an object, expected a list of texts"), std::vector<std::string>();
    std::vector<std::string> items = list_items(field->value);
    for (std::string& item : items) item = squeeze(clean_text(item));
    return items;
  }

  std::optional<TimePoint> time(std::string_view canonical) {
    const Field* field = mapped_.find(canonical);
    if (field == nullptr) return std::nullopt;
    if (is_none(field->value.text)) return std::nullopt;
    if (field->value.type != Value::Type::kText && field->value.type != Value::Type::kNumber) {
      return wrong(*field, "is not a date; write it as 2025-01-20 or 2025-01-20T14:05:00Z"),
             std::nullopt;
    }
    auto time = parse_time(field->value.text);
    if (!time) return wrong(*field, time.error().message), std::nullopt;
    return *time;
  }

  std::optional<bool> boolean(std::string_view canonical) {
    const Field* field = mapped_.find(canonical);
    if (field == nullptr || is_none(field->value.text)) return std::nullopt;
    const std::optional<bool> value = parse_bool(field->value.text);
    if (!value) {
      wrong(*field, fmt::format("'{}' is neither yes nor no; write true or false",
                                utf8_prefix(field->value.text, 60)));
    }
    return value;
  }

  void missing(std::string_view canonical, std::string_view remedy) {
    if (!bad_)
      bad_ = {record_.path, record_.line, std::string(canonical),
              fmt::format("is missing or blank; {}", remedy)};
  }

  const std::optional<BadRecord>& bad() const { return bad_; }

 private:
  void wrong(const Field& field, std::string message) {
    if (!bad_) bad_ = {record_.path, record_.line, field.name, std::move(message)};
  }

  const Record& record_;
  const MappedRecord& mapped_;
  std::optional<BadRecord> bad_;
};

Attributes extra(const MappedRecord& mapped) {
  Attributes attributes;
  for (const Field* field : mapped.rest)
    attributes.emplace(squeeze(clean_text(field->name)), clean_text(field->value.text));
  return attributes;
}

Document incident_document(FieldReader& read, const MappedRecord& mapped) {
  Incident incident;
  incident.incident_id = normalize_id(read.label("incident_id"));
  incident.title = read.label("title");
  incident.description = read.text("description");
  incident.root_cause = read.text("root_cause");
  incident.action_taken = read.text("action_taken");
  incident.mitigation = read.text("mitigation");
  incident.impacted_application = read.label("impacted_application");
  incident.accountable_party = read.label("accountable_party");
  incident.source_system = read.label("source_system");
  incident.status = read.label("status");
  incident.severity = read.label("severity");
  incident.repeat_incident = read.boolean("repeat_incident");
  incident.opened_at = read.time("opened_at");
  incident.updated_at = read.time("updated_at");
  incident.resolved_at = read.time("resolved_at");
  incident.services = read.list("services");
  incident.tags = read.list("tags");
  incident.extra = extra(mapped);
  if (const Field* type = mapped.find("type");
      type != nullptr && parse_kind(type->value.text) != Kind::kIncident) {
    incident.extra.emplace(type->name, clean_text(type->value.text));
  }
  if (incident.incident_id.empty()) {
    read.missing("incident_id",
                 "every incident needs an id; --map incident_id=COLUMN names its column");
  } else if (incident.title.empty()) {
    read.missing("title", "--map title=COLUMN names its column");
  } else if (incident.description.empty() && incident.root_cause.empty() &&
             incident.action_taken.empty() && incident.mitigation.empty()) {
    read.missing("description",
                 "an incident needs a text; --map description=COLUMN names its column");
  }
  Document document = to_document(incident);
  document.symptoms = read.list("symptoms");
  // Filters and "recent" go by this field (DESIGN: where absent, the date in the id).
  if (!document.opened_at) document.opened_at = date_in_id(document.id);
  return document;
}

// The field that identifies a document of another kind: a post-mortem's `incidentId` names the
// incident instead.
const Field* document_id(const MappedRecord& mapped) {
  const Field* id = mapped.find("incident_id");
  if (id == nullptr || bare_name(id->name) != "incidentid") return id;
  const auto own = std::ranges::find_if(
      mapped.rest, [](const Field* field) { return bare_name(field->name) == "id"; });
  return own == mapped.rest.end() ? nullptr : *own;
}

void keep_text(Document& document, const MappedRecord& mapped, std::string_view canonical) {
  const Field* field = mapped.find(canonical);
  if (field != nullptr) document.attributes.emplace(field->name, clean_text(field->value.text));
}

Document other_document(Kind kind, FieldReader& read, const MappedRecord& mapped,
                        const Record& record) {
  Document document;
  document.kind = kind;
  const Field* id = document_id(mapped);
  if (id != nullptr) document.id = read.label_of(*id);
  document.title = read.label("title");
  document.body = read.text("description");
  document.application = read.label("impacted_application");
  document.severity = read.label("severity");
  document.status = read.label("status");
  document.services = read.list("services");
  document.symptoms = read.list("symptoms");
  document.tags = read.list("tags");
  document.opened_at = read.time("opened_at");
  document.updated_at = read.time("updated_at");
  document.resolved_at = read.time("resolved_at");
  document.attributes = extra(mapped);
  if (id != nullptr) document.attributes.erase(id->name);
  if (mapped.find("incident_id") != id) keep_text(document, mapped, "incident_id");
  for (const std::string_view name : {"root_cause", "action_taken", "mitigation",
                                      "accountable_party", "source_system", "repeat_incident"}) {
    keep_text(document, mapped, name);
  }
  if (document.title.empty() && trim(document.body).empty()) {
    read.missing("title", "a document needs a title or a text");
  }
  if (document.title.empty())
    document.title = squeeze(utf8_prefix(document.body.substr(0, document.body.find('\n')), 120));
  if (document.id.empty()) {
    document.id =
        "kb-" + content_hash(fmt::format("{}:{}", record.path, record.line)).substr(0, 12);
  }
  return document;
}

// Exports of incidents have a `type` too ("Environment", "Design"): it names a kind only where the
// record does not call itself an incident by `incident_id`. Post-mortems and known issues refer to
// an incident by that name.
Kind kind_of(const MappedRecord& mapped) {
  const Field* type = mapped.find("type");
  if (type == nullptr || type->value.type != Value::Type::kText) return Kind::kIncident;
  const Kind kind = parse_kind(type->value.text).value_or(Kind::kIncident);
  const Field* id = mapped.find("incident_id");
  const bool names_incident = id != nullptr && bare_name(id->name) == "incidentid";
  return names_incident && kind != Kind::kPostmortem && kind != Kind::kKnownIssue ? Kind::kIncident
                                                                                  : kind;
}

}  // namespace

std::expected<Document, BadRecord> document_of(const Record& record, FieldMap& fields,
                                               std::optional<Kind> forced) {
  const MappedRecord mapped = fields.map(record);
  const Kind kind = forced.value_or(kind_of(mapped));
  FieldReader read(record, mapped);
  Document document = kind == Kind::kIncident ? incident_document(read, mapped)
                                              : other_document(kind, read, mapped, record);
  if (read.bad()) return std::unexpected(*read.bad());
  if (document.id.size() > kMaxIdBytes) {
    return std::unexpected(
        BadRecord{record.path, record.line, "id",
                  fmt::format("is longer than {} bytes; is it a text?", kMaxIdBytes)});
  }
  document.path = record.path;
  document.body_line = 0;
  return document;
}

}  // namespace precedent
