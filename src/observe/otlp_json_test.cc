#include "observe/otlp_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace precedent {
namespace {

using nlohmann::json;

Span example() {
  Span span;
  span.context = {{0x5b8efff798038103, 0xd269b633813fc60c}, 0xeee19b7ec3c1b174};
  span.parent = 0xeee19b7ec3c1b173;
  span.name = "Support Bot LLM";
  span.kind = SpanKind::kClient;
  span.start = SpanTime(std::chrono::nanoseconds(1544712660000000000));
  span.end = SpanTime(std::chrono::nanoseconds(1544712661000000001));
  return span;
}

json encoded(const Span& span, const OtlpConfig& config = {}) {
  return json::parse(to_otlp_json({&span, 1}, config))["resourceSpans"][0];
}

TEST(OtlpJson, ASpanHasTheShapeOfTheSpecification) {
  Span span = example();
  span.attributes = {{"text", std::string("x")},
                     {"count", int64_t{1} << 62},
                     {"share", 0.5},
                     {"flag", true},
                     {"list", std::vector<std::string>{"a"}}};
  span.status = SpanStatus::kError;
  span.status_message = "refused";
  EXPECT_EQ(encoded(span)["scopeSpans"][0], json::parse(R"({
    "scope": {"name": "precedent"},
    "spans": [{
      "traceId": "5b8efff798038103d269b633813fc60c",
      "spanId": "eee19b7ec3c1b174",
      "parentSpanId": "eee19b7ec3c1b173",
      "name": "Support Bot LLM",
      "kind": 3,
      "startTimeUnixNano": "1544712660000000000",
      "endTimeUnixNano": "1544712661000000001",
      "attributes": [
        {"key": "text", "value": {"stringValue": "x"}},
        {"key": "count", "value": {"intValue": "4611686018427387904"}},
        {"key": "share", "value": {"doubleValue": 0.5}},
        {"key": "flag", "value": {"boolValue": true}},
        {"key": "list", "value": {"arrayValue": {"values": [{"stringValue": "a"}]}}}
      ],
      "status": {"code": 2, "message": "refused"}
    }]})"));
}

TEST(OtlpJson, ARootHasNoParentAndAnUnsetStatusIsLeftOut) {
  Span span = example();
  span.parent = 0;
  const json written = encoded(span)["scopeSpans"][0]["spans"][0];
  EXPECT_FALSE(written.contains("parentSpanId"));
  EXPECT_FALSE(written.contains("status"));
}

TEST(OtlpJson, TheResourceSaysWhoSpeaks) {
  OtlpConfig config;
  config.service_name = "on-call";
  config.resource = {{"deployment.environment", "test"}};
  EXPECT_EQ(encoded(example(), config)["resource"]["attributes"], json::parse(R"([
    {"key": "service.name", "value": {"stringValue": "on-call"}},
    {"key": "telemetry.sdk.language", "value": {"stringValue": "cpp"}},
    {"key": "deployment.environment", "value": {"stringValue": "test"}}])"));
}

TEST(OtlpJson, LangfuseGetsInputsAndOutputsUnderItsNames) {
  Span span = example();
  span.attributes = {{"gen_ai.input.messages", std::string("in")},
                     {"gen_ai.request.model", std::string("m")}};
  const auto key = [&](bool langfuse, size_t i) {
    OtlpConfig config;
    config.langfuse = langfuse;
    return encoded(span, config)["scopeSpans"][0]["spans"][0]["attributes"][i]["key"];
  };
  EXPECT_EQ(key(false, 0), "gen_ai.input.messages");
  EXPECT_EQ(key(true, 0), "langfuse.observation.input");
  EXPECT_EQ(key(true, 1), "gen_ai.request.model");
}

TEST(OtlpJson, WhatACollectorRejectedIsRead) {
  struct Case {
    std::string body;
    std::optional<uint64_t> rejected;
    std::string message;
  };
  for (const auto& [body, rejected, message] : std::vector<Case>{
           {"", std::nullopt, ""},
           {"{}", std::nullopt, ""},
           {"<html>welcome</html>", std::nullopt, ""},
           {"[1]", std::nullopt, ""},
           {R"({"partialSuccess": null})", std::nullopt, ""},
           {R"({"partialSuccess": {}})", std::nullopt, ""},
           {R"({"partialSuccess": {"errorMessage": "a hint"}})", std::nullopt, ""},
           {R"({"partialSuccess": {"rejectedSpans": {"x": 1}}})", std::nullopt, ""},
           {R"({"partialSuccess": {"rejectedSpans": -3}})", std::nullopt, ""},
           {R"({"partialSuccess": {"rejectedSpans": "2", "errorMessage": "too  old"}})", 2,
            "too old"},
           {R"({"partialSuccess": {"rejectedSpans": 3, "errorMessage": 7}})", 3, ""},
       }) {
    const auto read = read_partial_success(body);
    EXPECT_EQ(read.has_value(), rejected.has_value()) << body;
    if (!read || !rejected) continue;
    EXPECT_EQ(read->rejected, *rejected) << body;
    EXPECT_EQ(read->message, message) << body;
  }
}

}  // namespace
}  // namespace precedent
