// The segment file: header, then sections. docs/format/index.md explains it; this is its one
// definition in code.
//
// Format: little-endian; sections start at multiples of 64 bytes, so that each is an array of its
// type in the mapped file. Points have positions: the chunks 0 … C−1, then the documents C … C+D−1.
// Points are kept in groups: those of one document that share all filter values, nearly always the
// whole document. A group's chunks are consecutive, and so are its document-level points.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace precedent {

static_assert(std::endian::native == std::endian::little,
              "the index files are little-endian arrays");

inline constexpr char kSegmentMagic[8] = {'P', 'R', 'C', 'D', 'S', 'E', 'G', '\n'};
// Version history: docs/format/index.md.
inline constexpr uint32_t kSegmentVersion = 1;
inline constexpr size_t kSectionAlignment = 64;  // a cache line, and the widest SIMD register

// The filter fields whose values are text.
enum class TextField : uint32_t { kId, kApplication, kSeverity, kStatus, kService, kTag };
inline constexpr uint32_t kTextFields = 6;

// `n` below: points C+D, groups G, terms T, postings P.
enum class SegmentSection : uint32_t {
  kIds,                // uint64[C+D]: the point's id
  kIdOrder,            // uint32[C+D]: positions by ascending id
  kGroupChunks,        // uint32[G+1]: group g has the chunks [g], …, [g+1]−1
  kGroupDocuments,     // uint32[G+1]: the same for document-level points, counted from 0
  kGroupKinds,         // uint8[G]
  kGroupOpened,        // int64[G]: seconds since 1970, kUndated if none
  kGroupsById,         // uint32[G]: groups by ascending code of their document id
  kGroupRecordBegins,  // uint64[G+1]: into kGroupRecords
  kGroupRecords,       // bytes: record_coder.h
  kPointRecordBegins,  // uint64[C+D+1]: into kPointRecords
  kPointRecords,       // bytes: record_coder.h
  kVectors,    // float[C][stride], stride = dimensions rounded up to 16; absent chunks are all 0
  kHasVector,  // uint64[⌈C/64⌉]: which chunks have one
  // The following are empty in small segments, see vector_writer.h.
  kQuantized,        // uint8[C][stride], stride = dimensions rounded up to 64: quantized.h
  kQuantizedScales,  // float[C]
  kGraphBegins,      // uint32[C+1]: into kGraphNeighbours
  kGraphNeighbours,  // uint32: chunks
  kGraphEntries,     // uint32: chunks where a search starts
  kTextColumns,      // 4 sections for each TextField, see ColumnPart
  kSparse = kTextColumns + 4 * kTextFields,  // 5 sections for each Level, see SparsePart
  kCount = kSparse + 5 * 2,
};
inline constexpr uint32_t kSections = static_cast<uint32_t>(SegmentSection::kCount);

// A column of text values: for each group a list of codes; a code is a position in the dictionary,
// which is sorted by (folded spelling, spelling). Entry 2i of the dictionary's text is the folded
// spelling of code i, 2i+1 the spelling.
enum class ColumnPart : uint32_t {
  kBegins,            // uint32[G+1]: into kCodes
  kCodes,             // uint32
  kDictionaryBegins,  // uint64[2n+1]: into kDictionaryText
  kDictionaryText,    // bytes
};

// Inverted lists of one level: sorted terms; term t has the blocks [t], …, [t+1]−1; a block holds
// the postings of one window of 65,536 points, so that 16 bits name a point and no posting can
// point outside the window's scores.
enum class SparsePart : uint32_t {
  kTerms,        // uint32[T], ascending
  kBlockBegins,  // uint32[T+1]: into kBlocks
  kBlocks,       // PostingBlock
  kPoints,       // uint16[P]: within the window
  kWeights,      // float[P]
};
inline constexpr size_t kWindow = 65536;

struct PostingBlock {
  uint32_t begin;   // the first posting
  uint16_t window;  // points from window × 65,536; ascending within a term
  uint16_t last;    // postings − 1
};
static_assert(sizeof(PostingBlock) == 8);

constexpr SegmentSection column_section(TextField field, ColumnPart part) {
  return static_cast<SegmentSection>(static_cast<uint32_t>(SegmentSection::kTextColumns) +
                                     4 * static_cast<uint32_t>(field) +
                                     static_cast<uint32_t>(part));
}
// `level` 0: chunks, 1: documents.
constexpr SegmentSection sparse_section(uint32_t level, SparsePart part) {
  return static_cast<SegmentSection>(static_cast<uint32_t>(SegmentSection::kSparse) + 5 * level +
                                     static_cast<uint32_t>(part));
}

inline constexpr int64_t kUndated = std::numeric_limits<int64_t>::min();

constexpr size_t row_stride(size_t dimensions) { return (dimensions + 15) / 16 * 16; }

struct SectionEntry {
  uint64_t offset;
  uint64_t bytes;
  uint64_t checksum;  // XXH3, 64 bits
};

struct SegmentHeader {
  char magic[8];
  uint32_t version;
  uint32_t sections;
  uint64_t file_bytes;
  uint32_t chunks;
  uint32_t documents;
  uint32_t groups;
  uint32_t dimensions;
  SectionEntry section[kSections];
  uint64_t checksum;  // XXH3 of everything before
};
static_assert(std::is_trivially_copyable_v<SegmentHeader>);
static_assert(offsetof(SegmentHeader, checksum) + 8 == sizeof(SegmentHeader));

}  // namespace precedent
