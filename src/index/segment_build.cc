#include "index/segment_build.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "index/record_coder.h"
#include "index/segment_writer.h"

namespace precedent {
namespace {

struct Group {
  std::string record;
  std::vector<const Point*> points;
  std::string point_records;  // of `points`, one after another
};

// In order of first appearance; within a group chunks before documents, by ordinal and id.
std::vector<Group> group_points(std::span<const Point> points) {
  std::vector<Group> groups;
  std::unordered_map<std::string, size_t> by_record;
  ByteWriter record;
  for (const Point& point : points) {
    record.clear();
    write_group_record(point.payload, record);
    const auto [found, is_new] = by_record.try_emplace(record.bytes(), groups.size());
    if (is_new) groups.push_back({record.bytes(), {}, {}});
    groups[found->second].points.push_back(&point);
  }
  for (Group& group : groups) {
    std::sort(group.points.begin(), group.points.end(), [](const Point* a, const Point* b) {
      return std::tie(a->payload.level, a->payload.ordinal, a->id) <
             std::tie(b->payload.level, b->payload.ordinal, b->id);
    });
  }
  return groups;
}

void write_postings(const std::vector<const SparseVector*>& vectors, PostingWriter& out) {
  size_t count = 0;
  for (const SparseVector* sparse : vectors) count += sparse->terms.size();
  out.reserve(count);
  std::vector<Posting> postings;
  postings.reserve(count);
  for (uint32_t point = 0; point < vectors.size(); ++point) {
    const SparseVector& sparse = *vectors[point];
    for (size_t i = 0; i < sparse.terms.size(); ++i)
      postings.push_back({sparse.terms[i], point, sparse.weights[i]});
  }
  sort_by_term(postings);
  for (size_t i = 0; i < postings.size(); ++i) {
    if (i == 0 || postings[i].term != postings[i - 1].term) out.begin_term(postings[i].term);
    out.add(postings[i].point, postings[i].weight);
  }
}

// Fills in point_records; gives the end of each.
std::vector<size_t> write_point_records(Group& group) {
  std::vector<size_t> ends;
  ByteWriter records;
  for (const Point* point : group.points) {
    write_point_record(point->payload, records);
    ends.push_back(records.bytes().size());
  }
  group.point_records = std::move(records).take();
  return ends;
}

}  // namespace

Result<void> build_segment(std::span<const Point> points, size_t dimensions,
                           const IndexOptions& options, const std::filesystem::path& path) {
  SegmentWriter writer(dimensions, options);
  std::vector<const SparseVector*> sparse[2];  // by level
  std::vector<Group> groups = group_points(points);
  for (Group& group : groups) {
    writer.begin_group(group.points.front()->payload, group.record);
    const std::vector<size_t> ends = write_point_records(group);
    for (size_t i = 0, begin = 0; i < ends.size(); begin = ends[i++]) {
      const Point& point = *group.points[i];
      const auto record = std::string_view(group.point_records).substr(begin, ends[i] - begin);
      sparse[static_cast<size_t>(point.payload.level)].push_back(&point.sparse);
      if (point.payload.level == Level::kChunk) {
        writer.add_chunk(point.id, record, point.dense.empty() ? nullptr : point.dense.data());
      } else {
        writer.add_document(point.id, record);
      }
    }
  }
  write_postings(sparse[0], writer.postings(Level::kChunk));
  write_postings(sparse[1], writer.postings(Level::kDocument));
  return writer.write(path);
}

}  // namespace precedent
