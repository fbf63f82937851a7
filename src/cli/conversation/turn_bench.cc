// What is measured: the machinery of a conversation without model time, beside that of LangGraph
// (bench/turn runs both): a turn at 1, 50 and 200, its first event, what is stored, the memory in
// use, and many conversations at once. One JSON object on standard output.
//
//   turn_bench turns|crowd --texts=FILE --saver=memory|sqlite|postgres [--postgres=CONNECTION]
//     [--durability=sync|async|exit] [--threads=5] [--fresh=40] [--rounds=10]
//
// Corpus: --texts, made by bench/turn: {"title", "status", "turns": [{"question", "arguments",
// "result", "answer"}]}. The state is the copilot's; the graph has its shape, without guardrails:
// support_bot -> incident_tools -> support_bot -> title_generation, four steps and the input.
//
// Notes: the first conversation is checked message by message, read back from the store, before
// anything is timed. SQLite as `precedent chat` opens it: WAL, synchronous NORMAL.
#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "agent/state/copilot_state.h"
#include "db/postgres.h"
#include "files/files.h"
#include "files/temporary_folder.h"
#include "graph/bench_lab.h"
#include "graph/memory_checkpointer.h"
#include "graph/sql_checkpointer.h"
#include "graph/state_graph.h"

namespace precedent {
namespace {

using nlohmann::json;
using App = CompiledGraph<CopilotState>;
using Arguments = std::map<std::string, std::string>;

// As many as a small server answers at the same time, and the workers that do it.
constexpr int kConversations = 100, kWorkers = 4;
// A turn and its neighbours: one turn of each conversation would be a small sample.
constexpr int kNear = 4;

struct Texts {
  struct Turn {
    std::string question, arguments, result, answer;
  };
  std::vector<Turn> turns;
  std::string title, status;

  static Texts read(const std::string& file) {
    const json all = json::parse(need(read_file(file, 64 << 20)));
    Texts texts{{}, all.at("title"), all.at("status")};
    for (const json& turn : all.at("turns")) {
      texts.turns.push_back(
          {turn.at("question"), turn.at("arguments").dump(), turn.at("result"), turn.at("answer")});
    }
    return texts;
  }
  // What a conversation must hold after `count` turns.
  std::vector<Message> messages(size_t count) const {
    std::vector<Message> all;
    for (size_t i = 0; i < count; ++i) {
      const Turn& turn = turns[i];
      const std::string call = fmt::format("call-{}", i);
      all.push_back({Role::kUser, turn.question});
      all.push_back(
          {Role::kAssistant, "", {}, {{call, "search_similar_incidents", turn.arguments}}});
      all.push_back({Role::kTool, turn.result, {}, {}, call});
      all.push_back({Role::kAssistant, turn.answer});
    }
    return all;
  }
};

// Each step says the next message of the texts.
Result<Update> support_bot(const Texts& texts, const CopilotState& state, EventSink& events) {
  const size_t turn = (state.messages.size() - 1) / 4;
  events.status(texts.status);
  Message reply{Role::kAssistant, ""};
  if (state.messages.back().role == Role::kTool) {
    reply.content = texts.turns[turn].answer;
  } else {
    reply.tool_calls = {
        {fmt::format("call-{}", turn), "search_similar_incidents", texts.turns[turn].arguments}};
  }
  return Update().add(copilot_fields().messages, reply);
}
Result<Update> incident_tools(const Texts& texts, const CopilotState& state) {
  const Message result{Role::kTool,
                       texts.turns[(state.messages.size() - 1) / 4].result,
                       {},
                       {},
                       state.messages.back().tool_calls.front().id};
  return Update().add(copilot_fields().messages, result);
}

App make_app(const Texts& texts, Checkpointer& store) {
  StateGraph<CopilotState> graph(copilot_fields().schema);
  graph.add_node("support_bot", [&](const CopilotState& state, const Context&, EventSink& events) {
    return support_bot(texts, state, events);
  });
  graph.add_node("incident_tools", [&](const CopilotState& state, const Context&, EventSink&) {
    return incident_tools(texts, state);
  });
  graph.add_node("title_generation",
                 [&](const CopilotState&, const Context&, EventSink&) -> Result<Update> {
                   return Update().add(copilot_fields().title, texts.title);
                 });
  graph.set_entry("support_bot").add_edge("incident_tools", "support_bot");
  graph.add_conditional_edges(
      "support_bot",
      [](const CopilotState& state, EventSink&) -> Labels {
        return {state.messages.back().tool_calls.empty() ? "title_generation" : "continue"};
      },
      {{"continue", "incident_tools"}, {"title_generation", "title_generation"}});
  graph.add_edge("title_generation", kEnd);
  return need(std::move(graph).compile(&store));
}

// Where the conversations are kept; reopen() as a new process would.
class Store {
 public:
  explicit Store(const Arguments& arguments) : arguments_(arguments) { reopen(); }
  Checkpointer& get() { return *store_; }

  // Bytes on the disk; 0 for memory.
  uint64_t close_and_measure() {
    const std::string& saver = arguments_.at("saver");
    if (saver == "memory") return 0;
    store_.reset();
    uint64_t bytes = 0;
    if (saver == "sqlite") {
      for (const auto& file : std::filesystem::directory_iterator(folder_.path()))
        bytes += file.file_size();
      return bytes;
    }
    const auto sql = need(db::PostgresDatabase(arguments_.at("postgres")).connect());
    need(
        sql->run("SELECT SUM(pg_total_relation_size(oid))::bigint FROM pg_class "
                 "WHERE relkind = 'r' AND relnamespace = 'precedent'::regnamespace",
                 {}, [&](const db::SqlRow& row) -> Result<void> {
                   bytes = static_cast<uint64_t>(row.integer(0));
                   return {};
                 }));
    return bytes;
  }
  void reopen() {
    const std::string& saver = arguments_.at("saver");
    if (saver == "sqlite") {
      store_ = need(open_sqlite_checkpointer(folder_.path() / "threads.db"));
    } else if (saver == "postgres") {
      store_ = need(
          SqlCheckpointer::open(std::make_unique<db::PostgresDatabase>(arguments_.at("postgres"))));
    } else if (!store_) {
      store_ = std::make_unique<MemoryCheckpointer>();
    }
  }

 private:
  const Arguments& arguments_;
  const TemporaryFolder folder_;
  std::unique_ptr<Checkpointer> store_;
};

struct Sample {
  double wall, cpu, first_event;
};
using Samples = std::vector<Sample>;

Sample run_turn(const App& app, const Texts& texts, const RunOptions& options, size_t turn) {
  const Message question{Role::kUser, texts.turns[turn].question};
  const Stopwatch watch;
  FirstEvent events(watch);
  const auto done =
      need(app.run(Update().add(copilot_fields().messages, question), options, events));
  const Sample sample{watch.wall(), watch.cpu(), events.seconds};
  if (done.state.messages.size() != (turn + 1) * 4) die({.message = "a turn lost a message"});
  return sample;
}

void check(const App& app, const Texts& texts, const std::string& thread, size_t turns) {
  const CopilotState state = need(app.state(thread));
  const std::vector<Message> expected = texts.messages(turns);
  bool same = state.title == texts.title && state.messages.size() == expected.size();
  for (size_t i = 0; same && i < expected.size(); ++i) {
    Message kept = state.messages[i];
    kept.id = {};
    same = kept == expected[i];
  }
  if (!same) die({.message = "thread " + thread + " does not hold what was said"});
}

template <typename Value>
double median_ms(const Samples& samples, Value value) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(std::invoke(value, sample) * 1e3);
  return median(std::move(values));
}
json to_json(const Samples& samples) {
  return {{"turn_ms", median_ms(samples, &Sample::wall)},
          {"cpu_ms", median_ms(samples, &Sample::cpu)},
          {"first_event_ms", median_ms(samples, &Sample::first_event)},
          {"samples", samples.size()}};
}

RunOptions options_of(const Arguments& arguments, std::string thread) {
  const std::string& durability = arguments.at("durability");
  return {.thread = std::move(thread),
          .durability = durability == "async"  ? Durability::kAsync
                        : durability == "exit" ? Durability::kExit
                                               : Durability::kSync};
}

// The first conversation: checked, stored, weighed.
json first_conversation(Store& store, const Texts& texts, const Arguments& arguments) {
  const uint64_t before = resident_bytes();
  uint64_t after = 0;
  {
    const App app = make_app(texts, store.get());
    for (size_t turn = 0; turn < texts.turns.size(); ++turn)
      run_turn(app, texts, options_of(arguments, "first"), turn);
    after = resident_bytes();
  }
  const uint64_t stored = store.close_and_measure();
  store.reopen();
  check(make_app(texts, store.get()), texts, "first", texts.turns.size());
  return {{"stored_bytes", stored}, {"resident_start_bytes", before}, {"resident_bytes", after}};
}

// The last turns of one more conversation find it in the store only, as a new process would.
json turns(const Texts& texts, const Arguments& arguments) {
  Store store(arguments);
  json out = first_conversation(store, texts, arguments);
  const App app = make_app(texts, store.get());
  std::map<std::string, Samples> at;
  for (int i = 0; i < std::stoi(arguments.at("fresh")); ++i)
    at["1"].push_back(run_turn(app, texts, options_of(arguments, fmt::format("fresh-{}", i)), 0));
  const int last = static_cast<int>(texts.turns.size());
  const int middle = std::min(50, (last + 1) / 2);
  const int threads = std::stoi(arguments.at("threads"));
  for (int i = 0; i <= threads; ++i) {
    const RunOptions options = options_of(arguments, fmt::format("long-{}", i));
    for (int turn = 1; turn <= last; ++turn) {
      const bool cold = i == threads && turn > last - 2 * kNear;
      const App fresh = make_app(texts, store.get());
      const Sample sample =
          run_turn(cold ? fresh : app, texts, options, static_cast<size_t>(turn - 1));
      if (cold) {
        at["last, not in memory"].push_back(sample);
      } else if (turn > last - 2 * kNear) {
        at["last"].push_back(sample);
      } else if (std::abs(turn - middle) <= kNear) {
        at["middle"].push_back(sample);
      }
    }
    check(app, texts, options.thread, texts.turns.size());
  }
  for (const auto& [turn, samples] : at) out["at"][turn] = to_json(samples);
  return out;
}

json crowd(const Texts& texts, const Arguments& arguments) {
  Store store(arguments);
  const App app = make_app(texts, store.get());
  const size_t rounds = std::stoul(arguments.at("rounds"));
  std::vector<double> walls(rounds * kConversations);
  const auto thread_of = [](size_t i) { return fmt::format("crowd-{}", i % kConversations); };
  const Stopwatch watch;
  for (size_t round = 0; round < rounds; ++round) {
    std::atomic<size_t> next{0};
    std::vector<std::jthread> workers;
    for (int worker = 0; worker < kWorkers; ++worker) {
      workers.emplace_back([&] {
        for (size_t i = next++; i < kConversations; i = next++) {
          walls[round * kConversations + i] =
              run_turn(app, texts, options_of(arguments, thread_of(i)), round).wall * 1e3;
        }
      });
    }
  }
  const double seconds = watch.wall(), cpu = watch.cpu();
  const uint64_t resident = resident_bytes();
  for (size_t i = 0; i < kConversations; ++i) check(app, texts, thread_of(i), rounds);
  const auto turns = static_cast<double>(walls.size());
  return {{"turns_per_second", turns / seconds},
          {"cpu_ms", cpu / turns * 1e3},
          {"p50_ms", median(walls)},
          {"p99_ms", quantile(walls, 0.99)},
          {"resident_bytes", resident}};
}

}  // namespace
}  // namespace precedent

int main(int argc, char** argv) {
  using namespace precedent;
  Arguments arguments = {{"saver", "sqlite"},
                         {"durability", "sync"},
                         {"threads", "5"},
                         {"fresh", "40"},
                         {"rounds", "10"}};
  std::string what;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const size_t equals = argument.find('=');
    if (argument.starts_with("--") && equals != std::string_view::npos) {
      arguments[std::string(argument.substr(2, equals - 2))] = argument.substr(equals + 1);
    } else {
      what = argument;
    }
  }
  if ((what != "turns" && what != "crowd") || !arguments.contains("texts")) {
    std::cerr << "usage: turn_bench turns|crowd --texts=FILE; bench/turn calls it\n";
    return 2;
  }
  const Texts texts = Texts::read(arguments.at("texts"));
  fmt::print("{}\n", (what == "turns" ? turns : crowd)(texts, arguments).dump());
}
