// Killed at every step, and the disk full at every step: for N = 1, 2, 3 … until an ingest ends
// undisturbed.
//
// After each: every document is found in its old or in its new state, the store is whole, and one
// more ingest ends in the state of an undisturbed run. The steps are calls that change the file
// system or tell PostgreSQL something (fault_injection.h), and with a Qdrant as the index each
// request of it (crash_qdrant.h).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>

#include "index/qdrant_index.h"
#include "ingest/crash_qdrant.h"
#include "ingest/fault_injection.h"
#include "ingest/ingest_lab.h"
#include "store/dataset_versions.h"
#include "store/store_lab.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using Searchable = std::map<std::string, IngestLab::Found>;

struct Scenario {
  std::string name;
  std::vector<Document> before;  // ingested without a disturbance
  std::vector<Document> after;   // ingested while it crashes
  std::string model_before, model_after;
  bool lose_index = false;
  bool activation = false;  // of a dataset version: everything at one moment
};

void PrintTo(const Scenario& scenario, std::ostream* out) { *out << scenario.name; }

std::string many_words(int n) {
  std::string text;
  for (int i = 0; i < n; ++i) text += "word" + std::to_string(i) + " ";
  return text;
}

std::vector<Scenario> scenarios() {
  const std::vector<Document> old = {note("changed", "one\n\ntwo\n\nthree"), note("kept", "four"),
                                     note("removed", "five\n\nsix"), note("changed too", "seven")};
  const std::vector<Document> young = {note("changed", "one\n\ntwo, corrected"),
                                       note("kept", "four"), note("changed too", "seven and eight"),
                                       note("added", "nine\n\nten"), note("added too", "eleven")};
  std::vector<Document> longer = young;
  for (int i = 0; i < 4; ++i) longer.push_back(note("long" + std::to_string(i), many_words(60)));
  return {
      {"first_ingest", {}, young, "m1", "m1"},
      {"update_and_prune", old, young, "m1", "m1"},
      {"weights_that_came_later", old, young, "", "m1"},
      {"another_model", old, young, "m1", "m2"},
      {"averages_that_drift", old, longer, "", ""},
      {"a_lost_index", old, young, "m1", "m1", true},
      {"a_version_that_becomes_active", old, young, "m1", "m1", false, true},
  };
}

// A version of these documents, ready to be activated.
Result<void> make_version(IngestLab& lab, const std::vector<Document>& documents) {
  KnowledgeStore store =
      TRY(KnowledgeStore::open(lab.address(), KnowledgeStore::Access::kReadWrite));
  DatasetVersions versions(store);
  TRY(versions.create({.name = "v"}, {}));
  TRY(versions.validated(1, documents, {documents.size(), 0, 0}, "{}", {}));
  TRY(versions.move(1, VersionState::kIngesting, {}));
  TRY(versions.move(1, VersionState::kReady, {}));
  return {};
}

Result<IngestReport> ingest_into(IngestLab& lab, const std::vector<Document>& documents,
                                 const std::string& model, bool activation = false) {
  lab.documents = documents;
  IngestOptions options;
  options.prune = true;
  // One document a transaction, two an index update: as many different moments as possible.
  options.batch_bytes = options.transaction_bytes = 1;
  options.publish_bytes = 30;
  options.threads = 1;
  if (activation) options.activation = {1, {}};
  const LetterEmbedder embedder(model);
  return lab.run(options, model.empty() ? nullptr : &embedder);
}

// What is searched for each document, whichever model: the vectors of the old and the new state may
// differ.
bool is_state_of(const Searchable& all, const std::string& id, const IngestLab::Found& found) {
  const auto it = all.find(id);
  return it != all.end() && it->second.title == found.title && it->second.chunks == found.chunks;
}

// A Qdrant in this process.
std::unique_ptr<QdrantIndexCatalog> catalog_over(std::shared_ptr<HttpClient> http) {
  QdrantConfig config{.url = "http://localhost:6333"};
  config.attempts = 1;
  config.grace = std::chrono::milliseconds(0);
  return std::make_unique<QdrantIndexCatalog>(std::make_shared<QdrantApi>(std::move(http), config));
}

class CrashTest : public ::testing::TestWithParam<Scenario> {
 protected:
  void SetUp() override {
    if (database_ != nullptr) base_.server = database_->address();
    if (on_qdrant()) base_.other = base_catalog_.get();
    if (!GetParam().before.empty()) {
      ASSERT_TRUE(ingest_into(base_, GetParam().before, GetParam().model_before));
      old_ = *base_.searchable();
    }
    if (GetParam().activation) {
      ASSERT_TRUE(make_version(base_, GetParam().after));
    }
    if (GetParam().lose_index) lose_index();
    base_.documents = GetParam().after;
    new_ = base_.expected(!GetParam().model_after.empty());
  }

  virtual bool on_qdrant() const { return false; }

  void lose_index() {
    if (!on_qdrant()) {
      fs::remove_all(base_.folder / "index");
      return;
    }
    const auto store =
        KnowledgeStore::open(store_file(base_.folder), KnowledgeStore::Access::kReadOnly);
    ASSERT_TRUE(base_catalog_->drop((*store->active_build())->collection));
  }

  size_t collections(const IngestLab& lab) {
    if (!on_qdrant()) {
      const fs::directory_iterator all(lab.folder / "index");
      return static_cast<size_t>(std::distance(begin(all), end(all)));
    }
    const CancelToken cancel;
    const auto listed = qdrant_->send({.url = "http://localhost:6333/collections"}, {cancel});
    return nlohmann::json::parse(listed->body)["result"]["collections"].size();
  }

  void expect_old_or_new(IngestLab& lab, size_t step) {
    auto store = KnowledgeStore::open(lab.address(), KnowledgeStore::Access::kReadOnly);
    if (!store) {
      // Killed before the file had its tables.
      EXPECT_TRUE(old_.empty()) << "step " << step << ": " << store.error().text();
      return;
    }
    const auto problems = store->problems();
    ASSERT_TRUE(problems) << "step " << step << ": " << problems.error().text();
    EXPECT_THAT(*problems, ::testing::IsEmpty()) << "step " << step;
    const auto found = lab.searchable();
    if (!found && GetParam().lose_index) return;  // there was nothing to search before either
    ASSERT_TRUE(found) << "step " << step << ": " << found.error().text();
    if (GetParam().activation) {
      // All of the one or all of the other; the store knows which by the version's state.
      EXPECT_TRUE(*found == old_ || *found == new_) << "step " << step;
      const bool active = DatasetVersions(*store).find(1)->state == VersionState::kActive;
      EXPECT_EQ(store->find("added")->has_value(), active) << "step " << step;
      EXPECT_EQ(store->find("removed")->has_value(), !active) << "step " << step;
    }
    for (const auto& [id, document] : *found) {
      EXPECT_TRUE(is_state_of(old_, id, document) || is_state_of(new_, id, document))
          << "step " << step << ": " << id;
    }
    for (const auto& [id, document] : old_) {
      EXPECT_TRUE(!new_.contains(id) || found->contains(id)) << "step " << step << ": lost " << id;
    }
  }

  void expect_repaired(IngestLab& lab, size_t step) {
    const auto report =
        ingest_into(lab, GetParam().after, GetParam().model_after, GetParam().activation);
    ASSERT_TRUE(report) << "step " << step << ": " << report.error().text();
    const auto found = lab.searchable();
    ASSERT_TRUE(found) << "step " << step << ": " << found.error().text();
    EXPECT_EQ(*found, new_) << "step " << step;
    // That it is repaired for good need not be asked of every step.
    if (step % 8 != 0) return;
    const auto again =
        ingest_into(lab, GetParam().after, GetParam().model_after, GetParam().activation);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->unchanged, GetParam().after.size()) << "step " << step;
    EXPECT_EQ(again->repaired, "") << "step " << step;
    EXPECT_EQ(collections(lab), 1u) << "step " << step << ": nothing is left lying about";
  }

  // True if the ingest ended undisturbed.
  bool disturbed_ingest(IngestLab& lab, faults::Mode mode, size_t step) {
    int ends[2] = {-1, -1};
    if (on_qdrant()) {
      EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    }
    const pid_t child = ::fork();
    if (child == 0) {
      std::unique_ptr<QdrantIndexCatalog> distant;
      if (on_qdrant()) {
        ::close(ends[0]);
        distant = catalog_over(std::make_shared<DistantQdrant>(ends[1]));
        lab.other = distant.get();
      }
      faults::arm(mode, step);
      const auto report =
          ingest_into(lab, GetParam().after, GetParam().model_after, GetParam().activation);
      const bool reached = faults::steps() >= step;
      faults::disarm();
      if (!report && report.error().code != ErrorCode::kResourceExhausted) {
        std::fprintf(stderr, "step %zu: %s\n", step, report.error().text().c_str());
        ::_exit(3);
      }
      ::_exit(reached ? 1 : report ? 0 : 4);
    }
    if (on_qdrant()) {
      ::close(ends[1]);
      serve_child(ends[0], *qdrant_);
      ::close(ends[0]);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
      EXPECT_EQ(WTERMSIG(status), SIGKILL) << "step " << step;
    } else {
      EXPECT_LE(WEXITSTATUS(status), 1) << "step " << step;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

  void check_every_step(faults::Mode mode, size_t stride = 1) {
    // More than any scenario takes; a run that never ends is a bug of this test.
    constexpr size_t kMaxSteps = 2000;
    for (size_t step = 1; step < kMaxSteps; step += stride) {
      IngestLab lab;
      fs::copy(base_.folder, lab.folder, fs::copy_options::recursive);
      std::optional<PostgresStoreLab> copy;
      if (database_ != nullptr) lab.server = copy.emplace(database_.get()).address();
      qdrant_->restore(*base_qdrant_);
      if (on_qdrant()) lab.other = catalog_.get();
      const bool undisturbed = disturbed_ingest(lab, mode, step);
      if (undisturbed) {
        EXPECT_GT(step, 20u) << "the faults were injected";
        return;
      }
      expect_old_or_new(lab, step);
      expect_repaired(lab, step);
      if (HasFailure()) return;
    }
    FAIL() << "no ingest ended undisturbed";
  }

  std::unique_ptr<PostgresStoreLab> database_;  // null: SQLite
  IngestLab base_;
  Searchable old_, new_;
  std::shared_ptr<QdrantFake> base_qdrant_ = std::make_shared<QdrantFake>();
  std::unique_ptr<QdrantIndexCatalog> base_catalog_ = catalog_over(base_qdrant_);
  std::shared_ptr<QdrantFake> qdrant_ = std::make_shared<QdrantFake>();
  std::unique_ptr<QdrantIndexCatalog> catalog_ = catalog_over(qdrant_);
};

class QdrantCrashTest : public CrashTest {
 protected:
  void SetUp() override {
    // A parent that answers a killed child is not to be killed by it.
    std::signal(SIGPIPE, SIG_IGN);
    CrashTest::SetUp();
  }
  bool on_qdrant() const override { return true; }
};

INSTANTIATE_TEST_SUITE_P(Scenarios, CrashTest, ::testing::ValuesIn(scenarios()),
                         [](const auto& scenario) { return scenario.param.name; });

TEST_P(CrashTest, KilledAtEveryStepItIsRepairedByTheNextIngest) {
  check_every_step(faults::Mode::kKill);
}

// Of the other scenarios a Qdrant sees the same requests.
std::vector<Scenario> scenarios_on_qdrant() {
  std::vector<Scenario> some = scenarios();
  std::erase_if(some, [](const Scenario& scenario) {
    return scenario.name != "update_and_prune" && scenario.name != "another_model" &&
           !scenario.activation;
  });
  return some;
}

INSTANTIATE_TEST_SUITE_P(Scenarios, QdrantCrashTest, ::testing::ValuesIn(scenarios_on_qdrant()),
                         [](const auto& scenario) { return scenario.param.name; });

TEST_P(QdrantCrashTest, KilledAtEveryStepItIsRepairedByTheNextIngest) {
  check_every_step(faults::Mode::kKill);
}

TEST_P(CrashTest, WithTheDiskFullAtEveryStepItIsRepairedByTheNextIngest) {
  check_every_step(faults::Mode::kDiskFull);
}

// The store in PostgreSQL, the index in its folder.
class PostgresCrashTest : public CrashTest {
 protected:
  PostgresCrashTest() { database_ = std::make_unique<PostgresStoreLab>(); }
};

std::vector<Scenario> some_scenarios() {
  std::vector<Scenario> some = scenarios();
  std::erase_if(some, [](const Scenario& scenario) {
    return scenario.name != "update_and_prune" && scenario.name != "another_model" &&
           !scenario.activation;
  });
  return some;
}

INSTANTIATE_TEST_SUITE_P(Scenarios, PostgresCrashTest, ::testing::ValuesIn(some_scenarios()),
                         [](const auto& scenario) { return scenario.param.name; });

TEST_P(PostgresCrashTest, KilledInTheMiddleItIsRepairedByTheNextIngest) {
  // A copy of a database takes a while: some of hundreds of steps, most of them one statement each.
  check_every_step(faults::Mode::kKill, 29);
}

// Both elsewhere: the store in PostgreSQL, the index in Qdrant.
class PostgresQdrantCrashTest : public QdrantCrashTest {
 protected:
  PostgresQdrantCrashTest() { database_ = std::make_unique<PostgresStoreLab>(); }
};

std::vector<Scenario> activations() {
  std::vector<Scenario> some = scenarios();
  std::erase_if(some, [](const Scenario& scenario) { return !scenario.activation; });
  return some;
}

INSTANTIATE_TEST_SUITE_P(Scenarios, PostgresQdrantCrashTest, ::testing::ValuesIn(activations()),
                         [](const auto& scenario) { return scenario.param.name; });

TEST_P(PostgresQdrantCrashTest, KilledInTheMiddleOfAnActivationItIsRepairedByTheNextIngest) {
  check_every_step(faults::Mode::kKill, 11);
}

}  // namespace
}  // namespace precedent
