// What is measured: a checkpointed turn of four steps without model time, at turn 1, 50 and 200;
// loading a thread of 1,000 messages; the bytes that 200 turns take on the disk.
//
// Corpus: each turn says a question of 60 bytes, a tool call of 120, its result of 1,500, an answer
// of 700 and, once, a title; filler text. SQLite in the temporary folder, WAL, synchronous NORMAL;
// PostgreSQL if --postgres=CONNECTION names one (its commits wait for the disk).
//
// Notes: medians of many threads around that turn; on a busy machine read the processor time.
// The answer is checked before anything is timed.
#include <fmt/format.h>
#include <unistd.h>

#include "db/postgres.h"
#include "graph/bench_lab.h"
#include "graph/graph_lab.h"
#include "graph/memory_checkpointer.h"
#include "graph/sql_checkpointer.h"

namespace precedent {
namespace {

constexpr size_t kQuestion = 60, kCall = 120, kToolResult = 1500, kAnswer = 700;
constexpr int kTurns = 200;
// Enough for a median that holds still.
constexpr int kThreads = 15;

std::string filler(size_t bytes, int seed) {
  std::string text;
  for (uint64_t x = static_cast<uint64_t>(seed) + 1; text.size() < bytes;) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    text += fmt::format("{:x} ", x >> 40);
  }
  text.resize(bytes);
  return text;
}

// support_bot -> incident_tools -> support_bot -> title
CompiledGraph<LabState> four_steps(const LabFields& fields, Checkpointer& store) {
  StateGraph<LabState> graph(fields.schema);
  const auto says = [&fields](size_t bytes) {
    return [&fields, bytes](const LabState& state, const Context&, EventSink&) -> Result<Update> {
      return fields.say(filler(bytes, static_cast<int>(state.notes.size())));
    };
  };
  graph.add_node("support_bot", says(kCall)).add_node("incident_tools", says(kToolResult));
  graph.add_node("answer", says(kAnswer));
  graph.add_node("title", [&fields](const LabState&, const Context&, EventSink&) -> Result<Update> {
    return Update().add(fields.title, std::string("PayU HTTP 403 Fix"));
  });
  graph.add_edge("support_bot", "incident_tools").add_edge("incident_tools", "answer");
  graph.add_edge("answer", "title").add_edge("title", kEnd).set_entry("support_bot");
  return need(std::move(graph).compile(&store));
}

// The median at a turn and its neighbours: one turn of each thread is a small sample.
double around(const std::map<int, std::vector<double>>& times, int turn) {
  std::vector<double> near;
  for (int t = std::max(1, turn - 4); t <= std::min(kTurns, turn + 4); ++t)
    near.insert(near.end(), times.at(t).begin(), times.at(t).end());
  return median(near);
}

void turns(std::string_view name, Checkpointer& store, Durability durability) {
  const LabFields fields;
  const auto app = four_steps(fields, store);
  NullSink events;
  std::map<int, std::vector<double>> wall, cpu;
  for (int thread = 0; thread < kThreads; ++thread) {
    RunOptions options;
    options.thread = fmt::format("{}-{}", name, thread);
    options.durability = durability;
    for (int turn = 1; turn <= kTurns; ++turn) {
      const Update input = fields.say(filler(kQuestion, turn));
      const Stopwatch watch;
      const auto done = need(app.run(input, options, events));
      wall[turn].push_back(watch.wall());
      cpu[turn].push_back(watch.cpu());
      if (done.state.notes.size() != static_cast<size_t>(turn) * 4)
        die({.message = "a turn went wrong"});
    }
  }
  fmt::print("{:<16}", name);
  for (const int turn : {1, 50, 200}) {
    fmt::print("  turn {:>3}: {:>6.0f} us (cpu {:>5.0f})", turn, around(wall, turn) * 1e6,
               around(cpu, turn) * 1e6);
  }
  fmt::print("\n");
}

uintmax_t bytes_in(const std::filesystem::path& folder) {
  uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) bytes += entry.file_size();
  return bytes;
}

void storage() {
  const LabFolder folder;
  const LabFields fields;
  {
    const auto store = need(open_sqlite_checkpointer(folder.path() / "threads.db"));
    const auto app = four_steps(fields, *store);
    NullSink events;
    for (int turn = 1; turn <= kTurns; ++turn)
      need(app.run(fields.say(filler(kQuestion, turn)), {.thread = "t"}, events));
  }
  const size_t said = kTurns * (kQuestion + kCall + kToolResult + kAnswer);
  fmt::print("200 turns: said {} bytes, stored {} ({:.2f} x)\n", said, bytes_in(folder.path()),
             static_cast<double>(bytes_in(folder.path())) / static_cast<double>(said));
}

void load() {
  constexpr int kMessages = 1000;
  constexpr size_t kBytes = 500;
  const LabFolder folder;
  const LabFields fields;
  const auto store = need(open_sqlite_checkpointer(folder.path() / "threads.db"));
  std::optional<CheckpointId> head;
  for (int i = 0; i < kMessages; ++i) {
    const Step step{
        StepSource::kLoop, i, {}, {{{"support_bot", ""}, fields.say(filler(kBytes, i)).writes}},
        {{"title", ""}},   {}};
    head = need(store->put("t", head, {&step, 1}));
  }
  const auto app = four_steps(fields, *store);
  std::vector<double> wall, cpu;
  for (int i = 0; i < 50; ++i) {
    const Stopwatch watch;
    const LabState state = need(app.state("t"));
    wall.push_back(watch.wall());
    cpu.push_back(watch.cpu());
    if (state.notes.size() != kMessages) die({.message = "a message is missing"});
  }
  fmt::print("load of 1,000 messages of 500 bytes: {:.2f} ms (cpu {:.2f})\n", median(wall) * 1e3,
             median(cpu) * 1e3);
}

}  // namespace
}  // namespace precedent

int main(int argc, char** argv) {
  using namespace precedent;
  const LabFolder folder;
  MemoryCheckpointer memory;
  turns("memory", memory, Durability::kSync);
  const auto sqlite = need(open_sqlite_checkpointer(folder.path() / "threads.db"));
  turns("sqlite sync", *sqlite, Durability::kSync);
  turns("sqlite async", *sqlite, Durability::kAsync);
  turns("sqlite exit", *sqlite, Durability::kExit);
  const std::string_view flag = "--postgres=";
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (!argument.starts_with(flag)) continue;
    const auto postgres = need(SqlCheckpointer::open(
        std::make_unique<db::PostgresDatabase>(std::string(argument.substr(flag.size())))));
    turns(fmt::format("postgres {}", ::getpid()), *postgres, Durability::kSync);
  }
  storage();
  load();
}
