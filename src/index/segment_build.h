// New points → a segment file.
#pragma once

#include <filesystem>
#include <span>

#include "index/index_options.h"
#include "index/knowledge_index.h"

namespace precedent {

// REQUIRES: the points passed check_points, which gave `dimensions`. Errors: as
// SegmentWriter::write.
Result<void> build_segment(std::span<const Point> points, size_t dimensions,
                           const IndexOptions& options, const std::filesystem::path& path);

}  // namespace precedent
