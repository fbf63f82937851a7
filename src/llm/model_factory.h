// ModelFactory: configuration → ChatModel, ready to use: redacting, retrying, with its fallback.
//
//   FallbackModel ─┬─ RedactModel → RetryModel → HttpChatModel     the first
//                  └─ the same, or the offline reasoner             its fallback, if there is one
//
// Models are kept by a hash of the whole configuration, the key included, so that a rotated key
// makes a new one. The offline reasoner comes from the caller, since it lives above this folder.
// Limits belong to a run: LimitModel is put around what get() returns. Thread safety: all members.
// Lifetime: client and clock outlive the factory and its models.
#pragma once

#include <deque>
#include <functional>
#include <memory>

#include "base/mutex.h"
#include "llm/model_config.h"
#include "net/http_client.h"

namespace precedent {

class ModelFactory {
 public:
  using MakeOffline = std::function<Result<std::shared_ptr<ChatModel>>()>;
  ModelFactory(HttpClient& http, const Clock& clock, MakeOffline offline)
      : http_(http), clock_(clock), offline_(std::move(offline)) {}

  // Errors: those of `offline`.
  Result<std::shared_ptr<ChatModel>> get(const ModelConfig& config);

 private:
  struct Kept {
    std::string hash;  // of a configuration with its key: never printed
    std::shared_ptr<ChatModel> model;
  };
  Result<std::shared_ptr<ChatModel>> make(const ModelConfig& config);
  std::shared_ptr<ChatModel> make_remote(const ModelConfig& config);

  HttpClient& http_;
  const Clock& clock_;
  MakeOffline offline_;
  Mutex mutex_;
  std::deque<Kept> kept_ GUARDED_BY(mutex_);
};

}  // namespace precedent
