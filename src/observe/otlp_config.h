// OtlpConfig: where spans go, read from the variables that OpenTelemetry and Langfuse define.
//
//   LANGFUSE_HOST or LANGFUSE_BASE_URL, LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY
//   OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, or OTEL_EXPORTER_OTLP_ENDPOINT + /v1/traces
//   OTEL_EXPORTER_OTLP_TRACES_HEADERS or OTEL_EXPORTER_OTLP_HEADERS: name=value,name=value
//   OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, OTEL_SDK_DISABLED
//
// Langfuse wins where both are set: its keys are set for this purpose, while an endpoint of
// OpenTelemetry is often set for everything on a machine. docs/tracing.md is its page.
// Thread safety: plain values, pure functions.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "net/http_client.h"

namespace precedent {

struct OtlpConfig {
  std::string url = {};                  // complete, with /v1/traces
  std::vector<HttpHeader> headers = {};  // keys travel here; never printed
  std::string service_name = "precedent";
  std::vector<std::pair<std::string, std::string>> resource = {};  // further attributes
  bool langfuse = false;  // inputs and outputs under the names that Langfuse reads
};

// A variable's value, or nothing if it is not set or empty.
using TraceEnvironment = std::function<std::optional<std::string>(const std::string& name)>;

// Nothing if no collector is configured. Errors: kInvalidArgument naming the variable, never a key.
Result<std::optional<OtlpConfig>> read_otlp_config(const TraceEnvironment& environment);

// "name=value,name2=value%202", as W3C Baggage. Errors: kInvalidArgument naming `variable` alone,
// since the text may hold a key.
Result<std::vector<std::pair<std::string, std::string>>> read_pairs(std::string_view text,
                                                                    std::string_view variable);

}  // namespace precedent
