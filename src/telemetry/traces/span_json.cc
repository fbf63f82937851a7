#include "telemetry/traces/span_json.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/base64.h"
#include "base/foreign_json.h"
#include "base/hex.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "telemetry/http/json_fields.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr size_t kMaxIdentifier = 64;
constexpr size_t kMaxValue = 1'000;

bool is_hex(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_hex_digit);
}

// "" unless it is base64 of 8 or 16 bytes, of either alphabet, with or without padding.
std::string hex_of_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string plain(text);
  std::ranges::replace(plain, '-', '+');
  std::ranges::replace(plain, '_', '/');
  while (plain.size() % 4 != 0) plain += '=';
  const auto bytes = from_base64(plain);
  return bytes && (bytes->size() == 8 || bytes->size() == 16) ? to_hex(*bytes) : "";
}

std::string cut(const std::string& text) { return std::string(utf8_prefix(text, kMaxValue)); }

// {"stringValue": …} of OTLP; lists and maps are no short words.
std::string otlp_value(const json& value) {
  if (!value.is_object() || value.empty()) return "";
  const json& inner = value.begin().value();
  if (inner.is_string()) return cut(inner.get<std::string>());
  return inner.is_primitive() && !inner.is_null() ? dump_json(inner) : "";
}

LabelSet otlp_attributes(const json& owner) {
  LabelSet out;
  for (const json& attribute : list_field(owner, "attributes")) {
    if (out.size() >= kMaxSpanAttributes) break;
    const std::string key = text_field(attribute, "key");
    const json* value = field(attribute, "value");
    if (std::string text = value == nullptr ? "" : otlp_value(*value);
        !key.empty() && !text.empty())
      out[key] = std::move(text);
  }
  return out;
}

std::string value_or_empty(const LabelSet& set, std::string_view key) {
  const auto found = set.find(key);
  return found == set.end() ? std::string() : found->second;
}

// Numbers of the enumeration SpanKind, or its names: SPAN_KIND_SERVER.
std::string kind_of(const json& span) {
  constexpr std::array<std::string_view, 6> kKinds = {"",       "internal", "server",
                                                      "client", "producer", "consumer"};
  const json* kind = field(span, "kind");
  if (kind == nullptr) return "";
  if (kind->is_string()) {
    constexpr std::string_view kPrefix = "SPAN_KIND_";
    std::string_view text = kind->get_ref<const std::string&>();
    if (text.starts_with(kPrefix)) text.remove_prefix(kPrefix.size());
    return ascii_lower(text);
  }
  const int64_t number = whole_number(*kind);
  return number > 0 && number < 6 ? std::string(kKinds[static_cast<size_t>(number)]) : "";
}

StoredSpan otlp_span(const json& record, const std::string& service) {
  StoredSpan span;
  span.trace = span_identifier(text_field(record, "traceId"));
  span.id = span_identifier(text_field(record, "spanId"));
  span.parent = span_identifier(text_field(record, "parentSpanId"));
  span.service = service;
  span.name = text_field(record, "name");
  span.start_ns = whole_field(record, "startTimeUnixNano");
  const int64_t end_ns = whole_field(record, "endTimeUnixNano");
  span.duration_ns = span.start_ns > 0 && end_ns > span.start_ns ? end_ns - span.start_ns : 0;
  span.attributes = otlp_attributes(record);
  if (std::string kind = kind_of(record); !kind.empty()) span.attributes["span.kind"] = kind;
  if (const json* status = field(record, "status")) {
    const json* code = field(*status, "code");
    span.failed = code != nullptr &&
                  (whole_number(*code) == 2 || (code->is_string() && *code == "STATUS_CODE_ERROR"));
    if (span.failed) span.error = cut(text_field(*status, "message"));
  }
  if (span.failed && span.error.empty())
    for (const json& event : list_field(record, "events"))
      if (text_field(event, "name") == "exception")
        span.error = value_or_empty(otlp_attributes(event), "exception.message");
  return span;
}

// A tag's value is typed: {"key": "error", "type": "bool", "value": true}.
LabelSet jaeger_tags(const json& list) {
  LabelSet out;
  for (const json& tag : list) {
    if (out.size() >= kMaxSpanAttributes) break;
    const std::string key = text_field(tag, "key");
    const json* value = field(tag, "value");
    if (key.empty() || value == nullptr || !value->is_primitive() || value->is_null()) continue;
    out[key] = cut(value->is_string() ? value->get<std::string>() : dump_json(*value));
  }
  return out;
}

std::string jaeger_parent(const json& record, const std::string& trace) {
  for (const json& reference : list_field(record, "references"))
    if (text_field(reference, "refType") == "CHILD_OF" &&
        span_identifier(text_field(reference, "traceID")) == trace)
      return span_identifier(text_field(reference, "spanID"));
  return span_identifier(text_field(record, "parentSpanID"));
}

// Logs of the event "exception", or of "error", as OpenTracing has it.
std::string logged_error(const json& record) {
  for (const json& log : list_field(record, "logs")) {
    const LabelSet fields = jaeger_tags(list_field(log, "fields"));
    for (const char* key : {"exception.message", "error.object", "message"})
      if (std::string text = value_or_empty(fields, key);
          !text.empty() && (key[0] == 'e' || value_or_empty(fields, "event") == "error"))
        return text;
  }
  return "";
}

StoredSpan jaeger_span(const json& record, const json* processes) {
  StoredSpan span;
  span.trace = span_identifier(text_field(record, "traceID"));
  span.id = span_identifier(text_field(record, "spanID"));
  span.parent = jaeger_parent(record, span.trace);
  if (processes != nullptr)
    if (const json* process = field(*processes, text_field(record, "processID")))
      span.service = text_field(*process, "serviceName");
  span.name = text_field(record, "operationName");
  constexpr int64_t kMost = INT64_MAX / 1'000;
  span.start_ns = std::clamp<int64_t>(whole_field(record, "startTime"), 0, kMost) * 1'000;
  span.duration_ns = std::clamp<int64_t>(whole_field(record, "duration"), 0, kMost) * 1'000;
  span.attributes = jaeger_tags(list_field(record, "tags"));
  span.failed = value_or_empty(span.attributes, "error") == "true" ||
                value_or_empty(span.attributes, "otel.status_code") == "ERROR";
  if (span.failed) {
    span.error = value_or_empty(span.attributes, "otel.status_description");
    if (span.error.empty()) span.error = value_or_empty(span.attributes, "error.message");
    if (span.error.empty()) span.error = logged_error(record);
  }
  span.attributes.erase("error");
  return span;
}

void keep(StoredSpan span, std::vector<StoredSpan>& out) {
  if (!span.trace.empty() && !span.id.empty() && span.start_ns > 0) out.push_back(std::move(span));
}

}  // namespace

std::string span_identifier(std::string_view text) {
  if (text.empty() || text.size() > kMaxIdentifier) return "";
  // A whole identifier in base64 has 12 or 24 characters with its padding; what else is hexadecimal
  // may have lost leading zeros.
  const bool padded = text.ends_with('=');
  if (!padded && text.size() <= 32 && is_hex(text)) return ascii_lower(text);
  return hex_of_base64(text);
}

Result<std::vector<StoredSpan>> read_otlp_trace(const json& answer) {
  const json* root = field(answer, "trace");
  const json& trace = root != nullptr && root->is_object() ? *root : answer;
  const json* batches = field(trace, "batches");
  if (batches == nullptr) batches = field(trace, "resourceSpans");
  if (batches == nullptr || !batches->is_array())
    return fail(ErrorCode::kCorrupt, "no batches of spans");
  std::vector<StoredSpan> out;
  for (const json& batch : *batches) {
    const json* resource = field(batch, "resource");
    const std::string service =
        resource == nullptr ? "" : value_or_empty(otlp_attributes(*resource), "service.name");
    for (const char* key : {"scopeSpans", "instrumentationLibrarySpans"})
      for (const json& scope : list_field(batch, key))
        for (const json& record : list_field(scope, "spans")) keep(otlp_span(record, service), out);
  }
  return out;
}

Result<std::vector<std::vector<StoredSpan>>> read_jaeger_traces(const json& answer) {
  const json* data = field(answer, "data");
  if (data == nullptr || !(data->is_array() || data->is_null()))
    return fail(ErrorCode::kCorrupt, "no traces");
  std::vector<std::vector<StoredSpan>> out;
  for (const json& trace : list_field(answer, "data")) {
    std::vector<StoredSpan> spans;
    for (const json& record : list_field(trace, "spans"))
      keep(jaeger_span(record, field(trace, "processes")), spans);
    if (!spans.empty()) out.push_back(std::move(spans));
  }
  return out;
}

Result<std::vector<std::string>> read_jaeger_services(const json& answer) {
  const json* data = field(answer, "data");
  if (data == nullptr || !(data->is_array() || data->is_null()))
    return fail(ErrorCode::kCorrupt, "no services");
  std::vector<std::string> out;
  for (const json& name : list_field(answer, "data"))
    if (name.is_string()) out.push_back(name.get<std::string>());
  return out;
}

Result<std::vector<std::string>> read_tempo_search(const json& answer) {
  if (!answer.is_object()) return fail(ErrorCode::kCorrupt, "no answer of a search");
  const json* traces = field(answer, "traces");
  // Nothing found: an object without it, or with null.
  if (traces == nullptr && field(answer, "metrics") == nullptr && !answer.empty())
    return fail(ErrorCode::kCorrupt, "no traces");
  std::vector<std::string> out;
  for (const json& trace : list_field(answer, "traces"))
    if (std::string id = text_field(trace, "traceID"); is_hex(id) && id.size() <= kMaxIdentifier)
      out.push_back(std::move(id));
  return out;
}

}  // namespace precedent
