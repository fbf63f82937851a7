// The contract suite over the implementations: among them Qdrant, as the fake in this process and,
// where PRECEDENT_QDRANT_URL names one, as a real server.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "files/temporary_folder.h"
#include "index/embedded_index.h"
#include "index/index_contract.h"
#include "index/memory_index.h"
#include "index/qdrant_fake.h"
#include "index/qdrant_index.h"
#include "net/curl_http_client.h"

namespace precedent {
namespace {

class MemoryHarness final : public IndexHarness {
 public:
  KnowledgeIndex& index() override { return index_; }

 private:
  MemoryIndex index_;
};

class EmbeddedHarness final : public IndexHarness {
 public:
  EmbeddedHarness() { reopen(); }
  KnowledgeIndex& index() override { return *index_; }
  void reopen() override {
    auto opened = EmbeddedIndex::open(folder_.path() / "index");
    EXPECT_TRUE(opened) << opened.error().text();
    index_ = *std::move(opened);
  }

 private:
  TemporaryFolder folder_;
  std::unique_ptr<EmbeddedIndex> index_;
};

INSTANTIATE_TEST_SUITE_P(Memory, KnowledgeIndexContract, testing::Values(IndexMaker([] {
                           return std::make_unique<MemoryHarness>();
                         })));
INSTANTIATE_TEST_SUITE_P(Embedded, KnowledgeIndexContract, testing::Values(IndexMaker([] {
                           return std::make_unique<EmbeddedHarness>();
                         })));

QdrantConfig fake_config() {
  QdrantConfig config{.url = "http://localhost:6333"};
  config.exact = true;
  // Several pages and batches, however little there is.
  config.page_points = 3;
  config.batch_bytes = 500;
  return config;
}

class QdrantFakeHarness final : public IndexHarness {
 public:
  QdrantFakeHarness() { index_ = *QdrantIndex::create(api_, "kb-1f2e3d4c-3", 8); }
  KnowledgeIndex& index() override { return *index_; }
  void reopen() override { index_ = *QdrantIndex::open(api_, "kb-1f2e3d4c-3"); }

 private:
  std::shared_ptr<QdrantApi> api_ =
      std::make_shared<QdrantApi>(std::make_shared<QdrantFake>(), fake_config());
  std::unique_ptr<QdrantIndex> index_;
};

INSTANTIATE_TEST_SUITE_P(QdrantFake, KnowledgeIndexContract, testing::Values(IndexMaker([] {
                           return std::make_unique<QdrantFakeHarness>();
                         })));

std::string fresh_name() {
  static int number = 0;
  return fmt::format("precedent-test-{}-{}", ::getpid(), ++number);
}

class QdrantServerHarness final : public IndexHarness {
 public:
  explicit QdrantServerHarness(const QdrantConfig& config)
      : api_(std::make_shared<QdrantApi>(std::make_shared<CurlHttpClient>(), config)) {
    auto made = QdrantIndex::create(api_, name_, 8);
    EXPECT_TRUE(made) << made.error().text();
    if (made) index_ = *std::move(made);
  }
  ~QdrantServerHarness() override { (void)QdrantIndex::drop(api_, name_); }
  KnowledgeIndex& index() override { return *index_; }
  void reopen() override { index_ = *QdrantIndex::open(api_, name_); }

 private:
  std::shared_ptr<QdrantApi> api_;
  const std::string name_ = fresh_name();
  std::unique_ptr<QdrantIndex> index_;
};

std::optional<QdrantConfig> server() {
  auto config = qdrant_config_of_environment();
  EXPECT_TRUE(config) << config.error().text();
  if (config && *config) (*config)->exact = true;
  return config.value_or(std::nullopt);
}

void skip_without_server() { GTEST_SKIP() << "no real Qdrant: PRECEDENT_QDRANT_URL is not set"; }

class NoServer final : public IndexHarness {
 public:
  KnowledgeIndex& index() override { return index_; }

 private:
  MemoryIndex index_;
};

INSTANTIATE_TEST_SUITE_P(QdrantServer, KnowledgeIndexContract,
                         testing::Values(IndexMaker([]() -> std::unique_ptr<IndexHarness> {
                           if (const auto config = server())
                             return std::make_unique<QdrantServerHarness>(*config);
                           skip_without_server();
                           return std::make_unique<NoServer>();
                         })));

}  // namespace
}  // namespace precedent
