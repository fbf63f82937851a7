#include "index/dense_scan.h"

#include "index/dot_product.h"
#include "index/scoring.h"

namespace precedent {
namespace {

// Calls visit(chunk) for each chunk of the set that has a vector.
template <typename Visit>
void for_each_vector(const Segment& segment, const PointSet& allowed, Visit visit) {
  const auto has = segment.has_vector_words();
  for (size_t w = 0; w < has.size(); ++w) {
    uint64_t word = allowed.all() ? has[w] : has[w] & allowed.bits->words()[w];
    for (; word != 0; word &= word - 1) {
      const size_t chunk = w * 64 + static_cast<size_t>(std::countr_zero(word));
      if (chunk < segment.chunks()) visit(chunk);
    }
  }
}

}  // namespace

std::vector<PointScore> scan_dense(const Snapshot& snapshot, std::span<const float> query,
                                   const FilterScan& filter, size_t limit) {
  const DotProduct dot = dot_product();
  TopK best(limit);
  for (const LiveSegment& live : snapshot.segments) {
    const Segment& segment = *live.segment;
    if (segment.dimensions() != query.size()) continue;
    const PointSet allowed = filter.points(live, Level::kChunk);
    for_each_vector(segment, allowed, [&](size_t chunk) {
      best.offer(segment.ids()[chunk], dot(query.data(), segment.row(chunk).data(), query.size()));
    });
  }
  return best.take();
}

}  // namespace precedent
