#include "index/graph_search.h"

#include <algorithm>
#include <queue>

namespace precedent {
namespace {

struct Better {
  bool operator()(const GraphCandidate& a, const GraphCandidate& b) const {
    return a.score > b.score;
  }
};
struct Worse {
  bool operator()(const GraphCandidate& a, const GraphCandidate& b) const {
    return a.score < b.score;
  }
};

// Entries to start from: several, because clusters may be badly linked with each other.
constexpr size_t kStarts = 8;

class GraphSearch {
 public:
  GraphSearch(const GraphView& graph, const QuantizedRows& rows, const QuantizedQuery& query,
              const PointSet& allowed, size_t width)
      : graph_(graph),
        rows_(rows),
        query_(query),
        allowed_(allowed),
        width_(width),
        seen_(rows.size()) {
    found_.reserve(width + 1);
  }

  void run(size_t max_scored) {
    start();
    while (!open_.empty() && scored_ < max_scored) {
      const GraphCandidate next = open_.top();
      if (full() && next.score < found_.front().score) return;
      open_.pop();
      expand(next.row);
    }
  }

  std::vector<GraphCandidate> take() { return std::move(found_); }

 private:
  bool full() const { return found_.size() == width_; }

  void start() {
    std::vector<GraphCandidate> starts;
    for (const uint32_t row : graph_.entries) {
      if (row < rows_.size()) starts.push_back({rows_.score(query_, row), row});
    }
    const size_t n = std::min(kStarts, starts.size());
    std::partial_sort(starts.begin(), starts.begin() + static_cast<std::ptrdiff_t>(n), starts.end(),
                      Better());
    for (size_t i = 0; i < n; ++i) {
      if (seen_.test(starts[i].row)) continue;
      seen_.set(starts[i].row);
      keep(starts[i]);
    }
    scored_ = starts.size();
  }

  void expand(uint32_t row) {
    fresh_.clear();
    for (const uint32_t neighbour : graph_.of(row)) {
      if (neighbour >= rows_.size() || seen_.test(neighbour)) continue;
      seen_.set(neighbour);
      fresh_.push_back(neighbour);
      // The rows lie anywhere in memory: ask for all before the first is read.
      const uint8_t* values = rows_.row(neighbour);
      for (size_t line = 0; line < rows_.stride; line += 64) __builtin_prefetch(values + line);
    }
    for (const uint32_t neighbour : fresh_) {
      const GraphCandidate candidate{rows_.score(query_, neighbour), neighbour};
      if (!full() || candidate.score > found_.front().score) keep(candidate);
    }
    scored_ += fresh_.size();
  }

  void keep(const GraphCandidate& candidate) {
    if (candidate.score != candidate.score) return;  // not a number: corrupt bytes
    open_.push(candidate);
    if (!allowed_.contains(candidate.row)) return;
    found_.push_back(candidate);
    std::push_heap(found_.begin(), found_.end(), Better());
    if (found_.size() <= width_) return;
    std::pop_heap(found_.begin(), found_.end(), Better());
    found_.pop_back();
  }

  const GraphView& graph_;
  const QuantizedRows& rows_;
  const QuantizedQuery& query_;
  const PointSet& allowed_;
  size_t width_;
  Bitmap seen_;
  std::vector<GraphCandidate> found_;  // a heap, the worst in front
  std::priority_queue<GraphCandidate, std::vector<GraphCandidate>, Worse> open_;
  std::vector<uint32_t> fresh_;
  size_t scored_ = 0;
};

}  // namespace

std::vector<GraphCandidate> search_graph(const GraphView& graph, const QuantizedRows& rows,
                                         const QuantizedQuery& query, const PointSet& allowed,
                                         size_t width, size_t max_scored) {
  GraphSearch search(graph, rows, query, allowed, width);
  search.run(max_scored);
  return search.take();
}

}  // namespace precedent
