// Over 400 lines: the stages of one ingest, which share its counts and its transaction.
#include "ingest/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <set>
#include <unordered_set>

#include "ingest/intake/intake.h"
#include "ingest/intake/version_note.h"
#include "ingest/intake/version_vectors.h"
#include "ingest/publish/ordered_stages.h"
#include "ingest/publish/progress_meter.h"
#include "ingest/publish/publisher.h"

namespace precedent {
namespace {

// Batches between reading and writing: enough to keep all threads busy during a commit, few enough
// to bound memory.
constexpr size_t kBatchesInFlight = 8;
// The first update of the index is this part of the largest: so much is soon searchable. Later ones
// are as large as all before together, so that few are written only to be merged again.
constexpr size_t kFirstUpdatePart = 2;
// Documents that get their vectors together (--> store in one transaction).
constexpr size_t kBackfillDocuments = 256;
// Removals in one transaction.
constexpr size_t kPruneDocuments = 1000;
// Cached vectors that no chunk uses are kept while they are few: an edit is often undone.
constexpr size_t kSpareVectors = 1000;

// Reads everything, keeps only the complaints: the first pass of --strict.
class Inspector final : public DocumentSink {
 public:
  Inspector(Intake& intake, ProgressMeter& progress) : intake_(intake), progress_(progress) {}
  Result<void> document(Document&& document, size_t line) override {
    return intake_.document(std::move(document), line);
  }
  void bad(BadRecord&& bad) override { intake_.bad(std::move(bad)); }
  bool unchanged(const std::string& id, std::string_view revision,
                 const std::string& source) override {
    return intake_.unchanged(id, revision, source);
  }
  void progress(uint64_t bytes_read, uint64_t bytes_total) override {
    progress_.total(bytes_total);
    progress_.done(bytes_read);
  }

 private:
  Intake& intake_;
  ProgressMeter& progress_;
};

bool has_passed(std::chrono::steady_clock::time_point since, std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() - since >= time;
}

class Ingest {
 public:
  Ingest(const IngestOptions& options, const IngestParts& parts, std::string model_id,
         size_t dimensions, ProgressSink* progress, const CancelToken& cancel)
      : options_(options),
        parts_(parts),
        model_id_(std::move(model_id)),
        cancel_(cancel),
        progress_(progress),
        preparer_(parts.store, parts.embedder, model_id_, parts.tokenize, parts.chunk,
                  options.dry_run),
        publisher_({options.bm25, model_id_, dimensions, options.threads, options.batch_bytes,
                    options.publish_bytes},
                   parts.store, parts.indexes, preparer_, progress_, cancel) {}

  // An ingest, or with `remove` the removal of these.
  Result<IngestReport> run(const std::vector<std::string>* remove);
  Result<std::string> repair(bool rebuild);
  Publisher& publisher() { return publisher_; }

 private:
  using Stages = OrderedStages<PreparedBatch>;

  Result<void> steps();
  Result<void> removal(const std::vector<std::string>& ids);
  Result<bool> refused();
  Result<void> backfill();
  Result<ReadSummary> load(Intake& intake);
  Result<void> take(PreparedBatch& batch);
  Result<void> commit(std::vector<std::string> removed = {});
  Result<void> publish();
  Result<void> published();
  uint64_t update_bytes() const;
  Result<void> prune(const std::vector<std::string>& ids);
  Result<void> drop_unused_vectors();
  void count(const PreparedDocument& item);
  void count_vectors(const PreparedBatch& batch);

  const IngestOptions& options_;
  const IngestParts& parts_;
  const std::string model_id_;
  const CancelToken& cancel_;
  ProgressMeter progress_;
  Preparer preparer_;
  Publisher publisher_;
  IngestReport report_;

  std::chrono::steady_clock::time_point committed_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point publish_began_ = committed_;

  // Prepared, not yet stored.
  std::vector<PreparedDocument> ready_;
  std::vector<NewVector> ready_vectors_;
  uint64_t ready_bytes_ = 0;
  // Stored, not yet in the index.
  bool unpublished_ = false;
  std::vector<PreparedDocument> stored_;
  std::vector<std::string> removed_;
  uint64_t stored_bytes_ = 0;
  uint64_t version_ = 0;
  uint64_t published_bytes_ = 0;
  // Keys that this ingest embedded.
  std::unordered_set<std::string> embedded_;
  // The update that the index is taking up. Last, so that its thread ends before what it uses.
  std::future<Result<void>> publishing_;
};

Result<IngestReport> Ingest::run(const std::vector<std::string>* remove) {
  const auto began = std::chrono::steady_clock::now();
  auto done = remove == nullptr ? steps() : removal(*remove);
  if (!done && done.error().code != ErrorCode::kCancelled)
    return std::unexpected(std::move(done).error());
  if (!done) {
    report_.cancelled = true;
    // What the store has already shall be found.
    if (!options_.dry_run) {
      TRY(publish());
      TRY(published());
    }
  }
  report_.documents = TRY(parts_.store.counts()).documents;
  report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return std::move(report_);
}

Result<std::string> Ingest::repair(bool rebuild) {
  const auto before = TRY(parts_.store.active_build());
  std::string done = TRY(publisher_.ensure());
  const auto after = TRY(parts_.store.active_build());
  const bool rebuilt = after && (!before || before->number != after->number);
  if (!rebuild || rebuilt || !after) return done;
  TRY(publisher_.rebuild());
  return "the index was rebuilt from the store";
}

Result<void> Ingest::steps() {
  if (options_.strict && TRY(refused())) return {};
  if (parts_.embedder != nullptr) TRY(backfill());
  if (!options_.dry_run) report_.repaired = TRY(publisher_.ensure());
  Intake intake(TRY(parts_.store.states()), options_.batch_bytes, cancel_, report_);
  const ReadSummary summary = TRY(load(intake));
  report_.ignored = summary.ignored;
  report_.left_out = summary.left_out;
  report_.warnings.insert(report_.warnings.begin(), summary.warnings.begin(),
                          summary.warnings.end());
  if (report_.of_version > 0)
    report_.warnings.push_back(
        over_version(report_.of_version, TRY(parts_.store.active_dataset_version())));
  if (options_.prune && !options_.activation) {
    Intake::Vanished vanished = intake.vanished(summary);
    report_.not_pruned = std::move(vanished.kept);
    TRY(prune(vanished.ids));
  }
  if (options_.dry_run || options_.vectors_only) return {};
  report_.rebuilt = TRY(publisher_.rebuild_if_drifted());
  return drop_unused_vectors();
}

Result<void> Ingest::removal(const std::vector<std::string>& ids) {
  if (!options_.dry_run) report_.repaired = TRY(publisher_.ensure());
  TRY(prune(ids));
  if (options_.dry_run) return {};
  report_.rebuilt = TRY(publisher_.rebuild_if_drifted());
  return drop_unused_vectors();
}

Result<bool> Ingest::refused() {
  IngestReport checked;
  Intake intake(TRY(parts_.store.states()), options_.batch_bytes, cancel_, checked);
  intake.emit_to([](PreparedBatch&&) { return Result<void>(); });
  Inspector inspector(intake, progress_);
  progress_.begin(Progress::Stage::kChecking, 0);
  TRY(parts_.read(options_.read, inspector));
  progress_.end();
  if (checked.bad_count == 0) return false;
  report_.refused = true;
  report_.bad_count = checked.bad_count;
  report_.bad = std::move(checked.bad);
  return true;
}

// Documents that were ingested without weights, or with another model, get their vectors. The index
// learns of them in ensure(): by change number, or by a rebuild where the model is another.
Result<void> Ingest::backfill() {
  const std::vector<std::string> ids = TRY(parts_.store.without_vectors_of(model_id_));
  if (ids.empty()) return {};
  progress_.begin(Progress::Stage::kEmbedding, ids.size());
  const auto pages = [&](const Stages::Emit& emit) -> Result<void> {
    for (size_t begin = 0; begin < ids.size(); begin += kBackfillDocuments) {
      TRY(cancel_.check());
      PreparedBatch page;
      const auto some =
          std::span(ids).subspan(begin, std::min(kBackfillDocuments, ids.size() - begin));
      for (StoredDocument& stored : TRY(parts_.store.stored(some))) {
        PreparedDocument item;
        item.stored.document = std::move(stored.document);
        item.stored.chunks = std::move(stored.chunks);
        page.documents.push_back(std::move(item));
      }
      TRY(emit(std::move(page)));
    }
    return {};
  };
  const auto prepare = [&](PreparedBatch& page) { return preparer_.prepare_vectors(page); };
  const auto write = [&](PreparedBatch& page) -> Result<void> {
    count_vectors(page);
    progress_.add(page.documents.size());
    if (options_.dry_run) return {};
    std::vector<std::string> documents;
    for (const PreparedDocument& item : page.documents)
      documents.push_back(item.stored.document.id);
    TRY(parts_.store.put_vectors(documents, model_id_, page.fresh));
    return {};
  };
  TRY(Stages::run(pages, prepare, write, options_.threads, kBatchesInFlight));
  progress_.end();
  return {};
}

Result<ReadSummary> Ingest::load(Intake& intake) {
  ReadSummary summary;
  progress_.begin(Progress::Stage::kIngesting, 0);
  const auto read = [&](const Stages::Emit& emit) -> Result<void> {
    intake.emit_to(emit);
    summary = TRY(parts_.read(options_.read, intake));
    return intake.finish();
  };
  const auto prepare = [&](PreparedBatch& batch) { return preparer_.prepare(batch); };
  const auto write = [&](PreparedBatch& batch) { return take(batch); };
  TRY(Stages::run(read, prepare, write, options_.threads, kBatchesInFlight));
  std::vector<std::string> vanished;
  if (options_.activation) vanished = intake.vanished(summary).ids;
  report_.removed += vanished.size();
  if (!options_.dry_run) TRY(commit(std::move(vanished)));
  TRY(publish());
  TRY(published());
  progress_.end();
  return summary;
}

// Counts a text that several chunks share once, whichever thread embedded it.
void Ingest::count_vectors(const PreparedBatch& batch) {
  report_.cached += batch.cached.size();
  for (const NewVector& vector : batch.fresh)
    ++(embedded_.insert(vector.embedding_key).second ? report_.embedded : report_.cached);
}

void Ingest::count(const PreparedDocument& item) {
  ++(item.replaces ? report_.changed : report_.added);
  report_.chunks += item.stored.chunks.size();
  OfKind& kind = report_.kinds[item.stored.document.kind];
  if (kind.count++ == 0) kind.example = item.stored.document.path;
}

Result<void> Ingest::take(PreparedBatch& batch) {
  TRY(cancel_.check());
  count_vectors(batch);
  for (PreparedDocument& item : batch.documents) {
    progress_.add_chunks(item.stored.chunks.size());
    if (options_.dry_run || options_.vectors_only) {
      count(item);
    } else {
      ready_.push_back(std::move(item));
    }
  }
  progress_.total(batch.total);
  progress_.done(batch.read);
  if (options_.dry_run) return {};
  if (options_.vectors_only) return parts_.store.cache_vectors(model_id_, batch.fresh);
  ready_vectors_.insert(ready_vectors_.end(), std::make_move_iterator(batch.fresh.begin()),
                        std::make_move_iterator(batch.fresh.end()));
  ready_bytes_ += batch.bytes;
  if (options_.activation) return {};
  const bool full = ready_bytes_ >= options_.transaction_bytes;
  return full || has_passed(committed_, options_.transaction_time) ? commit() : Result<void>();
}

Result<void> Ingest::commit(std::vector<std::string> removed) {
  committed_ = std::chrono::steady_clock::now();
  if (ready_.empty() && !options_.activation) return {};
  StoreUpdate update;
  update.remove = removed;
  update.activation = options_.activation;
  update.model_id = model_id_;
  update.vectors = std::exchange(ready_vectors_, {});
  for (PreparedDocument& item : ready_) update.put.push_back(std::move(item.stored));
  const Committed committed = TRY(parts_.store.apply(update));
  for (size_t i = 0; i < ready_.size(); ++i) {
    ready_[i].stored = std::move(update.put[i]);
    ready_[i].point = committed.points[i];
    count(ready_[i]);
    stored_.push_back(std::move(ready_[i]));
  }
  ready_.clear();
  removed_ = std::move(removed);
  unpublished_ = true;
  version_ = committed.version;
  stored_bytes_ += std::exchange(ready_bytes_, 0);
  const bool full = stored_bytes_ >= update_bytes();
  return full || has_passed(publish_began_, options_.publish_time) ? publish() : Result<void>();
}

uint64_t Ingest::update_bytes() const {
  const uint64_t most = options_.publish_bytes;
  return std::clamp(published_bytes_, most / kFirstUpdatePart, most);
}

// Gives the index what is stored, and goes on while it takes it up.
Result<void> Ingest::publish() {
  publish_began_ = std::chrono::steady_clock::now();
  TRY(published());
  if (!std::exchange(unpublished_, false)) return {};
  published_bytes_ += std::exchange(stored_bytes_, 0);
  // The averages of a new index are those of its first documents, not also of some that come in
  // meanwhile.
  const bool first = publisher_.index() == nullptr;
  publishing_ = std::async(
      // Where the system gives no thread it is done when it is waited for.
      std::launch::async | std::launch::deferred,
      [this, added = std::exchange(stored_, {}), removed = std::exchange(removed_, {}),
       version = version_]() mutable {
        return publisher_.publish(std::move(added), std::move(removed), version);
      });
  return first ? published() : Result<void>();
}

// Waits until the index has taken up what it was given.
Result<void> Ingest::published() {
  return publishing_.valid() ? publishing_.get() : Result<void>();
}

Result<void> Ingest::prune(const std::vector<std::string>& ids) {
  if (ids.empty()) return {};
  progress_.begin(Progress::Stage::kPruning, ids.size());
  for (size_t begin = 0; begin < ids.size(); begin += kPruneDocuments) {
    TRY(cancel_.check());
    const auto some = std::span(ids).subspan(begin, std::min(kPruneDocuments, ids.size() - begin));
    report_.removed += some.size();
    progress_.add(some.size());
    if (options_.dry_run) continue;
    StoreUpdate update;
    update.remove.assign(some.begin(), some.end());
    const uint64_t version = TRY(parts_.store.apply(update)).version;
    TRY(publisher_.publish({}, std::move(update.remove), version));
  }
  progress_.end();
  return {};
}

Result<void> Ingest::drop_unused_vectors() {
  if (model_id_.empty()) return {};
  const StoreCounts counts = TRY(parts_.store.counts());
  const auto too_many = [&](size_t of_versions) {
    return counts.vectors > 2 * (counts.chunks + of_versions) + kSpareVectors;
  };
  if (!too_many(0) || !too_many(TRY(count_version_records(parts_.store)))) return {};
  const std::set<std::string> kept = TRY(version_vector_keys(parts_.store, parts_.chunk));
  if (too_many(kept.size())) TRY(parts_.store.drop_unused_vectors(model_id_, kept));
  return {};
}

// The ingest of these, once it is known of which model its vectors are, and what `act` does of it.
template <typename Act>
auto with_ingest(const IngestOptions& options, const IngestParts& parts, ProgressSink* progress,
                 const CancelToken& cancel, const Act& act)
    -> decltype(act(std::declval<Ingest&>())) {
  // Without weights the index keeps the vectors that it has.
  std::string model_id;
  size_t dimensions = 0;
  if (parts.embedder != nullptr) {
    model_id = parts.embedder->model_id();
    dimensions = parts.embedder->dimensions();
  } else if (const auto build = TRY(parts.store.active_build())) {
    model_id = build->model_id;
    dimensions = build->dimensions;
  }
  IngestOptions checked = options;
  checked.threads = std::max<size_t>(1, options.threads);
  checked.read.cancel = &cancel;
  checked.read.embedder = parts.embedder;
  Ingest ingest(checked, parts, std::move(model_id), dimensions, progress, cancel);
  return act(ingest);
}

}  // namespace

Result<IngestReport> ingest(const IngestOptions& options, const IngestParts& parts,
                            ProgressSink* progress, const CancelToken& cancel) {
  return with_ingest(options, parts, progress, cancel,
                     [](Ingest& ingest) { return ingest.run(nullptr); });
}

Result<IngestReport> remove_documents(const std::vector<std::string>& ids,
                                      const IngestOptions& options, const IngestParts& parts,
                                      ProgressSink* progress, const CancelToken& cancel) {
  return with_ingest(options, parts, progress, cancel,
                     [&](Ingest& ingest) { return ingest.run(&ids); });
}

Result<std::string> repair_index(const IngestOptions& options, const IngestParts& parts,
                                 bool rebuild, ProgressSink* progress, const CancelToken& cancel) {
  return with_ingest(options, parts, progress, cancel,
                     [&](Ingest& ingest) { return ingest.repair(rebuild); });
}

Result<std::shared_ptr<KnowledgeIndex>> fill_index(const IngestOptions& options,
                                                   const IngestParts& parts, IndexCatalog& target,
                                                   ProgressSink* progress,
                                                   const CancelToken& cancel) {
  return with_ingest(options, parts, progress, cancel,
                     [&](Ingest& ingest) { return ingest.publisher().fill(target); });
}

}  // namespace precedent
