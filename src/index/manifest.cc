#include "index/manifest.h"

#include <fmt/format.h>

#include <cstring>

#include "base/byte_coder.h"
#include "base/hash.h"
#include "files/files.h"
#include "index/bitmap.h"
#include "index/segment.h"

namespace precedent {
namespace {

constexpr std::string_view kMagic = "PRCDMAN\n";
constexpr std::string_view kManifestName = "manifest";
constexpr std::string_view kSegmentPrefix = "segment-";
// A manifest grows by a bit for each point of the segments that have removed points: 256 MB is a
// billion points.
constexpr size_t kMaxManifestBytes = size_t{256} << 20;

std::string_view words_as_bytes(const std::vector<uint64_t>& words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(uint64_t)};
}

void write_segment_entry(const ManifestSegment& segment, ByteWriter& out) {
  out.number(segment.number);
  out.number(segment.bytes);
  out.number(segment.checksum);
  out.number(segment.chunks);
  out.number(segment.documents);
  for (const auto& words : segment.dead) out.text(words_as_bytes(words));
}

bool read_segment_entry(ByteReader& in, ManifestSegment& segment) {
  segment.number = in.number();
  segment.bytes = in.number();
  segment.checksum = in.number();
  segment.chunks = in.number32();
  segment.documents = in.number32();
  const uint64_t points[2] = {segment.chunks, segment.documents};
  for (size_t level = 0; level < 2; ++level) {
    const std::string_view words = in.text();
    if (!words.empty() && words.size() != Bitmap::words_for(points[level]) * sizeof(uint64_t))
      return false;
    segment.dead[level].resize(words.size() / sizeof(uint64_t));
    if (!words.empty()) std::memcpy(segment.dead[level].data(), words.data(), words.size());
  }
  return in.ok();
}

}  // namespace

std::filesystem::path manifest_path(const std::filesystem::path& folder) {
  return folder / kManifestName;
}

std::filesystem::path segment_path(const std::filesystem::path& folder, uint64_t number) {
  return folder / fmt::format("{}{:08}", kSegmentPrefix, number);
}

bool is_index_file(std::string_view file_name) {
  return file_name.starts_with(kSegmentPrefix) ||
         (file_name.starts_with(kManifestName) && file_name.ends_with(".tmp"));
}

std::string encode_manifest(const Manifest& manifest) {
  ByteWriter out;
  out.raw(kMagic);
  out.number(kManifestVersion);
  out.number(manifest.generation);
  out.number(manifest.version);
  out.number(manifest.next_segment);
  out.text(manifest.model_id);
  out.number(manifest.segments.size());
  for (const ManifestSegment& segment : manifest.segments) write_segment_entry(segment, out);
  const uint64_t checksum = hash64(out.bytes());
  out.raw({reinterpret_cast<const char*>(&checksum), sizeof checksum});
  return out.bytes();
}

Result<Manifest> decode_manifest(std::string_view bytes, const std::filesystem::path& path) {
  const auto corrupt = [&](std::string_view what) {
    return std::unexpected(corrupt_index(path, what));
  };
  uint64_t checksum = 0;
  if (bytes.size() < kMagic.size() + sizeof checksum || !bytes.starts_with(kMagic)) {
    return corrupt("this is not the manifest of an index");
  }
  std::memcpy(&checksum, bytes.data() + bytes.size() - sizeof checksum, sizeof checksum);
  bytes.remove_suffix(sizeof checksum);
  ByteReader in(bytes.substr(kMagic.size()));
  if (const uint64_t format = in.number(); format != kManifestVersion)
    return std::unexpected(other_index_format(path, format, kManifestVersion));
  if (hash64(bytes) != checksum) return corrupt("the content does not match its checksum");
  Manifest manifest;
  manifest.generation = in.number();
  manifest.version = in.number();
  manifest.next_segment = in.number();
  manifest.model_id = in.text();
  for (uint64_t n = in.number(); n > 0 && in.ok(); --n) {
    if (!read_segment_entry(in, manifest.segments.emplace_back()))
      return corrupt("a segment's entry cannot be read");
  }
  if (!in.ok() || !in.at_end()) return corrupt("the content cannot be read");
  return manifest;
}

Result<Manifest> read_manifest(const std::filesystem::path& folder) {
  const auto path = manifest_path(folder);
  const auto bytes = read_file(path, kMaxManifestBytes);
  if (!bytes && bytes.error().code == ErrorCode::kNotFound) return Manifest{};
  if (!bytes) return std::unexpected(bytes.error());
  return decode_manifest(*bytes, path);
}

Result<void> write_manifest(const Manifest& manifest, const std::filesystem::path& folder) {
  const std::string bytes = encode_manifest(manifest);
  const std::string_view parts[] = {bytes};
  return write_file_atomically(manifest_path(folder), parts);
}

}  // namespace precedent
