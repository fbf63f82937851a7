#include "telemetry/stores_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "files/temporary_folder.h"

namespace precedent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct StoresConfigTest : ::testing::Test {
  std::map<std::string, std::string> variables;
  std::string path = "tools.yaml";

  Result<StoresConfig> read(std::string_view yaml, ConfigProblems* all = nullptr) {
    return read_stores_config(
        yaml, path,
        [this](const std::string& name) {
          const auto found = variables.find(name);
          return found == variables.end() ? std::nullopt : std::optional(found->second);
        },
        all);
  }
  void refused(std::string_view yaml, const char* what) {
    const auto config = read(yaml);
    ASSERT_FALSE(config) << yaml;
    EXPECT_EQ(config.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(config.error().text(), HasSubstr(what)) << yaml;
  }
};

TEST_F(StoresConfigTest, AnEnvironmentReplacesWhatHoldsForAll) {
  variables = {{"LOKI_TOKEN", "s3cret"}, {"JAEGER_PASSWORD", "pw"}};
  constexpr std::string_view kYaml = R"(
environment: production
logs: {loki: "http://all:3100/"}
traces: {tempo: "http://tempo:3200"}
environments:
  production:
    logs:
      loki: {url: "https://logs", tenant: shop, token_env: LOKI_TOKEN, timeout: 5s, retries: 0}
      labels: [unit]
      page: 1000
    traces:
      jaeger: {url: "https://jaeger", user: me, password_env: JAEGER_PASSWORD}
  demo: {metrics: {}}
)";
  const auto config = read(kYaml);
  ASSERT_TRUE(config) << config.error().text();
  const StoreEndpoint& loki = config->loki->endpoint;
  EXPECT_EQ(loki, (StoreEndpoint{.url = "https://logs",
                                 .tenant = "shop",
                                 .token = "s3cret",
                                 .secret_from = "LOKI_TOKEN",
                                 .timeout = std::chrono::seconds(5),
                                 .retries = 0}));
  EXPECT_THAT(config->loki->labels, ElementsAre("unit"));
  EXPECT_EQ(config->loki->page, 1000U);
  EXPECT_FALSE(config->tempo);
  EXPECT_EQ(config->jaeger->password, "pw");
  variables["PRECEDENT_ENVIRONMENT"] = "demo";
  const auto demo = read(kYaml);
  ASSERT_TRUE(demo) << demo.error().text();
  EXPECT_EQ(demo->loki->endpoint.url, "http://all:3100");
  EXPECT_EQ(demo->tempo->url, "http://tempo:3200");
}

TEST_F(StoresConfigTest, VariablesWinOverTheFile) {
  variables = {{"PRECEDENT_LOKI_URL", "http://l:1/"}, {"PRECEDENT_JAEGER_URL", "http://j:2"}};
  const auto config = read("traces: {tempo: \"http://tempo:3200\"}");
  ASSERT_TRUE(config) << config.error().text();
  EXPECT_EQ(config->loki->endpoint.url, "http://l:1");
  EXPECT_FALSE(config->tempo);
  EXPECT_EQ(config->jaeger->url, "http://j:2");
  variables["PRECEDENT_TEMPO_URL"] = "http://t:3";
  refused("", "both set");
}

TEST_F(StoresConfigTest, SecretsComeFromFilesToo) {
  const TemporaryFolder folder;
  path = (folder.path() / "tools.yaml").string();
  std::ofstream(folder.path() / "token") << " f1le \n";
  const auto config = read("logs: {loki: {url: \"http://l\", token_file: token}}");
  ASSERT_TRUE(config) << config.error().text();
  EXPECT_EQ(config->loki->endpoint.token, "f1le");
  refused("logs: {loki: {url: \"http://l\", token_file: nowhere}}", "nowhere");
  std::ofstream(folder.path() / "two") << "a\nb";
  refused("logs: {loki: {url: \"http://l\", token_file: two}}", "on one line");
}

TEST_F(StoresConfigTest, WhatIsWrongNamesTheKeyAndTheRemedy) {
  refused("logs: {labels: [app]}", "logs.loki: is not there");
  refused("logs: {loki: \"http://me:pw@l\"}", "user and password_env");
  refused("logs: {loki: \"nowhere\"}", "tools.yaml:1: logs.loki");
  refused("logs: {loki: \"http://l\", label: app}", "label");
  refused("logs: {loki: \"http://l\", labels: [\"a b\"]}", "no name of a label");
  refused("logs: {loki: {url: \"http://l\", token_env: T}}", "the variable T is not set");
  refused("logs: {loki: {url: \"http://l\", user: me}}", "password_env");
  refused("traces: {tempo: \"http://t\", jaeger: \"http://j\"}", "one of tempo and jaeger");
  refused("traces: {}", "one of tempo and jaeger");
}

TEST_F(StoresConfigTest, ACheckSeesOtherEnvironmentsWithoutTheirSecrets) {
  ConfigProblems all;
  const auto config = read(R"(
environments:
  default: {}
  other:
    logs: {loki: {url: "http://l", token_env: NOT_HERE}}
    traces: {tempo: {url: "http://t", tenat: x}}
)",
                           &all);
  ASSERT_TRUE(config) << config.error().text();
  ASSERT_EQ(all.size(), 1U) << all.front().text();
  EXPECT_THAT(all.front().text(), HasSubstr("tenat"));
}

}  // namespace
}  // namespace precedent
