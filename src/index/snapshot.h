// Snapshot: one version of the embedded index: its segments and the points of them that are still
// alive.
//
// Made when an index is opened and by every apply; readers hold one for the length of a call.
// Thread safety: immutable once shared. Ownership: holds its segments mapped, also after their
// files were unlinked.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <vector>

#include "index/bitmap.h"
#include "index/manifest.h"
#include "index/segment.h"

namespace precedent {

struct LiveSegment {
  uint64_t number = 0;
  std::shared_ptr<const Segment> segment;
  std::array<Bitmap, 2> dead;  // by Level; of size 0 if no point is dead

  const Bitmap& dead_of(Level level) const { return dead[static_cast<size_t>(level)]; }
  bool has_dead(Level level) const { return dead_of(level).size() != 0; }
  size_t live(Level level) const { return segment->points(level) - dead_of(level).count(); }
  size_t live() const { return live(Level::kChunk) + live(Level::kDocument); }
  // Positions: segment_format.h.
  bool is_live(size_t position) const;
  void kill(size_t position);
  // Live points of code at this level.
  size_t live_code(Level level) const;
  // Live chunks with a vector.
  size_t vectors() const;
};

struct Snapshot {
  uint64_t generation = 0;
  uint64_t next_segment = 1;
  IndexInfo info;
  std::vector<LiveSegment> segments;  // oldest first

  std::array<size_t, 2> live_code{};  // live points of code, by Level

  // Opens the segments that the manifest names. Errors: kCorrupt; kNotFound if a file is missing.
  static Result<std::shared_ptr<const Snapshot>> open(const Manifest& manifest,
                                                      const std::filesystem::path& folder);

  // Where a live point is.
  struct Place {
    const LiveSegment* segment = nullptr;
    size_t position = 0;
  };
  std::optional<Place> find(uint64_t id) const;

  size_t live(Level level, Population population) const {
    const size_t all = level == Level::kChunk ? info.chunks : info.documents;
    const size_t code = live_code[static_cast<size_t>(level)];
    return population == Population::kCode ? code : all - code;
  }
  // Counts what info says about the segments: documents, chunks, dimensions, bytes; model_id only
  // if there are vectors.
  void count();
  Manifest manifest() const;
};

}  // namespace precedent
