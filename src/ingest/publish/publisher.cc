#include "ingest/publish/publisher.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

namespace precedent {
namespace {

// A weight computed with an average that is off by a fifth is off by less than a tenth: below what
// ranking notices.
constexpr float kTolerableDrift = 0.20f;
// While a corpus is young its averages settle quickly and a rebuild costs next to nothing.
constexpr float kTolerableDriftWhenDoubled = 0.05f;
// Documents read from the store at once, beside the limit in bytes.
constexpr size_t kPageDocuments = 64;
// Pages between reading and writing: enough to keep all threads busy while the index writes.
constexpr size_t kPagesInFlight = 8;

PreparedDocument prepared(StoredDocument&& stored) {
  PreparedDocument item;
  item.point = stored.point;
  item.stored.document = std::move(stored.document);
  item.stored.chunks = std::move(stored.chunks);
  item.stored.lengths = stored.lengths;
  item.stored.model_id = std::move(stored.model_id);
  return item;
}

PreparedBatch page_of(std::vector<StoredDocument>&& documents, bool replaces) {
  PreparedBatch page;
  for (StoredDocument& stored : documents) {
    page.bytes += stored.document.body.size();
    page.documents.push_back(prepared(std::move(stored)));
    page.documents.back().replaces = replaces;
  }
  return page;
}

std::array<CorpusStats, kPopulations> stats_by_population(const IndexBuildDraft& build) {
  return {stats_of(build.lengths), stats_of(build.code_lengths)};
}

bool has_drifted(const CorpusLengths& built, const CorpusLengths& now) {
  const bool doubled = now.documents.points >= 2 * built.documents.points;
  return drift(stats_of(built), stats_of(now)) >
         (doubled ? kTolerableDriftWhenDoubled : kTolerableDrift);
}

}  // namespace

Publisher::Publisher(const Settings& settings, KnowledgeStore& store, IndexCatalog& indexes,
                     const Preparer& preparer, ProgressMeter& progress, const CancelToken& cancel)
    : settings_(settings),
      store_(store),
      indexes_(indexes),
      preparer_(preparer),
      progress_(progress),
      cancel_(cancel) {}

Result<std::string> Publisher::unusable(const IndexBuild& build) {
  if (build.index_format != point_format(settings_.bm25)) return "the index has another format";
  if (build.model_id != settings_.model_id) {
    return fmt::format("the index has vectors of {} instead of {}",
                       build.model_id.empty() ? "no model" : build.model_id,
                       settings_.model_id.empty() ? "no model" : settings_.model_id);
  }
  auto opened = indexes_.open(build.collection);
  if (!opened) {
    const ErrorCode code = opened.error().code;
    if (code == ErrorCode::kNotFound) return "the index was missing";
    if (code == ErrorCode::kCorrupt)
      return fmt::format("the index was damaged ({})", opened.error().message);
    return std::unexpected(std::move(opened).error());
  }
  index_ = std::move(*opened);
  const IndexInfo info = index_->info();
  if (info.version > TRY(store_.version())) return "the index was ahead of its store";
  if (info.dimensions > 0 && info.model_id != settings_.model_id)
    return fmt::format("the index has vectors of {} instead of {}", info.model_id,
                       settings_.model_id.empty() ? "no model" : settings_.model_id);
  return "";
}

Result<std::string> Publisher::ensure() {
  TRY(drop_inactive());
  build_ = TRY(store_.active_build());
  if (!build_) {
    if (TRY(store_.counts()).documents == 0) return "";
    TRY(rebuild());
    return "the index was missing; it was rebuilt from the store";
  }
  stats_ = stats_by_population(*build_);
  if (const std::string reason = TRY(unusable(*build_)); !reason.empty()) {
    TRY(rebuild());
    return reason + "; it was rebuilt from the store";
  }
  const std::string moved = TRY(indexes_.announce(build_->collection));
  const uint64_t reflected = index_->info().version;
  if (reflected == TRY(store_.version())) return moved;
  TRY(catch_up(*index_, reflected));
  return "the index lagged behind its store; it was brought up to date";
}

Result<void> Publisher::drop_inactive() {
  for (const IndexBuild& build : TRY(store_.inactive_builds())) {
    if (TRY(indexes_.retire(build.collection))) TRY(store_.forget_build(build.number));
  }
  return {};
}

Result<IndexBuildDraft> Publisher::draft() const {
  return IndexBuildDraft{point_format(settings_.bm25), settings_.model_id, settings_.dimensions,
                         TRY(store_.corpus_lengths(Population::kProse)),
                         TRY(store_.corpus_lengths(Population::kCode))};
}

// A document's old points leave in the same update as its new ones come: no reader misses it in
// between.
void Publisher::append_points(IndexUpdate& update, PreparedDocument item) const {
  if (item.replaces) update.remove_documents.push_back(item.stored.document.id);
  auto points = build_points(
      item.point, item.stored.document, item.stored.chunks, item.terms, std::move(item.vectors),
      stats_[static_cast<size_t>(population(item.stored.document.kind))], settings_.bm25);
  update.add.insert(update.add.end(), std::make_move_iterator(points.begin()),
                    std::make_move_iterator(points.end()));
}

Result<void> Publisher::publish(std::vector<PreparedDocument> added,
                                std::vector<std::string> removed, uint64_t version) {
  if (!build_) return create_with(std::move(added), version);
  IndexUpdate update;
  update.model_id = settings_.model_id;
  update.remove_documents = std::move(removed);
  for (PreparedDocument& item : added) append_points(update, std::move(item));
  return index_->apply(update, version);
}

// The first documents of a knowledge base: their averages are the best guess there is of those to
// come.
Result<void> Publisher::create_with(std::vector<PreparedDocument> added, uint64_t version) {
  const IndexBuildDraft planned = TRY(draft());
  const IndexBuild build = TRY(store_.begin_build(planned));
  auto index = TRY(indexes_.create(build.collection));
  stats_ = stats_by_population(build);
  IndexUpdate update;
  update.model_id = settings_.model_id;
  for (PreparedDocument& item : added) append_points(update, std::move(item));
  TRY(index->apply(update, version));
  TRY(store_.activate_build(build.number));
  TRY(indexes_.announce(build.collection));
  build_ = build;
  index_ = std::move(index);
  return {};
}

Result<void> Publisher::republish(const Pages::Produce& pages, KnowledgeIndex& index,
                                  IndexUpdate first, uint64_t until_then, uint64_t last) {
  IndexUpdate update = std::move(first);
  update.model_id = settings_.model_id;
  uint64_t bytes = 0;
  const auto prepare = [&](PreparedBatch& page) { return preparer_.prepare_stored(page); };
  const auto write = [&](PreparedBatch& page) -> Result<void> {
    TRY(cancel_.check());
    progress_.add(page.documents.size());
    bytes += page.bytes;
    for (PreparedDocument& item : page.documents) append_points(update, std::move(item));
    if (bytes < settings_.publish_bytes) return {};
    TRY(index.apply(update, until_then));
    update.remove_documents.clear();
    update.add.clear();
    bytes = 0;
    return {};
  };
  TRY(Pages::run(pages, prepare, write, settings_.threads, kPagesInFlight));
  TRY(index.apply(update, last));
  progress_.end();
  return {};
}

Result<void> Publisher::catch_up(KnowledgeIndex& index, uint64_t from_version) {
  Changes changes = TRY(store_.changes_since(from_version));
  progress_.begin(Progress::Stage::kRepairing, changes.changed.size());
  const auto pages = [&](const Pages::Emit& emit) -> Result<void> {
    const std::span<const std::string> all(changes.changed);
    for (size_t begin = 0; begin < all.size(); begin += kPageDocuments) {
      auto stored =
          TRY(store_.stored(all.subspan(begin, std::min(kPageDocuments, all.size() - begin))));
      TRY(emit(page_of(std::move(stored), true)));
    }
    return {};
  };
  IndexUpdate first;
  first.remove_documents = std::move(changes.removed);
  return republish(pages, index, std::move(first), from_version, changes.version);
}

// A point's id is never used again: where the index has a document's own point, it has all of that
// version of the document, since an update comes whole.
Result<void> Publisher::give_all(KnowledgeIndex& index, bool resumed, uint64_t version) {
  const auto drop_known = [&](std::vector<StoredDocument>& page) -> Result<void> {
    std::vector<uint64_t> points;
    for (const StoredDocument& stored : page) points.push_back(stored.point);
    std::set<std::string> known;
    for (Payload& payload : TRY(index.payloads(points))) known.insert(std::move(payload.doc_id));
    std::erase_if(page,
                  [&](const StoredDocument& stored) { return known.contains(stored.document.id); });
    return {};
  };
  const auto pages = [&](const Pages::Emit& emit) -> Result<void> {
    for (uint64_t point = 0;;) {
      auto stored = TRY(store_.stored_after(point, kPageDocuments, settings_.batch_bytes));
      if (stored.empty()) return {};
      point = stored.back().point;
      if (resumed) TRY(drop_known(stored));
      if (!stored.empty()) TRY(emit(page_of(std::move(stored), resumed)));
    }
  };
  IndexUpdate first;
  if (resumed) first.remove_documents = TRY(vanished_from(index));
  return republish(pages, index, std::move(first), 0, version);
}

// What the index has of documents that the store has no longer.
Result<std::vector<std::string>> Publisher::vanished_from(const KnowledgeIndex& index) const {
  std::set<std::string> known;
  for (DocumentState& state : TRY(store_.states())) known.insert(std::move(state.id));
  std::vector<std::string> vanished;
  constexpr size_t kAll = std::numeric_limits<uint32_t>::max();
  for (Payload& payload : TRY(index.list({}, KnowledgeIndex::Order::kTitle, kAll)))
    if (!known.contains(payload.doc_id)) vanished.push_back(std::move(payload.doc_id));
  return vanished;
}

Result<std::shared_ptr<KnowledgeIndex>> Publisher::fill(IndexCatalog& target) {
  build_ = TRY(store_.active_build());
  if (!build_)
    return fail(ErrorCode::kNotFound, "there is no index yet; run `precedent ingest PATH…`");
  if (build_->index_format != point_format(settings_.bm25) ||
      build_->model_id != settings_.model_id) {
    return fail(ErrorCode::kConflict,
                "the index was made by other rules or another encoder than this precedent has; "
                "`precedent ingest` builds it anew, then run this again");
  }
  stats_ = stats_by_population(*build_);
  const uint64_t version = TRY(store_.version());
  auto opened = target.open(build_->collection);
  if (!opened && opened.error().code != ErrorCode::kNotFound &&
      opened.error().code != ErrorCode::kCorrupt)
    return opened;
  bool resumed = opened.has_value() && (*opened)->info().version <= version;
  if (!resumed) opened = TRY(target.create(build_->collection));
  KnowledgeIndex& index = **opened;
  const uint64_t reflected = index.info().version;
  if (reflected == version && resumed) return opened;
  if (reflected > 0) {
    TRY(catch_up(index, reflected));
    return opened;
  }
  resumed = index.info().documents > 0;
  const size_t all = TRY(store_.counts()).documents;
  progress_.begin(Progress::Stage::kMigrating, all - std::min(all, index.info().documents));
  TRY(give_all(index, resumed, version));
  return opened;
}

Result<void> Publisher::rebuild() {
  const uint64_t version = TRY(store_.version());
  progress_.begin(Progress::Stage::kRebuilding, TRY(store_.counts()).documents);
  const IndexBuildDraft planned = TRY(draft());
  const IndexBuild build = TRY(store_.begin_build(planned));
  auto index = TRY(indexes_.create(build.collection));
  stats_ = stats_by_population(build);
  TRY(give_all(*index, false, version));
  TRY(store_.activate_build(build.number));
  TRY(indexes_.announce(build.collection));
  build_ = build;
  index_ = std::move(index);
  return drop_inactive();
}

Result<bool> Publisher::rebuild_if_drifted() {
  if (!build_) return false;
  const IndexBuildDraft now = TRY(draft());
  if (!has_drifted(build_->lengths, now.lengths) &&
      !has_drifted(build_->code_lengths, now.code_lengths))
    return false;
  TRY(rebuild());
  return true;
}

}  // namespace precedent
