// OTLP in its JSON encoding: spans as the body of a request, and what a collector answers.
//
// Format: opentelemetry-proto, ExportTraceServiceRequest and ExportTraceServiceResponse; ids in
// hexadecimal, 64-bit integers as strings, enumerations as numbers (OTLP specification, "JSON
// Protobuf Encoding"). Thread safety: pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "observe/otlp_config.h"
#include "observe/span.h"

namespace precedent {

// The body of POST {endpoint}/v1/traces.
std::string to_otlp_json(std::span<const Span> spans, const OtlpConfig& config);

// What of a request that was accepted was not: partialSuccess.
struct PartialSuccess {
  uint64_t rejected = 0;
  std::string message;  // as the collector says it: foreign text, redacted and cut
};
// Nothing if all was accepted, and for whatever cannot be read: a 200 counts.
std::optional<PartialSuccess> read_partial_success(std::string_view body);

}  // namespace precedent
