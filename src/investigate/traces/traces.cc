#include "investigate/traces/traces.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "base/time.h"
#include "files/files.h"
#include "investigate/onset/burst.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string text_at(const json& record, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    const auto found = record.find(key);
    if (found == record.end() || !found->is_primitive() || found->is_null()) continue;
    return found->is_string() ? found->get<std::string>() : dump_json(*found);
  }
  return "";
}

double number_at(const json& record, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys)
    if (const auto found = record.find(key); found != record.end() && found->is_number())
      return found->get<double>();
  return 0;
}

void take_attributes(const json& record, TraceSpan& span) {
  constexpr size_t kMaxAttributes = 40;
  const auto take = [&](const json& object) {
    for (const auto& [key, value] : object.items())
      if (value.is_primitive() && !value.is_null() && span.attributes.size() < kMaxAttributes)
        span.attributes[key] = value.is_string() ? value.get<std::string>() : dump_json(value);
  };
  take(record);
  for (const char* key : {"attributes", "tags"})
    if (const auto found = record.find(key); found != record.end() && found->is_object())
      take(*found);
  for (const char* known : {"trace_id", "span_id", "parent_id", "service", "name", "start",
                            "duration_ms", "status", "error"})
    span.attributes.erase(known);
}

TraceSpan read_span(const json& record) {
  TraceSpan span;
  span.trace = text_at(record, {"trace_id", "traceId", "traceID"});
  span.id = text_at(record, {"span_id", "spanId", "spanID", "id"});
  span.parent = text_at(record, {"parent_id", "parent_span_id", "parentSpanId", "parentSpanID"});
  span.service = text_at(record, {"service", "service.name", "service_name", "serviceName"});
  span.name = text_at(record, {"name", "operation", "operationName"});
  if (const auto at =
          parse_time(text_at(record, {"start", "start_time", "startTime", "timestamp"})))
    span.at = *at;
  span.duration_ms = number_at(record, {"duration_ms", "durationMs", "duration"});
  const std::string status = ascii_lower(text_at(record, {"status", "status_code", "statusCode"}));
  span.error = text_at(record, {"error", "exception.message", "error.message", "status_message"});
  if (span.error == "true" || span.error == "false") span.error.clear();
  span.failed = status.find("error") != std::string::npos || status == "2" ||
                status.starts_with('5') || !span.error.empty();
  take_attributes(record, span);
  return span;
}

// A span that names a trace of its own in which nothing else is, but whose parent is in the trace
// before it, belongs there: exports shorten identifiers.
void link_parents(Traces& traces) {
  std::unordered_map<std::string, size_t> by_trace_and_id;
  std::unordered_map<std::string, size_t> latest;
  for (size_t i = 0; i < traces.spans.size(); ++i) {
    TraceSpan& span = traces.spans[i];
    if (!span.parent.empty()) {
      const auto exact = by_trace_and_id.find(span.trace + '/' + span.parent);
      const auto near = latest.find(span.parent);
      if (exact != by_trace_and_id.end())
        span.parent_index = exact->second;
      else if (near != latest.end())
        span.parent_index = near->second;
    }
    by_trace_and_id[span.trace + '/' + span.id] = i;
    latest[span.id] = i;
  }
  // Children that stand before their parents.
  for (TraceSpan& span : traces.spans)
    if (!span.parent.empty() && span.parent_index == SIZE_MAX)
      if (const auto found = by_trace_and_id.find(span.trace + '/' + span.parent);
          found != by_trace_and_id.end() && &traces.spans[found->second] != &span)
        span.parent_index = found->second;
}

void cut_cycles(Traces& traces) {
  // 0: not looked at, 1: on the way up, 2: leads to a root.
  std::vector<uint8_t> seen(traces.spans.size(), 0);
  size_t cut = 0;
  for (size_t start = 0; start < traces.spans.size(); ++start) {
    std::vector<size_t> way;
    size_t at = start;
    while (at != SIZE_MAX && seen[at] == 0) {
      seen[at] = 1;
      way.push_back(at);
      at = traces.spans[at].parent_index;
    }
    if (at != SIZE_MAX && seen[at] == 1) {
      traces.spans[way.back()].parent_index = SIZE_MAX;
      ++cut;
    }
    for (const size_t place : way) seen[place] = 2;
  }
  if (cut > 0)
    traces.missing.push_back(fmt::format("{}: {} {} an ancestor of itself; the parent was left out",
                                         traces.file, cut,
                                         cut == 1 ? "span is" : "spans are each"));
}

}  // namespace

Traces read_spans(std::string_view text, std::string_view file) {
  Traces out;
  out.file = file;
  const json root = parse_json(text);
  const json* list = &root;
  if (root.is_object() && root.contains("spans")) list = &root["spans"];
  if (!list->is_array()) {
    out.missing.push_back(fmt::format("{}: is no list of spans", file));
    return out;
  }
  size_t place = 0, bad = 0;
  for (const json& record : *list) {
    ++place;
    if (out.spans.size() >= kMaxSpans) {
      out.missing.push_back(fmt::format("{}: only its first {} spans were read", file, kMaxSpans));
      break;
    }
    if (!record.is_object()) {
      ++bad;
      continue;
    }
    TraceSpan span = read_span(record);
    span.place = place;
    if (span.service.empty() && span.name.empty()) {
      ++bad;
      continue;
    }
    out.spans.push_back(std::move(span));
  }
  if (bad > 0)
    out.missing.push_back(
        fmt::format("{}: {} spans name neither service nor operation", file, bad));
  const auto timeless = std::ranges::count_if(
      out.spans, [](const TraceSpan& span) { return !span.when().has_value(); });
  if (timeless > 0)
    out.missing.push_back(fmt::format("{}: {} of {} spans have no time that can be read", file,
                                      timeless, out.spans.size()));
  link_parents(out);
  cut_cycles(out);
  return out;
}

Traces read_traces(const fs::path& folder) {
  std::error_code ignored;
  for (const char* name : {"traces.json", "spans.json"}) {
    const fs::path path = folder / name;
    if (!fs::is_regular_file(path, ignored)) continue;
    const auto text = read_file(path, kMaxTraceBytes);
    if (text) return read_spans(*text, name);
    Traces out;
    out.missing.push_back(text.error().text());
    return out;
  }
  Traces out;
  out.missing.emplace_back("there are no traces (traces.json)");
  return out;
}

std::vector<const TraceSpan*> error_origins(const Traces& traces) {
  std::vector<bool> has_failing_child(traces.spans.size(), false);
  for (const TraceSpan& span : traces.spans)
    if (span.failed && span.parent_index != SIZE_MAX) has_failing_child[span.parent_index] = true;
  std::vector<const TraceSpan*> out;
  for (size_t i = 0; i < traces.spans.size(); ++i)
    if (traces.spans[i].failed && !has_failing_child[i]) out.push_back(&traces.spans[i]);
  return out;
}

FailingSpans failing_spans(const Traces& traces) {
  // A trace or two of the outage alone have no day to compare with.
  constexpr std::chrono::minutes kLeast{10};
  FailingSpans out;
  if (traces.spans.empty()) return out;
  Instant first = Instant::max(), last = Instant::min();
  std::map<std::pair<std::string, std::string>, std::vector<Instant>> failed;
  for (const TraceSpan& span : traces.spans) {
    first = std::min(first, span.at), last = std::max(last, span.at);
    if (span.failed) failed[{span.service, span.name}].push_back(span.at);
  }
  for (auto& [what, times] : failed) {
    std::ranges::sort(times);
    const std::optional<Instant> burst =
        last - first < kLeast ? std::optional(times.front()) : find_burst(times, first, last);
    if (burst) out.since[what] = *burst;
  }
  return out;
}

std::vector<RepeatedCall> repeated_calls(const Traces& traces, size_t least) {
  std::map<std::tuple<size_t, std::string, std::string>, size_t> counts;
  for (const TraceSpan& span : traces.spans)
    if (span.parent_index != SIZE_MAX) ++counts[{span.parent_index, span.service, span.name}];
  std::vector<RepeatedCall> out;
  for (const auto& [key, count] : counts)
    if (count >= least)
      out.push_back({&traces.spans[std::get<0>(key)], std::get<1>(key), std::get<2>(key), count});
  std::ranges::stable_sort(out, std::greater<>(), &RepeatedCall::count);
  return out;
}

}  // namespace precedent
