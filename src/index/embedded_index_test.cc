// What only the embedded index has: files. Crashes at every step, corrupt bytes, several processes
// and threads.
#include "index/embedded_index.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "files/files.h"
#include "files/temporary_folder.h"
#include "index/index_corpus.h"
#include "index/index_probe.h"
#include "index/manifest.h"
#include "index/segment.h"
#include "index/segment_format.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

// Small segments with every section in use.
constexpr IndexOptions kEverything{.quantize_from = 1, .graph_from = 1, .threads = 1};

std::unique_ptr<EmbeddedIndex> open(const fs::path& folder) {
  auto opened = EmbeddedIndex::open(folder, kEverything);
  EXPECT_TRUE(opened) << opened.error().text();
  return opened ? *std::move(opened) : nullptr;
}

IndexUpdate small_update() {
  Point full = chunk(5, "INC-2025-01-20-005", {{1, 1}, {2, 0.5f}}, 0, {1, 0, 0});
  full.payload = full_payload();
  return {.remove_documents = {},
          .add = {full, chunk(6, "b", {{1, 1}}, 0, {0, 1, 0}), chunk(7, "b", {{3, 1}}, 1),
                  document(8, "b", {{2, 1}})},
          .model_id = "model"};
}

std::string bytes_of(const fs::path& path) { return *read_file(path, 1 << 20); }

void overwrite(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

class EmbeddedIndexTest : public testing::Test {
 protected:
  ~EmbeddedIndexTest() override { set_file_hook({}); }
  fs::path folder() const { return temporary_.path() / "index"; }

 private:
  TemporaryFolder temporary_;
};

// --- Crashes.

// Three small segments, so that one more update also merges.
void prepare(const fs::path& folder) {
  const auto index = open(folder);
  for (uint64_t i = 1; i <= 3; ++i) {
    const std::string id = "doc" + std::to_string(i);
    const Point stays = chunk(i + 10, "stays" + id, {{1, 1}}, 0, {1, 0, 0});
    ASSERT_TRUE(index->apply({{}, {chunk(i, id, {{1, 1}}, 0, {1, 0, 0}), stays}, "model"}, i));
  }
}

std::vector<uint64_t> all_ids(const KnowledgeIndex& index) {
  std::vector<uint64_t> ids;
  const auto hits = index.search_sparse({{1}, {1}}, {}, Level::kChunk, 100);
  for (const PointScore& hit : *hits) ids.push_back(hit.id);
  return ids;
}

Result<void> last_update(EmbeddedIndex& index) {
  return index.apply({{"doc2"}, {chunk(4, "doc4", {{1, 1}}, 0, {0, 1, 0})}, "model"}, 4);
}

// The state before last_update or the state after it, whole.
void expect_old_or_new(const fs::path& folder) {
  const auto index = open(folder);
  ASSERT_NE(index, nullptr);
  ASSERT_TRUE(index->verify());
  const bool is_new = index->info().version == 4;
  EXPECT_EQ(index->info().version, is_new ? 4u : 3u);
  EXPECT_EQ(all_ids(*index), is_new ? (std::vector<uint64_t>{1, 3, 4, 11, 12, 13})
                                    : (std::vector<uint64_t>{1, 2, 3, 11, 12, 13}));
  // And the next update works, after which nothing is left over.
  ASSERT_TRUE(last_update(*index));
  EXPECT_EQ(all_ids(*index), (std::vector<uint64_t>{1, 3, 4, 11, 12, 13}));
  size_t segments = 0;
  for (const std::string& name : names_in(folder)) {
    EXPECT_FALSE(name.ends_with(".tmp")) << name;
    segments += name.starts_with("segment-");
  }
  EXPECT_EQ(segments, read_manifest(folder)->segments.size());
}

TEST_F(EmbeddedIndexTest, AFailureOfAnyStepOnDiskLeavesTheOldOrTheNewState) {
  int steps = 0;
  for (int failing = 1;; ++failing) {
    SCOPED_TRACE(failing);
    fs::remove_all(folder());
    prepare(folder());
    const auto index = open(folder());
    steps = 0;
    set_file_hook([&](FileStep, const fs::path&) { return ++steps == failing ? ENOSPC : 0; });
    const auto applied = last_update(*index);
    set_file_hook({});
    EXPECT_EQ(index->info().version, applied ? 4u : 3u);
    if (!applied) {
      EXPECT_EQ(applied.error().code, ErrorCode::kResourceExhausted);
    }
    expect_old_or_new(folder());
    if (steps < failing || HasFailure()) break;
  }
  EXPECT_GT(steps, 16);  // two segments and two manifests, four steps each
}

TEST_F(EmbeddedIndexTest, DyingAtAnyStepOnDiskLeavesTheOldOrTheNewState) {
  constexpr int kDied = 77;
  for (int dying = 1;; ++dying) {
    SCOPED_TRACE(dying);
    fs::remove_all(folder());
    prepare(folder());
    const pid_t child = ::fork();
    if (child == 0) {
      int steps = 0;
      set_file_hook([&](FileStep, const fs::path&) {
        if (++steps == dying) ::_exit(kDied);
        return 0;
      });
      const auto index = EmbeddedIndex::open(folder(), kEverything);
      ::_exit(index && last_update(**index) ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    expect_old_or_new(folder());
    if (WEXITSTATUS(status) != kDied || HasFailure()) {
      EXPECT_EQ(WEXITSTATUS(status), 0);
      EXPECT_GT(dying, 16);
      break;
    }
  }
}

// --- Corrupt bytes.

class CorruptIndexTest : public EmbeddedIndexTest {
 protected:
  void SetUp() override {
    ASSERT_TRUE(open(folder())->apply(small_update(), 1));
    segment_ = segment_path(folder(), 1);
    good_segment_ = bytes_of(segment_);
    good_manifest_ = bytes_of(manifest_path(folder()));
  }
  Error open_error() {
    const auto opened = EmbeddedIndex::open(folder());
    return opened ? Error{ErrorCode::kInternal, "it opened"} : opened.error();
  }

  fs::path segment_;
  std::string good_segment_;
  std::string good_manifest_;
};

TEST_F(CorruptIndexTest, AnyFlippedByteOfASegmentIsNoticedOrHarmless) {
  SegmentHeader header;
  std::memcpy(&header, good_segment_.data(), sizeof header);
  const auto in_section = [&](size_t at) {
    return std::any_of(std::begin(header.section), std::end(header.section),
                       [&](const SectionEntry& section) {
                         return at >= section.offset && at < section.offset + section.bytes;
                       });
  };
  for (size_t at = 0; at < good_segment_.size(); ++at) {
    if (at >= sizeof header && !in_section(at))
      continue;  // the zeros between sections, which nothing reads
    std::string bad = good_segment_;
    bad[at] = static_cast<char>(bad[at] ^ (at % 2 == 0 ? '\x01' : '\xff'));
    overwrite(segment_, bad);
    const auto index = EmbeddedIndex::open(folder());
    ASSERT_EQ(index.has_value(), at >= sizeof header) << at;
    if (!index) continue;
    probe(**index);
    ASSERT_FALSE((*index)->verify()) << at;
  }
}

TEST_F(CorruptIndexTest, OpeningWhatExistsCreatesNothingAndNoticesDamage) {
  const fs::path nowhere = folder() / "none";
  const auto none = EmbeddedIndex::open_existing(nowhere);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(fs::exists(nowhere));
  ASSERT_TRUE(EmbeddedIndex::open_existing(folder()));
  std::string bad = good_segment_;
  SegmentHeader header;
  std::memcpy(&header, good_segment_.data(), sizeof header);
  bad[header.section[0].offset] ^= 1;
  overwrite(segment_, bad);
  const auto damaged = EmbeddedIndex::open_existing(folder());
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::kCorrupt);
}

TEST_F(CorruptIndexTest, AnyFlippedByteOfTheManifestIsNoticed) {
  for (size_t at = 0; at < good_manifest_.size(); ++at) {
    std::string bad = good_manifest_;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    overwrite(manifest_path(folder()), bad);
    ASSERT_EQ(open_error().code, ErrorCode::kCorrupt) << at;
  }
}

TEST_F(CorruptIndexTest, ATruncatedFileNamesItselfAndTheRemedy) {
  for (const size_t bytes : {size_t{0}, size_t{10}, size_t{100}, good_segment_.size() - 1}) {
    overwrite(segment_, good_segment_.substr(0, bytes));
    const Error error = open_error();
    EXPECT_EQ(error.code, ErrorCode::kCorrupt) << bytes;
    EXPECT_NE(error.message.find(segment_.string()), std::string::npos) << error.message;
    EXPECT_NE(error.message.find(kRebuildsIndex), std::string::npos) << error.message;
  }
  overwrite(segment_, good_segment_);
  for (size_t bytes = 0; bytes < good_manifest_.size(); ++bytes) {
    overwrite(manifest_path(folder()), good_manifest_.substr(0, bytes));
    EXPECT_EQ(open_error().code, ErrorCode::kCorrupt) << bytes;
  }
}

TEST_F(CorruptIndexTest, AMissingSegmentIsNamed) {
  fs::remove(segment_);
  EXPECT_EQ(open_error().code, ErrorCode::kCorrupt);
  EXPECT_NE(open_error().message.find(segment_.string()), std::string::npos);
}

TEST_F(CorruptIndexTest, AnotherFormatIsNamedAndNeverRead) {
  const auto expect_refused = [&] {
    const Error error = open_error();
    EXPECT_EQ(error.code, ErrorCode::kCorrupt) << "an ingest rebuilds it";
    EXPECT_NE(error.message.find("another version of precedent"), std::string::npos)
        << error.message;
  };
  for (const int step : {-1, 1}) {
    std::string other = good_segment_;
    other[offsetof(SegmentHeader, version)] = static_cast<char>(kSegmentVersion + step);
    overwrite(segment_, other);
    expect_refused();
    overwrite(segment_, good_segment_);
    other = good_manifest_;
    other[8] = static_cast<char>(kManifestVersion + step);
    overwrite(manifest_path(folder()), other);
    expect_refused();
    overwrite(manifest_path(folder()), good_manifest_);
  }
}

// --- Several objects, several threads.

TEST_F(EmbeddedIndexTest, AnotherProcessKeepsItsVersionUntilItRefreshes) {
  const auto writer = open(folder());
  ASSERT_TRUE(writer->apply(small_update(), 1));
  const auto reader = open(folder());
  for (uint64_t version = 2; version < 12; ++version) {
    ASSERT_TRUE(writer->apply({{"b"}, {chunk(100 + version, "b", {{1, 1}}, 0, {1, 0, 0})}, "model"},
                              version));
  }
  EXPECT_EQ(reader->info().version, 1u);
  EXPECT_EQ(all_ids(*reader), (std::vector<uint64_t>{5, 6}));
  EXPECT_EQ(reader->payloads(std::vector<uint64_t>{5})->front(), full_payload());
  EXPECT_TRUE(*reader->refresh());
  EXPECT_FALSE(*reader->refresh());
  EXPECT_EQ(all_ids(*reader), (std::vector<uint64_t>{5, 111}));
}

TEST_F(EmbeddedIndexTest, AWriterStartsFromWhatAnotherProcessCommitted) {
  const auto a = open(folder()), b = open(folder());
  ASSERT_TRUE(a->apply({{}, {chunk(1, "a", {{1, 1}})}, ""}, 1));
  ASSERT_TRUE(b->apply({{}, {chunk(2, "b", {{1, 1}})}, ""}, 2));
  EXPECT_EQ(all_ids(*b), (std::vector<uint64_t>{1, 2}));
}

TEST_F(EmbeddedIndexTest, ASecondWriterAtTheSameTimeIsRefused) {
  const auto index = open(folder());
  const auto lock = FileLock::acquire(folder() / "lock");
  ASSERT_TRUE(lock);
  const auto applied = index->apply(small_update(), 1);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().code, ErrorCode::kConflict);
}

TEST_F(EmbeddedIndexTest, ReadersSeeOneVersionDuringApply) {
  const auto index = open(folder());
  const auto version_of = [](uint64_t version) {
    IndexUpdate update{.remove_documents = {"a"}, .add = {}, .model_id = "model"};
    for (uint32_t i = 0; i < 3; ++i) {
      Point point = chunk(version * 10 + i, "a", {{1, 1}}, i, {1, 0, static_cast<float>(i)});
      point.payload.text = std::to_string(version);
      update.add.push_back(std::move(point));
    }
    return update;
  };
  ASSERT_TRUE(index->apply(version_of(1), 1));
  std::atomic<bool> done = false;
  std::vector<std::jthread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      while (!done) {
        const auto chunks = index->chunks_of("a");
        ASSERT_EQ(chunks->size(), 3u);
        for (const auto& [id, payload] : *chunks)
          ASSERT_EQ(payload.text, chunks->front().second.text);
        ASSERT_EQ(index->search_dense(std::vector<float>{1, 0, 0}, {}, 9)->size(), 3u);
        ASSERT_EQ(index->search_sparse({{1}, {1}}, {}, Level::kChunk, 9)->size(), 3u);
      }
    });
  }
  for (uint64_t version = 2; version < 60; ++version)
    ASSERT_TRUE(index->apply(version_of(version), version));
  done = true;
}

TEST_F(EmbeddedIndexTest, ManySmallUpdatesLeaveFewSegments) {
  const auto index = open(folder());
  for (uint64_t i = 1; i <= 100; ++i) {
    ASSERT_TRUE(index->apply({{}, {chunk(i, "doc" + std::to_string(i), {{1, 1}})}, ""}, i));
  }
  EXPECT_LE(read_manifest(folder())->segments.size(), 3u);
  EXPECT_EQ(index->info().chunks, 100u);
}

}  // namespace
}  // namespace precedent
