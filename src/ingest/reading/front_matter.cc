#include "ingest/reading/front_matter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "base/ascii.h"
#include "base/ids.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "ingest/fields/record_document.h"
#include "ingest/reading/infer_kind.h"
#include "ingest/records/byte_source.h"
#include "ingest/records/clean_text.h"
#include "ingest/records/field_map.h"
#include "ingest/records/yaml_record.h"

namespace precedent {
namespace {

// A file cut into its parts. Lines are 1-based.
struct Parts {
  std::string_view yaml;  // without its fences; empty if there are none
  std::string_view body;
  uint32_t body_line = 1;
  bool unclosed = false;
};

std::string_view line_at(std::string_view text, size_t at) {
  return text.substr(at, text.find('\n', at) - at);
}

bool is_fence(std::string_view line, bool closing) {
  const std::string_view mark = trim(line);
  return line.starts_with(mark) && (mark == "---" || (closing && mark == "..."));
}

// "key: value": tells front matter from prose below a rule.
bool looks_like_field(std::string_view line) {
  const size_t colon = line.find(':');
  return colon != std::string_view::npos && colon > 0 && line.find(' ') > colon &&
         (colon + 1 == line.size() || line[colon + 1] == ' ');
}

Parts split_front_matter(std::string_view text) {
  const std::string_view first = line_at(text, 0);
  if (!is_fence(first, false)) return {"", text, 1, false};
  const size_t begin = std::min(text.size(), first.size() + 1);
  uint32_t line = 2;
  for (size_t at = begin; at < text.size(); ++line) {
    const std::string_view current = line_at(text, at);
    const size_t next = std::min(text.size(), at + current.size() + 1);
    if (is_fence(current, true))
      return {text.substr(begin, at - begin), text.substr(next), line + 1, false};
    at = next;
  }
  return {"", text, 1, looks_like_field(line_at(text, begin))};
}

// The text of an ATX heading, without its marks; "" for any other line.
std::string heading_text(std::string_view line) {
  const size_t level = line.find_first_not_of('#');
  if (level == 0 || level > 6 || level == std::string_view::npos ||
      (line[level] != ' ' && line[level] != '\t'))
    return "";
  std::string_view text = trim(line.substr(level));
  while (text.ends_with('#')) text.remove_suffix(1);
  std::string plain;
  for (const char c : trim(text)) {
    if (c != '*' && c != '`') plain += c;
  }
  return squeeze(plain);
}

struct Heading {
  std::string text;
  size_t begin, end;  // bytes of its lines
  uint32_t lines;
};

// A heading that begins at `at`: "# Text", or a line with === or --- below it.
std::optional<Heading> heading_at(std::string_view body, size_t at) {
  const std::string_view line = line_at(body, at);
  const size_t next = std::min(body.size(), at + line.size() + 1);
  if (std::string text = heading_text(line); !text.empty())
    return Heading{std::move(text), at, next, 1};
  const std::string_view below = trim(line_at(body, next));
  const bool underlined =
      below.size() >= 3 && (below.find_first_not_of('=') == std::string_view::npos ||
                            below.find_first_not_of('-') == std::string_view::npos);
  if (!underlined || trim(line).empty() || line.starts_with('|') || line.starts_with('-'))
    return std::nullopt;
  return Heading{squeeze(line), at, std::min(body.size(), next + line_at(body, next).size() + 1),
                 2};
}

// All headings outside of fenced code.
std::vector<Heading> headings_of(std::string_view body) {
  std::vector<Heading> headings;
  bool fenced = false;
  for (size_t at = 0; at < body.size();) {
    const std::string_view line = trim(line_at(body, at));
    if (line.starts_with("```") || line.starts_with("~~~")) fenced = !fenced;
    std::optional<Heading> heading;
    if (!fenced) heading = heading_at(body, at);
    at = heading ? heading->end : std::min(body.size(), at + line_at(body, at).size() + 1);
    if (heading) headings.push_back(std::move(*heading));
  }
  return headings;
}

// "db-pool_exhaustion.md" → "Db pool exhaustion".
std::string title_of_file(const std::string& path) {
  std::string title = std::filesystem::path(path).stem().string();
  std::ranges::replace_if(title, [](char c) { return c == '-' || c == '_'; }, ' ');
  title = squeeze(repair_utf8(title));
  if (!title.empty() && is_lower(title[0])) title[0] = static_cast<char>(title[0] - 32);
  return title;
}

void skip_blank_lines(Parts& parts) {
  while (!parts.body.empty()) {
    const std::string_view line = line_at(parts.body, 0);
    if (!trim(line).empty()) return;
    if (line.size() < parts.body.size()) ++parts.body_line;
    parts.body.remove_prefix(std::min(parts.body.size(), line.size() + 1));
  }
}

// Names, folded, of the fields that are more than attributes.
constexpr std::array<std::string_view, 3> kServices = {"services", "service", "affectedservices"};
constexpr std::array<std::string_view, 2> kSymptoms = {"symptoms", "symptom"};
constexpr std::array<std::string_view, 3> kTags = {"tags", "tag", "labels"};
constexpr std::array<std::string_view, 2> kApplication = {"impactedapplication", "application"};
constexpr std::array<std::string_view, 1> kSeverity = {"severity"};
constexpr std::array<std::string_view, 2> kStatus = {"status", "state"};
constexpr std::array<std::string_view, 2> kType = {"type", "kind"};
constexpr std::array<std::string_view, 1> kId = {"id"};
constexpr std::array<std::string_view, 1> kTitle = {"title"};
constexpr std::array<std::string_view, 6> kOpened = {"incidentdate", "discoveredat", "openedat",
                                                     "startedat",    "createdat",    "date"};
constexpr std::array<std::string_view, 4> kUpdated = {"updatedat", "updated", "lastupdated",
                                                      "lastmodified"};
constexpr std::array<std::string_view, 2> kResolved = {"resolvedat", "closedat"};

// The fields of one file's front matter; what it has taken does not become an attribute.
class FrontMatter {
 public:
  explicit FrontMatter(const Record& record)
      : record_(record), taken_(record.fields.size(), false) {}

  // The best of `names` that is there and not blank.
  const Field* take(std::span<const std::string_view> names, bool keep = false) {
    for (const std::string_view name : names) {
      for (size_t i = 0; i < record_.fields.size(); ++i) {
        const Field& field = record_.fields[i];
        if (bare_name(field.name) != name || field.value.blank()) continue;
        if (!keep) taken_[i] = true;
        return &field;
      }
    }
    return nullptr;
  }

  std::string label(std::span<const std::string_view> names) {
    const Field* field = take(names);
    if (field == nullptr) return "";
    if (field->value.type == Value::Type::kObject)
      return leave_out(*field, "is a mapping, expected text"), "";
    return squeeze(clean_text(field->value.type == Value::Type::kList
                                  ? join(list_items(field->value), ", ")
                                  : field->value.text));
  }

  std::vector<std::string> list(std::span<const std::string_view> names) {
    const Field* field = take(names);
    if (field == nullptr) return {};
    if (field->value.type == Value::Type::kObject)
      return leave_out(*field, "is a mapping, expected a list of texts"),
             std::vector<std::string>();
    std::vector<std::string> items = list_items(field->value);
    for (std::string& item : items) item = squeeze(clean_text(item));
    return items;
  }

  // The field stays an attribute too: people ask for the date as it was written.
  std::optional<TimePoint> time(std::span<const std::string_view> names) {
    const Field* field = take(names, /*keep=*/true);
    if (field == nullptr) return std::nullopt;
    auto time = parse_time(field->value.text);
    if (!time) leave_out(*field, time.error().message);
    return time ? std::optional(*time) : std::nullopt;
  }

  Attributes rest() const {
    Attributes attributes;
    for (size_t i = 0; i < record_.fields.size(); ++i) {
      const Field& field = record_.fields[i];
      if (!taken_[i] && !field.value.blank())
        attributes.emplace(squeeze(clean_text(field.name)), clean_text(field.value.text));
    }
    return attributes;
  }

  // It becomes an attribute, as it was written.
  void leave_out(const Field& field, std::string message) {
    taken_[static_cast<size_t>(&field - record_.fields.data())] = false;
    unread_.push_back({record_.path, record_.line, field.name, std::move(message)});
  }
  void wrong(const Field& field, std::string message) {
    if (!bad_) bad_ = BadRecord{record_.path, record_.line, field.name, std::move(message)};
  }
  const std::optional<BadRecord>& bad() const { return bad_; }
  // Fields that were left out; their texts are among the rest.
  std::vector<BadRecord> take_unread() { return std::move(unread_); }

 private:
  const Record& record_;
  std::vector<bool> taken_;
  std::optional<BadRecord> bad_;
  std::vector<BadRecord> unread_;
};

std::string valid_kinds() {
  std::vector<std::string> names;
  for (const Kind kind : kAllKinds) names.emplace_back(name(kind));
  return join(names, ", ");
}

std::optional<Kind> explicit_kind(FrontMatter& fields) {
  const Field* type = fields.take(kType);
  if (type == nullptr) return std::nullopt;
  const std::optional<Kind> kind = parse_kind(type->value.text);
  if (!kind) {
    fields.wrong(*type, fmt::format("'{}' is no kind of document; the kinds are {}",
                                    utf8_prefix(type->value.text, 60), valid_kinds()));
  }
  return kind;
}

// An incident that was written as Markdown: its fields are those of any other incident, the body is
// its description.
std::expected<Document, BadRecord> incident_of_markdown(Record record, const Parts& parts,
                                                        const std::string& title,
                                                        const MarkdownFile& file,
                                                        const RecordContext& context) {
  auto fields = FieldMap::create({});
  const MappedRecord mapped = fields->map(record);
  const bool has_id = mapped.find("incident_id") != nullptr;
  const bool has_title = mapped.find("title") != nullptr;
  const bool has_text = mapped.find("description") != nullptr;
  const auto ids = find_ids(std::filesystem::path(file.path).stem().string());
  if (!has_id && !ids.empty()) record.set("incident_id", {Value::Type::kText, ids.front().id});
  if (!has_title) record.set("title", {Value::Type::kText, title});
  record.set(has_text ? "notes" : "description", {Value::Type::kText, std::string(parts.body)});
  return document_of(record, *fields, Kind::kIncident, context);
}

std::expected<Document, BadRecord> make_document(const Record& record, Parts parts,
                                                 const MarkdownFile& file,
                                                 std::optional<Kind> forced,
                                                 const RecordContext& context) {
  FrontMatter fields(record);
  const std::vector<Heading> headings = headings_of(parts.body);
  std::vector<std::string> heading_texts;
  for (const Heading& heading : headings) heading_texts.push_back(heading.text);
  std::optional<Kind> kind = explicit_kind(fields);
  if (forced) {
    kind = forced;
  } else if (fields.bad()) {
    return std::unexpected(*fields.bad());
  }
  Document document;
  document.kind =
      kind.value_or(infer_kind({file.path, file.root, &record, heading_texts, parts.body}));
  document.title = fields.label(kTitle);
  skip_blank_lines(parts);
  const bool starts_with_heading = !headings.empty() && !trim(line_at(parts.body, 0)).empty() &&
                                   heading_at(parts.body, 0).has_value();
  if (document.title.empty())
    document.title = headings.empty() ? title_of_file(file.path) : headings.front().text;
  if (starts_with_heading && iequals(headings.front().text, document.title)) {
    const Heading first = *heading_at(parts.body, 0);
    parts.body.remove_prefix(first.end);
    parts.body_line += first.lines;
    skip_blank_lines(parts);
  }
  if (document.kind == Kind::kIncident) {
    auto incident = incident_of_markdown(record, parts, document.title, file, context);
    if (incident) incident->source = file.root;
    return incident;
  }
  document.id = fields.label(kId);
  document.services = fields.list(kServices);
  document.symptoms = fields.list(kSymptoms);
  document.tags = fields.list(kTags);
  document.application = fields.label(kApplication);
  document.severity = fields.label(kSeverity);
  document.status = fields.label(kStatus);
  document.opened_at = fields.time(kOpened);
  document.updated_at = fields.time(kUpdated);
  document.resolved_at = fields.time(kResolved);
  document.attributes = fields.rest();
  if (fields.bad()) return std::unexpected(*fields.bad());
  for (BadRecord& note : fields.take_unread()) context.unread_field(std::move(note));
  document.path = file.path;
  document.source = file.root;
  document.body = parts.body;
  document.body_line = parts.body_line;
  return document;
}

}  // namespace

std::expected<Document, BadRecord> read_markdown(std::string_view text, const MarkdownFile& file,
                                                 std::optional<Kind> forced,
                                                 const std::function<void(BadRecord&&)>& unread) {
  const auto refuse = [&](size_t line, std::string message) {
    return std::unexpected(BadRecord{file.path, line, "", std::move(message)});
  };
  ByteSource in = ByteSource::of(text);
  if (auto problem = check_text_file(in)) return refuse(0, std::move(*problem));
  if (auto problem = check_utf8(text, 0)) return refuse(0, std::move(*problem));
  if (text.find('\0') != std::string_view::npos)
    return refuse(0, "the text holds a NUL character; remove it");
  const std::string clean = clean_text(text.substr(in.offset()));
  const Parts parts = split_front_matter(clean);
  if (parts.unclosed) return refuse(1, "the front matter is never closed; end it with a line ---");
  const auto record = read_yaml(parts.yaml, file.path, parts.yaml.empty() ? 1 : 2);
  if (!record) return std::unexpected(record.error());
  if (trim(parts.body).empty() && record->fields.empty()) return refuse(0, "the file is empty");
  RecordContext context;
  context.unread_field = unread;
  return make_document(*record, parts, file, forced, context);
}

}  // namespace precedent
