// What is measured: a whole turn of the offline copilot within one process: guardrails, intent,
// plan, tools, grounding, composition, title, and the checkpoints of a thread in SQLite. One JSON
// object on standard output.
//
//   copilot_bench --data=DIR --questions=FILE
//
// Corpus: a data directory (bench/turn ingests the sample company) and questions, JSON lines with
// "question". Three passes: each question opens a conversation; the same again, when the vectors of
// questions and evidence are in memory; and all of them in one conversation.
//
// Notes: opening the knowledge base is timed apart. Each answer is checked: it is no error, and the
// thread holds it; those without a text are counted.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "agent/sources/knowledge_base.h"
#include "agent/turn/copilot.h"
#include "files/files.h"
#include "files/temporary_folder.h"
#include "graph/bench_lab.h"
#include "graph/sql_checkpointer.h"
#include "tools/all_tools.h"

namespace precedent {
namespace {

using nlohmann::json;

std::vector<std::string> read_questions(const std::string& file) {
  std::istringstream lines(need(read_file(file, 64 << 20)));
  std::vector<std::string> questions;
  for (std::string line; std::getline(lines, line);)
    questions.push_back(json::parse(line).at("question"));
  return questions;
}

struct Pass {
  std::vector<double> walls, firsts, cpus;                // milliseconds
  size_t empty = 0;                                       // answers
  std::vector<std::pair<std::string, std::string>> said;  // threads and answers
  json summary() const {
    return {{"turn_ms", median(walls)},
            {"p95_ms", quantile(walls, 0.95)},
            {"first_event_ms", median(firsts)},
            {"cpu_ms", median(cpus)},
            {"empty", empty},
            {"samples", walls.size()}};
  }
};

void ask(const Copilot& copilot, const std::string& question, const std::string& thread,
         Pass& pass) {
  const SystemClock clock;
  const CancelToken cancel;
  const Stopwatch watch;
  FirstEvent events(watch);
  const Reply reply = copilot.ask({question, {}}, {.thread = thread}, clock, events, cancel);
  pass.walls.push_back(watch.wall() * 1e3);
  pass.cpus.push_back(watch.cpu() * 1e3);
  pass.firsts.push_back(events.seconds * 1e3);
  if (reply.text.empty()) ++pass.empty;
  if (reply.status == AnswerStatus::kError)
    die({.message = fmt::format("'{}' was answered with: {}", question, reply.text)});
  pass.said.emplace_back(thread, reply.text);
}

// After the pass: reading a thread takes it out of the graph's memory.
void check(const Copilot& copilot, const Pass& pass) {
  for (const auto& [thread, text] : pass.said) {
    const CopilotState state = need(copilot.graph().state(thread));
    const bool held = std::ranges::any_of(state.messages.shared(), [&](const auto& message) {
      return message->role == Role::kAssistant && message->content == text;
    });
    if (!held) die({.message = fmt::format("thread {} does not hold '{}'", thread, text)});
  }
}

json run(const std::string& data, const std::vector<std::string>& questions) {
  const TemporaryFolder folder;
  const Stopwatch opening;
  const auto knowledge = need(KnowledgeBase::open(data, nullptr));
  const Toolset tools = knowledge_tools();
  const Guardrails guardrails = need(
      Guardrails::open(data, knowledge->reader(AdapterKind::kQuestion), knowledge->embedder()));
  const auto prompts = need(PromptLibrary::open(std::filesystem::path(data) / "prompts"));
  const Policy policy = need(read_policy(default_policy(), "config/policy.yaml"));
  const auto threads = need(open_sqlite_checkpointer(folder.path() / "threads.db"));
  const auto copilot = need(Copilot::create({.search = knowledge->search(),
                                             .store = knowledge->store(),
                                             .tools = tools,
                                             .guardrails = guardrails,
                                             .prompts = *prompts,
                                             .policy = policy},
                                            threads.get()));
  const double opened = opening.wall() * 1e3;
  Pass apart, again, together;
  for (size_t i = 0; i < questions.size(); ++i)
    ask(*copilot, questions[i], fmt::format("apart-{}", i), apart);
  for (size_t i = 0; i < questions.size(); ++i)
    ask(*copilot, questions[i], fmt::format("again-{}", i), again);
  for (const std::string& question : questions) ask(*copilot, question, "together", together);
  for (const Pass* pass : {&apart, &again, &together}) check(*copilot, *pass);
  return {{"open_ms", opened},
          {"encoder", knowledge->embedder() != nullptr},
          {"first_question_ms", apart.walls.front()},
          {"apart", apart.summary()},
          {"again", again.summary()},
          {"together", together.summary()},
          {"resident_bytes", resident_bytes()}};
}

}  // namespace
}  // namespace precedent

int main(int argc, char** argv) {
  using namespace precedent;
  std::string data, questions;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with("--data=")) data = argument.substr(7);
    if (argument.starts_with("--questions=")) questions = argument.substr(12);
  }
  if (data.empty() || questions.empty()) {
    std::cerr << "usage: copilot_bench --data=DIR --questions=FILE; bench/turn calls it\n";
    return 2;
  }
  fmt::print("{}\n", run(data, read_questions(questions)).dump());
}
