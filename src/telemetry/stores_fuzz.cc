// Any bytes as an answer of Loki, Tempo and Jaeger: read or refused; what was read is well-formed.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/utf8.h"
#include "telemetry/logs/loki_json.h"
#include "telemetry/traces/span_json.h"

using namespace precedent;

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

void check_spans(const std::vector<StoredSpan>& spans) {
  for (const StoredSpan& span : spans) {
    check(!span.trace.empty() && !span.id.empty() && span.start_ns > 0 && span.duration_ns >= 0);
    check(span.attributes.size() <= kMaxSpanAttributes + 1);
    for (const std::string* text : {&span.service, &span.name, &span.error})
      check(!invalid_utf8_at(*text));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static_cast<void>(span_identifier(bytes));
  const nlohmann::json answer = parse_json(bytes);
  if (answer.is_discarded()) return 0;
  if (const auto lines = read_loki_streams(answer))
    for (size_t i = 0; i < lines->size(); ++i)
      check((*lines)[i].at_ns > 0 && (i == 0 || (*lines)[i - 1].at_ns <= (*lines)[i].at_ns));
  static_cast<void>(read_loki_names(answer));
  if (const auto spans = read_otlp_trace(answer)) check_spans(*spans);
  if (const auto traces = read_jaeger_traces(answer))
    for (const auto& trace : *traces) check_spans(trace);
  static_cast<void>(read_jaeger_services(answer));
  static_cast<void>(read_tempo_search(answer));
  return 0;
}
