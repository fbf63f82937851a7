// For tests: an identity provider, and a clock that can be set.
//
// Thread safety: the provider may be asked by several threads and changed meanwhile.
#pragma once

#include <atomic>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "net/http_client.h"
#include "server/auth/jwt_lab.h"

namespace precedent {

class SettableClock final : public Clock {
 public:
  explicit SettableClock(TimePoint now) : now_(now) {}
  TimePoint now() const override { return now_; }
  void pass(std::chrono::seconds time) { now_ = now_.load() + time; }

 private:
  std::atomic<TimePoint> now_;
};

// Answers for https://id.example.com, and counts how often its keys are fetched.
class FakeProvider final : public HttpClient {
 public:
  static constexpr const char* kIssuer = "https://id.example.com";
  static constexpr const char* kDocument =
      "https://id.example.com/.well-known/openid-configuration";
  static constexpr const char* kKeys = "https://id.example.com/keys";

  FakeProvider() {
    publish({});
    set(kDocument, nlohmann::json{{"issuer", kIssuer}, {"jwks_uri", kKeys}}.dump());
  }
  void publish(const std::vector<nlohmann::json>& keys) { set(kKeys, key_set(keys)); }
  void set(const std::string& url, const std::string& body, int status = 200,
           std::vector<HttpHeader> headers = {}) {
    const MutexLock lock(mutex_);
    pages_[url] = {status, std::move(headers), body};
  }
  // Every request fails so, until it is none again.
  void fail_with(std::optional<Error> error) {
    const MutexLock lock(mutex_);
    error_ = std::move(error);
  }
  size_t fetches() const { return fetches_; }
  // While it is held, requests wait.
  void hold(bool held) { held_ = held; }
  size_t waiting() const { return waiting_; }

  Result<HttpResponse> stream(const HttpRequest& request, const HttpContext& context,
                              const OnHttpBody& on_body) override {
    ++waiting_;
    while (held_) std::this_thread::yield();
    --waiting_;
    TRY(context.cancel.check());
    const MutexLock lock(mutex_);
    if (!context.deadline || request.follow_redirects || request.method != "GET") std::abort();
    if (error_) return std::unexpected(*error_);
    const auto page = pages_.find(request.url);
    if (page == pages_.end()) return HttpResponse{404, {}, ""};
    if (request.url.ends_with("/keys")) ++fetches_;
    if (page->second.body.size() > request.max_response_bytes)
      return fail(ErrorCode::kResourceExhausted, "the response is larger than the request allows");
    HttpResponse head{page->second.status, page->second.headers, ""};
    on_body(head, page->second.body);
    return head;
  }

 private:
  Mutex mutex_;
  std::map<std::string, HttpResponse> pages_ GUARDED_BY(mutex_);
  std::optional<Error> error_ GUARDED_BY(mutex_);
  std::atomic<size_t> fetches_{0};
  std::atomic<size_t> waiting_{0};
  std::atomic<bool> held_{false};
};

}  // namespace precedent
