#include "ingest/record_mapping.h"

#include <date/tz.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/time.h"
#include "base/utf8.h"
#include "ingest/field_map.h"

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
std::optional<double> share_of(std::string_view text) {
  text = trim(text);
  const bool per_cent = text.ends_with('%');
  if (per_cent) text = trim(text.substr(0, text.size() - 1));
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (per_cent) value /= 100;
  return value >= 0 && value <= 1 ? std::optional(value) : std::nullopt;
}

Result<void> read_share(const ConfigSection& limits, std::string_view key, double& out) {
  if (!limits.has(key)) return {};
  const auto share = share_of(limits.text(key));
  if (!share) return limits.settle(limits.wrong(key, "is no share such as 1%"));
  out = *share;
  return {};
}

// Minutes east of UTC of "+02:00", "-0530", "Z" or "UTC".
std::optional<std::chrono::minutes> offset_of(std::string_view zone) {
  if (zone.empty() || zone == "UTC" || zone == "Z") return std::chrono::minutes(0);
  if (zone[0] != '+' && zone[0] != '-') return std::nullopt;
  std::string digits(zone.substr(1));
  std::erase(digits, ':');
  if (digits.size() != 4 || !std::ranges::all_of(digits, is_digit)) return std::nullopt;
  const int hours = (digits[0] - '0') * 10 + digits[1] - '0';
  const int minutes = (digits[2] - '0') * 10 + digits[3] - '0';
  const std::chrono::minutes east(hours * 60 + minutes);
  return zone[0] == '-' ? -east : east;
}

// Null for a name that the system does not know.
const date::time_zone* zone_named(std::string_view name) {
  try {
    return date::locate_zone(std::string(name));
  } catch (const std::runtime_error&) {
    return nullptr;
  }
}

Result<void> check_zone(const ConfigSection& field, const std::string& zone) {
  if (offset_of(zone) || zone_named(zone) != nullptr) return {};
  return field.settle(field.wrong(
      "zone", fmt::format("is '{}'; write UTC, an offset such as +02:00, or a name such as "
                          "Europe/Berlin",
                          zone)));
}

// "{n:03}" and the like, one after the other.
struct Placeholder {
  size_t begin = 0, end = 0;  // in the pattern, brackets included
  std::string_view what, how;
};

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
  TRY(section.read("format", field.format));
  TRY(section.read("zone", field.zone));
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
  if (!field.pattern.empty() && key != "incident_id")
    TRY(section.settle(section.wrong("template", "is for incident_id alone")));
  if (!field.pattern.empty() && !field.pattern.contains("{"))
    TRY(section.settle(section.wrong("template", "has no {n}: every incident would be the same")));
  if ((section.has("format") || section.has("zone")) && !is_time(key))
    TRY(fields.settle(fields.wrong(key, "is no time, so it has neither format nor zone")));
  if (section.has("zone") && !section.has("format"))
    TRY(section.settle(section.wrong("zone", "needs a format, such as \"%Y-%m-%d %H:%M\"")));
  TRY(check_zone(section, field.zone));
  return field;
}

}  // namespace

Result<RecordMapping> RecordMapping::parse(std::string_view yaml, std::string_view path,
                                           ConfigProblems* all) {
  const YAML::Node root = TRY(parse_yaml(yaml, path));
  const ConfigSection top(root, path, "", all);
  TRY(top.check(kKeys));
  RecordMapping mapping;
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
  for (const std::string& column : ignored) mapping.ignored_.push_back(bare_name(column));
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

std::vector<std::string> RecordMapping::missing_from(std::span<const std::string> columns) const {
  std::vector<std::string> there;
  for (const std::string& column : columns) there.push_back(bare_name(column));
  std::vector<std::string> missing;
  for (const MappedField& field : fields_)
    for (const std::string& column : field.columns)
      if (!has(there, bare_name(column))) missing.push_back(column);
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
  return has(ignored_, bare_name(column));
}

Result<std::string> time_in_format(std::string_view text, const std::string& format,
                                   std::string_view zone) {
  const auto refuse = [&]() {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'{}' does not follow the format {}", text, format));
  };
  std::istringstream in{std::string(trim(text))};
  in.imbue(std::locale::classic());
  const auto read_whole = [&](auto& time) {
    in >> date::parse(format, time);
    return !in.fail() && (in.peek() == std::istringstream::traits_type::eof());
  };
  if (format.contains("%z")) {
    date::sys_seconds time;
    if (!read_whole(time)) return refuse();
    return format_time(time);
  }
  date::local_seconds local;
  if (!read_whole(local)) return refuse();
  if (const auto east = offset_of(zone))
    return format_time(TimePoint(local.time_since_epoch() - *east));
  const date::time_zone* named = zone_named(zone);
  if (named == nullptr)
    return fail(ErrorCode::kInvalidArgument, fmt::format("there is no time zone '{}'", zone));
  // Of an hour that comes twice in autumn the first is meant; one that does not come in spring is
  // the moment of the change.
  return format_time(TimePoint(named->to_sys(local, date::choose::earliest).time_since_epoch()));
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
    if (!field.format.empty()) {
      auto time = time_in_format(value.text, field.format, field.zone);
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
