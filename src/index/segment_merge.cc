#include "index/segment_merge.h"

#include <algorithm>
#include <limits>

#include "index/record_coder.h"
#include "index/segment_writer.h"

namespace precedent {
namespace {

constexpr uint32_t kGone = std::numeric_limits<uint32_t>::max();

// Of one source: where each point of a level went, or kGone.
using Moves = std::array<std::vector<uint32_t>, 2>;

class Merger {
 public:
  Merger(std::span<const LiveSegment> sources, size_t dimensions, const IndexOptions& options)
      : sources_(sources), writer_(dimensions, options) {}

  Result<void> run(const std::filesystem::path& path) {
    for (const LiveSegment& source : sources_) TRY(copy_points(source));
    TRY(merge_lists(Level::kChunk));
    TRY(merge_lists(Level::kDocument));
    return writer_.write(path);
  }

 private:
  Result<void> copy_points(const LiveSegment& source) {
    const Segment& segment = *source.segment;
    Moves& moves = moves_.emplace_back();
    for (const Level level : {Level::kChunk, Level::kDocument}) {
      moves[static_cast<size_t>(level)].assign(segment.points(level), kGone);
    }
    for (size_t group = 0; group < segment.groups(); ++group) TRY(copy_group(source, group, moves));
    return {};
  }

  Result<void> copy_group(const LiveSegment& source, size_t group, Moves& moves) {
    const Segment& segment = *source.segment;
    bool begun = false;
    for (const Level level : {Level::kChunk, Level::kDocument}) {
      const Range range = segment.group_points(group, level);
      for (size_t point = range.begin; point < range.end; ++point) {
        const size_t position = level == Level::kChunk ? point : segment.chunks() + point;
        if (!source.is_live(position)) continue;
        if (!begun) TRY(begin_group(segment, group));
        begun = true;
        moves[static_cast<size_t>(level)][point] = next_[static_cast<size_t>(level)]++;
        copy_point(segment, position, level);
      }
    }
    return {};
  }

  Result<void> begin_group(const Segment& segment, size_t group) {
    Payload fields;
    const std::string_view record = segment.group_record(group);
    if (!read_group_record(record, fields) || fields.doc_id.empty()) {
      return std::unexpected(segment.corrupt("the record of a document cannot be read"));
    }
    writer_.begin_group(fields, record);
    return {};
  }

  void copy_point(const Segment& segment, size_t position, Level level) {
    const uint64_t id = segment.ids()[position];
    const std::string_view record = segment.point_record(position);
    if (level == Level::kDocument) {
      writer_.add_document(id, record);
      return;
    }
    const bool has_vector = segment.dimensions() != 0 && segment.has_vector(position);
    writer_.add_chunk(id, record, has_vector ? segment.row(position).data() : nullptr);
  }

  // The term tables are walked side by side; sources come in order, so moved points stay ascending.
  Result<void> merge_lists(Level level) {
    PostingWriter& out = writer_.postings(level);
    size_t postings = 0;
    for (const LiveSegment& source : sources_)
      postings += source.segment->sparse(level).points.size();
    out.reserve(postings);
    std::vector<size_t> next(sources_.size());
    for (;;) {
      uint64_t term = std::numeric_limits<uint64_t>::max();
      for (size_t s = 0; s < sources_.size(); ++s) {
        const auto terms = sources_[s].segment->sparse(level).terms;
        if (next[s] < terms.size()) term = std::min<uint64_t>(term, terms[next[s]]);
      }
      if (term == std::numeric_limits<uint64_t>::max()) return {};
      out.begin_term(static_cast<uint32_t>(term));
      for (size_t s = 0; s < sources_.size(); ++s) {
        const auto terms = sources_[s].segment->sparse(level).terms;
        if (next[s] < terms.size() && terms[next[s]] == term)
          TRY(copy_list(s, level, next[s]++, out));
      }
    }
  }

  Result<void> copy_list(size_t source, Level level, size_t term, PostingWriter& out) {
    const Segment& segment = *sources_[source].segment;
    const SparseLists& lists = segment.sparse(level);
    const auto& moved = moves_[source][static_cast<size_t>(level)];
    const size_t begin = lists.block_begins[term], end = lists.block_begins[term + 1];
    if (begin > end || end > lists.blocks.size()) {
      return std::unexpected(segment.corrupt("the blocks of a term lie outside of their section"));
    }
    for (const PostingBlock& block : lists.blocks.subspan(begin, end - begin)) {
      if (size_t{block.begin} + block.last >= lists.points.size()) {
        return std::unexpected(
            segment.corrupt("the postings of a term lie outside of their section"));
      }
      for (size_t i = block.begin; i <= size_t{block.begin} + block.last; ++i) {
        const size_t point = block.window * kWindow + lists.points[i];
        if (point < moved.size() && moved[point] != kGone) out.add(moved[point], lists.weights[i]);
      }
    }
    return {};
  }

  std::span<const LiveSegment> sources_;
  SegmentWriter writer_;
  std::vector<Moves> moves_;           // by source
  std::array<uint32_t, 2> next_ = {};  // by Level: how many points were copied
};

}  // namespace

Result<void> merge_segments(std::span<const LiveSegment> sources, const IndexOptions& options,
                            const std::filesystem::path& path) {
  size_t dimensions = 0;
  for (const LiveSegment& source : sources) {
    if (source.vectors() > 0) dimensions = source.segment->dimensions();
  }
  return Merger(sources, dimensions, options).run(path);
}

}  // namespace precedent
