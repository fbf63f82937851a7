#include "index/embedded_index.h"

#include <algorithm>
#include <unordered_set>

#include "files/files.h"
#include "index/dense_scan.h"
#include "index/document_scan.h"
#include "index/merge_policy.h"
#include "index/segment_build.h"
#include "index/segment_merge.h"
#include "index/snapshot.h"
#include "index/sparse_scan.h"
#include "index/update_check.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

// Checksums run at several GB/s: 5 ms. A damaged byte in lists or vectors would be a document that
// is never found, and nobody would know.
constexpr size_t kVerifiedOnOpening = 16 * 1024 * 1024;

// The index as it is on disk; `current` itself if nothing changed. A writer may remove the files of
// a manifest just after we read it: then there is a newer manifest.
Result<std::shared_ptr<const Snapshot>> load(const fs::path& folder,
                                             std::shared_ptr<const Snapshot> current) {
  for (;;) {
    const Manifest manifest = TRY(read_manifest(folder));
    if (current != nullptr && manifest.generation == current->generation) return current;
    auto opened = Snapshot::open(manifest, folder);
    if (opened) return opened;
    const bool vanished = opened.error().code == ErrorCode::kNotFound;
    if (vanished && TRY(read_manifest(folder)).generation != manifest.generation) continue;
    if (vanished)
      return std::unexpected(corrupt_index(manifest_path(folder), opened.error().message));
    return std::unexpected(opened.error());
  }
}

void kill_points(Snapshot& snapshot, const IndexUpdate& update) {
  for (LiveSegment& live : snapshot.segments) {
    const Segment& segment = *live.segment;
    for (const std::string& doc_id : update.remove_documents) {
      for (const uint32_t group : segment.groups_of(doc_id)) {
        const Range chunks = segment.group_points(group, Level::kChunk);
        const Range documents = segment.group_points(group, Level::kDocument);
        for (size_t i = chunks.begin; i < chunks.end; ++i) live.kill(i);
        for (size_t i = documents.begin; i < documents.end; ++i) live.kill(segment.chunks() + i);
      }
    }
    for (const Point& point : update.add) {
      if (const auto position = segment.find(point.id)) live.kill(*position);
    }
  }
}

// Writes and opens a segment of the next number, then appends it to `snapshot`.
template <typename Write>
Result<void> append_segment(Snapshot& snapshot, const fs::path& folder, Write write) {
  const uint64_t number = snapshot.next_segment++;
  const fs::path path = segment_path(folder, number);
  TRY(write(path));
  snapshot.segments.push_back({number, TRY(Segment::open(path)), {}});
  return {};
}

// An index has files alone. A folder in the place of one cannot be written over: it counts as
// damage, so that the index is built anew elsewhere.
Result<void> check_entries(const fs::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (!entry.is_regular_file(error))
      return std::unexpected(corrupt_index(entry.path(), "this is no file"));
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<EmbeddedIndex>> EmbeddedIndex::open(const fs::path& folder,
                                                           const IndexOptions& options) {
  TRY(make_directories(folder));
  std::unique_ptr<EmbeddedIndex> index(new EmbeddedIndex(folder, options));
  index->snapshot_ = TRY(load(folder, nullptr));
  return index;
}

Result<std::unique_ptr<EmbeddedIndex>> EmbeddedIndex::open_existing(const fs::path& folder,
                                                                    Verify verify) {
  std::error_code ignored;
  if (!fs::exists(manifest_path(folder), ignored)) {
    return fail(ErrorCode::kNotFound,
                "there is no index in " + folder.string() + "; " + std::string(kRebuildsIndex));
  }
  TRY(check_entries(folder));
  auto index = TRY(open(folder));
  if (verify == Verify::kAlways || index->info().bytes <= kVerifiedOnOpening) TRY(index->verify());
  return index;
}

std::shared_ptr<const Snapshot> EmbeddedIndex::snapshot() const {
  const std::lock_guard lock(mutex_);
  return snapshot_;
}

Result<bool> EmbeddedIndex::refresh() {
  const auto before = snapshot();
  const auto after = TRY(load(folder_, before));
  if (after == before) return false;
  const std::lock_guard lock(mutex_);
  snapshot_ = after;
  return true;
}

Result<void> EmbeddedIndex::verify() const {
  const auto snapshot = this->snapshot();
  for (const LiveSegment& live : snapshot->segments) TRY(live.segment->verify());
  return {};
}

IndexInfo EmbeddedIndex::info() const { return snapshot()->info; }

Result<std::vector<PointScore>> EmbeddedIndex::search_sparse(const SparseVector& query,
                                                             const Filter& filter, Level level,
                                                             size_t limit) const {
  return scan_sparse(*snapshot(), query, FilterScan(filter), level, limit);
}

Result<std::vector<PointScore>> EmbeddedIndex::search_dense(std::span<const float> query,
                                                            const Filter& filter,
                                                            size_t limit) const {
  const auto snapshot = this->snapshot();
  if (snapshot->info.dimensions == 0) return {};
  TRY(check_query_dimensions(query.size(), snapshot->info.dimensions));
  return scan_dense(*snapshot, query, FilterScan(filter), limit);
}

Result<std::vector<Payload>> EmbeddedIndex::payloads(std::span<const uint64_t> ids) const {
  const auto snapshot = this->snapshot();
  std::vector<Payload> found;
  for (const uint64_t id : ids) {
    if (const auto place = snapshot->find(id))
      found.push_back(TRY(place->segment->segment->payload(place->position)));
  }
  return found;
}

Result<std::vector<std::pair<uint64_t, Payload>>> EmbeddedIndex::chunks_of(
    std::string_view doc_id) const {
  const auto snapshot = this->snapshot();
  std::vector<std::pair<uint64_t, Payload>> chunks;
  for (const LiveSegment& live : snapshot->segments) {
    for (const uint32_t group : live.segment->groups_of(doc_id)) {
      const Range range = live.segment->group_points(group, Level::kChunk);
      for (size_t i = range.begin; i < range.end; ++i) {
        if (live.is_live(i))
          chunks.emplace_back(live.segment->ids()[i], TRY(live.segment->payload(i)));
      }
    }
  }
  std::sort(chunks.begin(), chunks.end(), [](const auto& a, const auto& b) {
    return std::tie(a.second.ordinal, a.first) < std::tie(b.second.ordinal, b.first);
  });
  return chunks;
}

Result<std::vector<std::vector<float>>> EmbeddedIndex::vectors(
    std::span<const uint64_t> ids) const {
  const auto snapshot = this->snapshot();
  std::vector<std::vector<float>> found(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    const auto place = snapshot->find(ids[i]);
    if (!place) continue;
    const Segment& segment = *place->segment->segment;
    if (place->position >= segment.chunks() || segment.dimensions() == 0 ||
        !segment.has_vector(place->position)) {
      continue;
    }
    const auto row = segment.row(place->position);
    found[i].assign(row.begin(), row.end());
  }
  return found;
}

Result<std::vector<Payload>> EmbeddedIndex::list(const Filter& filter, Order order,
                                                 size_t limit) const {
  return list_documents(*snapshot(), FilterScan(filter), order, limit);
}

Result<size_t> EmbeddedIndex::count_documents(const Filter& filter) const {
  return precedent::count_documents(*snapshot(), FilterScan(filter));
}

Result<std::vector<FacetCount>> EmbeddedIndex::facet(Facet facet, const Filter& filter) const {
  return count_facet(*snapshot(), FilterScan(filter), facet);
}

Result<void> EmbeddedIndex::apply(const IndexUpdate& update, uint64_t version) {
  const size_t dimensions = TRY(check_points(update));
  const FileLock lock = TRY(FileLock::acquire(folder_ / "lock"));
  TRY(refresh());
  remove_leftovers();
  auto applied = apply_locked(update, dimensions, version);
  // Perhaps the disk is full: give back at once what the attempt took.
  if (!applied) remove_leftovers();
  return applied;
}

Result<void> EmbeddedIndex::apply_locked(const IndexUpdate& update, size_t dimensions,
                                         uint64_t version) {
  Snapshot next = *snapshot();
  kill_points(next, update);
  next.count();
  TRY(check_model(update.model_id, dimensions, next.info.model_id, next.info.dimensions));
  if (dimensions != 0) next.info.model_id = update.model_id;
  next.info.version = version;
  if (!update.add.empty()) {
    TRY(append_segment(next, folder_, [&](const fs::path& path) {
      return build_segment(update.add, dimensions, options_, path);
    }));
  }
  TRY(commit(std::move(next)));
  merge_while_needed();
  return {};
}

Result<void> EmbeddedIndex::commit(Snapshot next) {
  std::erase_if(next.segments, [](const LiveSegment& live) { return live.live() == 0; });
  next.count();
  ++next.generation;
  TRY(write_manifest(next.manifest(), folder_));
  auto committed = std::make_shared<const Snapshot>(std::move(next));
  {
    const std::lock_guard lock(mutex_);
    snapshot_ = std::move(committed);
  }
  remove_leftovers();
  return {};
}

// The update is committed already: a merge that fails, for want of space say, only leaves more
// segments to search, and the next apply tries again.
void EmbeddedIndex::merge_while_needed() {
  for (;;) {
    Snapshot next = *snapshot();
    std::vector<SegmentSize> sizes;
    for (const LiveSegment& live : next.segments) {
      sizes.push_back({live.live(), live.segment->points() - live.live()});
    }
    const std::vector<size_t> chosen = choose_merge(sizes);
    if (chosen.empty()) return;
    std::vector<LiveSegment> sources;
    for (const size_t i : chosen) sources.push_back(next.segments[i]);
    for (size_t i = chosen.size(); i-- > 0;) {
      next.segments.erase(next.segments.begin() + static_cast<std::ptrdiff_t>(chosen[i]));
    }
    const auto merged = append_segment(next, folder_, [&](const fs::path& path) {
      return merge_segments(sources, options_, path);
    });
    if (!merged || !commit(std::move(next))) return;
  }
}

// What a crash or a failed write left, and what the last commit replaced. Processes that have it
// mapped keep it.
void EmbeddedIndex::remove_leftovers() const {
  const auto snapshot = this->snapshot();
  std::unordered_set<std::string> used;
  for (const LiveSegment& live : snapshot->segments)
    used.insert(live.segment->path().filename().string());
  std::error_code error;
  for (fs::directory_iterator entry(folder_, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (is_index_file(name) && !used.contains(name)) static_cast<void>(remove_file(entry->path()));
  }
}

}  // namespace precedent
