#include "ingest/records/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "base/strings.h"
#include "ingest/records/field_map.h"
#include "ingest/records/json_record.h"

namespace precedent {
namespace {

using nlohmann::json;

bool is_space(int c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Brackets and quotes alone: enough to know where a value ends without understanding it.
class Nesting {
 public:
  void see(char c) {
    if (in_string_) {
      if (escaped_) {
        escaped_ = false;
      } else if (c == '\\') {
        escaped_ = true;
      } else if (c == '"') {
        in_string_ = false;
      }
    } else if (c == '"') {
      in_string_ = true;
    } else if (c == '{' || c == '[') {
      ++depth_;
    } else if (c == '}' || c == ']') {
      --depth_;
    }
  }
  bool in_string() const { return in_string_; }
  int depth() const { return depth_; }

 private:
  int depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
};

// One record's bytes of the source as nlohmann's parser wants them; ends early at the limit.
struct Cursor {
  ByteSource& in;
  size_t left;
  Nesting nesting = {};
};

class CursorIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  CursorIterator() = default;
  explicit CursorIterator(Cursor* cursor) : cursor_(cursor) {}
  char operator*() const { return static_cast<char>(cursor_->in.peek()); }
  CursorIterator& operator++() {
    cursor_->nesting.see(static_cast<char>(cursor_->in.get()));
    --cursor_->left;
    return *this;
  }
  void operator++(int) { ++*this; }
  bool operator==(const CursorIterator& other) const { return ended() == other.ended(); }

 private:
  bool ended() const {
    return cursor_ == nullptr || cursor_->left == 0 || cursor_->in.peek() == ByteSource::kEnd;
  }
  Cursor* cursor_ = nullptr;
};

// Keys under which exports wrap their lists. Those of the second list are also fields of plain
// records: they count only in an object that has not named itself yet.
constexpr std::array<std::string_view, 8> kWrappers = {"incidents", "records",     "documents",
                                                       "runbooks",  "postmortems", "issues",
                                                       "tickets",   "known_issues"};
constexpr std::array<std::string_view, 9> kPossibleWrappers = {
    "data", "items", "result", "results", "entries", "value", "rows", "hits", "content"};
constexpr std::array<std::string_view, 7> kNames = {"id",    "incident_id", "incidentId", "number",
                                                    "title", "key",         "summary"};

bool contains(const auto& list, std::string_view word) {
  for (const std::string_view item : list) {
    if (iequals(item, word)) return true;
  }
  return false;
}

size_t skip_space(std::string_view text, size_t i) {
  while (i < text.size() && is_space(text[i])) ++i;
  return i;
}

// Where the wrapped list's '[' stands in `text`, which begins with the wrapping object's '{'. Looks
// at the keys on the way only: values are passed over.
std::optional<size_t> wrapped_list(std::string_view text) {
  bool named = false;
  Nesting nesting;
  int depth = 1;  // of the object whose keys are looked at: a wrapper may hold a wrapper
  for (size_t i = 0; i < text.size(); ++i) {
    const bool at_key = text[i] == '"' && !nesting.in_string() && nesting.depth() == depth;
    nesting.see(text[i]);
    if (text[i] == '}') depth = std::min(depth, nesting.depth());
    if (depth == 0) return std::nullopt;
    if (!at_key) continue;
    const size_t end = text.find('"', i + 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view key = text.substr(i + 1, end - i - 1);
    const size_t colon = skip_space(text, end + 1);
    if (colon >= text.size() || text[colon] != ':') continue;  // a value, not a key
    const size_t value = skip_space(text, colon + 1);
    if (value >= text.size()) return std::nullopt;
    const bool wraps = contains(kWrappers, key) || (!named && contains(kPossibleWrappers, key));
    if (wraps && text[value] == '[') {
      const size_t first = skip_space(text, value + 1);
      if (first < text.size() &&
          (text[first] == '{' || (text[first] == ']' && contains(kWrappers, key))))
        return value;
    }
    if (wraps && text[value] == '{') ++depth;
    named = named || contains(kNames, key);
  }
  return std::nullopt;
}

class JsonReader {
 public:
  JsonReader(ByteSource& in, const JsonOptions& options, const RecordSink& sink,
             const BadRecordSink& bad)
      : in_(in), options_(options), sink_(sink), bad_(bad) {}

  Result<void> read() {
    skip_space();
    TRY(looks_like_lines() ? read_lines() : read_values());
    if (in_.error()) return std::unexpected(*in_.error());
    return {};
  }

 private:
  bool looks_like_lines();
  Result<void> read_lines();
  Result<void> read_line(std::string_view line, size_t number, uint64_t offset);
  Result<void> read_values();
  Result<void> read_list();
  Result<void> read_wrapper(size_t list_at);
  Result<void> read_object(size_t number = 0);
  void report_broken(const Record& record, const JsonRecordBuilder& builder, const Cursor& cursor,
                     size_t column);
  bool skip_rest(Cursor& cursor);
  bool resume(Cursor& cursor, size_t line, size_t column);
  void skip_value();

  void skip_space() {
    while (is_space(in_.peek())) in_.get();
  }
  void report(size_t line, std::string message) {
    bad_({options_.path, line, "", std::move(message)});
  }
  void report(const Record& record, std::string message, std::string field = "") {
    bad_({options_.path, record.line, std::move(field), std::move(message), place_in_list(record)});
  }
  Result<void> accept(Record&& record, const JsonRecordBuilder& builder) {
    if (!builder.nul_field().empty()) {
      report(record, "the text holds a NUL character; remove it", builder.nul_field());
      return {};
    }
    return sink_(std::move(record));
  }

  ByteSource& in_;
  const JsonOptions& options_;
  const RecordSink& sink_;
  const BadRecordSink& bad_;
};

// One complete object on the first line and more below it, or a first line that can only be a
// broken record.
bool JsonReader::looks_like_lines() {
  const std::string_view text = in_.ahead();
  if (!text.starts_with('{')) return options_.named_lines && !text.starts_with('[');
  const size_t end = text.find('\n');
  if (end == std::string_view::npos) return options_.named_lines && !wrapped_list(text);
  const std::string_view first = trim(text.substr(0, end));
  Nesting nesting;
  for (const char c : first) nesting.see(c);
  const bool complete = nesting.depth() == 0 && !nesting.in_string();
  const size_t next = precedent::skip_space(text, end);
  if (complete) return next < text.size() || (options_.named_lines && !wrapped_list(first));
  if (options_.named_lines && wrapped_list(text)) return false;
  const bool open_ended =
      first.ends_with('[') || first.ends_with(',') || first.ends_with(':') || first.ends_with('{');
  const bool object_below = next < text.size() && text[next] == '{';
  return !open_ended && (object_below || (options_.named_lines && text.starts_with('{')));
}

Result<void> JsonReader::read_lines() {
  std::string line;
  for (;;) {
    const size_t number = in_.line();
    const uint64_t offset = in_.offset();
    switch (in_.read_line(line, options_.max_record_bytes)) {
      case ByteSource::Line::kEnd: return {};
      case ByteSource::Line::kTooLong: report(number, too_large(options_.max_record_bytes)); break;
      case ByteSource::Line::kRead: TRY(read_line(line, number, offset)); break;
    }
  }
}

Result<void> JsonReader::read_line(std::string_view line, size_t number, uint64_t offset) {
  if (trim(line).empty()) return {};
  if (auto problem = check_utf8(line, offset)) {
    report(number, std::move(*problem));
    return {};
  }
  if (line[precedent::skip_space(line, 0)] != '{') {
    report(number, "the line is not a JSON object; write one {…} on each line");
    return {};
  }
  Record record{{}, options_.path, number};
  JsonRecordBuilder builder(record);
  if (json::sax_parse(line.begin(), line.end(), &builder))
    return accept(std::move(record), builder);
  report(number, builder.problem_position() == 0
                     ? builder.problem()
                     : fmt::format("broken JSON at column {}: {}", builder.problem_position(),
                                   builder.problem()));
  return {};
}

// A list, an object or a wrapper, and whatever follows it.
Result<void> JsonReader::read_values() {
  if (const std::optional<size_t> list =
          in_.peek() == '{' ? wrapped_list(in_.ahead()) : std::nullopt) {
    TRY(read_wrapper(*list));
  }
  for (skip_space(); in_.peek() != ByteSource::kEnd; skip_space()) {
    if (in_.peek() == '[') {
      TRY(read_list());
    } else if (in_.peek() == '{') {
      TRY(read_object());
    } else if (in_.peek() == ',') {
      in_.get();
    } else {
      report(in_.line(), fmt::format("expected a JSON object or list at column {}", in_.column()));
      skip_value();
    }
  }
  return {};
}

Result<void> JsonReader::read_wrapper(size_t list_at) {
  Nesting nesting;
  const auto next = [&] { nesting.see(static_cast<char>(in_.get())); };
  while (list_at-- > 0) next();
  TRY(read_list());
  while (nesting.depth() > 0 && in_.peek() != ByteSource::kEnd) next();
  return {};
}

Result<void> JsonReader::read_list() {
  const size_t opened = in_.line();
  in_.get();
  for (size_t number = 1;;) {
    skip_space();
    switch (in_.peek()) {
      case ByteSource::kEnd:
        report(opened,
               "the list is never closed: the file may be cut off; a ']' is missing at its end");
        return {};
      case ']': in_.get(); return {};
      case ',': in_.get(); break;
      case '{': TRY(read_object(number++)); break;
      default:
        report(in_.line(), fmt::format("expected an object at column {}", in_.column()));
        ++number;
        skip_value();
    }
  }
}

Result<void> JsonReader::read_object(size_t number) {
  Record record{{}, options_.path, in_.line(), number};
  const size_t column = in_.column();
  JsonRecordBuilder builder(record);
  Cursor cursor{in_, options_.max_record_bytes};
  if (json::sax_parse(CursorIterator(&cursor), CursorIterator(), &builder,
                      json::input_format_t::json,
                      /*strict=*/false)) {
    return accept(std::move(record), builder);
  }
  report_broken(record, builder, cursor, column);
  return {};
}

void JsonReader::report_broken(const Record& record, const JsonRecordBuilder& builder,
                               const Cursor& broken, size_t column) {
  Cursor cursor = broken;
  if (cursor.left == 0) {
    report(record, too_large(options_.max_record_bytes));
    if (!skip_rest(cursor)) resume(cursor, record.line, column);
    return;
  }
  const bool cut_off = in_.peek() == ByteSource::kEnd;
  const std::string where =
      fmt::format("line {} column {}", in_.line(), in_.column() - (in_.column() > 1 ? 1 : 0));
  const bool encoding = builder.problem().find("UTF-8") != std::string::npos;
  const std::string problem =
      encoding
          ? fmt::format("not UTF-8 near byte {}; convert the file: iconv -f WINDOWS-1252 -t UTF-8",
                        in_.offset() - 1)
          : fmt::format("broken JSON at {}: {}", where, builder.problem());
  const bool found = cut_off || resume(cursor, record.line, column);
  report(record,
         fmt::format(
             "{}{}", problem,
             found ? "" : "; where the next record begins cannot be told: the rest is skipped"));
}

// To the end of the record that `cursor` stands in. False if its text makes that impossible to
// tell.
bool JsonReader::skip_rest(Cursor& cursor) {
  while (cursor.nesting.depth() > 0) {
    const int c = in_.peek();
    if (c == ByteSource::kEnd || (c == '\n' && cursor.nesting.in_string())) return false;
    cursor.nesting.see(static_cast<char>(in_.get()));
  }
  return true;
}

// After a broken record that began at `line`, `column`: to the next one. Records that share a line
// are told apart by their brackets; others by their first brace, which stands below that of the
// broken one or after its closing brace.
bool JsonReader::resume(Cursor& cursor, size_t line, size_t column) {
  if (in_.line() > line && in_.column() == column + 1) {
    // The broken record lacks its closing brace: what was one brace too many is the next one's.
    ByteSource::Mark before = in_.mark();
    --before.offset;
    in_.go_back(before);
    if (in_.peek() == '{') return true;
    in_.get();
  }
  while (in_.line() == line && in_.peek() != '\n' && in_.peek() != ByteSource::kEnd) {
    if (cursor.nesting.depth() <= 0 && !cursor.nesting.in_string()) return true;
    cursor.nesting.see(static_cast<char>(in_.get()));
  }
  while (in_.peek() != ByteSource::kEnd) {
    while (is_space(in_.peek())) in_.get();
    const size_t at = in_.column();
    if (in_.peek() == ']' && at <= column) return true;
    if (in_.peek() == '{' && at == column) return true;
    if (in_.peek() == '}' && at <= column) {
      in_.get();
      return true;
    }
    while (in_.peek() != '\n' && in_.peek() != ByteSource::kEnd) in_.get();
  }
  return false;
}

// A value that should not be here: to the comma or bracket that ends it. A bracket that closes
// nothing is such a value too.
void JsonReader::skip_value() {
  const int first = in_.get();
  if (first == ']' || first == '}') return;
  Nesting nesting;
  nesting.see(static_cast<char>(first));
  for (int c = in_.peek(); c != ByteSource::kEnd; c = in_.peek()) {
    const bool outside = nesting.depth() == 0 && !nesting.in_string();
    if (outside && (c == ',' || c == ']' || c == '}' || c == '{')) return;
    nesting.see(static_cast<char>(in_.get()));
  }
}

}  // namespace

Result<void> read_json(ByteSource& in, const JsonOptions& options, const RecordSink& sink,
                       const BadRecordSink& bad) {
  return JsonReader(in, options, sink, bad).read();
}

}  // namespace precedent
