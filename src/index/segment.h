// Segment: one immutable, memory-mapped part of the embedded index; typed, bounds-checked views of
// its sections.
//
// Opening reads the header only (magic, version, checksum, sizes), so it takes microseconds
// whatever the size. The bytes of the sections are not trusted: whatever they say, a reader gets a
// wrong value or kCorrupt, never a read outside the file. verify() compares all bytes with their
// checksums. Thread safety: immutable. Lifetime: views live as long as the segment; the file may be
// unlinked meanwhile.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "files/files.h"
#include "index/graph_view.h"
#include "index/knowledge_index.h"
#include "index/quantized.h"
#include "index/segment_format.h"

namespace precedent {

// Texts one after another. at(i) is empty where the stored offsets are wrong.
struct TextTable {
  std::span<const uint64_t> begins;
  std::string_view text;

  size_t size() const { return begins.empty() ? 0 : begins.size() - 1; }
  std::string_view at(size_t i) const;
};

struct TextColumn {
  std::span<const uint32_t> begins;
  std::span<const uint32_t> codes;
  TextTable dictionary;

  size_t values() const { return dictionary.size() / 2; }
  std::string_view folded(size_t code) const { return dictionary.at(2 * code); }
  std::string_view spelling(size_t code) const { return dictionary.at(2 * code + 1); }
  // The codes of one group; may hold codes >= values() in a corrupt file.
  std::span<const uint32_t> of_group(size_t group) const;
  // The codes [first, second) of all spellings of a folded value.
  std::pair<uint32_t, uint32_t> find_folded(std::string_view folded) const;
  std::optional<uint32_t> find_spelling(std::string_view spelling) const;
};

struct SparseLists {
  std::span<const uint32_t> terms;
  std::span<const uint32_t> block_begins;
  std::span<const PostingBlock> blocks;
  std::span<const uint16_t> points;
  std::span<const float> weights;
};

// Half-open.
struct Range {
  size_t begin = 0;
  size_t end = 0;
  size_t size() const { return end - begin; }
};

class Segment {
 public:
  static Result<std::shared_ptr<const Segment>> open(const std::filesystem::path& path);
  // Compares every section with its checksum. Reads the whole file.
  Result<void> verify() const;

  const std::filesystem::path& path() const { return path_; }
  size_t chunks() const { return header_.chunks; }
  size_t documents() const { return header_.documents; }
  size_t points() const { return chunks() + documents(); }
  size_t points(Level level) const { return level == Level::kChunk ? chunks() : documents(); }
  size_t groups() const { return header_.groups; }
  size_t dimensions() const { return header_.dimensions; }  // 0: no vectors
  size_t bytes() const { return file_.bytes().size(); }
  uint64_t checksum() const { return header_.checksum; }

  std::span<const uint64_t> ids() const { return ids_; }
  // The position of a point. Positions: segment_format.h.
  std::optional<size_t> find(uint64_t id) const;
  static Level level_of(size_t position, const Segment& segment) {
    return position < segment.chunks() ? Level::kChunk : Level::kDocument;
  }

  // The points of a group, counted from 0 within the level; empty where the stored offsets are
  // wrong.
  Range group_points(size_t group, Level level) const;
  std::span<const uint8_t> kinds() const { return kinds_; }
  std::span<const int64_t> opened() const { return opened_; }
  const TextColumn& column(TextField field) const { return columns_[static_cast<size_t>(field)]; }
  // The groups of a document, by its exact id.
  std::vector<uint32_t> groups_of(std::string_view doc_id) const;

  // REQUIRES: position < points(). Errors: kCorrupt.
  Result<Payload> payload(size_t position) const;
  std::string_view group_record(size_t group) const { return group_records_.at(group); }
  std::string_view point_record(size_t position) const { return point_records_.at(position); }

  const SparseLists& sparse(Level level) const { return sparse_[static_cast<size_t>(level)]; }

  // REQUIRES: chunk < chunks(), dimensions() != 0. row(): dimensions() floats, aligned to 64 bytes.
  bool has_vector(size_t chunk) const { return (has_vector_[chunk / 64] >> (chunk % 64)) & 1; }
  std::span<const uint64_t> has_vector_words() const { return has_vector_; }
  std::span<const float> row(size_t chunk) const {
    return vectors_.subspan(chunk * row_stride(dimensions()), dimensions());
  }

  // Empty where the segment is too small to have them.
  const QuantizedRows& quantized() const { return quantized_; }
  const GraphView& graph() const { return graph_; }

  // An Error of code kCorrupt that names the file and the remedy.
  Error corrupt(std::string_view what) const;

 private:
  Segment() = default;
  Result<void> read_header();
  Result<void> map_sections();
  std::string_view section_text(SegmentSection section) const;
  template <typename T>
  std::span<const T> section(SegmentSection section) const;
  template <typename T>
  Result<std::span<const T>> sized_section(SegmentSection section, size_t count) const;
  Result<void> map_points();
  Result<void> map_vectors();
  Result<void> map_columns();
  Result<void> map_sparse(Level level);
  Result<TextTable> text_table(SegmentSection begins, SegmentSection text) const;

  std::filesystem::path path_;
  MappedFile file_;
  SegmentHeader header_ = {};
  std::span<const uint64_t> ids_;
  std::span<const uint32_t> id_order_;
  std::array<std::span<const uint32_t>, 2> group_begins_;  // by Level
  std::span<const uint8_t> kinds_;
  std::span<const int64_t> opened_;
  std::span<const uint32_t> groups_by_id_;
  TextTable group_records_;
  TextTable point_records_;
  std::span<const float> vectors_;
  std::span<const uint64_t> has_vector_;
  QuantizedRows quantized_;
  GraphView graph_;
  std::array<TextColumn, kTextFields> columns_;
  std::array<SparseLists, 2> sparse_;  // by Level
};

// What mends an index that is missing or damaged.
inline constexpr std::string_view kRebuildsIndex =
    "`precedent ingest` with any of your sources rebuilds it from the store";
// kCorrupt: "<file>: <what>; <kRebuildsIndex>".
Error corrupt_index(const std::filesystem::path& file, std::string_view what);
// kCorrupt as well: what another version of the program wrote is never guessed at.
Error other_index_format(const std::filesystem::path& file, uint64_t format, uint32_t ours);

}  // namespace precedent
