// The parts of dense search against plain ones: products, quantised rows, graph, the choice between
// them.
#include "index/dense_scan.h"

#include <gtest/gtest.h>

#include "files/temporary_folder.h"
#include "index/dot_product.h"
#include "index/embedded_index.h"
#include "index/graph_build.h"
#include "index/graph_search.h"
#include "index/random_corpus.h"
#include "index/scoring.h"

namespace precedent {
namespace {

CorpusShape vectors_of(size_t dimensions) {
  CorpusShape shape;
  shape.dimensions = dimensions;
  shape.clusters = 20;
  shape.terms_in_chunk = 3;
  return shape;
}

TEST(DotProduct, TheFastestEqualsThePlainForEveryLength) {
  for (size_t n = 1; n <= 400; n = n < 70 ? n + 1 : n + 33) {
    RandomCorpus corpus(vectors_of(n), n);
    const auto a = corpus.vector(), b = corpus.vector();
    EXPECT_NEAR(dot_product()(a.data(), b.data(), n), plain_dot_product(a.data(), b.data(), n),
                1e-5)
        << n;
  }
}

TEST(Quantized, EveryKernelGivesThePlainProducts) {
  const auto kernels = all_integer_products();
  std::mt19937_64 random(1);
  for (size_t n = 64; n <= 512; n += 64) {
    std::vector<uint8_t> a(n), b(n);
    std::vector<int8_t> query(n);
    for (size_t i = 0; i < n; ++i) {
      // Extremes, which overflow narrow sums, and anything.
      a[i] = n % 128 == 0 ? 255 : static_cast<uint8_t>(random());
      b[i] = n % 128 == 0 ? 255 : static_cast<uint8_t>(random());
      query[i] = n % 128 == 0 ? -127 : static_cast<int8_t>(random() % 255 - 127);
    }
    for (const IntegerProducts& kernel : kernels) {
      EXPECT_EQ(kernel.with_query(a.data(), query.data(), n),
                kernels[0].with_query(a.data(), query.data(), n));
      EXPECT_EQ(kernel.of_rows(a.data(), b.data(), n), kernels[0].of_rows(a.data(), b.data(), n));
    }
  }
}

// Rows of a corpus, quantised.
struct Rows {
  explicit Rows(size_t n, size_t dimensions) : corpus(vectors_of(dimensions), 11) {
    const size_t stride = quantized_stride(dimensions);
    values.resize(n * stride);
    for (size_t i = 0; i < n; ++i) {
      floats.push_back(corpus.vector());
      scales.push_back(quantize_row(floats[i], values.data() + i * stride));
    }
    view = {values, scales, stride};
  }
  // The best `limit` rows that are allowed, by float products.
  std::vector<PointScore> exact(std::span<const float> query, const PointSet& allowed,
                                size_t limit) const {
    TopK best(limit);
    for (size_t i = 0; i < floats.size(); ++i) {
      if (allowed.contains(i))
        best.offer(i, plain_dot_product(query.data(), floats[i].data(), query.size()));
    }
    return best.take();
  }

  RandomCorpus corpus;
  std::vector<std::vector<float>> floats;
  std::vector<uint8_t> values;
  std::vector<float> scales;
  QuantizedRows view;
};

TEST(Quantized, ScoresAreNearTheExactOnes) {
  for (const size_t dimensions : {3, 64, 384, 390}) {
    Rows rows(200, dimensions);
    const auto query = rows.corpus.vector();
    for (size_t i = 0; i < rows.floats.size(); ++i) {
      const float exact = plain_dot_product(query.data(), rows.floats[i].data(), dimensions);
      EXPECT_NEAR(rows.view.score(QuantizedQuery(query), i), exact, 0.01) << dimensions;
    }
  }
}

TEST(Quantized, RowsAndQueriesOfZerosScoreZero) {
  const std::vector<float> zeros(10), ones(10, 1.0f);
  std::vector<uint8_t> values(2 * quantized_stride(10));
  std::vector<float> scales = {quantize_row(zeros, values.data()),
                               quantize_row(ones, values.data() + quantized_stride(10))};
  const QuantizedRows rows{values, scales, quantized_stride(10)};
  EXPECT_EQ(rows.score(QuantizedQuery(ones), 0), 0);
  EXPECT_EQ(rows.score(QuantizedQuery(zeros), 1), 0);
  EXPECT_NEAR(rows.score(QuantizedQuery(ones), 1), 10, 1e-4);
}

TEST(Graph, FindsNearlyAllOfTheBestTenWithAndWithoutAFilter) {
  constexpr size_t kRows = 4000;
  Rows rows(kRows, 96);
  const auto graph = build_graph(rows.view, [](size_t) { return true; }, 2);
  ASSERT_TRUE(graph) << graph.error().text();
  const GraphView view{graph->begins, graph->neighbours, graph->entries};
  Bitmap third(kRows);
  for (size_t i = 0; i < kRows; i += 3) third.set(i);
  for (const PointSet& allowed : {PointSet{}, PointSet{third}}) {
    size_t found = 0;
    constexpr size_t kQueries = 50;
    for (size_t q = 0; q < kQueries; ++q) {
      const auto query = rows.corpus.vector();
      const auto candidates =
          search_graph(view, rows.view, QuantizedQuery(query), allowed, 128, kRows);
      for (const GraphCandidate& candidate : candidates)
        ASSERT_TRUE(allowed.contains(candidate.row));
      for (const PointScore& wanted : rows.exact(query, allowed, 10)) {
        found += std::count_if(
            candidates.begin(), candidates.end(),
            [&](const GraphCandidate& candidate) { return candidate.row == wanted.id; });
      }
    }
    EXPECT_GE(static_cast<double>(found) / (10 * kQueries), 0.99);
  }
}

TEST(Graph, RowsThatAreAbsentAreNeverFound) {
  Rows rows(100, 16);
  const auto graph = build_graph(rows.view, [](size_t i) { return i % 2 == 1; }, 1);
  const GraphView view{graph->begins, graph->neighbours, graph->entries};
  const auto found = search_graph(view, rows.view, QuantizedQuery(rows.floats[0]), {}, 100, 1000);
  EXPECT_EQ(found.size(), 50u);
  for (const GraphCandidate& candidate : found) EXPECT_EQ(candidate.row % 2, 1u);
}

TEST(ChooseDensePath, TheCheapestThatTheSegmentHas) {
  struct Case {
    size_t rows, matching, limit;
    bool quantized, graph;
    DensePath expected;
  };
  const Case cases[] = {
      {200'000, 200'000, 10, true, true, DensePath::kGraph},
      {200'000, 200'000, 10, true, false, DensePath::kQuantized},
      {200'000, 200'000, 10, false, false, DensePath::kFloats},
      {200'000, 100'000, 10, true, true, DensePath::kGraph},
      {200'000, 5'000, 10, true, true, DensePath::kQuantized},  // a narrow filter
      {200'000, 20, 10, true, true, DensePath::kFloats},
      {200'000, 0, 10, true, true, DensePath::kFloats},
      {200'000, 200'000, 100'000, true, true, DensePath::kFloats},  // nearly all are wanted
  };
  for (const Case& c : cases) {
    EXPECT_EQ(
        choose_dense_path(c.rows, c.matching, std::min(c.limit, c.matching), c.quantized, c.graph),
        c.expected)
        << c.rows << ' ' << c.matching << ' ' << c.limit;
  }
}

// ThreadSanitizer makes building the graph some hundred times slower.
#ifdef __SANITIZE_THREAD__
constexpr int kDocumentsAnUpdate = 40;
#else
constexpr int kDocumentsAnUpdate = 600;
#endif

// Through the whole index: all forms stored, some points dead, several segments.
TEST(DenseSearch, EveryPathAgreesWithTheExactScan) {
  const TemporaryFolder folder;
  auto index =
      *EmbeddedIndex::open(folder.path(), {.quantize_from = 10, .graph_from = 10, .threads = 1});
  RandomCorpus corpus(vectors_of(48), 3);
  uint64_t id = 1;
  for (uint64_t version = 1; version <= 3; ++version) {
    IndexUpdate update{.remove_documents = {}, .add = {}, .model_id = "model"};
    for (int doc = 0; doc < kDocumentsAnUpdate; ++doc) {
      auto points = corpus.document("d" + std::to_string(id), 5, id);
      if (doc % 10 == 0)
        update.remove_documents.push_back("d" + std::to_string(id / 2 / 6 * 6 + 1));
      id += points.size();
      std::move(points.begin(), points.end(), std::back_inserter(update.add));
    }
    ASSERT_TRUE(index->apply(update, version));
  }
  const auto snapshot = Snapshot::open(*read_manifest(folder.path()), folder.path());
  size_t found = 0, wanted = 0;
  for (int i = 0; i < 60; ++i) {
    const auto query = corpus.vector();
    const Filter filter = i % 2 == 0 ? Filter{} : corpus.filter();
    const size_t limit = 1 + corpus.below(20);
    const auto exact = scan_dense_exactly(**snapshot, query, FilterScan(filter), limit);
    const auto hits = *index->search_dense(query, filter, limit);
    ASSERT_EQ(hits.size(), exact.size());
    wanted += exact.size();
    for (const PointScore& hit : exact) found += std::count(hits.begin(), hits.end(), hit) > 0;
  }
  EXPECT_GE(static_cast<double>(found) / static_cast<double>(wanted), 0.99);
}

}  // namespace
}  // namespace precedent
