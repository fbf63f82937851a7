#include "observe/otlp_json.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "observe/tracer.h"

namespace precedent {
namespace {

using nlohmann::json;

// What is worth saying of a collector's complaint.
constexpr size_t kMaxMessageBytes = 200;

struct Alias {
  std::string_view name;
  std::string_view langfuse;
};
// Langfuse shows as input and output what bears these names (its page on OpenTelemetry, "Property
// Mapping"); it knows the other attributes by their names of the conventions.
constexpr Alias kLangfuseNames[] = {
    {"gen_ai.input.messages", "langfuse.observation.input"},
    {"gen_ai.output.messages", "langfuse.observation.output"},
    {"gen_ai.tool.call.arguments", "langfuse.observation.input"},
    {"gen_ai.tool.call.result", "langfuse.observation.output"},
};

std::string_view name_for(std::string_view key, bool langfuse) {
  if (langfuse)
    for (const Alias& alias : kLangfuseNames)
      if (alias.name == key) return alias.langfuse;
  return key;
}

json value_json(const AttributeValue& value) {
  struct Writer {
    json operator()(const std::string& text) const { return {{"stringValue", text}}; }
    json operator()(int64_t number) const { return {{"intValue", std::to_string(number)}}; }
    json operator()(double number) const { return {{"doubleValue", number}}; }
    json operator()(bool flag) const { return {{"boolValue", flag}}; }
    json operator()(const std::vector<std::string>& texts) const {
      json values = json::array();
      for (const std::string& text : texts) values.push_back((*this)(text));
      return {{"arrayValue", {{"values", std::move(values)}}}};
    }
  };
  return std::visit(Writer(), value);
}

json attribute_json(std::string_view key, const AttributeValue& value) {
  return {{"key", key}, {"value", value_json(value)}};
}

json attributes_json(const std::vector<Attribute>& attributes, bool langfuse) {
  json list = json::array();
  for (const Attribute& attribute : attributes)
    list.push_back(attribute_json(name_for(attribute.key, langfuse), attribute.value));
  return list;
}

std::string nanoseconds(SpanTime time) { return std::to_string(time.time_since_epoch().count()); }
std::string hex(uint64_t id) { return fmt::format("{:016x}", id); }

json span_json(const Span& span, bool langfuse) {
  json out = {{"traceId", hex(span.context.trace_id[0]) + hex(span.context.trace_id[1])},
              {"spanId", hex(span.context.span_id)},
              {"name", span.name},
              {"kind", static_cast<int>(span.kind)},
              {"startTimeUnixNano", nanoseconds(span.start)},
              {"endTimeUnixNano", nanoseconds(span.end)},
              {"attributes", attributes_json(span.attributes, langfuse)}};
  if (span.parent != 0) out["parentSpanId"] = hex(span.parent);
  if (span.status != SpanStatus::kUnset) {
    out["status"] = {{"code", static_cast<int>(span.status)}};
    if (!span.status_message.empty()) out["status"]["message"] = span.status_message;
  }
  return out;
}

// As a string by the encoding's rules, as a number by what many write.
uint64_t count_of(const json& value) {
  if (value.is_number_integer()) return static_cast<uint64_t>(std::max<int64_t>(0, value));
  if (!value.is_string()) return 0;
  const std::string& text = value.get_ref<const std::string&>();
  uint64_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return count;
}

}  // namespace

std::string to_otlp_json(std::span<const Span> spans, const OtlpConfig& config) {
  json resource = json::array({attribute_json("service.name", config.service_name),
                               attribute_json("telemetry.sdk.language", std::string("cpp"))});
  for (const auto& [key, value] : config.resource) resource.push_back(attribute_json(key, value));
  json list = json::array();
  for (const Span& span : spans) list.push_back(span_json(span, config.langfuse));
  const json scope = {{"scope", {{"name", "precedent"}}}, {"spans", std::move(list)}};
  const json out = {{"resourceSpans", json::array({{{"resource", {{"attributes", resource}}},
                                                    {"scopeSpans", json::array({scope})}}})}};
  return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<PartialSuccess> read_partial_success(std::string_view body) {
  const json answer = parse_json(body);
  if (!answer.is_object()) return std::nullopt;
  const auto found = answer.find("partialSuccess");
  if (found == answer.end() || !found->is_object()) return std::nullopt;
  PartialSuccess partial;
  if (const auto count = found->find("rejectedSpans"); count != found->end())
    partial.rejected = count_of(*count);
  if (partial.rejected == 0) return std::nullopt;
  if (const auto text = found->find("errorMessage"); text != found->end() && text->is_string())
    partial.message =
        span_text(strip_controls(squeeze(text->get_ref<const std::string&>())), kMaxMessageBytes);
  return partial;
}

}  // namespace precedent
