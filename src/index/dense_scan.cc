#include "index/dense_scan.h"

#include <algorithm>

#include "index/dot_product.h"
#include "index/graph_search.h"
#include "index/scoring.h"

namespace precedent {
namespace {

// Candidates of the quantised scan that are scored exactly: twice the limit, and some for small
// limits. The rounding moves a row by a few ranks; recall against exact was 1.000 in every run of
// index_bench.
size_t rescored(size_t limit) { return 2 * limit + 32; }

// Candidates that a graph search keeps: what recall@10 >= 0.99 takes at 200,000 chunks
// (index_bench), and room above the limit.
size_t graph_width(size_t limit) { return std::max<size_t>(128, 2 * limit + 32); }

// Nanoseconds to score a row. Measured in index_bench on one core: 58 for float rows read in order,
// 10 to 15 for quantised ones, by whether they come from cache or memory. A row anywhere costs a
// cache miss more: an estimate.
constexpr double kFloatRow = 60;
constexpr double kQuantizedRow = 15;
constexpr double kGraphRow = 60;
// Rows that a graph search scores for each candidate it keeps: an estimate, most neighbours having
// been seen.
constexpr double kRowsAKept = 12;

class DenseScan {
 public:
  DenseScan(std::span<const float> query, size_t limit)
      : query_(query), quantized_(query), best_(limit), limit_(limit) {}

  void add(const Segment& segment, const PointSet& allowed, bool exactly) {
    const size_t matching = count_matching(segment, allowed);
    const bool quantized = !segment.quantized().empty() && !exactly;
    const size_t wanted = std::min(limit_, matching);
    switch (choose_dense_path(segment.chunks(), matching, wanted, quantized,
                              quantized && !segment.graph().empty())) {
      case DensePath::kFloats: scan_floats(segment, allowed); break;
      case DensePath::kQuantized: scan_quantized(segment, allowed, wanted); break;
      case DensePath::kGraph: search_graph_of(segment, allowed, matching, wanted); break;
    }
  }

  std::vector<PointScore> take() { return best_.take(); }

 private:
  // Calls visit(chunk) for each chunk of the set that has a vector.
  template <typename Visit>
  static void for_each_vector(const Segment& segment, const PointSet& allowed, Visit visit) {
    const auto has = segment.has_vector_words();
    for (size_t w = 0; w < has.size(); ++w) {
      uint64_t word = allowed.all() ? has[w] : has[w] & allowed.bits->words()[w];
      for (; word != 0; word &= word - 1) {
        const size_t chunk = w * 64 + static_cast<size_t>(std::countr_zero(word));
        if (chunk < segment.chunks()) visit(chunk);
      }
    }
  }

  static size_t count_matching(const Segment& segment, const PointSet& allowed) {
    const auto has = segment.has_vector_words();
    size_t n = 0;
    for (size_t w = 0; w < has.size(); ++w) {
      n += static_cast<size_t>(
          std::popcount(allowed.all() ? has[w] : has[w] & allowed.bits->words()[w]));
    }
    return n;
  }

  void offer(const Segment& segment, size_t chunk) {
    best_.offer(segment.ids()[chunk],
                dot_(query_.data(), segment.row(chunk).data(), query_.size()));
  }

  void scan_floats(const Segment& segment, const PointSet& allowed) {
    for_each_vector(segment, allowed, [&](size_t chunk) { offer(segment, chunk); });
  }

  void scan_quantized(const Segment& segment, const PointSet& allowed, size_t wanted) {
    const QuantizedRows& rows = segment.quantized();
    TopK candidates(rescored(wanted));
    for_each_vector(segment, allowed, [&](size_t chunk) {
      const float score = rows.score(quantized_, chunk);
      // Equal candidates are kept by id, as in the result.
      if (score >= candidates.threshold()) candidates.offer(chunk, score);
    });
    for (const PointScore& candidate : candidates.take()) offer(segment, candidate.id);
  }

  void search_graph_of(const Segment& segment, const PointSet& allowed, size_t matching,
                       size_t wanted) {
    const size_t width = graph_width(wanted);
    // Beyond the cost of reading all matching rows the graph has lost.
    const auto max_scored =
        static_cast<size_t>(static_cast<double>(matching) * kQuantizedRow / kGraphRow);
    const auto found =
        search_graph(segment.graph(), segment.quantized(), quantized_, allowed, width, max_scored);
    if (found.size() < std::min(width, matching)) return scan_quantized(segment, allowed, wanted);
    for (const GraphCandidate& candidate : found) offer(segment, candidate.row);
  }

  std::span<const float> query_;
  QuantizedQuery quantized_;
  TopK best_;
  size_t limit_;
  DotProduct dot_ = dot_product();
};

std::vector<PointScore> scan(const Snapshot& snapshot, std::span<const float> query,
                             const FilterScan& filter, size_t limit, bool exactly) {
  DenseScan scan(query, limit);
  for (const LiveSegment& live : snapshot.segments) {
    if (live.segment->dimensions() != query.size()) continue;
    scan.add(*live.segment, filter.points(live, Level::kChunk), exactly);
  }
  return scan.take();
}

}  // namespace

DensePath choose_dense_path(size_t rows, size_t matching, size_t limit, bool has_quantized,
                            bool has_graph) {
  const auto n = static_cast<double>(matching);
  const double floats = n * kFloatRow;
  const double quantized = n * kQuantizedRow + static_cast<double>(rescored(limit)) * kFloatRow;
  // Of the rows on the way only matching ones are kept, so the way is longer by the share that does
  // not match.
  const double graph = static_cast<double>(graph_width(limit)) * kRowsAKept * kGraphRow *
                       static_cast<double>(rows) / std::max(n, 1.0);
  if (!has_quantized || floats <= quantized) return DensePath::kFloats;
  return has_graph && graph < quantized ? DensePath::kGraph : DensePath::kQuantized;
}

std::vector<PointScore> scan_dense(const Snapshot& snapshot, std::span<const float> query,
                                   const FilterScan& filter, size_t limit) {
  return scan(snapshot, query, filter, limit, false);
}

std::vector<PointScore> scan_dense_exactly(const Snapshot& snapshot, std::span<const float> query,
                                           const FilterScan& filter, size_t limit) {
  return scan(snapshot, query, filter, limit, true);
}

}  // namespace precedent
