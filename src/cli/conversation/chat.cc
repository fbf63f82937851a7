// precedent chat: a conversation that is kept.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "agent/language/nearest_name.h"
#include "agent/turn/request_records.h"
#include "base/ascii.h"
#include "base/strings.h"
#include "cli/command/durability.h"
#include "cli/command/input.h"
#include "cli/conversation/session.h"
#include "cli/terminal/line_editor.h"
#include "cli/terminal/render.h"
#include "cli/terminal/to_stderr.h"
#include "cli/terminal/waiting_sink.h"

namespace precedent {
namespace {

using nlohmann::json;

struct ChatOptions : CommonOptions {
  std::string resume, config, model, tools_config, mcp_config, user, durability;
  bool fast = false;
  bool trace = false;
};

constexpr std::string_view kHelp =
    "/help             this list\n"
    "/tools            what can be looked up\n"
    "/sources          what the last answer rests on\n"
    "/history          the conversation so far\n"
    "/fork             continue in a copy; this one stays as it is\n"
    "/title [WORDS]    show the title, or set it\n"
    "/quit             leave; the conversation is kept (also Ctrl-D)\n"
    "Ctrl-C stops an answer and keeps the conversation.";

constexpr std::string_view kCommands[] = {"/help", "/tools", "/sources", "/history",
                                          "/fork", "/title", "/quit"};
constexpr size_t kMaxTypos = 2;

// What shells and other programs call some of them, typed alone.
std::string_view command_called(std::string_view line) {
  for (const std::string_view word : {"quit", "exit", "bye"})
    if (iequals(line, word)) return "/quit";
  return iequals(line, "help") || line == "?" ? "/help" : line;
}

class Chat {
 public:
  Chat(Session& session, const Clock& clock, std::string thread, const ChatOptions& options)
      : session_(session),
        clock_(clock),
        thread_(std::move(thread)),
        user_(options.user),
        json_(options.json),
        trace_(options.trace) {
    // What is typed never mixes with what a program reads.
    if (stdin_is_terminal())
      editor_.emplace("> ", json_ || !stdout_is_terminal() ? stderr : stdout, interrupted());
  }

  // Until the end of the input or /quit; the exit code.
  int run();

 private:
  std::optional<std::string> read_line();
  // True: leave.
  bool command(std::string_view line);
  void ask(const std::string& question);
  // The turn that a process before this one left unfinished.
  void finish_cut_off();
  // Shows what comes of a turn. `run`: its answer, given where it is told.
  template <typename Run>
  void show(Run run);
  void remember(const std::string& question);
  void show_history();
  void show_sources() const;
  void fork();
  void title(std::string_view words);
  void say(std::string_view text) const;
  std::optional<CopilotState> state() const;

  Session& session_;
  const Clock& clock_;
  std::string thread_;
  const std::string user_;
  const bool json_;
  const bool trace_;
  std::optional<LineEditor> editor_;  // nothing: not a terminal
  InputLines lines_ = InputLines::standard_input(kMaxContextBytes);
  Reply last_;
  std::vector<Message> unkept_;  // said, and in no thread; oldest first
};

// Of a conversation that cannot be kept the last turns are enough to ask about them.
constexpr size_t kMaxUnkeptMessages = 40;

bool is_command(std::string_view line) {
  if (!line.starts_with('/')) return false;
  const std::string_view name = line.substr(1, line.find(' ') - 1);
  const bool word = !name.empty() && std::ranges::all_of(name, is_lower);
  return word && (name == "title" || line.find(' ') == std::string_view::npos);
}

// A note of the program: not part of an answer.
void Chat::say(std::string_view text) const {
  if (json_) {
    fmt::print("{}\n", json{{"event", "note"}, {"text", text}}.dump());
  } else {
    fmt::print("{}\n", printable(text));
  }
  std::fflush(stdout);
}

std::optional<std::string> Chat::read_line() {
  if (!editor_) {
    std::string line;
    const Result<bool> more = lines_.next(line);
    if (!more && more.error().code != ErrorCode::kCancelled) fail_with(more.error());
    return more && *more ? std::optional(std::move(line)) : std::nullopt;
  }
  if (!json_) fmt::print("\n");
  std::fflush(stdout);
  std::optional<std::string> line = editor_->read();
  // Ctrl-C at the prompt forgets the line, nothing else.
  if (!line && interrupt_code() == kExitInterrupted) {
    to_stderr("\n");
    return "";
  }
  return line;
}

std::optional<CopilotState> Chat::state() const {
  if (session_.threads() == nullptr) return std::nullopt;
  auto state = session_.copilot().graph().state(thread_);
  if (!state) return std::nullopt;
  return std::move(*state);
}

void Chat::show_history() {
  const auto kept = state();
  std::vector<Message> said = unkept_;
  if (kept) said.insert(said.begin(), kept->messages.begin(), kept->messages.end());
  if (said.empty()) return say("Nothing has been said yet.");
  for (const Message& message : said) {
    if (message.content.empty() || message.role == Role::kTool) continue;
    const bool answer = message.role == Role::kAssistant;
    if (answer && !json_) {
      fmt::print("\n{}\n\n", render_markdown(trim(message.content), use_color()));
    } else {
      say(fmt::format("{} {}", answer ? " " : ">", message.content));
    }
  }
}

void Chat::show_sources() const {
  if (last_.sources.empty()) return say("The last answer has no sources.");
  std::set<std::string> said;
  for (const Source& source : last_.sources) {
    if (!said.insert(source.id).second) continue;  // an answer may cite several of its pieces
    say(fmt::format("{} — {} ({}{}), from {}", source.id, source.title, source.kind,
                    source.path.empty() ? "" : ", " + source.path, source.receipt));
  }
}

void Chat::fork() {
  if (session_.threads() == nullptr) return say("This conversation is not kept; nothing to fork.");
  const std::string copy = new_thread_id();
  const auto copied = session_.threads()->copy(thread_, copy, clock_.now());
  if (!copied) return say(copied.error().text());
  say(fmt::format("Now in {}, a copy of {}.", copy, thread_));
  thread_ = copy;
}

void Chat::title(std::string_view words) {
  if (words.empty()) {
    const auto kept = state();
    return say(kept && !kept->title.empty() ? kept->title : "This conversation has no title yet.");
  }
  const auto set = session_.copilot().set_title(thread_, words, clock_.now());
  say(set ? fmt::format("Titled \"{}\".", words) : set.error().text());
}

bool Chat::command(std::string_view line) {
  const size_t space = line.find(' ');
  const std::string_view name = line.substr(0, space);
  const std::string_view rest = space == std::string_view::npos ? "" : trim(line.substr(space));
  if (name == "/quit" || name == "/exit" || name == "/q") return true;
  if (name == "/help") {
    say(kHelp);
  } else if (name == "/tools") {
    for (const auto& tool : session_.model_tools().all())
      say(fmt::format("{}: {}", tool->spec().name, tool->spec().description));
  } else if (name == "/sources") {
    show_sources();
  } else if (name == "/history") {
    show_history();
  } else if (name == "/fork") {
    fork();
  } else if (name == "/title") {
    title(rest);
  } else {
    const std::string_view meant = nearest_name(name, kCommands);
    const bool near = edit_distance(name, meant) <= kMaxTypos;
    say(near ? fmt::format("There is no command {}; did you mean {}?", name, meant)
             : fmt::format("There is no command {}; /help lists them.", name));
  }
  return false;
}

// What the thread has not is handed over with the next question; once that is kept, so is this.
void Chat::remember(const std::string& question) {
  if (last_.status == AnswerStatus::kError) return;
  if (!thread_.empty() && last_.not_kept.empty()) return unkept_.clear();
  unkept_.push_back({Role::kUser, question});
  unkept_.push_back({Role::kAssistant, last_.text});
  if (unkept_.size() > kMaxUnkeptMessages)
    unkept_.erase(unkept_.begin(), unkept_.end() - kMaxUnkeptMessages);
}

void Chat::ask(const std::string& question) {
  for (const std::string& problem : session_.refresh())
    to_stderr("precedent: {}\n", printable(problem));
  show([&](EventSink& events) {
    return session_.ask({question, unkept_},
                        {.thread = thread_, .user = user_, .langfuse_enabled = trace_}, clock_,
                        events, interrupted());
  });
  remember(question);
}

void Chat::finish_cut_off() {
  if (!was_cut_off(session_, thread_)) return;
  const auto kept = state();
  const std::string asked = kept ? squeeze(last_question_text(*kept)) : "";
  say(asked.empty() ? "The last turn was cut off; it is finished now."
                    : fmt::format("The last turn was cut off; it is finished now: \"{}\"", asked));
  show([&](EventSink& events) {
    return session_.resume({.thread = thread_, .user = user_, .langfuse_enabled = trace_}, clock_,
                           events, interrupted());
  });
}

template <typename Run>
void Chat::show(Run run) {
  AnswerPrinter printer(use_color(), !json_ && stderr_is_terminal());
  JsonLines lines;
  {
    WaitingSink events(json_ ? static_cast<EventSink&>(lines) : printer);
    last_ = run(events);
  }
  warn_if_unkept(last_, kExitOk);
  if (thread_.empty()) last_.not_kept = session_.not_kept();
  if (json_) {
    lines.say_reply(last_);
  } else if (!printer.finish() && !interrupted().cancelled()) {
    fmt::print("{}\n", render_markdown(trim(last_.text), use_color()));
  }
  // Ctrl-C; another signal ends the program.
  if (interrupt_code() != kExitInterrupted) return;
  forget_interrupt();
  say("Stopped. What was said before is kept; ask again, or something else.");
}

int Chat::run() {
  if (editor_ && !json_) {
    fmt::print(
        "precedent, conversation {}. Ask about an incident, a symptom or a service; /help "
        "for more.\n",
        thread_.empty() ? "(not kept)" : thread_);
  }
  finish_cut_off();
  while (auto line = read_line()) {
    if (interrupt_code() == kExitInterrupted) forget_interrupt();
    if (interrupted().cancelled()) break;
    const std::string_view said = command_called(trim(*line));
    if (said.empty()) continue;
    // A path opens a question as well: "/api/search is slow".
    if (is_command(said)) {
      if (command(said)) break;
      continue;
    }
    ask(*line);
    if (interrupted().cancelled()) break;
  }
  if (editor_ && !json_ && !thread_.empty())
    fmt::print("\nGo on with: precedent chat --resume {}\n", thread_);
  if (interrupted().cancelled()) return interrupt_code();
  return thread_.empty() || unkept_.empty() ? kExitOk : kExitFailed;
}

int chat(const ChatOptions& options) {
  const auto clock = clock_of(options.now);
  if (!clock) return fail_with(clock.error());
  auto session = Session::open({.data_dir = data_dir_of(options),
                                .config = options.config,
                                .model = options.model,
                                .tools_config = options.tools_config,
                                .mcp_config = options.mcp_config,
                                .durability = options.durability,
                                .fast = options.fast,
                                .trace = options.trace});
  if (!session) return fail_with(session.error());
  for (const std::string& warning : (*session)->warnings())
    to_stderr("precedent: {}\n", printable(warning));
  const auto thread = thread_to_use(**session, options.resume);
  if (!thread) return fail_with(thread.error());
  const int code = Chat(**session, **clock, *thread, options).run();
  (*session)->finish_tracing();
  return code;
}

}  // namespace

int chat_by_default() {
  if (stdin_is_terminal()) {
    ChatOptions options;
    options.user = system_environment("PRECEDENT_USER").value_or("");
    return chat(options);
  }
  return fail_with({ErrorCode::kInvalidArgument,
                    "no command; --help lists them (on a terminal, none means `chat`)"});
}

void add_chat(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ChatOptions>();
  CLI::App* command = app.add_subcommand(
      "chat", "Hold a conversation, with follow-ups; it is kept and can be resumed");
  command->add_option("--resume", options->resume, "Continue this conversation")->type_name("ID");
  add_model(*command, options->config, options->model);
  add_fast(*command, options->fast);
  add_tools_config(*command, options->tools_config);
  add_mcp_config(*command, options->mcp_config);
  add_trace(*command, options->trace);
  add_user(*command, options->user);
  add_durability(*command, options->durability);
  command->add_flag("--json", options->json,
                    "Print one event a line (status, token, title …), after each turn the object "
                    "of `ask --json`; questions are read from standard input, one a line");
  add_now(*command, *options);
  add_data_dir(*command, *options);
  command->footer(std::string(kHelp));
  command->callback([options, &exit_code] { exit_code = chat(*options); });
}

}  // namespace precedent
