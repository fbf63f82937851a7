// Manifest: which segments make up the index, and which of their points were removed since.
//
// One small file, replaced atomically by every apply: the moment of the rename is the moment of the
// commit. Format: docs/format/index.md. The whole file is covered by a checksum that is verified on
// every read. Thread safety: plain values and functions.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace precedent {

// Version history: docs/format/index.md.
inline constexpr uint32_t kManifestVersion = 1;

struct ManifestSegment {
  uint64_t number = 0;    // names the file, see segment_name
  uint64_t bytes = 0;     // of the file
  uint64_t checksum = 0;  // of its header
  uint64_t chunks = 0;
  uint64_t documents = 0;
  // By Level: a bit for each point that was removed; empty if none was.
  std::array<std::vector<uint64_t>, 2> dead;
  bool operator==(const ManifestSegment&) const = default;
};

struct Manifest {
  uint64_t generation = 0;  // one more with every commit
  uint64_t version = 0;     // IndexInfo::version
  uint64_t next_segment = 1;
  std::string model_id;
  std::vector<ManifestSegment> segments;
  bool operator==(const Manifest&) const = default;
};

std::filesystem::path manifest_path(const std::filesystem::path& folder);
std::filesystem::path segment_path(const std::filesystem::path& folder, uint64_t number);
// Whether a file of this name in the folder is a segment, or the remains of writing a segment or a
// manifest.
bool is_index_file(std::string_view file_name);

std::string encode_manifest(const Manifest& manifest);
// Errors: kCorrupt, naming `path`.
Result<Manifest> decode_manifest(std::string_view bytes, const std::filesystem::path& path);

// The empty manifest if there is no file. Errors: kCorrupt, or the system's.
Result<Manifest> read_manifest(const std::filesystem::path& folder);
Result<void> write_manifest(const Manifest& manifest, const std::filesystem::path& folder);

}  // namespace precedent
