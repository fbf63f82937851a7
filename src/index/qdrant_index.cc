// Over 400 lines: the members of one implementation of KnowledgeIndex.
#include "index/qdrant_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "base/foreign_json.h"
#include "index/qdrant_update.h"
#include "index/scoring.h"
#include "index/update_check.h"
#include "knowledge/case_fold.h"

namespace precedent {
namespace {

using nlohmann::json;

// Ids in one filter.
constexpr size_t kIdsAtOnce = 1'000;
// More points than the limit, so that most ties at the limit are seen at the first try.
constexpr size_t kRoomForTies = 16;
// A reading outlived by two updates, this many times in a row, means a writer that never rests.
constexpr int kTries = 10;

// Of the head of a collection whose place another has taken: seconds since 1970.
constexpr const char* kRetired = "retired";

const json kPayloadAlone = {{"with_payload", true}, {"with_vector", false}};

// An index of precedent, or a collection that something left half-made: those may be dropped.
Result<void> check_ours(const QdrantCollection& collection) {
  const auto head = read_qdrant_head(collection);
  if (head || head.error().code == ErrorCode::kCorrupt) return {};
  if (head.error().code != ErrorCode::kNotFound) return std::unexpected(head.error());
  if (TRY(collection.count(json::object())) == 0) return {};
  return fail(ErrorCode::kConflict,
              fmt::format("the collection {} of Qdrant at {} is not an index of precedent, and is "
                          "left alone; drop or rename it",
                          collection.name(), collection.address()));
}

std::string search_json(std::string_view query, const char* vector, const json& filter,
                        size_t limit, bool exact) {
  return fmt::format(R"({{"query":{},"using":"{}","filter":{},"params":{{"exact":{}}},"limit":{},)"
                     R"("with_payload":false,"with_vector":false}})",
                     query, vector, dump_json(filter), exact, limit);
}

// The populations that have points of these kinds.
std::vector<Population> populations(const std::vector<Kind>& kinds) {
  std::vector<Population> found;
  for (const Population each : {Population::kProse, Population::kCode}) {
    if (kinds.empty() ||
        std::ranges::any_of(kinds, [&](Kind kind) { return population(kind) == each; }))
      found.push_back(each);
  }
  return found;
}

}  // namespace

Result<std::unique_ptr<QdrantIndex>> QdrantIndex::create(std::shared_ptr<QdrantApi> api,
                                                         const std::string& collection,
                                                         size_t dimensions) {
  TRY(api->version());
  TRY(drop(api, collection));
  QdrantCollection made(api, collection);
  TRY(made.create(dimensions));
  const std::vector<std::string> head = {head_json({.collection = collection, .info = {}})};
  TRY(made.upsert(head));
  return open(std::move(api), collection);
}

Result<std::unique_ptr<QdrantIndex>> QdrantIndex::open(std::shared_ptr<QdrantApi> api,
                                                       const std::string& collection) {
  TRY(api->version());
  std::unique_ptr<QdrantIndex> index(new QdrantIndex(std::move(api), collection));
  TRY(index->load());
  return index;
}

Result<void> QdrantIndex::load() {
  // The head first: a collection without one is none of ours, whatever its vectors.
  auto state = TRY(read_qdrant_state(collection_, nullptr));
  capacity_ = TRY(collection_.dimensions());
  const MutexLock lock(mutex_);
  state_ = std::move(state);
  return {};
}

Result<void> QdrantIndex::drop(std::shared_ptr<QdrantApi> api, const std::string& collection) {
  QdrantCollection doomed(std::move(api), collection);
  if (!TRY(doomed.exists())) return {};
  TRY(check_ours(doomed));
  return doomed.drop();
}

std::string QdrantIndex::alias_of(std::string_view collection) {
  const size_t number = collection.rfind('-');
  return std::string(collection.substr(0, number));
}

Result<std::string> QdrantIndex::announce(std::shared_ptr<QdrantApi> api,
                                          const std::string& collection) {
  QdrantCollection active(std::move(api), collection);
  const std::string alias = alias_of(collection);
  if (alias == collection) return "";
  const std::string named = TRY(active.behind_alias(alias));
  if (named == collection) return "";
  TRY(active.take_alias(alias, !named.empty()));
  return named;
}

Result<bool> QdrantIndex::retire(std::shared_ptr<QdrantApi> api, const std::string& collection,
                                 TimePoint now) {
  QdrantCollection doomed(api, collection);
  const auto payload = doomed.payload(qdrant_id(0, 0));
  const auto grace = doomed.config().grace;
  if (payload && grace > grace.zero()) {
    const uint64_t since = number_member(*payload, kRetired);
    const auto seconds = static_cast<uint64_t>(now.time_since_epoch() / std::chrono::seconds(1));
    if (since == 0) {
      TRY(check_ours(doomed));
      const std::vector<std::string> head = {qdrant_id(0, 0)};
      TRY(doomed.set_payload({{kRetired, seconds}}, head));
      return false;
    }
    if (std::chrono::seconds(seconds) < std::chrono::seconds(since) + grace) return false;
  } else if (!payload && payload.error().code != ErrorCode::kNotFound) {
    return std::unexpected(payload.error());
  }
  TRY(drop(std::move(api), collection));
  return true;
}

std::shared_ptr<const QdrantState> QdrantIndex::state() const {
  const MutexLock lock(mutex_);
  return state_;
}

Result<bool> QdrantIndex::refresh() {
  const auto before = state();
  auto after = TRY(read_qdrant_state(collection_, before.get()));
  if (after->head.generation == before->head.generation) return false;
  const MutexLock lock(mutex_);
  state_ = std::move(after);
  return true;
}

template <typename Read>
auto QdrantIndex::read_whole(const Read& read) const -> decltype(read(*state())) {
  for (int tries = 0; tries < kTries; ++tries) {
    const auto now = state();
    auto made = read(*now);
    if (!made) return made;
    const QdrantHead head = TRY(read_qdrant_head(collection_));
    if (head.kept_from <= now->head.generation && now->head.generation <= head.generation)
      return made;
    auto newest = TRY(read_qdrant_state(collection_, now.get()));
    const MutexLock lock(mutex_);
    if (state_ == now) state_ = std::move(newest);
  }
  return fail(ErrorCode::kUnavailable,
              fmt::format("the collection {} of Qdrant at {} changes faster than it can be read; "
                          "ask again",
                          collection_.name(), collection_.address()));
}

IndexInfo QdrantIndex::info() const { return state()->head.info; }

namespace {

// What a server gave for one list, and whether that is all that can be in it.
struct Ranked {
  explicit Ranked(size_t limit) : best(limit) {}
  TopK best;
  bool complete = true;
  float lowest = -std::numeric_limits<float>::infinity();

  void add(const std::vector<PointScore>& hits, size_t asked) {
    for (const PointScore& hit : hits) best.offer(hit.id, hit.score);
    if (hits.size() < asked) return;
    complete = false;
    lowest = std::max(lowest, hits.back().score);
  }
  // Nothing that was left out can tie with what is in.
  bool settled(size_t limit) const {
    return complete || (best.size() == limit && best.threshold() > lowest);
  }
};

}  // namespace

// A server gives any of the points that tie at its limit; we want those with the lowest ids. So a
// list that may lack some is asked for again, longer.
Result<std::vector<std::vector<PointScore>>> QdrantIndex::best_of(std::span<const ListQuery> lists,
                                                                  size_t limit) const {
  std::vector<std::vector<PointScore>> found(lists.size());
  std::vector<size_t> open;
  for (size_t i = 0; i < lists.size(); ++i)
    if (limit > 0 && lists[i].points > 0) open.push_back(i);
  for (size_t factor = 1; !open.empty(); factor *= 4) {
    const auto asked = [&](size_t list) {
      return factor * (std::min(limit, lists[list].points) + kRoomForTies);
    };
    std::vector<std::string> searches;
    std::vector<size_t> list_of;  // each of them belongs to
    for (const size_t list : open) {
      for (std::string& search : lists[list].searches(asked(list))) {
        searches.push_back(std::move(search));
        list_of.push_back(list);
      }
    }
    std::map<size_t, Ranked> ranked;
    const auto answers = TRY(collection_.query(searches));
    for (size_t i = 0; i < answers.size(); ++i)
      ranked.try_emplace(list_of[i], limit).first->second.add(answers[i], asked(list_of[i]));
    open.clear();
    for (auto& [list, so_far] : ranked) {
      if (so_far.settled(limit) || asked(list) >= lists[list].points) {
        found[list] = so_far.best.take();
      } else {
        open.push_back(list);
      }
    }
  }
  for (size_t i = 0; i < lists.size(); ++i) {
    if (lists[i].positive)
      std::erase_if(found[i], [](const PointScore& hit) { return !(hit.score > 0); });
  }
  return found;
}

QdrantIndex::ListQuery QdrantIndex::sparse_list(const QdrantState& now, const SparseVector& query,
                                                const Filter& filter, Level level) {
  if (query.terms.empty()) return {};
  SparseVector weighted = query;
  const size_t all = now.head.points(level, population(filter.kinds));
  for (size_t i = 0; i < weighted.weights.size(); ++i) {
    const size_t df = now.terms.df(weighted.terms[i], level);
    weighted.weights[i] *= idf(std::max(all, df), df);
  }
  const std::string vector =
      fmt::format(R"({{"indices":[{}],"values":{}}})", fmt::join(weighted.terms, ","),
                  numbers_json(weighted.weights));
  ListQuery list{.searches = {}, .points = now.head.points(level), .positive = true};
  list.searches = [vector, level, kinds = populations(filter.kinds),
                   where = filter_json(filter, level, now.head.generation)](size_t asked) {
    std::vector<std::string> searches;
    for (const Population each : kinds)
      searches.push_back(search_json(vector, sparse_vector_name(level, each), where, asked, true));
    return searches;
  };
  return list;
}

Result<QdrantIndex::ListQuery> QdrantIndex::dense_list(const QdrantState& now,
                                                       std::span<const float> query,
                                                       const Filter& filter) const {
  if (now.head.info.dimensions == 0) return ListQuery();
  TRY(check_query_dimensions(query.size(), now.head.info.dimensions));
  ListQuery list{.searches = {}, .points = now.head.vectors};
  list.searches = [vector = numbers_json(query, capacity_),
                   where = filter_json(filter, Level::kChunk, now.head.generation),
                   exact = collection_.config().exact](size_t asked) -> std::vector<std::string> {
    return {search_json(vector, kDenseVector, where, asked, exact)};
  };
  return list;
}

Result<std::vector<PointScore>> QdrantIndex::search_sparse(const SparseVector& query,
                                                           const Filter& filter, Level level,
                                                           size_t limit) const {
  if (query.terms.empty()) return {};
  return read_whole([&](const QdrantState& now) -> Result<std::vector<PointScore>> {
    const ListQuery list[] = {sparse_list(now, query, filter, level)};
    return std::move(TRY(best_of(list, limit)).front());
  });
}

Result<std::vector<PointScore>> QdrantIndex::search_dense(std::span<const float> query,
                                                          const Filter& filter,
                                                          size_t limit) const {
  return read_whole([&](const QdrantState& now) -> Result<std::vector<PointScore>> {
    const ListQuery list[] = {TRY(dense_list(now, query, filter))};
    return std::move(TRY(best_of(list, limit)).front());
  });
}

Result<SearchLists> QdrantIndex::search_all(const SparseVector& sparse,
                                            std::span<const float> dense, const Filter& filter,
                                            size_t limit) const {
  if (sparse.terms.empty() && dense.empty()) return SearchLists();
  return read_whole([&](const QdrantState& now) -> Result<SearchLists> {
    const ListQuery lists[] = {sparse_list(now, sparse, filter, Level::kDocument),
                               sparse_list(now, sparse, filter, Level::kChunk),
                               dense.empty() ? ListQuery() : TRY(dense_list(now, dense, filter))};
    auto found = TRY(best_of(lists, limit));
    return SearchLists{std::move(found[0]), std::move(found[1]), std::move(found[2])};
  });
}

Result<std::vector<Payload>> QdrantIndex::payloads(std::span<const uint64_t> ids) const {
  return read_whole([&](const QdrantState& now) -> Result<std::vector<Payload>> {
    const auto found = TRY(records_of(ids, now.head.generation, kPayloadAlone));
    std::vector<Payload> payloads;
    for (const uint64_t id : ids) {
      if (const auto at = found.find(id); at != found.end()) payloads.push_back(at->second.payload);
    }
    return payloads;
  });
}

Result<std::vector<std::vector<float>>> QdrantIndex::vectors(std::span<const uint64_t> ids) const {
  return read_whole([&](const QdrantState& now) -> Result<std::vector<std::vector<float>>> {
    const auto found =
        TRY(records_of(ids, now.head.generation,
                       {{"with_payload", false}, {"with_vector", json::array({kDenseVector})}}));
    std::vector<std::vector<float>> vectors(ids.size());
    for (size_t i = 0; i < ids.size(); ++i) {
      const auto at = found.find(ids[i]);
      if (at == found.end() || at->second.dense.empty()) continue;
      vectors[i] = at->second.dense;
      vectors[i].resize(now.head.info.dimensions);
    }
    return vectors;
  });
}

Result<std::unordered_map<uint64_t, QdrantRecord>> QdrantIndex::records_of(
    std::span<const uint64_t> ids, uint64_t generation, const json& with) const {
  std::unordered_map<uint64_t, QdrantRecord> found;
  for (size_t begin = 0; begin < ids.size(); begin += kIdsAtOnce) {
    json some = json::array();
    for (const uint64_t id : ids.subspan(begin, std::min(kIdsAtOnce, ids.size() - begin)))
      some.push_back(static_cast<int64_t>(id));
    json filter = visible_in(generation);
    filter["must"].push_back(match_any("point", some));
    const auto keep = [&](const json& point) -> Result<void> {
      QdrantRecord record = TRY(read_record(point));
      found.insert_or_assign(record.id, std::move(record));
      return {};
    };
    TRY(collection_.scroll(filter, with, keep));
  }
  return found;
}

Result<std::vector<std::pair<uint64_t, Payload>>> QdrantIndex::chunks_of(
    std::string_view doc_id) const {
  using Chunks = std::vector<std::pair<uint64_t, Payload>>;
  return read_whole([&](const QdrantState& now) -> Result<Chunks> {
    json filter = filter_json({}, Level::kChunk, now.head.generation);
    filter["must"].push_back({{"key", "doc_id"}, {"match", {{"value", doc_id}}}});
    Chunks chunks;
    const auto keep = [&](const json& point) -> Result<void> {
      QdrantRecord record = TRY(read_record(point));
      chunks.emplace_back(record.id, std::move(record.payload));
      return {};
    };
    TRY(collection_.scroll(filter, kPayloadAlone, keep));
    std::ranges::sort(chunks, [](const auto& a, const auto& b) {
      return std::tie(a.second.ordinal, a.first) < std::tie(b.second.ordinal, b.first);
    });
    return chunks;
  });
}

// Qdrant orders by dates and numbers alone, leaves out who has none, and ties as it likes; so all
// documents that match are read. They are without text: some 500 bytes each.
Result<std::vector<Payload>> QdrantIndex::list(const Filter& filter, Order order,
                                               size_t limit) const {
  return read_whole([&](const QdrantState& now) -> Result<std::vector<Payload>> {
    if (limit == 0) return {};
    std::vector<QdrantRecord> found;
    const auto keep = [&](const json& point) -> Result<void> {
      found.push_back(TRY(read_record(point)));
      return {};
    };
    TRY(collection_.scroll(filter_json(filter, Level::kDocument, now.head.generation),
                           kPayloadAlone, keep));
    std::ranges::sort(found, [&](const QdrantRecord& a, const QdrantRecord& b) {
      const Payload &x = a.payload, &y = b.payload;
      if (order == Order::kNewest && x.opened_at != y.opened_at)
        return x.opened_at && (!y.opened_at || *x.opened_at > *y.opened_at);
      return std::tie(x.title, x.doc_id, a.id) < std::tie(y.title, y.doc_id, b.id);
    });
    if (found.size() > limit) found.resize(limit);
    std::vector<Payload> payloads;
    for (QdrantRecord& record : found) payloads.push_back(std::move(record.payload));
    return payloads;
  });
}

Result<size_t> QdrantIndex::count_documents(const Filter& filter) const {
  return read_whole([&](const QdrantState& now) {
    return collection_.count(filter_json(filter, Level::kDocument, now.head.generation));
  });
}

// Counted by folded value, shown in the first spelling by byte order: two facets.
Result<std::vector<FacetCount>> QdrantIndex::facet(Facet facet, const Filter& filter) const {
  const FacetKeys keys = facet_keys(facet);
  return read_whole([&](const QdrantState& now) -> Result<std::vector<FacetCount>> {
    const json where = filter_json(filter, Level::kDocument, now.head.generation);
    const auto spelled = TRY(collection_.facet(keys.spelled, where));
    std::map<std::string, std::string> spellings;  // by folded value
    for (const auto& [value, documents] : spelled) {
      std::string& first = spellings[facet == Facet::kKind ? value : case_fold(value)];
      if (first.empty() || value < first) first = value;
    }
    std::vector<FacetCount> counts;
    for (const auto& [value, documents] : TRY(collection_.facet(keys.folded, where))) {
      const auto at = spellings.find(value);
      if (value.empty()) continue;
      counts.push_back({at == spellings.end() ? value : at->second, documents});
    }
    std::ranges::sort(counts, [](const FacetCount& a, const FacetCount& b) {
      return a.documents != b.documents ? a.documents > b.documents : a.value < b.value;
    });
    return counts;
  });
}

Result<void> QdrantIndex::apply(const IndexUpdate& update, uint64_t version) {
  // Another process may have written since, or our own last update may have arrived after all.
  TRY(refresh());
  const auto before = state();
  auto after = TRY(QdrantUpdate(collection_, *before, capacity_).apply(update, version));
  const MutexLock lock(mutex_);
  state_ = std::move(after);
  return {};
}

}  // namespace precedent
