#include "ingest/fields/record_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ids.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "ingest/records/clean_text.h"
#include "knowledge/incident.h"
#include "text/sentences.h"

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

// The first sentence of a text, for a record that has no title.
std::string title_from(std::string_view text) {
  constexpr size_t kMaxBytes = 120;
  text = trim(text);
  std::string_view line = text.substr(0, text.find('\n'));
  if (const size_t begin = line.find_first_not_of("#-*> "); begin != std::string_view::npos)
    line.remove_prefix(begin);
  const auto sentences = split_sentences(line);
  if (!sentences.empty()) line = sentences.front().in(line);
  while (line.size() > 1 && line.ends_with('.')) line.remove_suffix(1);
  const std::string_view start = utf8_prefix(line, kMaxBytes);
  return squeeze(start) + (start.size() < line.size() ? "…" : "");
}

// Reads the fields of one record. What cannot be read is noted and left out; only an id that is no
// text makes the record bad.
class FieldReader {
 public:
  FieldReader(const Record& record, const MappedRecord& mapped, const RecordContext& context)
      : record_(record), mapped_(mapped), context_(context) {}

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
    auto time = parse_time(field->value.text, context_.date_order(field->name));
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
              fmt::format("is missing or blank; {}", remedy), place_in_list(record_)};
  }
  // A field that an incident needs, whichever column may hold it.
  void missing_column(std::string_view canonical, std::string_view need, const FieldMap& fields) {
    constexpr size_t kMostColumns = 40;
    std::vector<std::string> columns;
    for (const Field& field : record_.fields) columns.push_back(field.name);
    const auto known = fields.by_name(columns).fields;
    const std::string remedy = fmt::format("{}; {} {}{}COLUMN names its column", need,
                                           context_.map_name, canonical, context_.map_sign);
    if (bad_ || std::ranges::find(known, canonical) != known.end())
      return missing(canonical, remedy);
    if (columns.size() > kMostColumns) columns.resize(kMostColumns);
    missing(canonical, fmt::format("{}, which is one of: {}", remedy, join(columns, ", ")));
    bad_->unmapped = true;
  }

  const std::optional<BadRecord>& bad() const { return bad_; }

  // Keeps the texts of the fields that were left out, and tells of them.
  void finish(Attributes& attributes) {
    for (auto& [field, note] : unread_) {
      std::string key = squeeze(clean_text(field->name));
      // Where the name is one that documents use, the text must not be taken for a value.
      if (field->value.type != Value::Type::kText || bare_name(key) == "repeatincident")
        key += kAsWritten;
      attributes.emplace(std::move(key), clean_text(field->value.text));
      context_.unread_field(std::move(note));
    }
  }

 private:
  void wrong(const Field& field, std::string message) {
    BadRecord note{record_.path,       record_.line,           field.name,
                   std::move(message), place_in_list(record_), value_shown(field.value)};
    if (mapped_.find("incident_id") != &field) {
      unread_.emplace_back(&field, std::move(note));
    } else if (!bad_) {
      bad_ = std::move(note);
    }
  }

  const Record& record_;
  const MappedRecord& mapped_;
  const RecordContext& context_;
  std::vector<std::pair<const Field*, BadRecord>> unread_;
  std::optional<BadRecord> bad_;
};

Attributes extra(const MappedRecord& mapped) {
  Attributes attributes;
  for (const Field* field : mapped.rest)
    attributes.emplace(squeeze(clean_text(field->name)), clean_text(field->value.text));
  return attributes;
}

Document incident_document(FieldReader& read, const MappedRecord& mapped, const FieldMap& fields) {
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
    read.missing_column("incident_id", "every incident needs an id", fields);
  }
  for (const std::string* text : {&incident.description, &incident.root_cause,
                                  &incident.action_taken, &incident.mitigation}) {
    if (incident.title.empty()) incident.title = title_from(*text);
  }
  if (incident.title.empty()) {
    read.missing_column("title", "an incident needs a title or a text", fields);
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

Document other_document(Kind kind, FieldReader& read, const MappedRecord& mapped, const Field* id) {
  Document document;
  document.kind = kind;
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
  if (document.title.empty()) document.title = title_from(document.body);
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

std::expected<Document, BadRecord> document_of(const Record& record, const FieldMap& fields,
                                               std::optional<Kind> forced,
                                               const RecordContext& context) {
  const MappedRecord mapped = fields.map(record);
  const Kind kind = forced.value_or(kind_of(mapped));
  FieldReader read(record, mapped, context);
  Document document = kind == Kind::kIncident
                          ? incident_document(read, mapped, fields)
                          : other_document(kind, read, mapped, document_id(mapped));
  if (read.bad()) return std::unexpected(*read.bad());
  if (document.id.size() > kMaxIdBytes) {
    return std::unexpected(BadRecord{
        record.path, record.line, "id",
        fmt::format("is longer than {} bytes; is it a text?", kMaxIdBytes), place_in_list(record)});
  }
  read.finish(document.attributes);
  document.path = record.path;
  document.body_line = 0;
  return document;
}

}  // namespace precedent
