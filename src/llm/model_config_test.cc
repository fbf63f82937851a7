#include "llm/model_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "llm/model_factory.h"
#include "llm/probe.h"
#include "llm/scripted_model.h"
#include "net/scripted_http_client.h"

namespace precedent {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::Not;
using Variables = std::map<std::string, std::string>;

Result<ModelConfig> read(std::string_view yaml, const Variables& variables = {}) {
  return read_model_config(yaml, "config/precedent.yaml",
                           [&](const std::string& name) -> std::optional<std::string> {
                             const auto found = variables.find(name);
                             if (found == variables.end()) return std::nullopt;
                             return found->second;
                           });
}

TEST(ModelConfig, ReadsEveryKey) {
  const auto config = read(R"(
log: {requests: off}
model:
  provider: azure
  name: prod-gpt
  base_url: https://x.openai.azure.com/
  api_key_env: MY_KEY
  api_version: 2025-01-01
  temperature: 0.2
  max_output_tokens: 900
  context_tokens: 32000
  timeout: 2m
  stall_timeout: 1500ms
  retries: 0
  prices: {input: 2.5, output: 10}
  limits: {steps: 7, tokens: 5000, cost_usd: 0.25, time: 90}
  fallback: {provider: ollama, name: qwen3}
)",
                           {{"MY_KEY", " s3cret\n"}});
  ASSERT_TRUE(config) << config.error().text();
  const ModelConfig expected{
      .provider = Provider::kAzure,
      .name = "prod-gpt",
      .base_url = "https://x.openai.azure.com",
      .api_key_env = "MY_KEY",
      .api_key = "s3cret",
      .api_version = "2025-01-01",
      .temperature = 0.2,
      .max_output_tokens = 900,
      .context_tokens = 32'000,
      .timeout = milliseconds(120'000),
      .stall_timeout = milliseconds(1500),
      .retries = 0,
      .prices = Prices{2.5, 10, 2.5},
      .limits = {7, 5000, 0.25, milliseconds(90'000)},
      .fallback = {{.provider = Provider::kOllama,
                    .name = "qwen3",
                    .base_url = "http://127.0.0.1:11434/v1"}},
  };
  EXPECT_EQ(*config, expected);
  EXPECT_EQ(describe(*config),
            "azure prod-gpt at x.openai.azure.com, key from MY_KEY; else ollama qwen3 at "
            "127.0.0.1:11434");
}

struct Chosen {
  const char* yaml;
  Variables variables;
  const char* expected;  // as describe() writes it
};

TEST(ModelConfig, ChoosesTheModelFromFileAndEnvironment) {
  const Chosen cases[] = {
      {"", {}, "offline"},
      {"log: {}", {}, "offline"},
      {"model:", {}, "offline"},
      {"# nothing",
       {{"OPENAI_API_KEY", "k"}},
       "openai gpt-4.1-mini at api.openai.com, key from OPENAI_API_KEY"},
      {"",
       {{"ANTHROPIC_API_KEY", "k"}},
       "anthropic claude-sonnet-4-5 at api.anthropic.com, key from ANTHROPIC_API_KEY"},
      {"",
       {{"ANTHROPIC_API_KEY", "k"}, {"ANTHROPIC_BASE_URL", "https://proxy.example/v1/"}},
       "anthropic claude-sonnet-4-5 at proxy.example, key from ANTHROPIC_API_KEY"},
      {"",
       {{"OPENAI_API_KEY", "k"}, {"PRECEDENT_MODEL", "gpt-4o"}},
       "openai gpt-4o at api.openai.com, key from OPENAI_API_KEY"},
      {"", {{"OPENAI_API_KEY", "k"}, {"PRECEDENT_MODEL", "offline"}}, "offline"},
      {"",
       {{"ANTHROPIC_API_KEY", "k"}, {"PRECEDENT_MODEL", "claude-opus"}},
       "anthropic claude-opus at api.anthropic.com, key from ANTHROPIC_API_KEY"},
      {"", {{"PRECEDENT_MODEL", "ollama/qwen3:8b"}}, "ollama qwen3:8b at 127.0.0.1:11434"},
      {"",
       {{"OPENROUTER_API_KEY", "k"}, {"PRECEDENT_MODEL", "openrouter/meta/llama"}},
       "openrouter meta/llama at openrouter.ai, key from OPENROUTER_API_KEY"},
      {"",
       {{"OPENAI_BASE_URL", "http://localhost:9000/v1"}, {"PRECEDENT_MODEL", "meta/llama"}},
       "openai meta/llama at localhost:9000"},
      {"model: {provider: llamacpp}", {}, "llamacpp default at 127.0.0.1:8080"},
      {"model: {provider: offline}", {{"OPENAI_API_KEY", "k"}}, "offline"},
      {"model: {provider: vllm, name: a, base_url: http://gpu:8000/v1}",
       {{"PRECEDENT_MODEL", "b"}},
       "vllm b at gpu:8000"},
      {"model: {provider: vllm, name: a, base_url: http://gpu:8000/v1, fallback: {provider: "
       "offline}}",
       {{"PRECEDENT_MODEL", "anthropic/c"}, {"ANTHROPIC_API_KEY", "k"}},
       "anthropic c at api.anthropic.com, key from ANTHROPIC_API_KEY; else offline"},
  };
  for (const auto& [yaml, variables, expected] : cases) {
    const auto config = read(yaml, variables);
    ASSERT_TRUE(config) << yaml << config.error().text();
    EXPECT_EQ(describe(*config), expected) << yaml;
  }
}

TEST(ModelConfig, ErrorsNameLineKeyAndRemedy) {
  const std::pair<const char*, const char*> cases[] = {
      {"model:\n  provider: openai",
       "config/precedent.yaml:2: model.api_key_env: the variable OPENAI_API_KEY is not set"},
      {"model:\n  provider: opnai",
       "config/precedent.yaml:2: model.provider: 'opnai' is unknown; did you mean openai?"},
      {"model:\n  provider: mainframe", "there are openai, azure"},
      {"model:\n  name: x", "model.provider: is missing"},
      {"model:\n  provider: offline\n  temprature: 1",
       "config/precedent.yaml:3: model.temprature is unknown; did you mean temperature?"},
      {"model:\n  provider: offline\n  api_key: s3cret",
       "model.api_key: keys do not stand in files"},
      {"model:\n  provider: offline\n  temperature: warm",
       "config/precedent.yaml:3: model.temperature: 'warm' is no number from 0 to 2"},
      {"model:\n  provider: offline\n  retries: 99",
       "model.retries: '99' is no whole number from 0 to 10"},
      {"model:\n  provider: offline\n  timeout: soon",
       "model.timeout: 'soon' is no duration; write it like 500ms"},
      {"model:\n  provider: offline\n  timeout: 0", "model.timeout: must be above zero"},
      {"model:\n  provider: offline\n  timeout: nan", "is no duration"},
      {"model:\n  provider: offline\n  limits: {step: 1}",
       "config/precedent.yaml:3: model.limits.step is unknown; did you mean steps?"},
      {"model:\n  provider: offline\n  limits: [1]", "model.limits is no mapping"},
      {"model:\n  provider: offline\n  prices: {input: -1}",
       "model.prices.input: '-1' is no number from 0"},
      {"model:\n  provider: offline\n  fallback:\n    provider: ollama",
       "model.fallback.name: is missing; name the model that 127.0.0.1:11434 serves"},
      {"model:\n  provider: offline\n  fallback: {provider: offline, fallback: {}}",
       "model.fallback.fallback is unknown"},
      {"model:\n  provider: offline\n  name: [a]", "model.name: is no text"},
      {"model:\n  provider: azure\n  name: x", "model.base_url: is missing; for Azure write"},
      {"model:\n  provider: vllm\n  name: x\n  base_url: gpu:8000", "model.base_url: "},
      {"model: x", "config/precedent.yaml:1: model is no mapping"},
      {"model: {provider: ?", "config/precedent.yaml:1: this is no YAML"},
      {"- model", "begin with model:"},
  };
  for (const auto& [yaml, says] : cases) {
    const auto config = read(yaml);
    ASSERT_FALSE(config) << yaml;
    EXPECT_EQ(config.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(config.error().message, HasSubstr(says)) << yaml;
    EXPECT_THAT(config.error().message, Not(HasSubstr("s3cret")));
  }
  EXPECT_THAT(read("", {{"OPENAI_BASE_URL", "http://gpu:1/v1"}}).error().message,
              HasSubstr("model.name: is missing; name the model that gpu:1 serves"));
}

class Factory : public testing::Test {
 protected:
  Factory()
      : factory_(http_, clock_, [this]() -> Result<std::shared_ptr<ChatModel>> {
          ++offline_made_;
          return offline_;
        }) {}

  ScriptedHttpClient http_;
  SystemClock clock_;
  int offline_made_ = 0;
  std::shared_ptr<ScriptedModel> offline_ = std::make_shared<ScriptedModel>("offline");
  ModelFactory factory_;
  RecordingSink events_;
  CancelToken cancel_;
  ModelContext context_{events_, cancel_};
};

TEST_F(Factory, KeepsAModelUntilAnythingOfItsConfigurationChanges) {
  const ModelConfig config = *read("model: {provider: openai}", {{"OPENAI_API_KEY", "k1"}});
  const auto model = *factory_.get(config);
  EXPECT_EQ(*factory_.get(config), model);
  EXPECT_EQ(model->name(), "openai gpt-4.1-mini");
  std::vector<ModelConfig> others(5, config);
  others[0].api_key = "k2";
  others[1].name = "gpt-4o";
  others[2].temperature = 0;
  others[3].fallback.push_back({});
  others[4].limits.max_steps = 3;
  for (const ModelConfig& other : others) EXPECT_NE(*factory_.get(other), model);
  EXPECT_EQ(offline_made_, 1);
}

TEST_F(Factory, TheOfflineReasonerComesFromTheCaller) {
  EXPECT_EQ(*factory_.get(*read("")), offline_);
  EXPECT_EQ(*factory_.get(*read("")), offline_);
  EXPECT_EQ(offline_made_, 1);
}

TEST_F(Factory, RemoteModelsRedactAndFallBack) {
  const auto config = read("model: {provider: openai, retries: 0, fallback: {provider: offline}}",
                           {{"OPENAI_API_KEY", "k1"}});
  ASSERT_TRUE(config) << config.error().text();
  const auto model = *factory_.get(*config);
  http_.play(503, "");
  offline_->answer("From what is written.");
  const auto reply = model->complete({.messages = {{Role::kUser, "password=hunter2?"}}}, context_);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->model, "offline");
  EXPECT_THAT(http_.requests()[0].body, Not(HasSubstr("hunter2")));
  EXPECT_THAT(events_.events[0].text, HasSubstr("openai gpt-4.1-mini failed"));
  EXPECT_THAT(events_.events[0].text, HasSubstr("offline answers instead"));
}

TEST(Probe, ReportsWhetherAModelAnswers) {
  ScriptedModel model;
  CancelToken cancel;
  model.answer("Pong!");
  const ProbeReport good = probe(model, cancel);
  EXPECT_TRUE(good.reachable && good.follows && !good.error);
  EXPECT_EQ(good.answer, "Pong!");
  EXPECT_GT(good.first_token.count(), 0);
  model.answer("As a language model " + std::string(1000, 'x'));
  const ProbeReport odd = probe(model, cancel);
  EXPECT_TRUE(odd.reachable && !odd.follows);
  EXPECT_EQ(odd.answer.size(), 200U);
  model.fail_with({{ErrorCode::kPermission, "key"}, {401}});
  const ProbeReport refused = probe(model, cancel);
  EXPECT_TRUE(refused.reachable && refused.error);
  model.fail_with({{ErrorCode::kUnavailable, "down"}});
  EXPECT_FALSE(probe(model, cancel).reachable);
}

TEST(ModelConfig, AKeyOfTheFileThatNobodyReadsIsAnError) {
  const auto config = read("modle: {provider: offline}");
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().message,
            "config/precedent.yaml:1: modle is unknown; did you mean model?");
  EXPECT_FALSE(read("model: {provider: offline}\nmodel: {provider: openai}"));
}

TEST(ModelConfig, AllProblemsAreToldIfTheyAreWanted) {
  ConfigProblems problems;
  const auto read = [&](std::string_view yaml) {
    problems.clear();
    return read_model_config(yaml, "f", [](const std::string&) { return std::nullopt; }, &problems);
  };
  EXPECT_TRUE(read(R"(
other: 1
model:
  provider: opnai
  temperature: hot
  retries: -1
  prices: {input: x, outputs: 1}
  limits: 5
  fallback: {provider: ollama, limits: {}}
)"));
  std::vector<std::string> lines;
  for (const Error& problem : problems) lines.push_back(problem.message.substr(0, 4));
  EXPECT_THAT(lines, testing::UnorderedElementsAre(
                         "f:2:", "f:4:", "f:5:", "f:6:", "f:7:", "f:7:", "f:8:", "f:9:"));
  // A file that is right as such, in an environment that is not.
  const auto no_key = read("model: {provider: openai}");
  ASSERT_FALSE(no_key);
  EXPECT_THAT(no_key.error().message, HasSubstr("OPENAI_API_KEY"));
  EXPECT_TRUE(problems.empty());
}

}  // namespace
}  // namespace precedent
