#include "llm/model_factory.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "llm/fallback_model.h"
#include "llm/redact_model.h"
#include "llm/retry_model.h"

namespace precedent {
namespace {

// One or two are in use; the others are what somebody tried out before.
constexpr size_t kMaxKept = 8;

// Each value with its length before it, so that no two configurations write the same.
void write_value(std::string& out, std::string_view value) {
  out += fmt::format("{}:{};", value.size(), value);
}

void write_config(std::string& out, const ModelConfig& config) {
  for (const std::string_view text :
       {name(config.provider), std::string_view(config.name), std::string_view(config.base_url),
        std::string_view(config.api_key_env), std::string_view(config.api_key),
        std::string_view(config.api_version)})
    write_value(out, text);
  const Prices prices = config.prices.value_or(Prices{-1, -1, -1});
  out += fmt::format("{};{};{};{};{};{};{};{};{};{};{};{};{};{}(", config.temperature.value_or(-1),
                     config.max_output_tokens, config.context_tokens, config.timeout.count(),
                     config.stall_timeout.count(), config.retries, prices.input, prices.output,
                     prices.cached_input, config.limits.max_steps, config.limits.max_tokens,
                     config.limits.max_cost_usd, config.limits.max_time.count(),
                     config.fallback.size());
  for (const ModelConfig& fallback : config.fallback) write_config(out, fallback);
  out += ')';
}

std::string hash_of(const ModelConfig& config) {
  std::string text;
  write_config(text, config);
  return content_hash(text);
}

}  // namespace

std::shared_ptr<ChatModel> ModelFactory::make_remote(const ModelConfig& config) {
  Endpoint endpoint{std::string(name(config.provider)), config.base_url, config.name,
                    config.api_key, config.api_version};
  auto dialect = config.provider == Provider::kAnthropic ? anthropic_dialect(std::move(endpoint))
                                                         : openai_dialect(std::move(endpoint));
  HttpModelOptions options{config.timeout,
                           config.stall_timeout,
                           config.prices,
                           {config.temperature, config.max_output_tokens}};
  auto http = std::make_shared<HttpChatModel>(std::move(dialect), http_, clock_, options);
  auto retrying =
      std::make_shared<RetryModel>(std::move(http), RetryOptions{.attempts = config.retries + 1});
  return std::make_shared<RedactModel>(std::move(retrying));
}

Result<std::shared_ptr<ChatModel>> ModelFactory::make(const ModelConfig& config) {
  if (config.provider == Provider::kOffline) return offline_();
  std::shared_ptr<ChatModel> model = make_remote(config);
  for (const ModelConfig& fallback : config.fallback)
    model = std::make_shared<FallbackModel>(std::move(model), TRY(make(fallback)));
  return model;
}

Result<std::shared_ptr<ChatModel>> ModelFactory::get(const ModelConfig& config) {
  const std::string hash = hash_of(config);
  const MutexLock lock(mutex_);
  for (const Kept& kept : kept_)
    if (kept.hash == hash) return kept.model;
  auto model = TRY(make(config));
  if (kept_.size() >= kMaxKept) kept_.pop_front();
  kept_.push_back({hash, model});
  return model;
}

}  // namespace precedent
