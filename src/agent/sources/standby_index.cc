#include "agent/sources/standby_index.h"

#include <fmt/format.h>

#include "index/memory_index.h"

namespace precedent {
namespace {

// Without texts some kilobyte each: what a process can hold beside everything else.
constexpr size_t kMostDocuments = 50'000;
// Read from the store at once.
constexpr size_t kPageDocuments = 512;
constexpr size_t kPageBytes = size_t{8} * 1024 * 1024;

// What a server that is not as it should be answers with; anything else is the caller's doing.
bool is_absence(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUnavailable:
    case ErrorCode::kTimeout:
    case ErrorCode::kPermission:
    case ErrorCode::kCorrupt:
    case ErrorCode::kResourceExhausted: return true;
    default: return false;
  }
}

// Of one that was open: it may also have been dropped, or replaced by another, meanwhile.
bool is_loss(ErrorCode code) {
  return is_absence(code) || code == ErrorCode::kNotFound || code == ErrorCode::kConflict;
}

Payload payload_of(const StoredDocument& stored) {
  const Document& d = stored.document;
  Payload p;
  p.doc_id = d.id;
  p.kind = d.kind;
  p.level = Level::kDocument;
  p.chunk_count = static_cast<uint32_t>(stored.chunks.size());
  p.title = d.title;
  p.path = d.path;
  p.services = d.services;
  p.tags = d.tags;
  p.application = d.application;
  p.severity = d.severity;
  p.status = d.status;
  p.opened_at = d.opened_at;
  return p;
}

}  // namespace

Result<std::unique_ptr<StandbyIndex>> StandbyIndex::create(const KnowledgeStore& store,
                                                           IndexInfo expected, Open open) {
  std::unique_ptr<StandbyIndex> made(new StandbyIndex(store, std::move(expected), std::move(open)));
  const auto opened = made->index();
  if (!opened && !is_absence(opened.error().code)) return std::unexpected(opened.error());
  return made;
}

Result<std::shared_ptr<const KnowledgeIndex>> StandbyIndex::index() const {
  {
    const MutexLock lock(mutex_);
    if (index_ != nullptr) return index_;
    // One opens; the others do not wait for what may never come.
    if (opening_)
      return std::unexpected(
          absent_.value_or(Error{ErrorCode::kUnavailable, "the index is being opened"}));
    opening_ = true;
  }
  auto opened = open_();
  const MutexLock lock(mutex_);
  opening_ = false;
  if (!opened) {
    absent_ = opened.error();
    return std::unexpected(std::move(opened).error());
  }
  index_ = std::move(*opened);
  return index_;
}

Result<std::shared_ptr<const KnowledgeIndex>> StandbyIndex::documents_of_store() const {
  const MutexLock lock(reading_);
  const uint64_t version = TRY(store_.version());
  if (documents_ != nullptr && documents_->info().version == version) return documents_;
  if (TRY(store_.counts()).documents > kMostDocuments) {
    return fail(ErrorCode::kResourceExhausted,
                fmt::format("the store has more than {} documents: too many to list without the "
                            "index",
                            kMostDocuments));
  }
  IndexUpdate all;
  for (uint64_t point = 0;;) {
    const auto page = TRY(store_.stored_after(point, kPageDocuments, kPageBytes));
    if (page.empty()) break;
    point = page.back().point;
    for (const StoredDocument& stored : page)
      all.add.push_back(
          {.id = stored.point, .sparse = {}, .dense = {}, .payload = payload_of(stored)});
  }
  auto made = std::make_shared<MemoryIndex>();
  TRY(made->apply(all, version));
  documents_ = std::move(made);
  return documents_;
}

template <typename Ask>
auto StandbyIndex::ask_either(const Ask& ask) const
    -> decltype(ask(std::declval<const KnowledgeIndex&>())) {
  const auto there = index();
  auto answer =
      there ? ask(**there)
            : decltype(ask(std::declval<const KnowledgeIndex&>()))(std::unexpected(there.error()));
  if (answer || !is_loss(answer.error().code)) return answer;
  const auto documents = documents_of_store();
  if (!documents) return answer;  // that the index is gone is what to tell
  return ask(**documents);
}

Result<size_t> StandbyIndex::indexed_documents() const { return TRY(index())->count_documents({}); }

IndexInfo StandbyIndex::info() const {
  const MutexLock lock(mutex_);
  return index_ == nullptr ? expected_ : index_->info();
}

Result<std::vector<PointScore>> StandbyIndex::search_sparse(const SparseVector& query,
                                                            const Filter& filter, Level level,
                                                            size_t limit) const {
  return TRY(index())->search_sparse(query, filter, level, limit);
}

Result<std::vector<PointScore>> StandbyIndex::search_dense(std::span<const float> query,
                                                           const Filter& filter,
                                                           size_t limit) const {
  return TRY(index())->search_dense(query, filter, limit);
}

Result<SearchLists> StandbyIndex::search_all(const SparseVector& sparse,
                                             std::span<const float> dense, const Filter& filter,
                                             size_t limit) const {
  return TRY(index())->search_all(sparse, dense, filter, limit);
}

Result<std::vector<Payload>> StandbyIndex::payloads(std::span<const uint64_t> ids) const {
  return TRY(index())->payloads(ids);
}

Result<std::vector<std::vector<float>>> StandbyIndex::vectors(std::span<const uint64_t> ids) const {
  return TRY(index())->vectors(ids);
}

Result<std::vector<std::pair<uint64_t, Payload>>> StandbyIndex::chunks_of(
    std::string_view doc_id) const {
  const auto there = index();
  if (there) {
    auto chunks = (*there)->chunks_of(doc_id);
    if (chunks || !is_loss(chunks.error().code)) return chunks;
  }
  const std::string id(doc_id);
  std::vector<std::pair<uint64_t, Payload>> chunks;
  for (const StoredDocument& stored : TRY(store_.stored({&id, 1}))) {
    for (const StoredChunk& each : stored.chunks) {
      Payload payload = payload_of(stored);
      payload.level = Level::kChunk;
      payload.ordinal = each.chunk.ordinal;
      payload.heading = each.chunk.heading;
      payload.text = each.chunk.text;
      payload.lines = each.chunk.lines;
      chunks.emplace_back(stored.point + 1 + chunks.size(), std::move(payload));
    }
  }
  return chunks;
}

Result<std::vector<Payload>> StandbyIndex::list(const Filter& filter, Order order,
                                                size_t limit) const {
  return ask_either([&](const KnowledgeIndex& index) { return index.list(filter, order, limit); });
}

Result<size_t> StandbyIndex::count_documents(const Filter& filter) const {
  return ask_either([&](const KnowledgeIndex& index) { return index.count_documents(filter); });
}

Result<std::vector<FacetCount>> StandbyIndex::facet(Facet facet, const Filter& filter) const {
  return ask_either([&](const KnowledgeIndex& index) { return index.facet(facet, filter); });
}

Result<void> StandbyIndex::apply(const IndexUpdate&, uint64_t) {
  return fail(ErrorCode::kPermission, "this index was opened for reading");
}

}  // namespace precedent
