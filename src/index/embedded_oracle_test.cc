// The embedded index against the plain oracle, through many random updates, reopening now and then.
#include <gtest/gtest.h>

#include "files/temporary_folder.h"
#include "index/embedded_index.h"
#include "index/memory_index.h"
#include "index/random_corpus.h"

namespace precedent {
namespace {

class OracleTest : public testing::Test {
 protected:
  void open() {
    auto opened = EmbeddedIndex::open(folder_.path());
    ASSERT_TRUE(opened) << opened.error().text();
    index_ = *std::move(opened);
  }

  // A few documents removed, some of them at once replaced, some added.
  IndexUpdate random_update() {
    IndexUpdate update{.remove_documents = {}, .add = {}, .model_id = "model"};
    const auto add = [&](const std::string& doc_id) {
      auto points = corpus_.document(doc_id, corpus_.below(6), next_id_);
      next_id_ += points.size();
      // Mixed indexes exist: a document whose vectors could not be made.
      if (corpus_.below(5) == 0) {
        for (Point& point : points) point.dense.clear();
      }
      std::move(points.begin(), points.end(), std::back_inserter(update.add));
    };
    for (uint64_t n = corpus_.below(4); n > 0 && !documents_.empty(); --n) {
      const size_t at = corpus_.below(documents_.size());
      update.remove_documents.push_back(documents_[at]);
      if (corpus_.below(2) == 0) {
        add(documents_[at]);
      } else {
        documents_.erase(documents_.begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
    for (uint64_t n = corpus_.below(corpus_.below(10) == 0 ? 60 : 6); n > 0; --n) {
      documents_.push_back("Doc-" + std::to_string(next_id_));
      add(documents_.back());
    }
    return update;
  }

  static void expect_near(const Result<std::vector<PointScore>>& found,
                          const Result<std::vector<PointScore>>& wanted, float tolerance) {
    ASSERT_TRUE(found) << found.error().text();
    ASSERT_EQ(found->size(), wanted->size());
    for (size_t i = 0; i < found->size(); ++i) {
      EXPECT_NEAR((*found)[i].score, (*wanted)[i].score, tolerance);
      if (tolerance == 0) {  // otherwise scores that round alike may change places
        EXPECT_EQ((*found)[i].id, (*wanted)[i].id);
      }
    }
  }

  void compare() {
    const Filter filter = corpus_.filter();
    SCOPED_TRACE(to_string(filter));
    const SparseVector query = corpus_.sparse_query();
    const size_t limit = corpus_.below(30);
    for (const Level level : {Level::kChunk, Level::kDocument}) {
      // Sparse scores are added in the same order as the oracle's: equal to the last bit.
      expect_near(index_->search_sparse(query, filter, level, limit),
                  oracle_.search_sparse(query, filter, level, limit), 0);
    }
    const std::vector<float> vector = corpus_.vector();
    expect_near(index_->search_dense(vector, filter, limit),
                oracle_.search_dense(vector, filter, limit), 1e-5f);
    const auto order =
        corpus_.below(2) == 0 ? KnowledgeIndex::Order::kNewest : KnowledgeIndex::Order::kTitle;
    EXPECT_EQ(*index_->list(filter, order, limit), *oracle_.list(filter, order, limit));
    EXPECT_EQ(*index_->count_documents(filter), *oracle_.count_documents(filter));
    for (int facet = 0; facet <= static_cast<int>(Facet::kStatus); ++facet) {
      EXPECT_EQ(*index_->facet(static_cast<Facet>(facet), filter),
                *oracle_.facet(static_cast<Facet>(facet), filter));
    }
    compare_points();
  }

  void compare_points() {
    std::vector<uint64_t> ids;
    for (int i = 0; i < 5; ++i) ids.push_back(corpus_.below(next_id_ + 2));
    EXPECT_EQ(*index_->payloads(ids), *oracle_.payloads(ids));
    EXPECT_EQ(*index_->vectors(ids), *oracle_.vectors(ids));
    if (documents_.empty()) return;
    const std::string& doc_id = documents_[corpus_.below(documents_.size())];
    EXPECT_EQ(*index_->chunks_of(doc_id), *oracle_.chunks_of(doc_id));
  }

  void compare_info() {
    IndexInfo found = index_->info();
    found.bytes = 0;
    const IndexInfo wanted = oracle_.info();
    EXPECT_EQ(
        std::tie(found.version, found.documents, found.chunks, found.dimensions, found.model_id),
        std::tie(wanted.version, wanted.documents, wanted.chunks, wanted.dimensions,
                 wanted.model_id));
  }

  CorpusShape shape_{.vocabulary = 300,
                     .terms_in_chunk = 12,
                     .terms_in_query = 5,
                     .dimensions = 20,
                     .clusters = 5,
                     .spread = 1,
                     .values = 6};
  RandomCorpus corpus_{shape_, 20'250'120};
  TemporaryFolder folder_;
  std::unique_ptr<EmbeddedIndex> index_;
  MemoryIndex oracle_;
  std::vector<std::string> documents_;
  uint64_t next_id_ = 1;
};

TEST_F(OracleTest, AnswersLikeTheOracleThroughManyUpdates) {
  open();
  for (uint64_t version = 1; version <= 150 && !HasFailure(); ++version) {
    SCOPED_TRACE(version);
    const IndexUpdate update = random_update();
    const auto applied = index_->apply(update, version);
    ASSERT_TRUE(applied) << applied.error().text();
    ASSERT_TRUE(oracle_.apply(update, version));
    if (corpus_.below(5) == 0) open();
    compare_info();
    for (int i = 0; i < 4; ++i) compare();
  }
  EXPECT_TRUE(index_->verify());
}

TEST_F(OracleTest, RemovingEverythingLeavesAnEmptyIndex) {
  open();
  for (uint64_t version = 1; version <= 20; ++version)
    ASSERT_TRUE(index_->apply(random_update(), version));
  ASSERT_TRUE(index_->apply({.remove_documents = documents_, .add = {}}, 21));
  open();
  EXPECT_EQ(index_->info().chunks + index_->info().documents, 0u);
  EXPECT_EQ(index_->info().bytes, 0u);
  EXPECT_EQ(index_->info().version, 21u);
}

// More than one window of 65,536 points, which small corpora never reach.
TEST_F(OracleTest, SparseSearchIsExactAcrossWindows) {
  open();
  shape_.dimensions = 0;
  RandomCorpus corpus(
      {.vocabulary = 5000, .terms_in_chunk = 3, .terms_in_query = 6, .dimensions = 0}, 7);
  IndexUpdate update;
  for (uint64_t doc = 0; doc < 14'000; ++doc) {
    auto points = corpus.document("d" + std::to_string(doc), 5, doc * 6);
    std::move(points.begin(), points.end(), std::back_inserter(update.add));
  }
  ASSERT_TRUE(index_->apply(update, 1));
  ASSERT_TRUE(oracle_.apply(update, 1));
  for (int i = 0; i < 5; ++i) {
    const SparseVector query = corpus.sparse_query();
    const Filter filter = i % 2 == 0 ? Filter{} : corpus.filter();
    expect_near(index_->search_sparse(query, filter, Level::kChunk, 50),
                oracle_.search_sparse(query, filter, Level::kChunk, 50), 0);
  }
}

}  // namespace
}  // namespace precedent
