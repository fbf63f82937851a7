#include "index/segment_writer.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>

#include "base/hash.h"
#include "files/files.h"

namespace precedent {
namespace {

template <typename T>
std::string_view as_bytes(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

uint64_t checksum(const std::vector<std::string_view>& parts) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(),
                                                                       &XXH3_freeState);
  XXH3_64bits_reset(state.get());
  for (const std::string_view part : parts)
    XXH3_64bits_update(state.get(), part.data(), part.size());
  return XXH3_64bits_digest(state.get());
}

uint64_t padded(uint64_t bytes) {
  return (bytes + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
}

}  // namespace

void SegmentWriter::begin_group(const Payload& fields, std::string_view record) {
  for (LevelPoints& level : levels_)
    level.group_begins.push_back(static_cast<uint32_t>(level.ids.size()));
  kinds_.push_back(static_cast<uint8_t>(fields.kind));
  opened_.push_back(fields.opened_at ? fields.opened_at->time_since_epoch().count() : kUndated);
  group_records_.add(record);
  const auto column = [&](TextField field) -> TextColumnWriter& {
    return columns_[static_cast<size_t>(field)];
  };
  column(TextField::kId).add_group({fields.doc_id});
  column(TextField::kApplication).add_group({fields.application});
  column(TextField::kSeverity).add_group({fields.severity});
  column(TextField::kStatus).add_group({fields.status});
  column(TextField::kService).add_group(fields.services);
  column(TextField::kTag).add_group(fields.tags);
}

void SegmentWriter::add_chunk(uint64_t id, std::string_view record, const float* row) {
  levels_[0].ids.push_back(id);
  levels_[0].records.add(record);
  vectors_.add(row);
}

void SegmentWriter::add_document(uint64_t id, std::string_view record) {
  levels_[1].ids.push_back(id);
  levels_[1].records.add(record);
}

Result<void> SegmentWriter::write(const std::filesystem::path& path) {
  TRY(finish());
  SegmentHeader header = {};
  std::memcpy(header.magic, kSegmentMagic, sizeof kSegmentMagic);
  header.version = kSegmentVersion;
  header.sections = kSections;
  header.chunks = static_cast<uint32_t>(levels_[0].ids.size());
  header.documents = static_cast<uint32_t>(levels_[1].ids.size());
  header.groups = static_cast<uint32_t>(kinds_.size());
  header.dimensions = static_cast<uint32_t>(vectors_.dimensions());

  static constexpr char kZeros[kSectionAlignment] = {};
  Parts file = {std::string_view(reinterpret_cast<const char*>(&header), sizeof header)};
  uint64_t offset = sizeof header;
  for (uint32_t i = 0; i < kSections; ++i) {
    file.emplace_back(kZeros, padded(offset) - offset);
    offset = padded(offset);
    SectionEntry& entry = header.section[i];
    entry.offset = offset;
    for (const std::string_view part : parts_[i]) entry.bytes += part.size();
    entry.checksum = checksum(parts_[i]);
    file.insert(file.end(), parts_[i].begin(), parts_[i].end());
    offset += entry.bytes;
  }
  header.file_bytes = offset;
  header.checksum = hash64(file.front().substr(0, offsetof(SegmentHeader, checksum)));
  return write_file_atomically(path, file);
}

Result<void> SegmentWriter::finish() {
  for (LevelPoints& level : levels_)
    level.group_begins.push_back(static_cast<uint32_t>(level.ids.size()));
  for (TextColumnWriter& column : columns_) column.finish();
  for (PostingWriter& lists : postings_) lists.finish();
  join_levels();
  sort_ids();
  sort_groups();
  TRY(vectors_.finish());
  gather_points();
  gather_columns();
  gather_vectors();
  return {};
}

void SegmentWriter::join_levels() {
  for (const LevelPoints& level : levels_)
    ids_.insert(ids_.end(), level.ids.begin(), level.ids.end());
  record_begins_ = levels_[0].records.begins();
  const uint64_t chunk_bytes = record_begins_.back();
  record_begins_.pop_back();
  for (const uint64_t begin : levels_[1].records.begins())
    record_begins_.push_back(chunk_bytes + begin);
}

void SegmentWriter::sort_ids() {
  id_order_.resize(ids_.size());
  std::iota(id_order_.begin(), id_order_.end(), 0);
  std::sort(id_order_.begin(), id_order_.end(),
            [&](uint32_t a, uint32_t b) { return ids_[a] < ids_[b]; });
}

void SegmentWriter::sort_groups() {
  const TextColumnWriter& doc_ids = columns_[static_cast<size_t>(TextField::kId)];
  const auto code = [&](uint32_t group) { return doc_ids.codes()[doc_ids.begins()[group]]; };
  groups_by_id_.resize(kinds_.size());
  std::iota(groups_by_id_.begin(), groups_by_id_.end(), 0);
  std::sort(groups_by_id_.begin(), groups_by_id_.end(),
            [&](uint32_t a, uint32_t b) { return std::pair(code(a), a) < std::pair(code(b), b); });
}

template <typename T>
void SegmentWriter::put(SegmentSection section, const std::vector<T>& values) {
  put(section, as_bytes(values));
}

void SegmentWriter::put(SegmentSection section, const RecordParts& records) {
  parts(section).insert(parts(section).end(), records.parts().begin(), records.parts().end());
}

void SegmentWriter::gather_points() {
  put(SegmentSection::kIds, ids_);
  put(SegmentSection::kIdOrder, id_order_);
  put(SegmentSection::kGroupChunks, levels_[0].group_begins);
  put(SegmentSection::kGroupDocuments, levels_[1].group_begins);
  put(SegmentSection::kGroupKinds, kinds_);
  put(SegmentSection::kGroupOpened, opened_);
  put(SegmentSection::kGroupsById, groups_by_id_);
  put(SegmentSection::kGroupRecordBegins, group_records_.begins());
  put(SegmentSection::kGroupRecords, group_records_);
  put(SegmentSection::kPointRecordBegins, record_begins_);
  for (const LevelPoints& level : levels_) put(SegmentSection::kPointRecords, level.records);
}

void SegmentWriter::gather_columns() {
  for (uint32_t i = 0; i < kTextFields; ++i) {
    const auto section = [&](ColumnPart part) {
      return column_section(static_cast<TextField>(i), part);
    };
    put(section(ColumnPart::kBegins), columns_[i].begins());
    put(section(ColumnPart::kCodes), columns_[i].codes());
    put(section(ColumnPart::kDictionaryBegins), columns_[i].dictionary().begins);
    put(section(ColumnPart::kDictionaryText), columns_[i].dictionary().text);
  }
  for (uint32_t i = 0; i < 2; ++i) {
    const auto section = [&](SparsePart part) { return sparse_section(i, part); };
    put(section(SparsePart::kTerms), postings_[i].terms());
    put(section(SparsePart::kBlockBegins), postings_[i].block_begins());
    put(section(SparsePart::kBlocks), postings_[i].blocks());
    put(section(SparsePart::kPoints), postings_[i].points());
    put(section(SparsePart::kWeights), postings_[i].weights());
  }
}

void SegmentWriter::gather_vectors() {
  parts(SegmentSection::kVectors) = vectors_.row_parts();
  put(SegmentSection::kHasVector, vectors_.has_vector());
  put(SegmentSection::kQuantized, vectors_.quantized());
  put(SegmentSection::kQuantizedScales, vectors_.scales());
  put(SegmentSection::kGraphBegins, vectors_.graph().begins);
  put(SegmentSection::kGraphNeighbours, vectors_.graph().neighbours);
  put(SegmentSection::kGraphEntries, vectors_.graph().entries);
}

}  // namespace precedent
