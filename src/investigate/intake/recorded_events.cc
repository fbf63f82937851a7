#include "investigate/intake/recorded_events.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/redact.h"
#include "base/strings.h"
#include "base/time.h"
#include "base/utf8.h"
#include "investigate/logs/log_lines.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr int64_t kSecond = 1'000'000'000;

// 2025-01-20T14:05:00.123456789Z
std::string exact_time(int64_t ns) {
  std::string out = format_time(TimePoint(std::chrono::seconds(ns / kSecond)));
  out.insert(out.size() - 1, fmt::format(".{:09}", ns % kSecond));
  return out;
}

std::string_view name_of(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return "debug";
    case LogLevel::kInfo: return "info";
    case LogLevel::kWarn: return "warn";
    case LogLevel::kError: return "error";
    case LogLevel::kUnknown: break;
  }
  return "";
}

json recorded(const StoredLine& line) {
  const std::string text = redact(repair_utf8(line.text));
  json out = trim(text).starts_with('{') ? parse_json(text) : json();
  const bool own = out.is_object();
  const LogLine read = read_log_line(text);
  if (!own) out = {{"message", read.text.empty() ? text : read.text}};
  for (const auto& [label, value] : line.labels)
    if (!out.contains(label)) out[label] = redact(value);
  // A line's own field is believed before its stream's, and that before its first word.
  const bool stream_says = line.labels.contains("level") || line.labels.contains("severity") ||
                           line.labels.contains("severity_text");
  if (read.level != LogLevel::kUnknown && (own || !stream_says))
    out["severity_text"] = name_of(read.level);
  else if (const auto guess = line.labels.find("detected_level");
           guess != line.labels.end() && !stream_says)
    out["level"] = guess->second;
  // The first of their names that is read.
  out["timestamp"] = exact_time(line.at_ns);
  if (!line.service.empty()) out["service"] = line.service;
  return out;
}

}  // namespace

std::string recorded_logs(const std::vector<StoredLine>& lines) {
  std::string out;
  for (const StoredLine& line : lines) out += dump_json(recorded(line)) + '\n';
  return out;
}

std::string recorded_traces(const std::vector<StoredSpan>& spans) {
  std::string out = "[";
  for (const StoredSpan& span : spans) {
    json attributes = json::object();
    for (const auto& [name, value] : span.attributes) attributes[name] = redact(value);
    json record = {{"trace_id", span.trace},
                   {"span_id", span.id},
                   {"service", span.service},
                   {"name", redact(span.name)},
                   {"start", exact_time(span.start_ns)},
                   {"duration_ms", static_cast<double>(span.duration_ns) / 1e6},
                   {"status", span.failed ? "error" : "ok"},
                   {"attributes", std::move(attributes)}};
    if (!span.parent.empty()) record["parent_id"] = span.parent;
    if (!span.error.empty()) record["error"] = redact(span.error);
    const std::string text = dump_json(record);
    out += (out.size() > 1 ? ",\n" : "\n") + text;
  }
  return out + "\n]\n";
}

}  // namespace precedent
