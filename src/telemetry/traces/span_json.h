// Answers of Tempo and Jaeger → spans.
//
//   OTLP     {"batches" or "resourceSpans": [{"resource": {"attributes": […]}, "scopeSpans":
//   [{"spans":
//            […]}]}]}, as JSON of protobuf: identifiers in base64 or hexadecimal digits, 64-bit
//            numbers as text. https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
//   Jaeger   {"data": [{"traceID": …, "spans": […], "processes": {…}}], "errors": […]}, times in
//            microseconds. https://www.jaegertracing.io/docs/1.76/architecture/apis/
//
// A span failed if its status says so (OTLP) or its tag "error" (Jaeger). What it says of that is
// the message of its status, else that of the exception it recorded. Spans without an identifier
// are left out. Thread safety: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "telemetry/traces/traces_source.h"

namespace precedent {

// Of one span; more is a dump of something.
inline constexpr size_t kMaxSpanAttributes = 40;

// Errors of all: kCorrupt.
Result<std::vector<StoredSpan>> read_otlp_trace(const nlohmann::json& answer);
// Each trace for itself.
Result<std::vector<std::vector<StoredSpan>>> read_jaeger_traces(const nlohmann::json& answer);
// The names in {"data": ["web", …]}; null is no name.
Result<std::vector<std::string>> read_jaeger_services(const nlohmann::json& answer);
// The identifiers in {"traces": [{"traceID": …}]}.
Result<std::vector<std::string>> read_tempo_search(const nlohmann::json& answer);

// Hexadecimal digits in lower case of an identifier of 8 or 16 bytes in base64 or hexadecimal
// digits, without leading zeros' loss or gain; "" for anything else.
std::string span_identifier(std::string_view text);

}  // namespace precedent
