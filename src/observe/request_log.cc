#include "observe/request_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/foreign_json.h"
#include "base/json_access.h"
#include "base/redact.h"
#include "base/redact_json.h"
#include "base/strings.h"
#include "base/time.h"
#include "base/utf8.h"
#include "files/files.h"

namespace precedent {
namespace {

using nlohmann::json;
// What is written: fields stand in the order in which people read them. Nothing foreign is parsed
// into it, since each of its keys is looked for among all others.
using Line = nlohmann::ordered_json;

// How much of a record is kept. Tried from the roomiest on.
struct Detail {
  size_t text;     // bytes of the question, and of a text within intent or plan
  size_t summary;  // bytes of an output, and of the answer
  size_t items;    // of a list
  size_t calls;
};
constexpr Detail kDetails[] = {{4096, 600, 64, 32}, {1024, 300, 32, 16}, {256, 100, 16, 8}};
// Members of an object, and levels below it: no intent has as many.
constexpr size_t kMaxMembers = 64;
constexpr int kMaxDepth = 8;
// Of a text this much is looked at, since redacting all that 20 receipts hold takes as long as an
// answer. Twice the longest text that is kept: a secret that is only half seen is cut off with its
// surroundings.
constexpr size_t kMaxSeen = 8 * 1024;

// U+2028 and U+2029 end lines for some readers.
std::string one_line(std::string text) {
  for (const std::string_view end : {"\u2028", "\u2029"})
    for (size_t at = 0; (at = text.find(end, at)) != std::string::npos;)
      text.replace(at, end.size(), "\n");
  return text;
}

// Redacted before it is cut: half a secret is not recognised any more.
std::string clean(std::string_view text, size_t max_bytes, bool squeezed = false) {
  const std::string_view seen = utf8_prefix(text, kMaxSeen);
  std::string out = redact(one_line(strip_controls(repair_utf8(seen))));
  if (squeezed) out = squeeze(out);
  if (out.size() <= max_bytes && seen.size() == text.size()) return out;
  const std::string mark = fmt::format("…[cut, {} bytes in all]", text.size());
  out.resize(utf8_prefix(out, max_bytes > mark.size() ? max_bytes - mark.size() : 0).size());
  return out + mark;
}

template <typename Value>
std::string dumped(const Value& value) {
  return value.dump(-1, ' ', false, Value::error_handler_t::replace);
}

// A card has a number.
Line number(const json& value) {
  const std::string text = value.dump();
  std::string safe = redact(text);
  return safe == text ? Line(value) : Line(std::move(safe));
}

// The secret that an object is about, by one of its first fields; else "".
std::string subject_of(const json& object) {
  size_t looked = 0;
  for (const auto& [key, value] : object.items()) {
    if (looked++ == kMaxMembers) break;
    if (value.is_string() && names_secret(key, value.get_ref<const std::string&>())) return value;
  }
  return "";
}

// A value under the name that it has: "password" makes a secret of what is none by itself.
json named(const std::string& subject, const std::string& key, const json& value) {
  if (!value.is_string() && !value.is_number()) return value;
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  std::string safe = redact_field(subject, key, text);
  return safe == text ? value : json(std::move(safe));
}

Line bounded(const json& value, const Detail& detail, int depth) {
  if (value.is_string()) return clean(value.get_ref<const std::string&>(), detail.text);
  if (value.is_number()) return number(value);
  if (!value.is_structured()) return value;
  if (depth == 0) return "…[cut]";
  if (value.is_array()) {
    Line list = Line::array();
    for (const json& item : value) {
      if (list.size() == detail.items) break;
      list.push_back(bounded(item, detail, depth - 1));
    }
    return list;
  }
  Line object = Line::object();
  const std::string subject = subject_of(value);
  for (const auto& [key, member] : value.items()) {
    if (object.size() == kMaxMembers) break;
    // Never copied whole: how deep it is, is known to nobody yet.
    object[clean(key, detail.text)] = member.is_structured()
                                          ? bounded(member, detail, depth - 1)
                                          : bounded(named(subject, key, member), detail, depth - 1);
  }
  return object;
}

Line json_or_null(const std::string& text, const Detail& detail) {
  const json value = parse_json_leniently(text);
  return value.is_discarded() ? Line() : bounded(value, detail, kMaxDepth);
}

// Tenths of a millisecond: what is below is noise.
Line milliseconds(const std::optional<RequestDuration>& duration) {
  if (!duration) return nullptr;
  return std::round(static_cast<double>(duration->count()) / 100.0) / 10.0;
}

std::string time_text(RequestTime at) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(at);
  std::string text = format_time(seconds);
  text.pop_back();  // Z
  return fmt::format("{}.{:03}Z", text, (at - seconds).count());
}

Line call_json(const CallRecord& call, const Detail& detail) {
  const json input = parse_json_leniently(call.input);
  return {{"receipt", clean(call.receipt, detail.summary)},
          {"tool", clean(call.tool, detail.summary)},
          // A model may have asked with what is no JSON; shippers want one type a field.
          {"input", input.is_object() ? bounded(input, detail, kMaxDepth)
                                      : Line{{"text", clean(call.input, detail.text)}}},
          {"output_summary", clean(call.output, detail.summary, true)},
          {"ms", milliseconds(call.took)},
          {"status", clean(call.status, detail.summary)}};
}

Line line_json(const RequestRecord& record, const Detail& detail) {
  Line calls = Line::array();
  for (const CallRecord& call : record.calls) {
    if (calls.size() == detail.calls) break;
    calls.push_back(call_json(call, detail));
  }
  const std::string thread = clean(record.thread_id, detail.summary);
  return {
      {"time", time_text(record.at)},
      {"request_id", clean(record.request_id, detail.summary)},
      {"thread_id", thread.empty() ? Line() : Line(thread)},
      {"status", clean(record.status, detail.summary)},
      {"user_question", clean(record.question, detail.text)},
      {"intent_record", json_or_null(record.intent, detail)},
      {"plan", json_or_null(record.plan, detail)},
      {"tool_calls", std::move(calls)},
      {"tool_calls_total", record.calls.size()},
      {"final_answer_summary", clean(record.answer, detail.summary, true)},
      {"grounding", json_or_null(record.grounding, detail)},
      {"usage", json_or_null(record.usage, detail)},
      {"durations",
       {{"total_ms", milliseconds(record.took)}, {"model_ms", milliseconds(record.model_took)}}}};
}

// What no record can make too long: the types that shippers know, and what counters read.
std::string shortest_line(const RequestRecord& record) {
  RequestRecord rest = record;
  rest.plan.clear(), rest.usage.clear(), rest.calls.clear();
  rest.intent = dumped(Line{{"question_type", question_type(record)}});
  const std::optional<bool> checked = grounded(record);
  rest.grounding = checked ? Line{{"grounded", *checked}}.dump() : "";
  Line line = line_json(rest, std::end(kDetails)[-1]);
  line["tool_calls_total"] = record.calls.size();
  return dumped(line);
}

// --- Reading.

std::string json_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? "" : dumped(*found);
}

Result<std::optional<RequestDuration>> duration_of(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return std::nullopt;
  // A day: longer is no duration of a request.
  constexpr double kMaxMs = 24 * 3600 * 1000.0;
  const double ms = found->is_number() ? found->get<double>() : -1;
  if (!(ms >= 0 && ms <= kMaxMs))
    return fail(ErrorCode::kInvalidArgument, fmt::format("'{}' is no duration", key));
  return RequestDuration(std::llround(ms * 1000));
}

Result<RequestTime> time_of(const json& object) {
  const std::string text = foreign::string_at(object, "time");
  const auto seconds = parse_time(text);
  if (!seconds) return fail(ErrorCode::kInvalidArgument, "'time' is missing or no time");
  RequestTime at = *seconds;
  // parse_time() cuts fractions off; the writer's have three digits.
  const size_t dot = text.find('.');
  if (dot == std::string::npos || text.size() != dot + 5) return at;
  for (int i = 1, unit = 100; i <= 3; ++i, unit /= 10) {
    const char digit = text[dot + static_cast<size_t>(i)];
    if (is_digit(digit)) at += std::chrono::milliseconds((digit - '0') * unit);
  }
  return at;
}

Result<CallRecord> call_of(const json& object) {
  if (!object.is_object())
    return fail(ErrorCode::kInvalidArgument, "'tool_calls' holds what is no object");
  CallRecord call;
  call.receipt = foreign::string_at(object, "receipt");
  call.tool = foreign::string_at(object, "tool");
  call.input = json_of(object, "input");
  call.output = foreign::string_at(object, "output_summary");
  call.status = foreign::string_at(object, "status");
  call.took = TRY(duration_of(object, "ms"));
  return call;
}

}  // namespace

std::string request_line(const RequestRecord& record) {
  for (const Detail& detail : kDetails) {
    std::string line = dumped(line_json(record, detail));
    if (line.size() < kMaxRequestLine) return line;
  }
  return shortest_line(record);
}

Result<RequestRecord> parse_request_line(std::string_view line) {
  // What nests deeper was not written here.
  const json object = parse_json_leniently(line);
  if (object.is_discarded()) return fail(ErrorCode::kInvalidArgument, "is not valid JSON");
  if (!object.is_object()) return fail(ErrorCode::kInvalidArgument, "is not a JSON object");
  RequestRecord record;
  record.at = TRY(time_of(object));
  record.request_id = foreign::string_at(object, "request_id");
  record.thread_id = foreign::string_at(object, "thread_id");
  record.status = foreign::string_at(object, "status");
  record.question = foreign::string_at(object, "user_question");
  record.intent = json_of(object, "intent_record");
  record.plan = json_of(object, "plan");
  record.grounding = json_of(object, "grounding");
  record.usage = json_of(object, "usage");
  record.answer = foreign::string_at(object, "final_answer_summary");
  const auto calls = object.find("tool_calls");
  if (calls != object.end() && !calls->is_null()) {
    if (!calls->is_array()) return fail(ErrorCode::kInvalidArgument, "'tool_calls' is no list");
    for (const json& call : *calls) record.calls.push_back(TRY(call_of(call)));
  }
  const auto durations = object.find("durations");
  if (durations != object.end() && durations->is_object()) {
    record.took = TRY(duration_of(*durations, "total_ms")).value_or(RequestDuration());
    record.model_took = TRY(duration_of(*durations, "model_ms"));
  }
  return record;
}

Result<void> append_request(const std::filesystem::path& file, const RequestRecord& record) {
  return append_line(file, request_line(record));
}

}  // namespace precedent
