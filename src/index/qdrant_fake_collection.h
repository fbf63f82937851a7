// One collection of the fake Qdrant: points, vectors, queries, as the recorded server answered.
//
// Plain scans, and as strict as the server: what it refuses is refused here, in its words. Its
// quirks are here too: ties come in no useful order, and an idf counts deleted points.
// Thread safety: none; the fake locks.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "index/qdrant_fake_filter.h"

namespace precedent::fake_qdrant {

class Collection {
 public:
  // The body of `PUT /collections/{name}`.
  explicit Collection(nlohmann::json params) : params_(std::move(params)) {}

  nlohmann::json info() const;
  Result<void> create_index(const nlohmann::json& body);
  void patch(const nlohmann::json& body);
  // Takes one of the reads that strict mode grants. Errors: 429.
  Result<void> admit_read();

  // Each: the body of its call; the `result` of the answer.
  Result<void> upsert(const nlohmann::json& body);
  Result<void> set_payload(const nlohmann::json& body);
  Result<void> delete_payload(const nlohmann::json& body);
  Result<void> remove(const nlohmann::json& body);
  Result<nlohmann::json> query(const nlohmann::json& body) const;
  Result<nlohmann::json> scroll(const nlohmann::json& body) const;
  Result<nlohmann::json> count(const nlohmann::json& body) const;
  Result<nlohmann::json> facet(const nlohmann::json& body) const;
  Result<nlohmann::json> retrieve(const nlohmann::json& body) const;
  Result<nlohmann::json> point(const nlohmann::json& id) const;

  size_t size() const { return points_.size(); }

 private:
  struct FakePoint {
    nlohmann::json payload;
    nlohmann::json vectors;
  };
  // Numbers come before UUIDs.
  using Key = std::pair<uint64_t, std::string>;
  using Scores = std::vector<std::pair<Key, float>>;

  static Key key_of(const nlohmann::json& id);
  static nlohmann::json id_of(const Key& key);
  Result<void> check_point(const nlohmann::json& point, size_t index) const;
  Result<void> check_limits(const nlohmann::json& body) const;
  Result<Scores> scores(const nlohmann::json& body) const;
  Result<Scores> fused(const nlohmann::json& body) const;
  float idf(const std::string& vector, uint64_t term) const;
  nlohmann::json shown(const Key& key, const FakePoint& point, const nlohmann::json& body,
                       bool payload_by_default) const;
  // The points that a delete or a change of payloads names.
  Result<std::vector<Key>> selected(const nlohmann::json& body) const;

  nlohmann::json params_;
  nlohmann::json strict_;
  int64_t reads_left_ = 0;
  std::map<std::string, std::string> indexes_;
  std::map<Key, FakePoint> points_;
  std::vector<nlohmann::json> dead_;  // vectors that an idf still counts
};

}  // namespace precedent::fake_qdrant
