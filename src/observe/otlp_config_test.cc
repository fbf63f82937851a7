#include "observe/otlp_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace precedent {
namespace {

using testing::HasSubstr;
using testing::Not;

using Variables = std::map<std::string, std::string>;

Result<std::optional<OtlpConfig>> read(const Variables& variables) {
  return read_otlp_config([&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end() || found->second.empty()) return std::nullopt;
    return found->second;
  });
}

const Variables kLangfuse = {{"LANGFUSE_HOST", "https://lf.example/"},
                             {"LANGFUSE_PUBLIC_KEY", "pk"},
                             {"LANGFUSE_SECRET_KEY", "sk"}};

Variables with(Variables variables, const Variables& more) {
  for (const auto& [name, value] : more) variables[name] = value;
  return variables;
}

TEST(OtlpConfig, TheAddressFollowsTheVariables) {
  struct Case {
    Variables variables;
    std::string url;  // "": nothing is configured
  };
  for (const auto& [variables, url] : std::vector<Case>{
           {{}, ""},
           {{{"LANGFUSE_HOST", "https://lf.example"}}, ""},
           {{{"OTEL_EXPORTER_OTLP_HEADERS", "a=b"}}, ""},
           {{{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318"}},
            "http://localhost:4318/v1/traces"},
           {{{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318/base/"}},
            "http://localhost:4318/base/v1/traces"},
           {{{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://c:1/in"},
             {"OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318"}},
            "http://c:1/in"},
           {kLangfuse, "https://lf.example/api/public/otel/v1/traces"},
           {with(kLangfuse, {{"LANGFUSE_HOST", ""}, {"LANGFUSE_BASE_URL", "http://b:3000"}}),
            "http://b:3000/api/public/otel/v1/traces"},
           {with(kLangfuse, {{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318"}}),
            "https://lf.example/api/public/otel/v1/traces"},
           {with(kLangfuse, {{"OTEL_SDK_DISABLED", "TRUE"}}), ""},
       }) {
    const auto config = read(variables);
    ASSERT_TRUE(config) << config.error().text();
    EXPECT_EQ(*config ? (*config)->url : "", url);
  }
}

TEST(OtlpConfig, LangfusesKeysAreABasicAuthorization) {
  // The pairs of RFC 4648, section 10, with a colon in the middle.
  const std::pair<std::string, std::string> kKeys[] = {
      {"f", "Zjp4"}, {"fo", "Zm86eA=="}, {"foo", "Zm9vOng="}, {"foob", "Zm9vYjp4"}};
  for (const auto& [key, encoded] : kKeys) {
    const auto config =
        read(with(kLangfuse, {{"LANGFUSE_PUBLIC_KEY", key}, {"LANGFUSE_SECRET_KEY", "x"}}));
    EXPECT_EQ((*config)->headers, (std::vector<HttpHeader>{{"Authorization", "Basic " + encoded}}));
    EXPECT_TRUE((*config)->langfuse);
  }
}

TEST(OtlpConfig, LangfuseIsKnownByItsPathToo) {
  EXPECT_TRUE(
      (*read({{"OTEL_EXPORTER_OTLP_ENDPOINT", "https://lf.example/api/public/otel"}}))->langfuse);
  EXPECT_FALSE((*read({{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318"}}))->langfuse);
}

TEST(OtlpConfig, HeadersAndTheServiceAreRead) {
  const auto config = read({{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318"},
                            {"OTEL_EXPORTER_OTLP_HEADERS", " x-key = a%20b=c , x-team=%zz%4"},
                            {"OTEL_RESOURCE_ATTRIBUTES", "service.name=other,env=test"},
                            {"OTEL_SERVICE_NAME", "on-call"}});
  EXPECT_EQ((*config)->headers, (std::vector<HttpHeader>{{"x-key", "a b=c"}, {"x-team", "%zz%4"}}));
  EXPECT_EQ((*config)->service_name, "on-call");
  EXPECT_THAT((*config)->resource, testing::ElementsAre(testing::Pair("env", "test")));
}

TEST(OtlpConfig, WhatIsWrongIsNamedWithoutItsValue) {
  struct Case {
    Variables variables;
    std::string said;
  };
  const Variables endpoint = {{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4317"}};
  for (const auto& [variables, said] : std::vector<Case>{
           {{{"LANGFUSE_PUBLIC_KEY", "secret-1"}}, "LANGFUSE_SECRET_KEY is not set"},
           {{{"LANGFUSE_SECRET_KEY", "secret-1"}}, "LANGFUSE_PUBLIC_KEY is not set"},
           {{{"LANGFUSE_SECRET_KEY", "secret-1"}, {"LANGFUSE_PUBLIC_KEY", "secret-2"}},
            "LANGFUSE_HOST is not set"},
           {{{"OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318"}}, "OTEL_EXPORTER_OTLP_ENDPOINT"},
           {with(endpoint, {{"OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"}}), "4318"},
           {with(endpoint, {{"OTEL_EXPORTER_OTLP_HEADERS", "a=b,secret-1"}}), "part 2"},
           {with(endpoint, {{"OTEL_EXPORTER_OTLP_TRACES_HEADERS", "a=secret-1%0d%0ax: y"}}),
            "OTEL_EXPORTER_OTLP_TRACES_HEADERS"},
       }) {
    const auto config = read(variables);
    ASSERT_FALSE(config) << said;
    EXPECT_EQ(config.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(config.error().message, HasSubstr(said));
    EXPECT_THAT(config.error().message, Not(HasSubstr("secret-")));
  }
}

}  // namespace
}  // namespace precedent
