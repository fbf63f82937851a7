#include "ingest/records/field_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>

#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

enum class Shape { kName, kLabel, kText, kList, kTime, kBool };

struct Aliases {
  std::string_view canonical;
  Shape shape;
  std::vector<std::string_view> names;  // best first
};

const std::vector<Aliases>& table() {
  static const std::vector<Aliases> kTable = {
      {"incident_id",
       Shape::kName,
       {"id", "incident", "incident_number", "incident_key", "incident_no", "number", "ticket_id",
        "ticket_number", "ticket_no", "ticket", "case_no", "case_id", "case", "issue_key",
        "issue_id", "key", "case_number", "reference"}},
      {"title",
       Shape::kName,
       {"incident_title", "headline", "short_description", "subject", "name", "incident_name",
        "summary"}},
      {"description",
       Shape::kText,
       {"incident_description", "details", "text", "body", "content", "long_description",
        "full_description", "what_happened", "message", "notes", "summary", "short_description"}},
      {"opened_at",
       Shape::kTime,
       {"date",       "created_at",  "started_at",  "start_time",    "created",
        "opened",     "occurred_at", "detected_at", "incident_date", "start_date",
        "open_date",  "opened_date", "date_opened", "created_date",  "date_created",
        "created_on", "opened_on",   "begin",       "began_at",      "start",
        "started",    "detected",    "occurred",    "discovered_at", "reported_at",
        "fired_at",   "timestamp",   "time",        "sys_created_on"}},
      {"updated_at",
       Shape::kTime,
       {"modified_at", "last_updated", "last_modified", "updated", "modified", "last_update",
        "updated_on", "sys_updated_on"}},
      {"resolved_at",
       Shape::kTime,
       {"closed_at", "ended_at", "end_time", "resolved", "closed", "resolution_time",
        "resolution_date", "resolved_date", "date_resolved", "closed_date", "date_closed",
        "resolved_on", "closed_on", "end_date", "end", "ended", "mitigated_at"}},
      {"impacted_application",
       Shape::kLabel,
       {"impacted_applications", "affected_application", "application", "impacted_service",
        "affected_service", "impacted_system", "affected_system", "service", "system", "app",
        "service_name", "application_name", "component", "business_service", "cmdb_ci"}},
      {"root_cause",
       Shape::kText,
       {"cause", "rca", "root_causes", "cause_analysis", "root_cause_analysis",
        "root_cause_summary"}},
      {"action_taken",
       Shape::kText,
       {"actions_taken", "resolution", "resolution_notes", "close_notes", "remediation", "fix",
        "actions", "action", "resolution_steps", "solution", "corrective_action",
        "corrective_actions", "steps_taken"}},
      {"mitigation",
       Shape::kText,
       {"workaround", "mitigations", "mitigation_steps", "work_around"}},
      {"accountable_party",
       Shape::kLabel,
       {"accountable", "owner", "assignee", "assigned_to", "team", "owner_team", "owning_team",
        "responsible_team", "assignment_group", "assigned_team", "responsible"}},
      {"source_system", Shape::kLabel, {"source", "origin", "reported_by_system", "tool"}},
      {"repeat_incident",
       Shape::kBool,
       {"repeat", "recurring", "is_repeat", "is_recurring", "recurrence", "repeated",
        "is_repeat_incident"}},
      {"status", Shape::kLabel, {"state", "incident_status", "incident_state"}},
      {"severity",
       Shape::kLabel,
       {"sev", "prio", "priority", "impact_level", "urgency", "incident_severity", "criticality"}},
      {"services",
       Shape::kList,
       {"affected_services", "impacted_services", "components", "systems"}},
      {"symptoms", Shape::kList, {"symptom"}},
      {"tags", Shape::kList, {"tag", "labels", "label", "keywords"}},
      {"type", Shape::kLabel, {"kind", "doc_type", "document_type"}},
  };
  return kTable;
}

// Folded canonical name or alias → its rank for each canonical field it may become.
struct Target {
  size_t field;  // of table()
  size_t rank;   // 0: the canonical name itself
};

const std::unordered_map<std::string, std::vector<Target>>& targets() {
  static const auto kTargets = [] {
    std::unordered_map<std::string, std::vector<Target>> all;
    for (size_t field = 0; field < table().size(); ++field) {
      all[bare_name(table()[field].canonical)].push_back({field, 0});
      for (size_t i = 0; i < table()[field].names.size(); ++i) {
        all[bare_name(table()[field].names[i])].push_back({field, i + 1});
      }
    }
    return all;
  }();
  return kTargets;
}

// "Opened (local)" and "Opened [UTC]" are "Opened": what stands in brackets says how it is written.
std::string column_key(std::string_view name) {
  const size_t bracket = name.find_first_of("([");
  const std::string bare = bare_name(name.substr(0, bracket));
  return bare.empty() ? bare_name(name) : bare;
}

// Whether a field under an alias can be what the alias stands for: `resolved: true` is no time,
// `service: {…}` no name. Under its canonical name a field of the wrong shape is an error instead
// (record_document.h).
bool fits(Shape shape, const Value& value) {
  using Type = Value::Type;
  switch (shape) {
    case Shape::kName: return value.type == Type::kText || value.type == Type::kNumber;
    case Shape::kTime:
      return (value.type == Type::kText || value.type == Type::kNumber) && !parse_bool(value.text);
    case Shape::kBool: return parse_bool(value.text).has_value();
    case Shape::kLabel:
    case Shape::kText:
    case Shape::kList: return value.type != Type::kObject && value.type != Type::kBool;
  }
  return false;
}

struct Candidate {
  size_t field;
  size_t rank;
  const Field* value;
};

}  // namespace

std::optional<bool> parse_bool(std::string_view text) {
  const std::string word = ascii_lower(trim(text));
  for (const std::string_view yes : {"true", "yes", "y", "t", "1", "on", "x", "✓", "✔"}) {
    if (word == yes) return true;
  }
  for (const std::string_view no : {"false", "no", "n", "f", "0", "off"}) {
    if (word == no) return false;
  }
  return std::nullopt;
}

const Field* MappedRecord::find(std::string_view canonical) const {
  const auto found = known.find(canonical);
  return found == known.end() ? nullptr : found->second;
}

std::vector<std::string_view> canonical_fields() {
  std::vector<std::string_view> names;
  for (const Aliases& aliases : table()) names.push_back(aliases.canonical);
  return names;
}

Result<FieldMap> FieldMap::create(std::span<const std::string> overrides, std::string_view called) {
  FieldMap map;
  for (const std::string& text : overrides) {
    const size_t equals = text.find('=');
    const std::string_view column =
        equals == std::string::npos ? "" : trim(std::string_view(text).substr(equals + 1));
    if (column.empty()) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{} {}: expected field=column", called, text));
    }
    const std::string wanted = bare_name(std::string_view(text).substr(0, equals));
    const auto field = std::ranges::find_if(
        table(), [&](const Aliases& a) { return bare_name(a.canonical) == wanted; });
    if (field == table().end()) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{} {}: there is no field '{}'; the fields are {}", called, text,
                              text.substr(0, equals), fmt::join(canonical_fields(), ", ")));
    }
    if (!map.columns_.emplace(field->canonical, bare_name(column)).second) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{} {}: '{}' is mapped twice", called, text, field->canonical));
    }
    map.written_.emplace(bare_name(column), column);
  }
  return map;
}

MappedRecord FieldMap::map(const Record& record) const {
  std::vector<Candidate> candidates;
  std::set<const Field*> used;
  MappedRecord mapped;
  for (const Field& field : record.fields) {
    const std::string name = bare_name(field.name);
    if (field.value.blank()) continue;
    for (const auto& [canonical, column] : columns_) {
      if (column == name && mapped.known.emplace(canonical, &field).second) used.insert(&field);
    }
    if (const auto found = targets().find(column_key(field.name)); found != targets().end()) {
      for (const auto& [target, rank] : found->second) {
        if (rank == 0 || fits(table()[target].shape, field.value))
          candidates.push_back({target, rank, &field});
      }
    }
  }
  // Field by field in the order of the table, best name first: a field serves once, so that
  // `summary` is the title where nothing better is, else the description where that is missing,
  // else itself.
  std::ranges::sort(candidates, {},
                    [](const Candidate& c) { return std::tuple(c.field, c.rank, c.value); });
  // Canonical names first of all: no alias of one field may take what is another field by name.
  for (const bool by_name : {true, false}) {
    for (const Candidate& c : candidates) {
      const std::string_view canonical = table()[c.field].canonical;
      if ((c.rank == 0) != by_name || used.contains(c.value)) continue;
      if (columns_.contains(canonical)) continue;  // the operator has said which
      if (mapped.known.emplace(canonical, c.value).second) used.insert(c.value);
    }
  }
  for (const Field& field : record.fields) {
    if (!used.contains(&field) && !field.value.blank()) mapped.rest.push_back(&field);
  }
  return mapped;
}

FieldMap::ByName FieldMap::by_name(std::span<const std::string> columns) const {
  ByName named;
  const auto add = [&](std::string_view field, const std::string& column) {
    named.fields.push_back(field);
    if (named.columns.empty() || named.columns.back() != column) named.columns.push_back(column);
  };
  for (const std::string& column : columns) {
    const std::string name = bare_name(column);
    for (const auto& [canonical, own] : columns_)
      if (own == name) add(canonical, column);
    if (const auto found = targets().find(column_key(column)); found != targets().end())
      for (const Target& target : found->second) add(table()[target.field].canonical, column);
  }
  return named;
}

FieldMap FieldMap::with(std::span<const std::pair<std::string_view, std::string>> columns) const {
  FieldMap map = *this;
  // Not in `written_`: a guess that another file lacks is no mistake of the operator.
  for (const auto& [field, column] : columns) map.columns_.emplace(field, bare_name(column));
  return map;
}

FieldMap FieldMap::within(std::span<const std::string> columns) const {
  std::set<std::string> there;
  for (const std::string& column : columns) there.insert(bare_name(column));
  FieldMap map = *this;
  std::erase_if(map.columns_, [&](const auto& named) { return !there.contains(named.second); });
  std::erase_if(map.written_, [&](const auto& written) { return !there.contains(written.first); });
  return map;
}

std::vector<std::string> FieldMap::missing_from(std::span<const std::string> columns) const {
  std::set<std::string> there;
  for (const std::string& column : columns) there.insert(bare_name(column));
  std::vector<std::string> missing;
  for (const auto& [folded, written] : written_) {
    if (!there.contains(folded)) missing.push_back(written);
  }
  return missing;
}

std::string place_in_list(const Record& record) {
  if (record.number == 0) return "";
  const Field* id = nullptr;
  size_t best = SIZE_MAX;
  for (const Field& field : record.fields) {
    const auto found = targets().find(column_key(field.name));
    if (found == targets().end() || field.value.blank() || !fits(Shape::kName, field.value))
      continue;
    for (const auto& [target, rank] : found->second) {
      if (table()[target].canonical != "incident_id" || rank >= best) continue;
      id = &field;
      best = rank;
    }
  }
  constexpr size_t kEnough = 60;  // an id is shorter; a text in its column is not worth a page
  return id == nullptr ? fmt::format("record {} of the list", record.number)
                       : fmt::format("record {} of the list, {}", record.number,
                                     utf8_prefix(id->value.text, kEnough));
}

}  // namespace precedent
