#include "index/qdrant_update.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "index/update_check.h"

namespace precedent {
namespace {

using nlohmann::json;

// Values in one filter.
constexpr size_t kValuesAtOnce = 1'000;
// Generations after which the whole table of terms takes the place of its changes: who opens the
// index then reads at most this many of them.
constexpr uint64_t kGenerationsOfChanges = 64;

json range(const char* key, const char* bound, uint64_t generation) {
  return {{"key", key}, {"range", {{bound, generation}}}};
}

}  // namespace

Result<void> QdrantUpdate::clear_unfinished() {
  const uint64_t newest = state_.head.generation;
  TRY(collection_.remove(
      {{"should", json::array({range("born", "gt", newest), range("stats", "gt", newest)})}}));
  return collection_.delete_key("gone", {{"must", json::array({range("gone", "gt", newest)})}});
}

void QdrantUpdate::count(const SparseVector& sparse, const Payload& payload, bool has_dense,
                         int by) {
  // Two's complement: adding −1 takes one away.
  const auto step = static_cast<uint64_t>(static_cast<int64_t>(by));
  const bool is_code = population(payload.kind) == Population::kCode;
  if (payload.level == Level::kChunk) {
    head_.info.chunks += step;
    head_.code_chunks += is_code ? step : 0;
  } else {
    head_.info.documents += step;
    head_.code_documents += is_code ? step : 0;
  }
  head_.vectors += has_dense ? step : 0;
  changes_.count(sparse, payload.level, by);
}

Result<void> QdrantUpdate::find_removed(const json& condition) {
  json filter = visible_in(state_.head.generation);
  filter["must"].push_back(condition);
  json sparse = json::array();
  for (const char* vector : kSparseVectors) sparse.push_back(vector);
  const json with = {{"with_payload", {"doc_id", "kind", "level", "dense"}},
                     {"with_vector", sparse}};
  return collection_.scroll(filter, with, [&](const json& point) -> Result<void> {
    QdrantRecord record = TRY(read_record(point));
    if (!removed_.insert(record.qdrant_id).second) return {};
    count(record.sparse, record.payload, record.has_dense, -1);
    return {};
  });
}

// What leaves with its document, and what is replaced.
Result<void> QdrantUpdate::find_removed(const IndexUpdate& update) {
  if (state_.head.info.chunks + state_.head.info.documents == 0) return {};
  const auto find = [&](const char* key, const json& values) -> Result<void> {
    for (size_t begin = 0; begin < values.size(); begin += kValuesAtOnce) {
      json some = json::array();
      for (size_t i = begin; i < std::min(values.size(), begin + kValuesAtOnce); ++i)
        some.push_back(values[i]);
      TRY(find_removed(match_any(key, std::move(some))));
    }
    return {};
  };
  TRY(find("doc_id", update.remove_documents));
  json ids = json::array();
  for (const Point& point : update.add) ids.push_back(static_cast<int64_t>(point.id));
  return find("point", ids);
}

Result<void> QdrantUpdate::set_model(const IndexUpdate& update, size_t dimensions) {
  IndexInfo& info = head_.info;
  if (head_.vectors == 0) {
    info.dimensions = 0;
    info.model_id.clear();
  }
  TRY(check_model(update.model_id, dimensions, info.model_id, info.dimensions));
  if (dimensions == 0) return {};
  if (dimensions > capacity_) {
    return fail(ErrorCode::kConflict,
                fmt::format("vectors of '{}' have {} dimensions, the collection {} of Qdrant at {} "
                            "has room for {}; drop it: `precedent ingest` builds it anew",
                            update.model_id, dimensions, collection_.name(), collection_.address(),
                            capacity_));
  }
  info.dimensions = dimensions;
  info.model_id = update.model_id;
  return {};
}

Result<void> QdrantUpdate::write(const IndexUpdate& update) {
  std::vector<std::string> points;
  size_t bytes = 0;
  for (const Point& point : update.add) {
    points.push_back(point_json(point, head_.generation, capacity_));
    bytes += points.back().size();
    if (bytes < collection_.config().batch_bytes) continue;
    TRY(collection_.upsert(points));
    points.clear();
    bytes = 0;
  }
  TRY(collection_.upsert(points));
  const std::vector<std::string> removed(removed_.begin(), removed_.end());
  TRY(collection_.set_payload({{"gone", head_.generation}}, removed));
  const bool whole = head_.terms_from == head_.generation;
  TRY(collection_.upsert(term_points(whole ? next_->terms : changes_, head_.generation)));
  const std::vector<std::string> head = {head_json(head_)};
  return collection_.upsert(head);
}

// Whatever is not deleted now is deleted after the next update.
void QdrantUpdate::delete_old() {
  (void)collection_.remove({{"should", json::array({range("gone", "lte", head_.kept_from),
                                                    range("stats", "lt", head_.terms_from)})}});
}

Result<std::shared_ptr<const QdrantState>> QdrantUpdate::apply(const IndexUpdate& update,
                                                               uint64_t version) {
  const size_t dimensions = TRY(check_points(update));
  TRY(clear_unfinished());
  head_ = state_.head;
  ++head_.generation;
  head_.kept_from = state_.head.generation;
  head_.info.version = version;
  TRY(find_removed(update));
  TRY(set_model(update, dimensions));
  for (const Point& point : update.add) count(point.sparse, point.payload, !point.dense.empty(), 1);
  changes_.settle();
  next_ = std::make_shared<QdrantState>();
  next_->terms = state_.terms.plus(changes_);
  head_.term_sum = next_->terms.sum();
  if (head_.generation - head_.terms_from >= kGenerationsOfChanges)
    head_.terms_from = head_.generation;
  next_->head = head_;
  TRY(write(update));
  delete_old();
  return next_;
}

}  // namespace precedent
