#include "ingest/fields/record_mapping.h"

#include <date/date.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/strings.h"
#include "base/time.h"
#include "base/utf8.h"
#include "ingest/fields/time_format.h"
#include "ingest/records/field_map.h"

namespace precedent {
namespace {

constexpr std::string_view kKeys[] = {"fields", "ignore", "unknown", "limits"};
constexpr std::string_view kFieldKeys[] = {"column", "columns", "constant", "values",
                                           "format", "zone",    "template"};
constexpr std::string_view kLimitKeys[] = {"max_bad", "max_vanished"};

template <typename Text>
bool has(const std::vector<Text>& texts, std::string_view text) {
  return std::ranges::find(texts, text) != texts.end();
}

bool is_time(std::string_view field) { return field.ends_with("_at"); }

// "1%", "0.5 %" or "0.01".
Result<void> read_share(const ConfigSection& limits, std::string_view key, double& out) {
  if (!limits.has(key)) return {};
  const std::string whole = limits.text(key);
  std::string_view text = trim(whole);
  const bool per_cent = text.ends_with('%');
  if (per_cent) text = trim(text.substr(0, text.size() - 1));
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool number = error == std::errc() && end == text.data() + text.size();
  if (!number || value < 0 || value > 100)
    return limits.settle(limits.wrong(key, "is no share; write it as 1% or as 0.01"));
  // "1" is 1 % to one reader and everything to another.
  if (!per_cent && value >= 1)
    return limits.settle(limits.wrong(
        key, fmt::format("is {0} without a %; write {0}% or {1:g}", text, value / 100)));
  out = per_cent ? value / 100 : value;
  return {};
}

Result<void> check_zone(const ConfigSection& field, const std::string& zone) {
  if (is_zone(zone)) return {};
  return field.settle(field.wrong(
      "zone", fmt::format("is '{}'; write UTC, an offset such as +02:00, or a name such as "
                          "Europe/Berlin",
                          zone)));
}

// What is no mapping has no keys, and would say nothing.
Result<void> check_is_map(const ConfigSection& in, const std::string& key, const YAML::Node& node,
                          std::string_view each) {
  if (!in.has(key)) return {};
  if (node[key].IsMap()) return in.section(key).check_once();
  return in.settle(in.wrong(key, fmt::format("is no mapping; write {}", each)));
}

Result<void> check_format(const ConfigSection& field, std::string_view key,
                          std::string_view format) {
  const std::string_view unknown = unknown_in_format(format);
  if (unknown.empty()) return {};
  return field.settle(field.wrong(
      key, fmt::format("has '{}', which strptime does not know; write it such as %d/%m/%Y %H:%M",
                       unknown)));
}

// "{n:03}" and the like, one after the other.
struct Placeholder {
  size_t begin = 0, end = 0;  // in the pattern, brackets included
  std::string_view what, how;
};

// "{n:03", which nothing closes; "" where all are closed.
std::string_view unclosed_in(std::string_view pattern) {
  for (size_t open = pattern.find('{'); open != std::string_view::npos;
       open = pattern.find('{', open + 1)) {
    const size_t close = pattern.find_first_of("{}", open + 1);
    if (close == std::string_view::npos || pattern[close] == '{')
      return pattern.substr(open, close - open);
  }
  return {};
}

std::optional<Placeholder> next_placeholder(std::string_view pattern, size_t from) {
  const size_t open = pattern.find('{', from);
  if (open == std::string_view::npos) return std::nullopt;
  const size_t close = pattern.find('}', open);
  if (close == std::string_view::npos) return std::nullopt;
  const std::string_view inner = pattern.substr(open + 1, close - open - 1);
  const size_t colon = inner.find(':');
  return Placeholder{open, close + 1, inner.substr(0, colon),
                     colon == std::string_view::npos ? "" : inner.substr(colon + 1)};
}

bool is_number(const Placeholder& hole) { return hole.what == "n"; }
bool is_opened(const Placeholder& hole) {
  return hole.what == "opened" || hole.what == "opened_at";
}

// Digits of a number in an id: "03" is three.
size_t width_of(std::string_view how) {
  constexpr size_t kMost = 9;
  size_t width = 0;
  std::from_chars(how.data(), how.data() + how.size(), width);
  return std::min(width, kMost);
}

Result<void> check_pattern(const ConfigSection& field, const MappedField& of) {
  if (of.pattern.empty()) return {};
  if (of.field != "incident_id")
    TRY(field.settle(field.wrong("template", "is for incident_id alone")));
  if (!of.pattern.contains("{"))
    TRY(field.settle(field.wrong("template", "has no {n}: every incident would be the same")));
  if (const std::string_view open = unclosed_in(of.pattern); !open.empty())
    TRY(field.settle(
        field.wrong("template", fmt::format("has '{0}' that is not closed; write {0}}}", open))));
  for (auto hole = next_placeholder(of.pattern, 0); hole;
       hole = next_placeholder(of.pattern, hole->end))
    if (is_opened(*hole)) TRY(check_format(field, "template", hole->how));
  return {};
}

Result<void> check_time(const ConfigSection& field, const MappedField& of) {
  for (const std::string& format : of.formats)
    if (!format.contains('%'))
      TRY(field.settle(field.wrong(
          "format", fmt::format("has '{}' without a %, which no time follows; write it as strptime "
                                "has it, such as %d/%m/%Y %H:%M",
                                format))));
  for (const std::string& format : of.formats) TRY(check_format(field, "format", format));
  if (field.has("zone") && !field.has("format"))
    TRY(field.settle(field.wrong("zone", "needs a format, such as \"%Y-%m-%d %H:%M\"")));
  return check_zone(field, of.zone);
}

Result<MappedField> read_field(const ConfigSection& fields, const std::string& key,
                               const YAML::Node& node) {
  MappedField field{.field = key, .place = fields.place(key)};
  if (!node.IsMap()) {
    TRY(fields.read(key, field.columns));
    if (field.columns.empty())
      TRY(fields.settle(fields.wrong(key, "names no column; leave the field out, or name one")));
    return field;
  }
  const ConfigSection section = fields.section(key);
  TRY(section.check(kFieldKeys));
  TRY(section.read("column", field.columns));
  std::vector<std::string> more;
  TRY(section.read("columns", more));
  field.columns.insert(field.columns.end(), more.begin(), more.end());
  TRY(section.read("constant", field.constant));
  TRY(section.read("template", field.pattern));
  TRY(section.read("format", field.formats));
  TRY(section.read("zone", field.zone));
  TRY(check_is_map(section, "values", node, "each value with what it becomes: {P1: SEV1}"));
  const ConfigSection values = section.section("values");
  for (const std::string& value : values.keys()) {
    std::string becomes;
    TRY(values.read(value, becomes));
    field.values[ascii_lower(trim(value))] = becomes;
  }
  const int ways =
      int{!field.columns.empty()} + int{section.has("constant")} + int{!field.pattern.empty()};
  if (ways != 1)
    TRY(fields.settle(fields.wrong(key, "needs one of column, constant and template")));
  if (section.has("constant") && field.constant.empty())
    TRY(section.settle(
        section.wrong("constant", "is empty; say what it is, or leave the field out")));
  TRY(check_pattern(section, field));
  if ((section.has("format") || section.has("zone")) && !is_time(key))
    TRY(fields.settle(fields.wrong(key, "is no time, so it has neither format nor zone")));
  TRY(check_time(section, field));
  return field;
}

}  // namespace

Result<RecordMapping> RecordMapping::parse(std::string_view yaml, std::string_view path,
                                           ConfigProblems* all) {
  const YAML::Node root = TRY(parse_yaml(yaml, path));
  const ConfigSection top(root, path, "", all);
  TRY(top.check(kKeys));
  RecordMapping mapping;
  TRY(check_is_map(top, "fields", root, "each field with its column: {title: Summary}"));
  const ConfigSection fields = top.section("fields");
  const std::vector<std::string_view> known = canonical_fields();
  for (const std::string& key : fields.keys()) {
    if (!has(known, key)) {
      TRY(fields.settle(fields.wrong(
          key, fmt::format("is no field; the fields are {}", fmt::join(known, ", ")))));
      continue;
    }
    mapping.fields_.push_back(TRY(read_field(fields, key, root["fields"][key])));
  }
  std::vector<std::string> ignored;
  TRY(top.read("ignore", ignored));
  for (std::string& column : ignored)
    mapping.ignored_.push_back({std::move(column), top.place("ignore"), true});
  const std::string unknown = top.text("unknown");
  if (unknown == "drop") {
    mapping.unknown_ = Unknown::kDrop;
  } else if (unknown == "refuse") {
    mapping.unknown_ = Unknown::kRefuse;
  } else if (!unknown.empty() && unknown != "keep") {
    TRY(top.settle(
        top.wrong("unknown", fmt::format("is '{}'; it is keep, drop or refuse", unknown))));
  }
  const ConfigSection limits = top.section("limits");
  if (top.has("limits")) TRY(limits.check(kLimitKeys));
  TRY(read_share(limits, "max_bad", mapping.max_bad_));
  TRY(read_share(limits, "max_vanished", mapping.max_vanished_));
  return mapping;
}

std::vector<NamedColumn> RecordMapping::missing_from(std::span<const std::string> columns) const {
  std::vector<std::string> there;
  for (const std::string& column : columns) there.push_back(bare_name(column));
  std::vector<NamedColumn> missing;
  const auto look_for = [&](const NamedColumn& named) {
    if (!has(there, bare_name(named.column))) missing.push_back(named);
  };
  for (const MappedField& field : fields_) {
    for (const std::string& column : field.columns) look_for({column, field.place});
    for (auto hole = next_placeholder(field.pattern, 0); hole;
         hole = next_placeholder(field.pattern, hole->end))
      if (!is_number(*hole) && !is_opened(*hole)) look_for({std::string(hole->what), field.place});
  }
  std::ranges::for_each(ignored_, look_for);
  return missing;
}

const MappedField* RecordMapping::naming(std::string_view column) const {
  const std::string name = bare_name(column);
  for (const MappedField& field : fields_)
    for (const std::string& own : field.columns)
      if (bare_name(own) == name) return &field;
  return nullptr;
}

std::string_view RecordMapping::field_of(std::string_view column) const {
  const MappedField* field = naming(column);
  return field == nullptr ? std::string_view() : field->field;
}

bool RecordMapping::ignores(std::string_view column) const {
  const std::string name = bare_name(column);
  return std::ranges::any_of(
      ignored_, [&](const NamedColumn& named) { return bare_name(named.column) == name; });
}

std::expected<Record, BadRecord> RecordMapper::map(Record&& record, const TellNote& tell) {
  Record mapped;
  mapped.path = record.path;
  mapped.line = record.line;
  mapped.number = record.number;
  std::vector<bool> used(record.fields.size());
  const auto note = [&](Note what, const std::string& column, const Value& value,
                        std::string message) {
    tell(what, {record.path, record.line, column, std::move(message), place_in_list(record),
                value_shown(value)});
  };
  for (const MappedField& field : mapping_->fields_) {
    if (!field.constant.empty()) {
      mapped.set(field.field, {Value::Type::kText, field.constant});
      continue;
    }
    Value value;
    std::string column;
    for (const std::string& wanted : field.columns) {
      const std::string name = bare_name(wanted);
      for (size_t i = 0; i < record.fields.size(); ++i) {
        if (bare_name(record.fields[i].name) != name) continue;
        used[i] = true;
        const Value& part = record.fields[i].value;
        if (part.blank() || (!value.blank() && part.text == value.text)) continue;
        if (value.blank()) {
          value = part;
          column = record.fields[i].name;
        } else {
          value = {Value::Type::kText, value.text + "\n\n" + part.text};
        }
      }
    }
    if (value.blank()) continue;
    if (!field.values.empty()) {
      const auto known = field.values.find(ascii_lower(trim(value.text)));
      if (known != field.values.end()) {
        value = {Value::Type::kText, known->second};
      } else {
        note(Note::kUnknownValue, column, value,
             fmt::format("'{}' is not among the values of the mapping",
                         utf8_prefix(value.text, 60)));
      }
    }
    if (!field.formats.empty()) {
      auto time = time_in_format(value.text, field.formats, field.zone);
      if (!time) {
        note(Note::kUnreadTime, column, value, time.error().message);
        // Under its own name it might be read for a time after all.
        mapped.set(column.append(kAsWritten), std::move(value));
        continue;
      }
      value = {Value::Type::kText, std::move(*time)};
    }
    mapped.set(field.field, std::move(value));
  }
  for (const MappedField& field : mapping_->fields_) {
    if (field.pattern.empty()) continue;
    auto id = id_of(field, record, mapped);
    if (!id)
      return std::unexpected(BadRecord{record.path, record.line, field.field, std::move(id.error()),
                                       place_in_list(record)});
    mapped.set(field.field, {Value::Type::kText, std::move(*id)});
  }
  for (size_t i = 0; i < record.fields.size(); ++i) {
    Field& field = record.fields[i];
    if (used[i] || mapping_->ignores(field.name) || mapped.find(field.name) != nullptr) continue;
    if (mapping_->unknown_ == RecordMapping::Unknown::kDrop) continue;
    mapped.set(std::move(field.name), std::move(field.value));
  }
  return mapped;
}

std::expected<std::string, std::string> RecordMapper::id_of(const MappedField& field,
                                                            const Record& record,
                                                            const Record& mapped) {
  std::string id;
  std::optional<Placeholder> number;
  size_t number_at = 0, from = 0;
  for (auto hole = next_placeholder(field.pattern, 0); hole;
       hole = next_placeholder(field.pattern, from)) {
    id += field.pattern.substr(from, hole->begin - from);
    from = hole->end;
    if (is_number(*hole)) {
      number = hole;
      number_at = id.size();
      continue;
    }
    if (is_opened(*hole)) {
      const Value* opened = mapped.find("opened_at");
      const auto time = opened == nullptr ? Result<TimePoint>(fail(ErrorCode::kNotFound, ""))
                                          : parse_time(opened->text);
      if (!time)
        return std::unexpected(
            "the id is made of opened_at, which this record does not have or which cannot be read");
      id += date::format(hole->how.empty() ? "%Y-%m-%d" : std::string(hole->how), *time);
      continue;
    }
    const std::string name = bare_name(hole->what);
    const auto column = std::ranges::find_if(
        record.fields, [&](const Field& f) { return bare_name(f.name) == name; });
    if (column == record.fields.end() || column->value.blank())
      return std::unexpected(
          fmt::format("the id is made of '{}', which this record does not have", hole->what));
    id += trim(column->value.text);
  }
  id += field.pattern.substr(from);
  if (!number) return id;
  const size_t n = ++counted_[id];
  id.insert(number_at, fmt::format("{:0{}}", n, width_of(number->how)));
  return id;
}

}  // namespace precedent
