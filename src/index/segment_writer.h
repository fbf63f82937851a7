// SegmentWriter: collects points and inverted lists, then writes them as one segment file.
//
// Order of calls: begin_group, its chunks and documents, the next group …; then the postings of
// both levels; then write. Used by segment_build.h (from new points) and segment_merge.h (from
// older segments). Thread safety: one thread. Lifetime: records and rows must live until write()
// returns; all else is copied.
#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "index/knowledge_index.h"
#include "index/posting_writer.h"
#include "index/record_parts.h"
#include "index/segment_format.h"
#include "index/text_column_writer.h"
#include "index/vector_writer.h"

namespace precedent {

class SegmentWriter {
 public:
  // `dimensions` of the vectors, 0 if the segment has none.
  SegmentWriter(size_t dimensions, const IndexOptions& options) : vectors_(dimensions, options) {}

  // `record` as of write_group_record(fields).
  void begin_group(const Payload& fields, std::string_view record);
  // `record` as of write_point_record. `row`: dimensions floats, or null.
  void add_chunk(uint64_t id, std::string_view record, const float* row);
  void add_document(uint64_t id, std::string_view record);

  // Chunks and documents are numbered from 0 in the order of adding.
  PostingWriter& postings(Level level) { return postings_[static_cast<size_t>(level)]; }

  size_t points() const { return levels_[0].ids.size() + levels_[1].ids.size(); }

  // Errors: as write_file_atomically and build_graph. REQUIRES: called once.
  Result<void> write(const std::filesystem::path& path);

 private:
  struct LevelPoints {
    std::vector<uint64_t> ids;
    std::vector<uint32_t> group_begins;
    RecordParts records;
  };
  using Parts = std::vector<std::string_view>;

  Result<void> finish();
  void join_levels();
  void sort_ids();
  void sort_groups();
  void gather_points();
  void gather_columns();
  void gather_vectors();
  template <typename T>
  void put(SegmentSection section, const std::vector<T>& values);
  void put(SegmentSection section, std::string_view bytes) { parts(section).push_back(bytes); }
  void put(SegmentSection section, const RecordParts& records);
  Parts& parts(SegmentSection section) { return parts_[static_cast<size_t>(section)]; }

  std::array<LevelPoints, 2> levels_;
  std::vector<uint8_t> kinds_;
  std::vector<int64_t> opened_;
  RecordParts group_records_;
  std::array<TextColumnWriter, kTextFields> columns_;
  std::array<PostingWriter, 2> postings_;
  VectorWriter vectors_;
  // Made by finish():
  std::vector<uint64_t> ids_;
  std::vector<uint64_t> record_begins_;
  std::vector<uint32_t> id_order_;
  std::vector<uint32_t> groups_by_id_;
  std::array<Parts, kSections> parts_;
};

}  // namespace precedent
