#include "llm/model_config.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "base/config_values.h"
#include "base/nearest.h"
#include "base/strings.h"
#include "net/url.h"

namespace precedent {
namespace {

// What is taken where nothing is said.
struct ProviderDefaults {
  Provider provider;
  std::string_view name;
  std::string_view base_url;
  std::string_view model;  // "": it must be named
  std::string_view key_env;
  bool needs_key;
};
constexpr std::array kProviders = {
    ProviderDefaults{Provider::kOpenAi, "openai", "https://api.openai.com/v1", "gpt-4.1-mini",
                     "OPENAI_API_KEY", true},
    ProviderDefaults{Provider::kAzure, "azure", "", "", "AZURE_OPENAI_API_KEY", true},
    ProviderDefaults{Provider::kAnthropic, "anthropic", "https://api.anthropic.com",
                     "claude-sonnet-4-5", "ANTHROPIC_API_KEY", true},
    ProviderDefaults{Provider::kOllama, "ollama", "http://127.0.0.1:11434/v1", "", "", false},
    ProviderDefaults{Provider::kVllm, "vllm", "http://127.0.0.1:8000/v1", "", "", false},
    ProviderDefaults{Provider::kLlamaCpp, "llamacpp", "http://127.0.0.1:8080/v1", "default", "",
                     false},
    ProviderDefaults{Provider::kOpenRouter, "openrouter", "https://openrouter.ai/api/v1", "",
                     "OPENROUTER_API_KEY", true},
    ProviderDefaults{Provider::kOffline, "offline", "", "", "", false},
};
// A stable version of Azure's API that knows strict tools and usage in streams.
constexpr std::string_view kAzureVersion = "2024-10-21";

// `log` is read by observe/request_log_config.h, `mcp` by mcp/mcp_config.h, `server` by
// server/auth/oidc_config.h, `store` by cli/config/store_config.h, `threads` by
// cli/command/durability.h, `qdrant` by index/qdrant_config.h.
constexpr std::array<std::string_view, 7> kFileKeys = {"log",    "mcp",   "model",  "qdrant",
                                                       "server", "store", "threads"};
// The last two are not for a fallback: it shares the limits of the run, and there is only one.
constexpr std::array<std::string_view, 14> kKeys = {
    "provider",       "name",    "base_url",      "api_key_env", "api_version",
    "temperature",    "timeout", "stall_timeout", "retries",     "max_output_tokens",
    "context_tokens", "prices",  "limits",        "fallback"};
constexpr std::array<std::string_view, 4> kLimitKeys = {"steps", "tokens", "cost_usd", "time"};
constexpr std::array<std::string_view, 3> kPriceKeys = {"input", "output", "cached_input"};

const ProviderDefaults& defaults_of(Provider provider) {
  for (const ProviderDefaults& known : kProviders)
    if (known.provider == provider) return known;
  return kProviders.back();
}

const ProviderDefaults* find_provider(std::string_view name) {
  for (const ProviderDefaults& known : kProviders)
    if (iequals(known.name, name)) return &known;
  return nullptr;
}

Result<void> read_prices(const ConfigSection& section, ModelConfig& config) {
  TRY(section.check(kPriceKeys));
  Prices prices;
  // Dollars for a million tokens; the dearest model of today asks less than 1000.
  TRY(section.read("input", prices.input, 0, 1e4));
  TRY(section.read("output", prices.output, 0, 1e4));
  prices.cached_input = prices.input;
  TRY(section.read("cached_input", prices.cached_input, 0, 1e4));
  config.prices = prices;
  return {};
}

Result<void> read_limits(const ConfigSection& section, RunLimits& limits) {
  TRY(section.check(kLimitKeys));
  TRY(section.read("steps", limits.max_steps, 0, 10'000));
  TRY(section.read("tokens", limits.max_tokens, 0, 1'000'000'000));
  TRY(section.read("cost_usd", limits.max_cost_usd, 0, 1e6));
  return section.read("time", limits.max_time);
}

Result<void> read_numbers(const ConfigSection& section, ModelConfig& config) {
  if (section.has("temperature")) {
    double temperature = 0;
    TRY(section.read("temperature", temperature, 0, 2));
    config.temperature = temperature;
  }
  int64_t max_output_tokens = 0, retries = config.retries;
  TRY(section.read("max_output_tokens", max_output_tokens, 1, 1'000'000));
  TRY(section.read("retries", retries, 0, 10));
  TRY(section.read("context_tokens", config.context_tokens, 1000, 100'000'000));
  TRY(section.read("timeout", config.timeout));
  TRY(section.read("stall_timeout", config.stall_timeout));
  config.max_output_tokens = static_cast<int>(max_output_tokens);
  config.retries = static_cast<int>(retries);
  if (config.timeout.count() == 0) return section.wrong("timeout", "must be above zero");
  return {};
}

Result<Provider> read_provider(const ConfigSection& section) {
  const std::string text = section.text("provider");
  if (text.empty())
    return section.wrong("provider", "is missing; the shortest is: provider: offline");
  if (const ProviderDefaults* known = find_provider(text)) return known->provider;
  std::vector<std::string> names;
  for (const ProviderDefaults& known : kProviders) names.emplace_back(known.name);
  const auto close = nearest(text, names);
  return section.wrong("provider",
                       close ? fmt::format("'{}' is unknown; did you mean {}?", text, *close)
                             : fmt::format("'{}' is unknown; there are {}. A server that speaks "
                                           "OpenAI's API is openai with a base_url",
                                           text, join(names, ", ")));
}

// Where messages about a config point: a key of the file, or a variable of the environment.
class Finisher {
 public:
  Finisher(const Environment& environment, std::string_view place)
      : environment_(environment), place_(place) {}

  // Fills in what was not said, and checks what must be there.
  Result<void> finish(ModelConfig& config) const {
    if (config.provider == Provider::kOffline) return {};
    const ProviderDefaults& defaults = defaults_of(config.provider);
    if (config.base_url.empty()) config.base_url = base_url_of(config.provider, defaults);
    if (config.api_key_env.empty()) config.api_key_env = defaults.key_env;
    if (config.provider == Provider::kAzure && config.api_version.empty())
      config.api_version = kAzureVersion;
    while (config.base_url.ends_with('/')) config.base_url.pop_back();
    // The path of Anthropic's API begins with its version; people write it either way.
    if (config.provider == Provider::kAnthropic && config.base_url.ends_with("/v1"))
      config.base_url.resize(config.base_url.size() - 3);
    if (config.base_url.empty())
      return wrong("base_url", "is missing; for Azure write https://<resource>.openai.azure.com");
    const auto url = parse_url(config.base_url);
    if (!url) return wrong("base_url", url.error().message);
    // Another server than OpenAI's does not have its default model.
    const bool elsewhere =
        config.provider == Provider::kOpenAi && config.base_url != defaults.base_url;
    if (config.name.empty() && !elsewhere) config.name = defaults.model;
    if (config.name.empty())
      return wrong("name", fmt::format("is missing; name the model that {} serves, in the file or "
                                       "as PRECEDENT_MODEL={}/<name>",
                                       url->shown(), defaults.name));
    return read_key(config, defaults.needs_key && !is_loopback(url->host));
  }

 private:
  std::string base_url_of(Provider provider, const ProviderDefaults& defaults) const {
    std::optional<std::string> url;
    if (provider == Provider::kOpenAi) url = environment_("OPENAI_BASE_URL");
    if (provider == Provider::kAnthropic) url = environment_("ANTHROPIC_BASE_URL");
    if (provider == Provider::kAzure) url = environment_("AZURE_OPENAI_ENDPOINT");
    return url.value_or(std::string(defaults.base_url));
  }

  Result<void> read_key(ModelConfig& config, bool needed) const {
    if (config.api_key_env.empty()) return {};
    const auto key = environment_(config.api_key_env);
    if (key) config.api_key = trim(*key);
    if (config.api_key.empty() && needed)
      return wrong("api_key_env",
                   fmt::format("the variable {} is not set; export it, or take provider: offline",
                               config.api_key_env));
    return {};
  }

  std::unexpected<Error> wrong(std::string_view key, std::string_view what) const {
    return fail(ErrorCode::kInvalidArgument, fmt::format("{}{}: {}", place_, key, what));
  }

  const Environment& environment_;
  std::string_view place_;
};

Result<ModelConfig> read_section(const ConfigSection& section, bool is_fallback) {
  if (section.has("api_key"))
    TRY(section.settle(section.wrong("api_key",
                                     "keys do not stand in files; export it and name the variable "
                                     "in api_key_env")));
  TRY(section.check(std::span(kKeys).first(kKeys.size() - (is_fallback ? 2 : 0))));
  ModelConfig config;
  TRY(section.take(read_provider(section), config.provider));
  TRY(section.read("name", config.name));
  TRY(section.read("base_url", config.base_url));
  TRY(section.read("api_key_env", config.api_key_env));
  TRY(section.read("api_version", config.api_version));
  TRY(section.settle(read_numbers(section, config)));
  if (section.has("prices")) TRY(read_prices(section.section("prices"), config));
  if (section.has("limits")) TRY(read_limits(section.section("limits"), config.limits));
  if (section.has("fallback"))
    config.fallback.push_back(TRY(read_section(section.section("fallback"), true)));
  return config;
}

// "anthropic/claude-sonnet-4-5", "gpt-4o", "offline" over what the file says.
ModelConfig overridden(ModelConfig config, std::string_view model) {
  const size_t slash = model.find('/');
  const ProviderDefaults* named = find_provider(model.substr(0, slash));
  if (named != nullptr) model = slash == std::string_view::npos ? "" : model.substr(slash + 1);
  Provider provider = config.provider;
  if (named != nullptr)
    provider = named->provider;
  else if (provider == Provider::kOffline)
    provider = model.starts_with("claude") ? Provider::kAnthropic : Provider::kOpenAi;
  if (provider != config.provider) {
    // What belongs to the other provider goes; limits, timeouts and the fallback stay.
    config.base_url = config.api_key_env = config.api_version = config.name = "";
    config.prices.reset();
  }
  config.provider = provider;
  if (!model.empty()) config.name = model;
  return config;
}

ModelConfig from_keys(const Environment& environment) {
  ModelConfig config;
  if (environment("OPENAI_API_KEY") || environment("OPENAI_BASE_URL"))
    config.provider = Provider::kOpenAi;
  else if (environment("ANTHROPIC_API_KEY"))
    config.provider = Provider::kAnthropic;
  return config;
}

}  // namespace

std::string_view name(Provider provider) { return defaults_of(provider).name; }

std::optional<std::string> system_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

Result<ModelConfig> read_model_config(std::string_view yaml, std::string_view path,
                                      const Environment& environment, ConfigProblems* all) {
  const YAML::Node root = TRY(parse_yaml(yaml, path));
  if (root.IsDefined() && !root.IsNull() && !root.IsMap())
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}:1: this is no mapping; begin with model:", path));
  const ConfigSection file(root, path, "", all);
  if (root.IsMap()) TRY(file.check(kFileKeys));
  const YAML::Node node = root.IsMap() ? root["model"] : YAML::Node();
  const bool in_file = file.has("model");
  ModelConfig config =
      in_file ? TRY(read_section(file.section("model"), false)) : from_keys(environment);
  // What follows from a wrong value is not wrong itself.
  if (all != nullptr && !all->empty()) return config;
  const auto model = environment("PRECEDENT_MODEL");
  if (model) config = overridden(std::move(config), trim(*model));
  const int line = in_file ? node.Mark().line + 1 : 0;
  const std::string place = in_file ? fmt::format("{}:{}: model.", path, line) : "model.";
  TRY(Finisher(environment, place).finish(config));
  for (ModelConfig& fallback : config.fallback)
    TRY(Finisher(environment, place + "fallback.").finish(fallback));
  return config;
}

std::string describe(const ModelConfig& config) {
  if (config.provider == Provider::kOffline) return "offline";
  const auto url = parse_url(config.base_url);
  std::string text =
      fmt::format("{} {} at {}", name(config.provider), config.name, url ? url->shown() : "?");
  if (!config.api_key.empty()) text += ", key from " + config.api_key_env;
  for (const ModelConfig& fallback : config.fallback) text += "; else " + describe(fallback);
  return text;
}

}  // namespace precedent
