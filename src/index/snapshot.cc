#include "index/snapshot.h"

#include <fmt/format.h>

#include <algorithm>

namespace precedent {
namespace {

Result<LiveSegment> open_segment(const ManifestSegment& entry,
                                 const std::filesystem::path& folder) {
  const auto path = segment_path(folder, entry.number);
  LiveSegment live{entry.number, TRY(Segment::open(path)), {}};
  const Segment& segment = *live.segment;
  if (segment.bytes() != entry.bytes || segment.checksum() != entry.checksum ||
      segment.chunks() != entry.chunks || segment.documents() != entry.documents) {
    return std::unexpected(segment.corrupt("it is not the segment that the manifest names"));
  }
  for (const Level level : {Level::kChunk, Level::kDocument}) {
    const auto& words = entry.dead[static_cast<size_t>(level)];
    if (!words.empty())
      live.dead[static_cast<size_t>(level)] = Bitmap::from_words(segment.points(level), words);
  }
  return live;
}

}  // namespace

bool LiveSegment::is_live(size_t position) const {
  const size_t chunks = segment->chunks();
  const Level level = position < chunks ? Level::kChunk : Level::kDocument;
  return !has_dead(level) ||
         !dead_of(level).test(level == Level::kChunk ? position : position - chunks);
}

void LiveSegment::kill(size_t position) {
  const size_t chunks = segment->chunks();
  const Level level = position < chunks ? Level::kChunk : Level::kDocument;
  Bitmap& bits = dead[static_cast<size_t>(level)];
  if (bits.size() == 0) bits = Bitmap(segment->points(level));
  bits.set(level == Level::kChunk ? position : position - chunks);
}

size_t LiveSegment::live_code(Level level) const {
  const auto kinds = segment->kinds();
  constexpr auto kCode = static_cast<uint8_t>(Kind::kCode);
  size_t n = 0;
  for (auto at = std::ranges::find(kinds, kCode); at != kinds.end();
       at = std::find(at + 1, kinds.end(), kCode)) {
    const Range range = segment->group_points(static_cast<size_t>(at - kinds.begin()), level);
    n += range.size();
    if (!has_dead(level)) continue;
    for (size_t i = range.begin; i < range.end; ++i) n -= dead_of(level).test(i);
  }
  return n;
}

size_t LiveSegment::vectors() const {
  if (segment->dimensions() == 0) return 0;
  const auto has = segment->has_vector_words();
  const auto gone = dead_of(Level::kChunk).words();
  size_t n = 0;
  for (size_t i = 0; i < has.size(); ++i) {
    n += static_cast<size_t>(std::popcount(gone.empty() ? has[i] : has[i] & ~gone[i]));
  }
  return n;
}

Result<std::shared_ptr<const Snapshot>> Snapshot::open(const Manifest& manifest,
                                                       const std::filesystem::path& folder) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->generation = manifest.generation;
  snapshot->next_segment = manifest.next_segment;
  snapshot->info.version = manifest.version;
  snapshot->info.model_id = manifest.model_id;
  for (const ManifestSegment& entry : manifest.segments) {
    snapshot->segments.push_back(TRY(open_segment(entry, folder)));
  }
  snapshot->count();
  return std::shared_ptr<const Snapshot>(std::move(snapshot));
}

std::optional<Snapshot::Place> Snapshot::find(uint64_t id) const {
  for (const LiveSegment& live : segments) {
    const auto position = live.segment->find(id);
    if (position && live.is_live(*position)) return Place{&live, *position};
  }
  return std::nullopt;
}

void Snapshot::count() {
  info.documents = info.chunks = info.dimensions = info.bytes = 0;
  live_code = {};
  for (const LiveSegment& live : segments) {
    info.chunks += live.live(Level::kChunk);
    info.documents += live.live(Level::kDocument);
    info.bytes += live.segment->bytes();
    for (const Level level : {Level::kChunk, Level::kDocument})
      live_code[static_cast<size_t>(level)] += live.live_code(level);
    if (live.vectors() > 0) info.dimensions = live.segment->dimensions();
  }
  if (info.dimensions == 0) info.model_id.clear();
}

Manifest Snapshot::manifest() const {
  Manifest manifest{generation, info.version, next_segment, info.model_id, {}};
  for (const LiveSegment& live : segments) {
    const Segment& segment = *live.segment;
    ManifestSegment entry{live.number,      segment.bytes(),     segment.checksum(),
                          segment.chunks(), segment.documents(), {}};
    for (size_t level = 0; level < 2; ++level) {
      const auto words = live.dead[level].words();
      entry.dead[level].assign(words.begin(), words.end());
    }
    manifest.segments.push_back(std::move(entry));
  }
  return manifest;
}

}  // namespace precedent
