// Calls of Qdrant's REST interface: one JSON text out, one `result` back.
//
// Repeats what may be repeated: a broken connection, 429 and 5xx, after the time that the server
// asks for. Every call of ours may be: points are named by their ids. When a key is refused, the
// second one is tried and kept. A server that was gone is not asked again for config().rest: calls
// fail at once with what it was, but for one at a time that looks whether it is back. Thread
// safety: all members. Ownership: shares its client. Errors name the address, and never a key:
//   kUnavailable        nobody answers, or not within the time, or only "later"
//   kPermission         the key is missing or wrong
//   kNotFound           404: no such collection or point
//   kConflict           409: it exists already
//   kInvalidArgument    whatever else the server refuses, in its words; strict mode with the remedy
//   kCorrupt            the answer is none of Qdrant's
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/mutex.h"
#include "index/qdrant_config.h"
#include "net/http_client.h"

namespace precedent {

// The seconds of "… Retry after 30s", as the server writes into the text of a 429.
std::optional<std::chrono::milliseconds> retry_after_in(std::string_view text);

class QdrantApi {
 public:
  using Wait = std::function<void(std::chrono::milliseconds)>;

  using Now = std::function<std::chrono::steady_clock::time_point()>;

  // REQUIRES: check_qdrant_config(config). `wait` between two attempts: null sleeps. `now`: null
  // is the steady clock.
  QdrantApi(std::shared_ptr<HttpClient> http, QdrantConfig config, Wait wait = {}, Now now = {});

  // With a client of its own. Nothing is asked yet.
  static std::shared_ptr<QdrantApi> open(QdrantConfig config);

  const QdrantConfig& config() const { return config_; }
  // "localhost:6333", for messages.
  const std::string& address() const { return address_; }

  // "1.18.3". Errors: kInvalidArgument for a server that is too old, kCorrupt if it is no Qdrant.
  Result<std::string> version();

  enum class Use : uint8_t { kRead, kWrite };
  // The `result` of the answer. `body` is JSON, or "" for none.
  Result<nlohmann::json> call(std::string_view method, std::string_view path,
                              std::string_view body = {}, Use use = Use::kRead);

 private:
  struct Answer {
    int status = 0;
    std::string body;
    std::optional<std::chrono::milliseconds> retry_after;
  };
  Result<Answer> ask(std::string_view method, std::string_view path, std::string_view body,
                     Use use);
  Result<Answer> ask_once(std::string_view method, std::string_view path, std::string_view body,
                          Use use);
  Result<Answer> ask_patiently(std::string_view method, std::string_view path,
                               std::string_view body, Use use);
  std::unexpected<Error> refusal(const Answer& answer, std::string_view path) const;
  // Errors: what the server was gone with, while it rests.
  Result<void> admit();
  void note(const Result<Answer>& answer);

  const std::shared_ptr<HttpClient> http_;
  const QdrantConfig config_;
  const Wait wait_;
  const Now now_;
  std::string address_;
  Mutex mutex_;
  std::optional<Error> gone_ GUARDED_BY(mutex_);
  std::chrono::steady_clock::time_point rests_until_ GUARDED_BY(mutex_);
  std::atomic<size_t> key_ = 0;
};

}  // namespace precedent
