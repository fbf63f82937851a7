// ModelConfig: which model answers, and on what terms. Read from the section `model` of
// config/precedent.yaml and from the environment; docs/models.md is its page.
//
// The environment wins: PRECEDENT_MODEL ("gpt-4o", "anthropic/claude-sonnet-4-5", "offline") names
// another model than the file; keys come from the environment alone. With neither file nor key the
// provider is `offline`. Reads no file itself. Thread safety: plain values, pure functions.
#pragma once

#include <functional>

#include "base/config_values.h"
#include "llm/http_chat_model.h"
#include "llm/limit_model.h"

namespace precedent {

enum class Provider {
  kOpenAi,
  kAzure,
  kAnthropic,
  kOllama,
  kVllm,
  kLlamaCpp,
  kOpenRouter,
  kOffline
};
std::string_view name(Provider provider);

struct ModelConfig {
  Provider provider = Provider::kOffline;
  std::string name = {};
  std::string base_url = {};     // without a slash at the end
  std::string api_key_env = {};  // the variable that holds the key
  std::string api_key = {};      // its value; never printed
  std::string api_version = {};  // Azure
  std::optional<double> temperature = std::nullopt;
  int max_output_tokens = 0;  // 0: the model's own
  // What the model reads at once. Every current model of the vendors reads as much; local ones are
  // often served with less, and then say so here.
  int64_t context_tokens = 100'000;
  std::chrono::milliseconds timeout{300'000};
  std::chrono::milliseconds stall_timeout{90'000};
  int retries = 2;
  std::optional<Prices> prices = std::nullopt;
  RunLimits limits = {};
  std::vector<ModelConfig> fallback = {};  // one or none
  bool operator==(const ModelConfig&) const = default;
};

// A variable's value, or nothing if it is not set or empty.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
std::optional<std::string> system_environment(const std::string& name);

// `yaml` is the text of the file `path`, or "" if there is none. Errors: kInvalidArgument with
// path:line:key, an unknown key with the nearest one, a key that is not set with its variable; with
// `all`, all of them.
Result<ModelConfig> read_model_config(std::string_view yaml, std::string_view path,
                                      const Environment& environment,
                                      ConfigProblems* all = nullptr);

// One line for people: "openai gpt-4o at api.openai.com, key from OPENAI_API_KEY". Never the key.
std::string describe(const ModelConfig& config);

}  // namespace precedent
