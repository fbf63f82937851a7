#include "index/memory_index.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>

#include "index/scoring.h"
#include "index/update_check.h"
#include "knowledge/case_fold.h"

namespace precedent {
namespace {

bool any_equal(const std::vector<std::string>& wanted, const std::vector<std::string>& values) {
  if (wanted.empty()) return true;
  for (const std::string& value : values) {
    for (const std::string& want : wanted) {
      if (!value.empty() && case_fold(value) == case_fold(want)) return true;
    }
  }
  return false;
}

bool matches(const Filter& filter, const Payload& payload) {
  const auto& kinds = filter.kinds;
  return (kinds.empty() || std::find(kinds.begin(), kinds.end(), payload.kind) != kinds.end()) &&
         any_equal(filter.services, payload.services) && any_equal(filter.tags, payload.tags) &&
         any_equal(filter.applications, {payload.application}) &&
         (any_equal(filter.systems, payload.services) ||
          any_equal(filter.systems, {payload.application})) &&
         any_equal(filter.ids, {payload.doc_id}) &&
         any_equal(filter.severities, {payload.severity}) &&
         any_equal(filter.statuses, {payload.status}) &&
         (filter.opened.unbounded() ||
          (payload.opened_at && filter.opened.contains(*payload.opened_at)));
}

float weight_of(const SparseVector& vector, uint32_t term) {
  const auto found = std::lower_bound(vector.terms.begin(), vector.terms.end(), term);
  if (found == vector.terms.end() || *found != term) return 0;
  return vector.weights[static_cast<size_t>(found - vector.terms.begin())];
}

std::vector<std::string> values_of(Facet facet, const Payload& payload) {
  switch (facet) {
    case Facet::kKind: return {std::string(name(payload.kind))};
    case Facet::kService: return payload.services;
    case Facet::kTag: return payload.tags;
    case Facet::kApplication: return {payload.application};
    case Facet::kSeverity: return {payload.severity};
    case Facet::kStatus: return {payload.status};
  }
  return {};
}

const Point* find(const std::vector<Point>& points, uint64_t id) {
  const auto found =
      std::find_if(points.begin(), points.end(), [&](const Point& p) { return p.id == id; });
  return found == points.end() ? nullptr : &*found;
}

}  // namespace

MemoryIndex::MemoryIndex() : state_(std::make_shared<State>()) {}

std::shared_ptr<const MemoryIndex::State> MemoryIndex::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

IndexInfo MemoryIndex::info() const { return state()->info; }

Result<std::vector<PointScore>> MemoryIndex::search_sparse(const SparseVector& query,
                                                           const Filter& filter, Level level,
                                                           size_t limit) const {
  const auto state = this->state();
  const Population searched = population(filter.kinds);
  std::vector<float> factors;
  for (size_t i = 0; i < query.terms.size(); ++i) {
    size_t points = 0, df = 0;
    for (const Point& point : state->points) {
      if (point.payload.level != level) continue;
      if (population(point.payload.kind) == searched) ++points;
      if (weight_of(point.sparse, query.terms[i]) > 0) ++df;
    }
    factors.push_back(query.weights[i] * idf(std::max(points, df), df));
  }
  TopK best(limit);
  for (const Point& point : state->points) {
    if (point.payload.level != level || !matches(filter, point.payload)) continue;
    float score = 0;
    for (size_t i = 0; i < query.terms.size(); ++i)
      score += factors[i] * weight_of(point.sparse, query.terms[i]);
    if (score > 0) best.offer(point.id, score);
  }
  return best.take();
}

Result<std::vector<PointScore>> MemoryIndex::search_dense(std::span<const float> query,
                                                          const Filter& filter,
                                                          size_t limit) const {
  const auto state = this->state();
  if (state->info.dimensions == 0) return {};
  TRY(check_query_dimensions(query.size(), state->info.dimensions));
  TopK best(limit);
  for (const Point& point : state->points) {
    if (point.dense.empty() || !matches(filter, point.payload)) continue;
    float score = 0;
    for (size_t i = 0; i < query.size(); ++i) score += query[i] * point.dense[i];
    best.offer(point.id, score);
  }
  return best.take();
}

Result<std::vector<Payload>> MemoryIndex::payloads(std::span<const uint64_t> ids) const {
  const auto state = this->state();
  std::vector<Payload> found;
  for (const uint64_t id : ids) {
    if (const Point* point = find(state->points, id)) found.push_back(point->payload);
  }
  return found;
}

Result<std::vector<std::pair<uint64_t, Payload>>> MemoryIndex::chunks_of(
    std::string_view doc_id) const {
  const auto state = this->state();
  std::vector<std::pair<uint64_t, Payload>> chunks;
  for (const Point& point : state->points) {
    if (point.payload.level == Level::kChunk && point.payload.doc_id == doc_id) {
      chunks.emplace_back(point.id, point.payload);
    }
  }
  std::sort(chunks.begin(), chunks.end(), [](const auto& a, const auto& b) {
    return std::tie(a.second.ordinal, a.first) < std::tie(b.second.ordinal, b.first);
  });
  return chunks;
}

Result<std::vector<std::vector<float>>> MemoryIndex::vectors(std::span<const uint64_t> ids) const {
  const auto state = this->state();
  std::vector<std::vector<float>> found;
  for (const uint64_t id : ids) {
    const Point* point = find(state->points, id);
    found.push_back(point ? point->dense : std::vector<float>{});
  }
  return found;
}

Result<std::vector<Payload>> MemoryIndex::list(const Filter& filter, Order order,
                                               size_t limit) const {
  const auto state = this->state();
  std::vector<const Point*> found;
  for (const Point& point : state->points) {
    if (point.payload.level == Level::kDocument && matches(filter, point.payload))
      found.push_back(&point);
  }
  std::sort(found.begin(), found.end(), [&](const Point* a, const Point* b) {
    const Payload &x = a->payload, &y = b->payload;
    if (order == Order::kNewest && x.opened_at != y.opened_at) {
      return x.opened_at && (!y.opened_at || *x.opened_at > *y.opened_at);
    }
    return std::tie(x.title, x.doc_id, a->id) < std::tie(y.title, y.doc_id, b->id);
  });
  if (found.size() > limit) found.resize(limit);
  std::vector<Payload> payloads;
  for (const Point* point : found) payloads.push_back(point->payload);
  return payloads;
}

Result<size_t> MemoryIndex::count_documents(const Filter& filter) const {
  const auto state = this->state();
  return static_cast<size_t>(
      std::count_if(state->points.begin(), state->points.end(), [&](const Point& p) {
        return p.payload.level == Level::kDocument && matches(filter, p.payload);
      }));
}

Result<std::vector<FacetCount>> MemoryIndex::facet(Facet facet, const Filter& filter) const {
  const auto state = this->state();
  std::map<std::string, FacetCount> counts;  // by folded value
  for (const Point& point : state->points) {
    if (point.payload.level != Level::kDocument || !matches(filter, point.payload)) continue;
    std::set<std::string> seen;
    for (const std::string& value : values_of(facet, point.payload)) {
      if (value.empty()) continue;
      const std::string folded = case_fold(value);
      FacetCount& count = counts[folded];
      if (count.value.empty() || value < count.value) count.value = value;
      if (seen.insert(folded).second) ++count.documents;
    }
  }
  std::vector<FacetCount> result;
  for (const auto& [folded, count] : counts) result.push_back(count);
  std::sort(result.begin(), result.end(), [](const FacetCount& a, const FacetCount& b) {
    return a.documents != b.documents ? a.documents > b.documents : a.value < b.value;
  });
  return result;
}

Result<void> MemoryIndex::apply(const IndexUpdate& update, uint64_t version) {
  const size_t dimensions = TRY(check_points(update));
  const auto old = state();
  const std::unordered_set<std::string_view> removed(update.remove_documents.begin(),
                                                     update.remove_documents.end());
  std::unordered_set<uint64_t> added;
  for (const Point& point : update.add) added.insert(point.id);

  auto next = std::make_shared<State>();
  IndexInfo& info = next->info;
  for (const Point& point : old->points) {
    if (removed.contains(point.payload.doc_id) || added.contains(point.id)) continue;
    next->points.push_back(point);
    if (!point.dense.empty()) info.dimensions = point.dense.size();
  }
  if (info.dimensions != 0) info.model_id = old->info.model_id;
  TRY(check_model(update.model_id, dimensions, info.model_id, info.dimensions));
  if (dimensions != 0) {
    info.dimensions = dimensions;
    info.model_id = update.model_id;
  }
  next->points.insert(next->points.end(), update.add.begin(), update.add.end());
  info.version = version;
  for (const Point& point : next->points) {
    ++(point.payload.level == Level::kDocument ? info.documents : info.chunks);
  }
  const std::lock_guard lock(mutex_);
  state_ = std::move(next);
  return {};
}

}  // namespace precedent
