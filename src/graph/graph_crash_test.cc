// Killed (SIGKILL) at every moment of a turn, for moment 1, 2, 3 … until a turn ends undisturbed,
// over SQLite and PostgreSQL.
//
// The moments: before and after each call of the checkpointer that writes, and at the begin and
// the end of each node. After each: what was kept is whole, the next process goes on from there,
// no task that was kept runs again, and the end is that of an undisturbed turn.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <set>

#include "db/postgres_lab.h"
#include "db/sqlite_sql.h"
#include "graph/checkpointer.h"
#include "graph/graph_lab.h"
#include "graph/sql_checkpointer.h"

namespace precedent {
namespace {

// Counts moments, and ends the process at one of them.
struct Moments {
  size_t die_at = 0;  // 0: never
  std::atomic<size_t> count{0};
  void pass() {
    if (++count != die_at) return;
    ::kill(::getpid(), SIGKILL);
    for (;;) ::pause();
  }
};

class KillingCheckpointer final : public Checkpointer {
 public:
  KillingCheckpointer(Checkpointer& behind, Moments& moments)
      : behind_(behind), moments_(moments) {}

  Result<ThreadLease> lease(std::string_view thread) override { return behind_.lease(thread); }
  Result<CheckpointId> put(std::string_view thread, std::optional<CheckpointId> parent,
                           std::span<const Step> steps) override {
    return around([&] { return behind_.put(thread, parent, steps); });
  }
  Result<void> put_pending(std::string_view thread, CheckpointId head,
                           const Pending& pending) override {
    return around([&] { return behind_.put_pending(thread, head, pending); });
  }
  Result<std::optional<Head>> head(std::string_view thread) override {
    return behind_.head(thread);
  }
  Result<std::vector<Checkpoint>> path(std::string_view thread, CheckpointId last,
                                       std::optional<CheckpointId> after) override {
    return behind_.path(thread, last, after);
  }
  Result<Checkpoint> checkpoint(std::string_view thread, CheckpointId id) override {
    return behind_.checkpoint(thread, id);
  }
  Result<std::vector<Checkpoint>> history(std::string_view thread,
                                          std::optional<CheckpointId> before,
                                          size_t limit) override {
    return behind_.history(thread, before, limit);
  }
  Result<void> fork(std::string_view thread, CheckpointId at, std::string_view name,
                    TimePoint time) override {
    return behind_.fork(thread, at, name, time);
  }
  Result<void> copy(std::string_view thread, std::string_view name, TimePoint time) override {
    return behind_.copy(thread, name, time);
  }
  Result<void> rewind(std::string_view thread, CheckpointId at, std::string_view left,
                      TimePoint time) override {
    return behind_.rewind(thread, at, left, time);
  }
  Result<void> remove(std::string_view thread) override { return behind_.remove(thread); }
  Result<size_t> fold(std::string_view thread, CheckpointId first, const Step& base) override {
    return behind_.fold(thread, first, base);
  }
  Result<std::vector<ThreadInfo>> threads(size_t limit, size_t offset,
                                          std::string_view prefix) override {
    return behind_.threads(limit, offset, prefix);
  }

 private:
  template <typename Call>
  auto around(Call call) -> decltype(call()) {
    moments_.pass();
    auto result = call();
    moments_.pass();
    return result;
  }
  Checkpointer& behind_;
  Moments& moments_;
};

struct Scenario {
  std::string name;
  bool postgres;
  Durability durability;
};

class GraphCrashTest : public ::testing::TestWithParam<Scenario> {
 protected:
  using Opened = std::unique_ptr<SqlCheckpointer>;

  void SetUp() override {
    if (!GetParam().postgres) return;
    lab_ = std::make_unique<db::PostgresLab>();
    ASSERT_EQ(lab_->problem(), "");
  }

  Opened open() {
    auto store = lab_ ? SqlCheckpointer::open(lab_->database())
                      : open_sqlite_checkpointer(folder_.path() / "threads.db");
    EXPECT_TRUE(store) << store.error().text();
    return store ? std::move(*store) : nullptr;
  }

  // plan -> (look_a, look_b, look_c) -> answer -> title. Each call of a node leaves its name.
  CompiledGraph<LabState> compile(Checkpointer& store, Moments& moments) {
    StateGraph<LabState> graph(fields_.schema);
    for (const std::string name : {"plan", "look_a", "look_b", "look_c", "answer", "title"}) {
      graph.add_node(name,
                     [this, name, &moments](const LabState& state, const Context&,
                                            EventSink&) -> Result<Update> {
                       moments.pass();
                       log(name);
                       Update update = fields_.say(name + std::to_string(state.notes.size()));
                       update.add(fields_.count, int64_t{1});
                       moments.pass();
                       return update;
                     });
    }
    for (const std::string name : {"look_a", "look_b", "look_c"})
      graph.add_edge("plan", name).add_edge(name, "answer");
    graph.add_edge("answer", "title").add_edge("title", kEnd).set_entry("plan");
    auto compiled = std::move(graph).compile(&store);
    EXPECT_TRUE(compiled) << compiled.error().text();
    return std::move(*compiled);
  }

  void log(const std::string& name) {
    const int fd = ::open(log_file().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const std::string line = name + "\n";
    EXPECT_EQ(::write(fd, line.data(), line.size()), static_cast<ssize_t>(line.size()));
    ::close(fd);
  }
  std::multiset<std::string> logged() {
    std::ifstream in(log_file());
    std::multiset<std::string> names;
    for (std::string line; std::getline(in, line);) names.insert(line);
    return names;
  }
  std::filesystem::path log_file() const { return folder_.path() / "calls.log"; }

  RunOptions options(const std::string& thread) const {
    RunOptions options;
    options.thread = thread;
    options.durability = GetParam().durability;
    options.max_parallel = 1;  // so that the moments are the same in each run
    return options;
  }

  // True if the turn ended undisturbed.
  bool killed_turn(const std::string& thread, size_t moment) {
    const pid_t child = ::fork();
    if (child == 0) {
      // Destructors of what was inherited must not run here: _exit.
      Moments moments;
      moments.die_at = moment;
      auto store = open();
      KillingCheckpointer killing(*store, moments);
      const auto app = compile(killing, moments);
      NullSink events;
      const auto run = app.run(fields_.say("question"), options(thread), events);
      ::_exit(run ? 0 : 3);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
      EXPECT_EQ(WTERMSIG(status), SIGKILL);
      return false;
    }
    EXPECT_EQ(WEXITSTATUS(status), 0);
    return true;
  }

  // The tasks whose writes are in the store.
  static std::multiset<std::string> kept(Checkpointer& store, const std::string& thread) {
    std::multiset<std::string> names;
    const auto head = store.head(thread);
    EXPECT_TRUE(head) << head.error().text();
    if (!head || !*head) return names;
    const auto path = store.path(thread, (*head)->checkpoint, {});
    EXPECT_TRUE(path) << path.error().text();
    for (const Checkpoint& checkpoint : *path) {
      for (const TaskWrites& task : checkpoint.step.tasks) names.insert(task.task.node);
    }
    for (const Pending& pending : (*head)->pending)
      names.insert(path->back().step.next.at(static_cast<size_t>(pending.task)).node);
    names.erase("");
    return names;
  }

  void check_every_moment() {
    // More than a turn has; a turn that never ends is a bug of this test.
    constexpr size_t kMaxMoments = 100;
    for (size_t moment = 1; moment < kMaxMoments; ++moment) {
      const std::string thread = "t" + std::to_string(moment);
      std::filesystem::remove(log_file());
      const bool undisturbed = killed_turn(thread, moment);
      const auto store = open();
      ASSERT_NE(store, nullptr);
      expect_goes_on(*store, thread, moment);
      if (HasFailure() || undisturbed) {
        EXPECT_GT(moment, 15u) << "it was killed at many moments";
        return;
      }
    }
    FAIL() << "no turn ended undisturbed";
  }

  void expect_goes_on(Checkpointer& store, const std::string& thread, size_t moment) {
    const auto before = kept(store, thread);
    std::filesystem::remove(log_file());
    Moments never;
    const auto app = compile(store, never);
    NullSink events;
    const bool said = store.head(thread)->has_value();
    const auto done = said ? app.resume(options(thread), events)
                           : app.run(fields_.say("question"), options(thread), events);
    ASSERT_TRUE(done) << "moment " << moment << ": " << done.error().text();
    EXPECT_EQ(texts_of(done->state), "question plan1 look_a2 look_b2 look_c2 answer5 title6")
        << "moment " << moment;
    EXPECT_EQ(done->state.count, 6) << "moment " << moment;
    EXPECT_EQ(*app.state(thread), done->state);
    for (const std::string& name : logged()) {
      EXPECT_FALSE(before.contains(name))
          << "moment " << moment << ": " << name << " was kept and ran again";
    }
    EXPECT_EQ(before.size() + logged().size(), 6u) << "moment " << moment;
  }

  LabFields fields_;
  LabFolder folder_;
  std::unique_ptr<db::PostgresLab> lab_;
};

INSTANTIATE_TEST_SUITE_P(Stores, GraphCrashTest,
                         ::testing::Values(Scenario{"sqlite_sync", false, Durability::kSync},
                                           Scenario{"sqlite_async", false, Durability::kAsync},
                                           Scenario{"postgres_sync", true, Durability::kSync}),
                         [](const auto& scenario) { return scenario.param.name; });

TEST_P(GraphCrashTest, KilledAtEveryMomentOfATurnItGoesOnAndEndsTheSame) { check_every_moment(); }

}  // namespace
}  // namespace precedent
