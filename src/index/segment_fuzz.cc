// Fuzzes the readers of segments and manifests. The input is a list of changes to a valid small
// index (8 bytes each: kind, value, two spare, position), so that the fuzzer gets past the magic
// numbers; the header's checksum is made right again, since a hostile file would have a right one.
// Whatever the bytes: an error or a wrong answer, never a fault.

#include <cstring>
#include <fstream>

#include "base/hash.h"
#include "files/files.h"
#include "files/temporary_folder.h"
#include "index/embedded_index.h"
#include "index/index_corpus.h"
#include "index/index_probe.h"
#include "index/manifest.h"
#include "index/segment.h"
#include "index/segment_merge.h"

namespace precedent {
namespace {

// A folder with one segment that has every section, and its files' bytes.
struct Base {
  Base() {
    auto index =
        *EmbeddedIndex::open(folder.path(), {.quantize_from = 1, .graph_from = 1, .threads = 1});
    Point full = chunk(5, "INC-2025-01-20-005", {{1, 1}, {2, 0.5f}}, 0, {1, 0, 0});
    full.payload = full_payload();
    IndexUpdate update{.remove_documents = {}, .add = {full}, .model_id = "model"};
    for (uint64_t i = 6; i < 20; ++i) {
      const std::string id = "d" + std::to_string(i / 3);
      update.add.push_back(
          chunk(i, id, {{1, 1}, {static_cast<uint32_t>(i), 2}}, 0, {0, 1, static_cast<float>(i)}));
      update.add.push_back(document(i + 100, id, {{2, 1}}));
    }
    if (!index->apply(update, 1) || !index->apply({.remove_documents = {"d3"}, .add = {}}, 2))
      std::abort();
    segment = *read_file(segment_path(folder.path(), 1), 1 << 20);
    manifest = *read_manifest(folder.path());
    manifest_bytes = encode_manifest(manifest);
  }
  TemporaryFolder folder;
  std::string segment;
  Manifest manifest;
  std::string manifest_bytes;
};

void change(std::string& bytes, std::string_view changes) {
  for (; changes.size() >= 8; changes.remove_prefix(8)) {
    uint32_t at = 0;
    std::memcpy(&at, changes.data() + 4, 4);
    at %= static_cast<uint32_t>(bytes.size());
    switch (changes[0] & 3) {
      case 0: bytes[at] = changes[1]; break;
      case 1: bytes[at] = static_cast<char>(bytes[at] + changes[1]); break;
      case 2: bytes[at] = '\xff'; break;
      case 3: bytes.resize(at > 64 ? at : bytes.size()); break;
    }
  }
}

// Makes what is checked at opening right again.
void repair(std::string& segment) {
  SegmentHeader header;
  if (segment.size() < sizeof header) return;
  std::memcpy(&header, segment.data(), sizeof header);
  header.file_bytes = segment.size();
  header.checksum =
      hash64({reinterpret_cast<const char*>(&header), offsetof(SegmentHeader, checksum)});
  std::memcpy(segment.data(), &header, sizeof header);
}

void overwrite(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

void run(std::string_view input) {
  static const Base base;
  const auto& folder = base.folder.path();
  const bool damage_manifest = !input.empty() && (input.front() & 1) != 0;
  input.remove_prefix(std::min<size_t>(1, input.size()));
  std::string segment = base.segment, manifest_bytes = base.manifest_bytes;
  change(damage_manifest ? manifest_bytes : segment, input);
  repair(segment);
  overwrite(segment_path(folder, 1), segment);

  Manifest manifest = base.manifest;
  if (damage_manifest) {
    // As if its checksum were right.
    const uint64_t checksum =
        hash64(std::string_view(manifest_bytes).substr(0, manifest_bytes.size() - 8));
    std::memcpy(manifest_bytes.data() + manifest_bytes.size() - 8, &checksum, 8);
    const auto decoded = decode_manifest(manifest_bytes, folder / "manifest");
    if (!decoded) return;
    manifest = *decoded;
  } else if (segment.size() >= sizeof(SegmentHeader)) {
    SegmentHeader header;
    std::memcpy(&header, segment.data(), sizeof header);
    ManifestSegment& entry = manifest.segments.front();
    if (header.chunks != entry.chunks || header.documents != entry.documents) entry.dead = {};
    entry.bytes = segment.size();
    entry.checksum = header.checksum;
    entry.chunks = header.chunks;
    entry.documents = header.documents;
  }
  overwrite(manifest_path(folder), encode_manifest(manifest));
  const auto index = EmbeddedIndex::open(folder);
  if (!index) return;
  probe(**index);
  static_cast<void>((*index)->verify());
  const auto snapshot = Snapshot::open(manifest, folder);
  if (snapshot) {
    static_cast<void>(merge_segments((*snapshot)->segments,
                                     {.quantize_from = 1, .graph_from = 100, .threads = 1},
                                     folder / "segment-merged"));
  }
}

}  // namespace
}  // namespace precedent

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  precedent::run({reinterpret_cast<const char*>(data), size});
  return 0;
}
