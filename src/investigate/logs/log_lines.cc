#include "investigate/logs/log_lines.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "base/time.h"
#include "base/utf8.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr size_t kMaxFields = 40;
constexpr size_t kMaxField = 200;
constexpr size_t kMaxText = 4000;

constexpr std::array<std::string_view, 7> kTimeKeys = {"timestamp", "time",     "ts",  "@timestamp",
                                                       "at",        "datetime", "date"};
constexpr std::array<std::string_view, 6> kTextKeys = {"msg", "message", "body",
                                                       "log", "event",   "text"};
constexpr std::array<std::string_view, 6> kServiceKeys = {"service", "service.name", "service_name",
                                                          "app",     "container",    "logger"};
constexpr std::array<std::string_view, 5> kLevelKeys = {"severity_text", "level", "severity", "lvl",
                                                        "loglevel"};

template <size_t n>
const json* first_of(const json& record, const std::array<std::string_view, n>& keys) {
  for (const std::string_view key : keys)
    if (const auto found = record.find(key);
        found != record.end() && found->is_primitive() && !found->is_null())
      return &*found;
  return nullptr;
}

std::string text_of(const json* value) {
  if (value == nullptr) return "";
  if (value->is_string()) return value->get<std::string>();
  return dump_json(*value);
}

LogLevel level_of(std::string_view word) {
  const std::string lower = ascii_lower(word);
  if (lower.starts_with("err") || lower.starts_with("fatal") || lower.starts_with("crit") ||
      lower.starts_with("panic") || lower.starts_with("alert") || lower.starts_with("emerg"))
    return LogLevel::kError;
  if (lower.starts_with("warn")) return LogLevel::kWarn;
  if (lower.starts_with("info") || lower.starts_with("notice")) return LogLevel::kInfo;
  if (lower.starts_with("debug") || lower.starts_with("trace")) return LogLevel::kDebug;
  return LogLevel::kUnknown;
}

template <size_t n>
bool is_key(std::string_view name, const std::array<std::string_view, n>& keys) {
  return std::ranges::find(keys, name) != keys.end();
}

void read_json_line(const json& record, LogLine& line) {
  if (const auto time = parse_time(text_of(first_of(record, kTimeKeys)))) {
    line.at = *time;
    line.timed = true;
  }
  line.text = text_of(first_of(record, kTextKeys));
  line.service = text_of(first_of(record, kServiceKeys));
  line.level = level_of(text_of(first_of(record, kLevelKeys)));
  for (const auto& [key, value] : record.items()) {
    if (line.fields.size() >= kMaxFields) break;
    if (!value.is_primitive() || value.is_null() || is_key(key, kTimeKeys) ||
        is_key(key, kTextKeys) || is_key(key, kServiceKeys) || is_key(key, kLevelKeys))
      continue;
    line.fields[key] = std::string(utf8_prefix(text_of(&value), kMaxField));
  }
  if (line.text.empty())
    line.text = text_of(first_of(record, std::array<std::string_view, 1>{"error"}));
}

// "2026-06-18T15:04:01Z ERROR order …": a time, perhaps in two words, then perhaps a level.
void read_plain_line(std::string_view text, LogLine& line) {
  const std::vector<std::string_view> words = split(text, ' ');
  size_t taken = 0;
  for (const size_t count : {size_t{1}, size_t{2}}) {
    if (words.size() < count) break;
    const std::string_view last = words[count - 1];
    const std::string_view head =
        text.substr(0, static_cast<size_t>(last.data() - text.data()) + last.size());
    const bool has_date =
        head.size() >= 8 && head.find_first_of("0123456789") != std::string_view::npos;
    if (const auto time = parse_time(trim(head)); has_date && time) {
      line.at = *time;
      line.timed = true;
      taken = count;
    }
  }
  if (taken < words.size()) {
    std::string_view level = words[taken];
    while (!level.empty() && (level.front() == '[')) level.remove_prefix(1);
    line.level = level_of(level);
  }
  const char* begin = taken < words.size() ? words[taken].data() : text.data() + text.size();
  line.text = std::string(begin, text.data() + text.size());
}

// "offset=182733 partition=4" in the text: fields, too.
void read_pairs(LogLine& line) {
  for (const std::string_view word : split(line.text, ' ')) {
    const size_t equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0 || line.fields.size() >= kMaxFields)
      continue;
    std::string_view value = word.substr(equals + 1);
    while (!value.empty() &&
           std::string_view("\"',;)").find(value.back()) != std::string_view::npos)
      value.remove_suffix(1);
    while (!value.empty() && value.front() == '"') value.remove_prefix(1);
    if (!value.empty() && value.size() <= kMaxField)
      line.fields.try_emplace(std::string(word.substr(0, equals)), value);
  }
}

}  // namespace

LogLine read_log_line(std::string_view text) {
  LogLine line;
  const std::string whole = repair_utf8(text.substr(0, kMaxRawLine));
  const json record = trim(whole).starts_with('{') ? parse_json(whole) : json();
  if (record.is_object())
    read_json_line(record, line);
  else
    read_plain_line(whole, line);
  if (line.text.size() > kMaxText) line.text = std::string(utf8_prefix(line.text, kMaxText));
  read_pairs(line);
  return line;
}

}  // namespace precedent
