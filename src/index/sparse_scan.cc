#include "index/sparse_scan.h"

#include <algorithm>
#include <bit>

#include "index/scoring.h"

namespace precedent {
namespace {

// One term's postings in one segment.
struct TermList {
  std::span<const PostingBlock> blocks;
  float factor = 0;  // query weight × idf
  size_t next = 0;   // the next block
};

// The position of `term` in `terms`. Terms are hashes, so their values say where they are: guess,
// then widen the bracket around the guess, then bisect. Correct, if slower, for any ascending
// values; harmless for corrupt ones.
std::optional<size_t> find_term(std::span<const uint32_t> terms, uint32_t term) {
  const size_t n = terms.size();
  const size_t guess = static_cast<size_t>((static_cast<uint64_t>(term) * n) >> 32);
  size_t low = guess, high = guess, step = 16;
  while (low > 0 && terms[low] >= term) {
    low -= std::min(low, step);
    step *= 4;
  }
  step = 16;
  while (high < n && terms[high] < term) {
    high += std::min(n - high, step);
    step *= 4;
  }
  const auto end = terms.begin() + static_cast<std::ptrdiff_t>(std::min(high + 1, n));
  const auto found = std::lower_bound(terms.begin() + static_cast<std::ptrdiff_t>(low), end, term);
  if (found == end || *found != term) return std::nullopt;
  return static_cast<size_t>(found - terms.begin());
}

Result<std::span<const PostingBlock>> find_blocks(const Segment& segment, Level level,
                                                  uint32_t term) {
  const SparseLists& lists = segment.sparse(level);
  const auto found = find_term(lists.terms, term);
  if (!found) return std::span<const PostingBlock>();
  const size_t begin = lists.block_begins[*found], end = lists.block_begins[*found + 1];
  if (begin > end || end > lists.blocks.size()) {
    return std::unexpected(segment.corrupt("the blocks of a term lie outside of their section"));
  }
  const auto blocks = lists.blocks.subspan(begin, end - begin);
  for (const PostingBlock& block : blocks) {
    if (size_t{block.begin} + block.last >= lists.points.size()) {
      return std::unexpected(
          segment.corrupt("the postings of a term lie outside of their section"));
    }
  }
  return blocks;
}

size_t count_live(const LiveSegment& live, Level level, std::span<const PostingBlock> blocks) {
  const auto points = live.segment->sparse(level).points;
  const Bitmap& dead = live.dead_of(level);
  size_t n = 0;
  for (const PostingBlock& block : blocks) {
    n += size_t{block.last} + 1;
    if (dead.size() == 0) continue;
    const size_t base = block.window * kWindow;
    for (const uint16_t point : points.subspan(block.begin, size_t{block.last} + 1)) {
      if (base + point < dead.size()) n -= dead.test(base + point);
    }
  }
  return n;
}

// Adds up and harvests the windows of one segment. The scores are all 0 between windows.
class WindowScan {
 public:
  WindowScan(const Segment& segment, Level level, const PointSet& allowed, std::span<float> scores,
             TopK& best)
      : ids_(segment.ids().subspan(level == Level::kChunk ? 0 : segment.chunks(),
                                   segment.points(level))),
        lists_(segment.sparse(level)),
        allowed_(allowed),
        scores_(scores),
        best_(best),
        allowed_count_(allowed.all() ? ids_.size() : allowed.bits->count()) {}

  void run(std::vector<TermList>& terms) {
    for (size_t window = 0; window * kWindow < ids_.size(); ++window) {
      touched_.clear();
      size_t postings = 0;
      for (TermList& term : terms) postings += add(term, window);
      // Few postings: visit the points they named. A narrow filter: visit what it lets through.
      // Else sweep the window, 16 points at a time; so the others pay off only well below that.
      if (postings < kWindow / 16) {
        harvest_touched(window);
      } else if (allowed_count_ < ids_.size() / 8) {
        harvest_allowed(window);
      } else {
        harvest_all(window);
      }
    }
  }

 private:
  size_t add(TermList& term, size_t window) {
    if (term.next == term.blocks.size() || term.blocks[term.next].window != window) return 0;
    const PostingBlock& block = term.blocks[term.next++];
    const uint16_t* points = lists_.points.data() + block.begin;
    const float* weights = lists_.weights.data() + block.begin;
    float* scores = scores_.data();
    const size_t n = size_t{block.last} + 1;
    for (size_t i = 0; i < n; ++i) scores[points[i]] += term.factor * weights[i];
    touched_.push_back({points, n});
    return n;
  }

  void offer(size_t point, float score) {
    if (score > 0 && score >= best_.threshold() && point < ids_.size() &&
        allowed_.contains(point)) {
      best_.offer(ids_[point], score);
    }
  }

  void harvest_touched(size_t window) {
    for (const auto& points : touched_) {
      for (const uint16_t point : points)
        offer(window * kWindow + point, std::exchange(scores_[point], 0.0f));
    }
  }

  void harvest_allowed(size_t window) {
    const auto words = allowed_.bits->words();
    const size_t first = window * kWindow / 64;
    for (size_t w = 0; w < kWindow / 64 && first + w < words.size(); ++w) {
      for (uint64_t word = words[first + w]; word != 0; word &= word - 1) {
        const size_t point = w * 64 + static_cast<size_t>(std::countr_zero(word));
        if (scores_[point] > 0) best_.offer(ids_[window * kWindow + point], scores_[point]);
      }
    }
    std::fill(scores_.begin(), scores_.end(), 0.0f);
  }

  void harvest_all(size_t window) {
    constexpr size_t kStep =
        16;  // points looked at together: what the compiler turns into a few maxima
    const size_t n = std::min(kWindow, ids_.size() - window * kWindow);
    for (size_t begin = 0; begin < n; begin += kStep) {
      float highest = 0;
      for (size_t i = begin; i < begin + kStep; ++i)
        highest = scores_[i] > highest ? scores_[i] : highest;
      if (highest == 0 || highest < best_.threshold()) continue;
      for (size_t i = begin; i < begin + kStep; ++i) offer(window * kWindow + i, scores_[i]);
    }
    std::fill(scores_.begin(), scores_.end(), 0.0f);
  }

  std::span<const uint64_t> ids_;  // of the level
  const SparseLists& lists_;
  const PointSet& allowed_;
  std::span<float> scores_;
  TopK& best_;
  size_t allowed_count_;
  std::vector<std::span<const uint16_t>> touched_;
};

}  // namespace

Result<std::vector<PointScore>> scan_sparse(const Snapshot& snapshot, const SparseVector& query,
                                            const FilterScan& filter, Level level, size_t limit) {
  const size_t terms = std::min(query.terms.size(), query.weights.size());
  std::vector<size_t> df(terms);
  std::vector<std::vector<TermList>> lists(snapshot.segments.size());
  for (size_t s = 0; s < lists.size(); ++s) {
    const LiveSegment& live = snapshot.segments[s];
    for (size_t t = 0; t < terms; ++t) {
      lists[s].push_back({TRY(find_blocks(*live.segment, level, query.terms[t]))});
      df[t] += count_live(live, level, lists[s].back().blocks);
    }
  }
  const size_t population = snapshot.live(level, filter.population());
  TopK best(limit);
  std::vector<float> scores(kWindow);
  for (size_t s = 0; s < lists.size(); ++s) {
    for (size_t t = 0; t < terms; ++t) {
      lists[s][t].factor = query.weights[t] * idf(std::max(df[t], population), df[t]);
    }
    const LiveSegment& live = snapshot.segments[s];
    WindowScan(*live.segment, level, filter.points(live, level), scores, best).run(lists[s]);
  }
  return best.take();
}

}  // namespace precedent
