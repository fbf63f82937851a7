#include "observe/otlp_config.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/base64.h"
#include "base/hex.h"
#include "base/strings.h"
#include "net/url.h"

namespace precedent {
namespace {

constexpr std::string_view kLangfusePath = "/api/public/otel";

// A percent sign that begins no escape stands for itself.
std::string percent_decoded(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const int high = i + 2 < text.size() && text[i] == '%' ? hex_value(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_value(text[i + 2]) : -1;
    if (low >= 0) {
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string without_slash(std::string text) {
  while (text.ends_with('/')) text.pop_back();
  return text;
}

Result<std::string> checked_url(std::string url, std::string_view variable) {
  if (const auto parsed = parse_url(url); !parsed) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: {}", variable, parsed.error().message));
  }
  return url;
}

// The first of the two that is set.
struct Variable {
  std::string name;
  std::optional<std::string> value;
};
Variable first_of(const TraceEnvironment& environment, std::string first, std::string second) {
  if (auto value = environment(first)) return {std::move(first), std::move(value)};
  auto value = environment(second);
  return {std::move(second), std::move(value)};
}

Result<std::optional<OtlpConfig>> read_langfuse(const TraceEnvironment& environment) {
  const auto public_key = environment("LANGFUSE_PUBLIC_KEY");
  const auto secret_key = environment("LANGFUSE_SECRET_KEY");
  if (!public_key && !secret_key) return std::nullopt;
  if (!public_key || !secret_key) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} is not set, while {} is; set both",
                            public_key ? "LANGFUSE_SECRET_KEY" : "LANGFUSE_PUBLIC_KEY",
                            public_key ? "LANGFUSE_PUBLIC_KEY" : "LANGFUSE_SECRET_KEY"));
  }
  const Variable host = first_of(environment, "LANGFUSE_HOST", "LANGFUSE_BASE_URL");
  // Questions about incidents never go to a cloud that nobody named.
  if (!host.value) {
    return fail(ErrorCode::kInvalidArgument,
                "LANGFUSE_HOST is not set; set it to your server, or to "
                "https://cloud.langfuse.com");
  }
  OtlpConfig config;
  config.url = without_slash(TRY(checked_url(*host.value, host.name)));
  config.url += fmt::format("{}/v1/traces", kLangfusePath);
  config.headers = {{"Authorization", "Basic " + base64(*public_key + ":" + *secret_key)}};
  return config;
}

Result<std::optional<OtlpConfig>> read_opentelemetry(const TraceEnvironment& environment) {
  const Variable endpoint =
      first_of(environment, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT");
  if (!endpoint.value) return std::nullopt;
  const Variable protocol =
      first_of(environment, "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL");
  // A receiver of http/protobuf takes JSON at the same address; one of gRPC does not.
  if (protocol.value && *protocol.value == "grpc") {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} is grpc; precedent speaks http/json, so name the collector's HTTP "
                            "endpoint (usually port 4318) and set http/json",
                            protocol.name));
  }
  OtlpConfig config;
  config.url = TRY(checked_url(*endpoint.value, endpoint.name));
  if (endpoint.name == "OTEL_EXPORTER_OTLP_ENDPOINT")
    config.url = without_slash(config.url) + "/v1/traces";
  const Variable headers =
      first_of(environment, "OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS");
  if (headers.value)
    for (auto& [name, value] : TRY(read_pairs(*headers.value, headers.name)))
      config.headers.push_back({std::move(name), std::move(value)});
  return config;
}

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> read_pairs(std::string_view text,
                                                                    std::string_view variable) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string_view part : split(text, ',')) {
    if (trim(part).empty()) continue;
    const size_t equals = part.find('=');
    const std::string_view name = trim(part.substr(0, equals));
    if (equals == std::string_view::npos || name.empty()) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: part {} is not name=value; write name=value,name=value",
                              variable, pairs.size() + 1));
    }
    std::string value = percent_decoded(trim(part.substr(equals + 1)));
    if (std::ranges::any_of(value, [](unsigned char c) { return c < 0x20 || c == 0x7f; })) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: the value of {} has a control character", variable, name));
    }
    pairs.emplace_back(name, std::move(value));
  }
  return pairs;
}

Result<std::optional<OtlpConfig>> read_otlp_config(const TraceEnvironment& environment) {
  if (const auto disabled = environment("OTEL_SDK_DISABLED");
      disabled && iequals(*disabled, "true"))
    return std::nullopt;
  auto config = TRY(read_langfuse(environment));
  if (!config) config = TRY(read_opentelemetry(environment));
  if (!config) return std::nullopt;
  config->langfuse = config->url.find(kLangfusePath) != std::string::npos;
  if (const auto attributes = environment("OTEL_RESOURCE_ATTRIBUTES"))
    config->resource = TRY(read_pairs(*attributes, "OTEL_RESOURCE_ATTRIBUTES"));
  for (const auto& [name, value] : config->resource)
    if (name == "service.name") config->service_name = value;
  std::erase_if(config->resource, [](const auto& pair) { return pair.first == "service.name"; });
  if (const auto name = environment("OTEL_SERVICE_NAME")) config->service_name = *name;
  return config;
}

}  // namespace precedent
