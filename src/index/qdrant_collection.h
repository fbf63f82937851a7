// One collection of a Qdrant: its calls with types. What the records in it mean is not known here.
//
// Thread safety: all members. Ownership: shares the api. Errors: those of QdrantApi.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "index/qdrant_api.h"
#include "index/qdrant_points.h"
#include "net/url.h"

namespace precedent {

struct QdrantSnapshot {
  std::string name;
  std::string made_at;  // as the server says: UTC, without a zone
  uint64_t bytes = 0;
};

class QdrantCollection {
 public:
  QdrantCollection(std::shared_ptr<QdrantApi> api, std::string name)
      : api_(std::move(api)),
        name_(std::move(name)),
        path_("/collections/" + percent_encoded(name_)) {}

  const std::string& name() const { return name_; }
  const QdrantConfig& config() const { return api_->config(); }
  const std::string& address() const { return api_->address(); }

  Result<bool> exists() const;
  // Named vectors and payload indexes as qdrant_points.h says. Errors: kConflict if it exists.
  Result<void> create(size_t dimensions);
  // None of this name is no error.
  Result<void> drop();
  // The collection that `alias` names; "" if there is no such alias.
  Result<std::string> behind_alias(std::string_view alias) const;
  // Makes `alias` name this one, in one call. `from_another`: it names another now.
  // Errors: kConflict if a collection is called so.
  Result<void> take_alias(std::string_view alias, bool from_another);

  // A copy of the whole collection, on the server's disk.
  Result<QdrantSnapshot> make_snapshot();
  // Oldest first.
  Result<std::vector<QdrantSnapshot>> snapshots() const;
  // Where one is fetched from.
  std::string snapshot_address(std::string_view snapshot) const;

  // How many numbers a dense vector has. Errors: kCorrupt for a collection of another form.
  Result<size_t> dimensions() const;

  // Each of `points` is the JSON of one; sent in batches of config().batch_bytes, one after
  // another.
  Result<void> upsert(std::span<const std::string> points);
  Result<void> set_payload(const nlohmann::json& payload, std::span<const std::string> ids);
  Result<void> delete_key(const char* key, const nlohmann::json& filter);
  Result<void> remove(const nlohmann::json& filter);

  // The payload of one point. Errors: kNotFound.
  Result<nlohmann::json> payload(std::string_view id) const;
  // Every point that matches, in pages, with what `with` says of payload and vectors.
  Result<void> scroll(const nlohmann::json& filter, const nlohmann::json& with,
                      const std::function<Result<void>(const nlohmann::json& point)>& each) const;
  // `points/query/batch`: the hits of each.
  Result<std::vector<std::vector<PointScore>>> query(std::span<const std::string> searches) const;
  Result<size_t> count(const nlohmann::json& filter) const;
  // Values of a keyword field with how many points have them.
  Result<std::vector<std::pair<std::string, size_t>>> facet(const char* key,
                                                            const nlohmann::json& filter) const;

 private:
  Result<nlohmann::json> post(std::string_view path, std::string_view body) const {
    return api_->call("POST", path_ + std::string(path), body);
  }
  Result<void> write(std::string_view method, std::string_view path, std::string_view body);

  const std::shared_ptr<QdrantApi> api_;
  const std::string name_;
  const std::string path_;
};

}  // namespace precedent
