// QdrantFake: a Qdrant in this process, behind the HttpClient seam: for tests of what talks to one.
//
// It answers as the recorded server 1.18 did (qdrant_transcript_test.cc replays the recording), and
// refuses what that refused. Not all of Qdrant: what precedent calls, and what was recorded.
// Thread safety: all members; `before` runs without a lock.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "base/mutex.h"
#include "index/qdrant_fake_collection.h"
#include "net/http_client.h"

namespace precedent {

class QdrantFake final : public HttpClient {
 public:
  explicit QdrantFake(std::string key = {}) : key_(std::move(key)) {}

  std::string version = "1.18.3";
  // Asked before each request, which is the nth since the start: an answer or an error of it takes
  // the place of the server's.
  std::function<std::optional<Result<HttpResponse>>(size_t n, const HttpRequest& request)> before;

  size_t requests() const;
  // Takes over what `other` holds: collections and aliases.
  void restore(const QdrantFake& other);
  // Points in a collection, visible or not; 0 if there is none.
  size_t points_in(const std::string& collection) const;

  Result<HttpResponse> stream(const HttpRequest& request, const HttpContext& context,
                              const OnHttpBody& on_body) override;

 private:
  using Json = nlohmann::json;
  HttpResponse answer(const HttpRequest& request) REQUIRES_LOCK(mutex_);
  Result<Json> route(const std::string& method, const std::vector<std::string>& path,
                     const Json& body, bool wait) REQUIRES_LOCK(mutex_);
  Result<Json> collections_call(const std::string& method, const std::vector<std::string>& path,
                                const Json& body, bool wait) REQUIRES_LOCK(mutex_);
  Result<Json> create(const std::string& name, const Json& body) REQUIRES_LOCK(mutex_);
  Result<Json> change_aliases(const Json& body) REQUIRES_LOCK(mutex_);
  Result<Json> aliases_of(const std::string& collection) REQUIRES_LOCK(mutex_);
  Result<Json> points_call(const std::string& method, fake_qdrant::Collection& collection,
                           const std::string& call, const Json& body, bool wait)
      REQUIRES_LOCK(mutex_);
  Result<Json> snapshots_call(const std::string& method, const std::string& name)
      REQUIRES_LOCK(mutex_);
  Result<fake_qdrant::Collection*> find(const std::string& name) REQUIRES_LOCK(mutex_);

  const std::string key_;
  mutable Mutex mutex_;
  size_t requests_ GUARDED_BY(mutex_) = 0;
  uint64_t operations_ GUARDED_BY(mutex_) = 0;
  std::map<std::string, fake_qdrant::Collection> collections_ GUARDED_BY(mutex_);
  std::map<std::string, std::string> aliases_ GUARDED_BY(mutex_);
  std::map<std::string, Json> snapshots_ GUARDED_BY(mutex_);
};

}  // namespace precedent
