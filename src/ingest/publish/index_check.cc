#include "ingest/publish/index_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "index/sparse_encoder.h"

namespace precedent {
namespace {

// Nobody reads more of them.
constexpr size_t kMostDifferences = 20;
constexpr size_t kPage = 64;
// Of a query's hits.
constexpr size_t kHits = 10;
// An index may search a graph, or vectors of fewer bits: one hit of ten may be another.
constexpr size_t kMissingHits = 1;
constexpr float kSameScore = 1e-3F;

void count_kinds(const StoreCounts& store, const std::vector<FacetCount>& index,
                 std::vector<std::string>& differences) {
  std::map<std::string, std::pair<size_t, size_t>> kinds;
  for (const auto& [kind, count] : store.by_kind) kinds[std::string(name(kind))].first = count;
  for (const FacetCount& kind : index) kinds[kind.value].second = kind.documents;
  for (const auto& [kind, counts] : kinds) {
    if (counts.first != counts.second)
      differences.push_back(
          fmt::format("of {} the store has {}, the index {}", kind, counts.first, counts.second));
  }
}

// Evenly spread over all of them, the same at each call.
std::vector<std::string> sample_of(const std::vector<DocumentState>& states, size_t sample) {
  std::vector<std::string> ids;
  const size_t count = std::min(sample, states.size());
  for (size_t i = 0; i < count; ++i) ids.push_back(states[i * states.size() / count].id);
  return ids;
}

Result<std::string> difference(const StoredDocument& stored, const IndexBuild& build,
                               const KnowledgeIndex& index) {
  const std::string& id = stored.document.id;
  const auto chunks = TRY(index.chunks_of(id));
  if (chunks.empty() && !stored.chunks.empty()) return fmt::format("{} is not in the index", id);
  std::vector<uint64_t> points;
  bool same = chunks.size() == stored.chunks.size();
  for (size_t i = 0; same && i < chunks.size(); ++i) {
    same = chunks[i].first == stored.point + 1 + i &&
           chunks[i].second.text == stored.chunks[i].chunk.text;
    points.push_back(chunks[i].first);
  }
  if (!same) return fmt::format("{} has other chunks in the index", id);
  if (build.model_id.empty() || stored.model_id != build.model_id) return "";
  for (const auto& vector : TRY(index.vectors(points)))
    if (vector.empty()) return fmt::format("{} has no vectors in the index", id);
  return "";
}

// The same documents, pages at a time.
Result<void> visit_sample(const KnowledgeStore& store, size_t sample,
                          const std::function<Result<void>(const StoredDocument&)>& visit) {
  const auto ids = sample_of(TRY(store.states()), sample);
  for (size_t begin = 0; begin < ids.size(); begin += kPage) {
    const auto some = std::span(ids).subspan(begin, std::min(kPage, ids.size() - begin));
    for (const StoredDocument& stored : TRY(store.stored(some))) TRY(visit(stored));
  }
  return {};
}

bool same_hits(const std::vector<PointScore>& some, const std::vector<PointScore>& others) {
  if (some.size() != others.size()) return false;
  const auto missing = std::ranges::count_if(some, [&](const PointScore& hit) {
    // Another with the same score is as good.
    return std::ranges::none_of(others, [&](const PointScore& each) {
      return each.id == hit.id || std::abs(each.score - hit.score) < kSameScore;
    });
  });
  return static_cast<size_t>(missing) <= kMissingHits;
}

// Itself, or as many others as there is room for that say the same.
bool finds(const std::vector<PointScore>& hits, uint64_t own, std::span<const float> vector) {
  if (std::ranges::find(hits, own, &PointScore::id) != hits.end()) return true;
  float self = 0;
  for (const float value : vector) self += value * value;
  return hits.size() == kHits && hits.back().score > self - kSameScore;
}

}  // namespace

Result<IndexCheck> check_index(const KnowledgeStore& store, const IndexBuild& build,
                               const KnowledgeIndex& index, size_t sample) {
  const IndexInfo info = index.info();
  IndexCheck check{
      .store_version = TRY(store.version()), .index_version = info.version, .differences = {}};
  if (info.dimensions > 0 && info.model_id != build.model_id)
    check.differences.push_back(fmt::format("the index has vectors of {}, the store names {}",
                                            info.model_id, build.model_id));
  // What the store has taken meanwhile is no damage.
  if (check.lags()) return check;
  const StoreCounts counts = TRY(store.counts());
  count_kinds(counts, TRY(index.facet(Facet::kKind, {})), check.differences);
  if (counts.chunks != info.chunks)
    check.differences.push_back(
        fmt::format("of chunks the store has {}, the index {}", counts.chunks, info.chunks));
  const auto compare = [&](const StoredDocument& stored) -> Result<void> {
    ++check.sampled;
    std::string found = TRY(difference(stored, build, index));
    if (!found.empty() && check.differences.size() < kMostDifferences)
      check.differences.push_back(std::move(found));
    return {};
  };
  TRY(visit_sample(store, sample, compare));
  return check;
}

Result<SampledQueries> compare_queries(const KnowledgeStore& store, const KnowledgeIndex& index,
                                       const KnowledgeIndex* other, const Tokenizer& tokenize,
                                       size_t sample) {
  SampledQueries queries;
  const auto differs = [&](std::string_view by, const StoredDocument& stored) {
    queries.differences.push_back(
        fmt::format("a search by {} of {} finds something else", by, stored.document.id));
  };
  const auto search = [&](const StoredDocument& stored) -> Result<void> {
    if (other != nullptr && population(stored.document.kind) == Population::kProse) {
      const auto query = encode_query(tokenize(stored.document.title, Population::kProse));
      ++queries.asked;
      const auto hits = TRY(index.search_sparse(query, {}, Level::kChunk, kHits));
      const auto others = TRY(other->search_sparse(query, {}, Level::kChunk, kHits));
      if (!same_hits(hits, others)) differs("the title", stored);
    }
    const uint64_t own = stored.point + 1;
    const auto vectors = TRY(index.vectors({&own, 1}));
    if (vectors.empty() || vectors.front().empty()) return {};  // check_index tells
    const std::vector<float>& vector = vectors.front();
    ++queries.asked;
    const auto hits = TRY(index.search_dense(vector, {}, kHits));
    bool same = finds(hits, own, vector);
    if (other != nullptr) {
      const auto others = TRY(other->search_dense(vector, {}, kHits));
      same = same && same_hits(hits, others);
    }
    if (!same) differs("the vector", stored);
    return {};
  };
  TRY(visit_sample(store, sample, search));
  return queries;
}

}  // namespace precedent
