#include "index/segment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/hash.h"
#include "index/record_coder.h"
#include "knowledge/case_fold.h"

namespace precedent {

Error corrupt_index(const std::filesystem::path& file, std::string_view what) {
  return {ErrorCode::kCorrupt, fmt::format("{}: {}; {}", file.string(), what, kRebuildsIndex)};
}

Error other_index_format(const std::filesystem::path& file, uint64_t format, uint32_t ours) {
  return {ErrorCode::kCorrupt,
          fmt::format("{}: written in format {} by another version of precedent, this one reads "
                      "format {}; use that version, or run `precedent ingest` with this one: it "
                      "rebuilds the index from the store",
                      file.string(), format, ours)};
}

std::string_view TextTable::at(size_t i) const {
  if (i + 1 >= begins.size()) return {};
  const uint64_t begin = begins[i], end = begins[i + 1];
  if (begin > end || end > text.size()) return {};
  return text.substr(begin, end - begin);
}

std::span<const uint32_t> TextColumn::of_group(size_t group) const {
  const uint32_t begin = begins[group], end = begins[group + 1];
  if (begin > end || end > codes.size()) return {};
  return codes.subspan(begin, end - begin);
}

std::pair<uint32_t, uint32_t> TextColumn::find_folded(std::string_view wanted) const {
  size_t low = 0;
  for (size_t high = values(); low < high;) {
    const size_t middle = (low + high) / 2;
    if (folded(middle) < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  size_t end = low;
  while (end < values() && folded(end) == wanted) ++end;
  return {static_cast<uint32_t>(low), static_cast<uint32_t>(end)};
}

std::optional<uint32_t> TextColumn::find_spelling(std::string_view wanted) const {
  const auto [begin, end] = find_folded(case_fold(wanted));
  for (uint32_t code = begin; code < end; ++code) {
    if (spelling(code) == wanted) return code;
  }
  return std::nullopt;
}

Result<std::shared_ptr<const Segment>> Segment::open(const std::filesystem::path& path) {
  std::shared_ptr<Segment> segment(new Segment);
  segment->path_ = path;
  segment->file_ = TRY(MappedFile::open(path));
  TRY(segment->read_header());
  TRY(segment->map_sections());
  return std::shared_ptr<const Segment>(std::move(segment));
}

Result<void> Segment::read_header() {
  const std::string_view bytes = file_.text();
  if (bytes.size() < 16 || std::memcmp(bytes.data(), kSegmentMagic, sizeof kSegmentMagic) != 0) {
    return std::unexpected(corrupt("this is not a segment of an index"));
  }
  uint32_t version = 0;
  std::memcpy(&version, bytes.data() + offsetof(SegmentHeader, version), sizeof version);
  if (version != kSegmentVersion)
    return std::unexpected(other_index_format(path_, version, kSegmentVersion));
  if (bytes.size() < sizeof header_)
    return std::unexpected(corrupt("the file is cut off within its header"));
  std::memcpy(&header_, bytes.data(), sizeof header_);
  if (hash64(bytes.substr(0, offsetof(SegmentHeader, checksum))) != header_.checksum ||
      header_.sections != kSections) {
    return std::unexpected(corrupt("the header does not match its checksum"));
  }
  if (header_.file_bytes != bytes.size()) {
    return std::unexpected(
        corrupt(fmt::format("the file has {} bytes, not {}: it was cut off or appended to",
                            bytes.size(), header_.file_bytes)));
  }
  return {};
}

std::string_view Segment::section_text(SegmentSection section) const {
  const SectionEntry& entry = header_.section[static_cast<uint32_t>(section)];
  return file_.text().substr(entry.offset, entry.bytes);
}

template <typename T>
std::span<const T> Segment::section(SegmentSection section) const {
  const std::string_view bytes = section_text(section);
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

template <typename T>
Result<std::span<const T>> Segment::sized_section(SegmentSection which, size_t count) const {
  const auto values = section<T>(which);
  if (values.size() != count) {
    return std::unexpected(corrupt(fmt::format(
        "section {} has {} entries, not {}", static_cast<uint32_t>(which), values.size(), count)));
  }
  return values;
}

Result<TextTable> Segment::text_table(SegmentSection begins, SegmentSection text) const {
  TextTable table{section<uint64_t>(begins), section_text(text)};
  if (table.begins.empty()) return std::unexpected(corrupt("a table of texts has no offsets"));
  return table;
}

Result<void> Segment::map_sections() {
  for (const SectionEntry& entry : header_.section) {
    if (entry.offset % kSectionAlignment != 0 || entry.offset > bytes() ||
        entry.bytes > bytes() - entry.offset) {
      return std::unexpected(corrupt("a section lies outside of the file"));
    }
  }
  TRY(map_points());
  TRY(map_vectors());
  TRY(map_columns());
  TRY(map_sparse(Level::kChunk));
  return map_sparse(Level::kDocument);
}

Result<void> Segment::map_points() {
  ids_ = TRY(sized_section<uint64_t>(SegmentSection::kIds, points()));
  id_order_ = TRY(sized_section<uint32_t>(SegmentSection::kIdOrder, points()));
  group_begins_[0] = TRY(sized_section<uint32_t>(SegmentSection::kGroupChunks, groups() + 1));
  group_begins_[1] = TRY(sized_section<uint32_t>(SegmentSection::kGroupDocuments, groups() + 1));
  kinds_ = TRY(sized_section<uint8_t>(SegmentSection::kGroupKinds, groups()));
  opened_ = TRY(sized_section<int64_t>(SegmentSection::kGroupOpened, groups()));
  groups_by_id_ = TRY(sized_section<uint32_t>(SegmentSection::kGroupsById, groups()));
  group_records_ =
      TRY(text_table(SegmentSection::kGroupRecordBegins, SegmentSection::kGroupRecords));
  point_records_ =
      TRY(text_table(SegmentSection::kPointRecordBegins, SegmentSection::kPointRecords));
  return {};
}

Result<void> Segment::map_vectors() {
  if (dimensions() == 0) return {};
  // No model has so many; the bound keeps the products below from overflowing.
  if (dimensions() > 65'536)
    return std::unexpected(corrupt("the vectors have too many dimensions"));
  vectors_ =
      TRY(sized_section<float>(SegmentSection::kVectors, chunks() * row_stride(dimensions())));
  has_vector_ = TRY(sized_section<uint64_t>(SegmentSection::kHasVector, (chunks() + 63) / 64));
  if (section_text(SegmentSection::kQuantizedScales).empty()) return {};
  quantized_.stride = quantized_stride(dimensions());
  quantized_.values =
      TRY(sized_section<uint8_t>(SegmentSection::kQuantized, chunks() * quantized_.stride));
  quantized_.scales = TRY(sized_section<float>(SegmentSection::kQuantizedScales, chunks()));
  if (section_text(SegmentSection::kGraphEntries).empty()) return {};
  graph_.begins = TRY(sized_section<uint32_t>(SegmentSection::kGraphBegins, chunks() + 1));
  graph_.neighbours = section<uint32_t>(SegmentSection::kGraphNeighbours);
  graph_.entries = section<uint32_t>(SegmentSection::kGraphEntries);
  return {};
}

Result<void> Segment::map_columns() {
  for (uint32_t i = 0; i < kTextFields; ++i) {
    const auto part = [&](ColumnPart which) {
      return column_section(static_cast<TextField>(i), which);
    };
    TextColumn& column = columns_[i];
    column.begins = TRY(sized_section<uint32_t>(part(ColumnPart::kBegins), groups() + 1));
    column.codes = section<uint32_t>(part(ColumnPart::kCodes));
    column.dictionary =
        TRY(text_table(part(ColumnPart::kDictionaryBegins), part(ColumnPart::kDictionaryText)));
  }
  return {};
}

Result<void> Segment::map_sparse(Level level) {
  const auto part = [&](SparsePart which) {
    return sparse_section(static_cast<uint32_t>(level), which);
  };
  SparseLists& lists = sparse_[static_cast<size_t>(level)];
  lists.terms = section<uint32_t>(part(SparsePart::kTerms));
  lists.block_begins =
      TRY(sized_section<uint32_t>(part(SparsePart::kBlockBegins), lists.terms.size() + 1));
  lists.blocks = section<PostingBlock>(part(SparsePart::kBlocks));
  lists.points = section<uint16_t>(part(SparsePart::kPoints));
  lists.weights = TRY(sized_section<float>(part(SparsePart::kWeights), lists.points.size()));
  return {};
}

Result<void> Segment::verify() const {
  for (uint32_t i = 0; i < kSections; ++i) {
    if (hash64(section_text(static_cast<SegmentSection>(i))) != header_.section[i].checksum) {
      return std::unexpected(corrupt(fmt::format("section {} does not match its checksum", i)));
    }
  }
  return {};
}

std::optional<size_t> Segment::find(uint64_t id) const {
  const auto id_at = [&](uint32_t position) { return position < ids_.size() ? ids_[position] : 0; };
  const auto found = std::lower_bound(
      id_order_.begin(), id_order_.end(), id,
      [&](uint32_t position, uint64_t wanted) { return id_at(position) < wanted; });
  if (found == id_order_.end() || *found >= ids_.size() || ids_[*found] != id) return std::nullopt;
  return *found;
}

Range Segment::group_points(size_t group, Level level) const {
  const auto begins = group_begins_[static_cast<size_t>(level)];
  const Range range{begins[group], begins[group + 1]};
  return range.begin <= range.end && range.end <= points(level) ? range : Range{};
}

std::vector<uint32_t> Segment::groups_of(std::string_view doc_id) const {
  const TextColumn& ids = column(TextField::kId);
  const auto code = ids.find_spelling(doc_id);
  if (!code) return {};
  const auto code_of = [&](uint32_t group) {
    const auto codes = group < groups() ? ids.of_group(group) : std::span<const uint32_t>();
    return codes.empty() ? 0 : codes.front();
  };
  auto group = std::lower_bound(groups_by_id_.begin(), groups_by_id_.end(), *code,
                                [&](uint32_t g, uint32_t wanted) { return code_of(g) < wanted; });
  std::vector<uint32_t> found;
  for (; group != groups_by_id_.end() && *group < groups() && code_of(*group) == *code; ++group) {
    found.push_back(*group);
  }
  return found;
}

Result<Payload> Segment::payload(size_t position) const {
  const Level level = level_of(position, *this);
  const size_t ordinal = level == Level::kChunk ? position : position - chunks();
  const auto begins = group_begins_[static_cast<size_t>(level)];
  const auto after = std::upper_bound(begins.begin(), begins.end(), ordinal);
  Payload payload;
  payload.level = level;
  if (after == begins.begin() || after == begins.end() ||
      !read_group_record(group_record(static_cast<size_t>(after - begins.begin()) - 1), payload) ||
      !read_point_record(point_record(position), payload)) {
    return std::unexpected(
        corrupt(fmt::format("the record of point {} cannot be read", ids_[position])));
  }
  return payload;
}

Error Segment::corrupt(std::string_view what) const { return corrupt_index(path_, what); }

}  // namespace precedent
