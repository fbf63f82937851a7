// Older segments → one, without their removed points.
#pragma once

#include <filesystem>
#include <span>

#include "index/index_options.h"
#include "index/snapshot.h"

namespace precedent {

// The points keep the order of the sources. Errors: kCorrupt of a source, or as
// SegmentWriter::write.
Result<void> merge_segments(std::span<const LiveSegment> sources, const IndexOptions& options,
                            const std::filesystem::path& path);

}  // namespace precedent
