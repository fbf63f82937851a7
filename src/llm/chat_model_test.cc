// The contract over every ChatModel of this folder, bare and wrapped.
#include "llm/chat_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "llm/chat_model_contract.h"
#include "llm/fallback_model.h"
#include "llm/http_chat_model.h"
#include "llm/limit_model.h"
#include "llm/recording.h"
#include "llm/redact_model.h"
#include "llm/retry_model.h"
#include "llm/scripted_model.h"
#include "net/scripted_http_client.h"

namespace precedent {
namespace {

const ModelRequest kQuestion{.messages = {{Role::kUser, "What broke?"}}};
constexpr const char* kAnswer = "The keys, \xC3\xBC was said.";

std::shared_ptr<ScriptedModel> scripted() {
  auto model = std::make_shared<ScriptedModel>();
  model->answer(kAnswer);
  return model;
}

// A vendor's model with a client of its own.
class Vendor final : public ChatModel {
 public:
  Vendor(std::unique_ptr<Dialect> dialect, std::string body)
      : model_(std::move(dialect), http_, clock_) {
    http_.play(200, std::move(body));
  }
  std::string name() const override { return model_.name(); }
  Result<ModelReply> complete(const ModelRequest& request, ModelContext& context) override {
    return model_.complete(request, context);
  }

 private:
  ScriptedHttpClient http_;
  SystemClock clock_;
  HttpChatModel model_;
};

using Make = std::function<std::shared_ptr<ChatModel>()>;

std::shared_ptr<ChatModel> replay() {
  const std::string line = R"({"version":1,"hash":")" + request_hash(kQuestion) +
                           R"(","reply":{"content":"The keys.","model":"m","stop":"end"}})";
  return std::shared_ptr<ChatModel>(std::move(*ReplayModel::parse(line, "run.jsonl")));
}

TEST(ChatModels, KeepTheContract) {
  const Endpoint endpoint{"test", "http://localhost", "m"};
  const std::pair<const char*, Make> models[] = {
      {"scripted", scripted},
      {"openai",
       [&] {
         return std::make_shared<Vendor>(
             openai_dialect(endpoint),
             "data: {\"choices\":[{\"delta\":{\"content\":\"The \"}}]}\n\n"
             "data: "
             "{\"choices\":[{\"delta\":{\"content\":\"keys.\"},\"finish_reason\":\"stop\"}]}\n\n");
       }},
      {"openai, whole",
       [&] {
         return std::make_shared<Vendor>(
             openai_dialect(endpoint),
             R"({"choices":[{"message":{"content":"The keys."},"finish_reason":"stop"}]})");
       }},
      {"openai, refused",
       [&] {
         return std::make_shared<Vendor>(
             openai_dialect(endpoint),
             "data: {\"choices\":[{\"finish_reason\":\"content_filter\"}]}\n\n");
       }},
      {"anthropic",
       [&] {
         return std::make_shared<Vendor>(anthropic_dialect(endpoint),
                                         "data: "
                                         "{\"type\":\"content_block_delta\",\"delta\":{\"type\":"
                                         "\"text_delta\",\"text\":\"Keys.\"}}\n\n"
                                         "data: {\"type\":\"message_stop\"}\n\n");
       }},
      {"retry", [] { return std::make_shared<RetryModel>(scripted()); }},
      {"fallback", [] { return std::make_shared<FallbackModel>(scripted(), scripted()); }},
      {"limit", [] { return std::make_shared<LimitModel>(scripted(), RunLimits{}); }},
      {"record",
       [] {
         return std::make_shared<RecordModel>(scripted(),
                                              [](std::string_view) -> Result<void> { return {}; });
       }},
      {"redact", [] { return std::make_shared<RedactModel>(scripted()); }},
      {"replay", replay},
  };
  for (const auto& [name, make] : models) {
    SCOPED_TRACE(name);
    expect_chat_model_contract(make, kQuestion);
  }
}

}  // namespace
}  // namespace precedent
