// Older segments → one, without their removed points.
#pragma once

#include <filesystem>
#include <span>

#include "index/snapshot.h"

namespace precedent {

// The points keep the order of the sources. Errors: kCorrupt of a source, or as
// write_file_atomically.
Result<void> merge_segments(std::span<const LiveSegment> sources,
                            const std::filesystem::path& path);

}  // namespace precedent
