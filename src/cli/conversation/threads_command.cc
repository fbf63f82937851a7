// precedent threads: the conversations that are kept.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "cli/conversation/session.h"
#include "cli/terminal/render.h"
#include "cli/terminal/to_stderr.h"
#include "cli/terminal/waiting_sink.h"

namespace precedent {
namespace {

using nlohmann::json;

struct ThreadsOptions : CommonOptions {
  std::string id, as, at, older_than, config, model, tools_config, mcp_config;
  size_t limit = 20, keep_last = 1;
  bool all = false;
  bool trace = false;
};

// A command over the kept conversations: opens the session, reports what goes wrong.
template <typename Body>
int with_threads(const ThreadsOptions& options, Body body) {
  const auto clock = clock_of(options.now);
  if (!clock) return fail_with(clock.error());
  auto session = Session::open({.data_dir = data_dir_of(options),
                                .config = options.config,
                                .model = options.model,
                                .tools_config = options.tools_config,
                                .mcp_config = options.mcp_config,
                                .trace = options.trace});
  if (!session) return fail_with(session.error());
  if ((*session)->threads() == nullptr) {
    to_stderr("precedent: the conversations cannot be opened: {}\n",
              printable((*session)->not_kept()));
    return kExitFailed;
  }
  if (options.trace) {
    for (const std::string& warning : (*session)->warnings())
      to_stderr("precedent: {}\n", printable(warning));
  }
  const Result<int> code = body(**session, **clock);
  (*session)->finish_tracing();
  return code ? *code : fail_with(code.error());
}

Result<Head> head_of(Session& session, const std::string& id) {
  if (auto head = TRY(session.threads()->head(id))) return std::move(*head);
  return fail(ErrorCode::kNotFound,
              fmt::format("there is no conversation '{}'; `precedent threads list` shows those "
                          "there are",
                          id));
}

Result<CheckpointId> checkpoint_id(const std::string& text) {
  CheckpointId id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end != text.data() + text.size()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("--at {}: not the number of a checkpoint; `precedent threads history` "
                            "shows them",
                            text));
  }
  return id;
}

// "30d", "12h".
Result<std::chrono::seconds> age_of(const std::string& text) {
  int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const std::string_view unit = std::string_view(text).substr(
      error == std::errc() ? static_cast<size_t>(end - text.data()) : text.size());
  if (error == std::errc() && count >= 0) {
    if (unit == "d") return std::chrono::hours(24 * count);
    if (unit == "h") return std::chrono::hours(count);
    if (unit == "m") return std::chrono::minutes(count);
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("--older-than {}: write a number with d, h or m, for example 30d", text));
}

// One question and its answer: `ask`, and nobody went on.
bool is_single(Session& session, const ThreadInfo& thread, const CopilotState& state) {
  return std::ranges::count(state.messages, Role::kUser, &Message::role) < 2 &&
         !was_cut_off(session, thread.name);
}

json thread_json(Session& session, const ThreadInfo& thread, const Result<CopilotState>& state) {
  json shown = {{"thread_id", thread.name},
                {"created", format_time(thread.created)},
                {"updated", format_time(thread.updated)}};
  if (!state) {
    shown["error"] = printable(state.error().text());
    return shown;
  }
  shown["title"] = state->title;
  shown["messages"] = state->messages.size();
  shown["cut_off"] = was_cut_off(session, thread.name);
  return shown;
}

void print_thread(Session& session, const ThreadInfo& thread, const Result<CopilotState>& state) {
  if (!state) {
    fmt::print("{:<16} {}  cannot be read: {}\n", thread.name, format_time(thread.updated),
               printable(state.error().text()));
    return;
  }
  const bool cut = was_cut_off(session, thread.name);
  fmt::print("{:<16} {}  {:>4} messages  {}{}\n", thread.name, format_time(thread.updated),
             state->messages.size(), printable(state->title),
             cut ? fmt::format("({})", cut_off_note(thread.name)) : "");
}

// Single questions count towards no limit: they would hide the conversations before them.
Result<int> list(Session& session, const ThreadsOptions& options) {
  constexpr size_t kMostRead = 1000;
  json all = json::array();
  size_t shown = 0, single = 0, read = 0;
  while (shown < options.limit && read < kMostRead) {
    const auto page = TRY(session.threads()->threads(options.limit, read));
    for (const ThreadInfo& thread : page) {
      if (shown == options.limit) break;
      const auto state = session.copilot().graph().state(thread.name);
      if (!options.json && !options.all && state && is_single(session, thread, *state)) {
        ++single;
        continue;
      }
      ++shown;
      if (options.json)
        all.push_back(thread_json(session, thread, state));
      else
        print_thread(session, thread, state);
    }
    read += page.size();
    if (page.size() < options.limit) break;
  }
  if (options.json) fmt::print("{}\n", dump(all));
  if (single > 0)
    fmt::print("{} single question{} not shown; --all shows {}\n", single,
               single == 1 ? " is" : "s are", single == 1 ? "it" : "them");
  if (!options.json && read == 0)
    fmt::print("No conversation is kept yet. Begin one: precedent chat\n");
  return kExitOk;
}

Result<int> show(Session& session, const ThreadsOptions& options) {
  TRY(head_of(session, options.id));
  std::optional<CheckpointId> at;
  if (!options.at.empty()) at = TRY(checkpoint_id(options.at));
  const CopilotState state = TRY(session.copilot().graph().state(options.id, at));
  if (!state.title.empty()) fmt::print("# {}\n\n", printable(state.title));
  for (const Message& message : state.messages) {
    if (message.role == Role::kUser) {
      fmt::print("> {}\n\n", printable(message.content));
    } else if (message.role == Role::kAssistant && !message.content.empty()) {
      fmt::print("{}\n\n", render_markdown(trim(message.content), use_color()));
    }
    for (const ToolCall& call : message.tool_calls)
      fmt::print("  called {} {}\n", printable(call.name), printable(call.args));
  }
  if (!at && was_cut_off(session, options.id))
    to_stderr("precedent: {}\n", cut_off_note(options.id));
  return kExitOk;
}

Result<int> history(Session& session, const ThreadsOptions& options) {
  TRY(head_of(session, options.id));
  for (const Checkpoint& checkpoint :
       TRY(session.threads()->history(options.id, {}, options.limit))) {
    const std::string described = session.copilot().graph().describe(checkpoint);
    if (options.json) {
      fmt::print("{}\n", described);
      continue;
    }
    std::vector<std::string> tasks, next;
    for (const TaskWrites& task : checkpoint.step.tasks) tasks.push_back(task.task.node);
    for (const Task& task : checkpoint.step.next) next.push_back(task.node);
    fmt::print("{:>6}  {}  step {:<4} {:<6} {}{}\n", checkpoint.id, format_time(checkpoint.step.at),
               checkpoint.step.step, name(checkpoint.step.source), join(tasks, ", "),
               next.empty() ? "" : " → " + join(next, ", "));
  }
  return kExitOk;
}

Result<std::string> fork_thread(Session& session, const ThreadsOptions& options, TimePoint now) {
  const std::string copy = options.as.empty() ? new_thread_id() : options.as;
  // Where a checkpoint is named the head need not be readable.
  const CheckpointId at = options.at.empty() ? TRY(head_of(session, options.id)).checkpoint
                                             : TRY(checkpoint_id(options.at));
  TRY(session.threads()->fork(options.id, at, copy, now));
  return copy;
}

Result<int> go_on(Session& session, const std::string& thread, const Clock& clock,
                  const ThreadsOptions& options) {
  AnswerPrinter printer(use_color(), !options.json && stderr_is_terminal());
  JsonLines lines;
  std::optional<WaitingSink> events(std::in_place,
                                    options.json ? static_cast<EventSink&>(lines) : printer);
  const Reply reply = session.resume({.thread = thread, .langfuse_enabled = options.trace}, clock,
                                     *events, interrupted());
  events.reset();
  if (options.json) {
    fmt::print("{}\n", dump(to_json(reply)));
  } else if (!printer.finish()) {
    const std::string text = render_markdown(trim(reply.text), use_color());
    reply.status == AnswerStatus::kError ? to_stderr("{}\n", text) : fmt::print("{}\n", text);
  }
  return warn_if_unkept(reply, reply.status == AnswerStatus::kError ? kExitFailed : kExitOk);
}

Result<int> prune(Session& session, const ThreadsOptions& options, const Clock& clock) {
  PrunePolicy policy{.keep_last = options.keep_last};
  if (!options.older_than.empty())
    policy.older_than = clock.now() - TRY(age_of(options.older_than));
  std::vector<std::string> names;
  if (!options.all) {
    TRY(head_of(session, options.id));
    names = {options.id};
  } else {
    constexpr size_t kPage = 500;
    for (size_t offset = 0;; offset += kPage) {
      const auto page = TRY(session.threads()->threads(kPage, offset));
      for (const ThreadInfo& thread : page) names.push_back(thread.name);
      if (page.size() < kPage) break;
    }
  }
  size_t gone = 0;
  for (const std::string& name : names) gone += TRY(session.copilot().graph().prune(name, policy));
  fmt::print("{} checkpoints of {} conversations folded into their past\n", gone, names.size());
  return kExitOk;
}

Result<int> export_thread(Session& session, const ThreadsOptions& options) {
  TRY(head_of(session, options.id));
  const CopilotState state = TRY(session.copilot().graph().state(options.id));
  json messages = json::array(), receipts = json::array();
  for (const Message& message : state.messages)
    messages.push_back(FieldCodec<Message>::json(message));
  for (const Receipt& receipt : state.receipts) receipts.push_back(to_json(receipt));
  fmt::print("{}\n", dump({{"thread_id", options.id},
                           {"title", state.title},
                           {"messages", std::move(messages)},
                           {"receipts", std::move(receipts)}},
                          2));
  return kExitOk;
}

}  // namespace

void add_threads(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ThreadsOptions>();
  CLI::App* threads =
      app.add_subcommand("threads", "List, show, fork or delete the conversations that are kept");
  threads->require_subcommand(1);
  const auto add = [&](const char* name, const char* what, bool named, auto body) {
    CLI::App* command = threads->add_subcommand(name, what);
    if (named) command->add_option("id", options->id, "The conversation")->required();
    add_data_dir(*command, *options);
    command->callback([options, &exit_code, body] {
      exit_code = with_threads(*options, [&](Session& session, const Clock& clock) {
        return body(session, clock, *options);
      });
    });
    return command;
  };
  using Options = ThreadsOptions;
  CLI::App* listing = add("list", "List conversations, the last changed first", false,
                          [](Session& s, const Clock&, const Options& o) { return list(s, o); });
  listing->add_option("--limit", options->limit, "How many at most (default: 20)");
  listing->add_flag("--all", options->all, "Also list single questions");
  listing->add_flag("--json", options->json, "As JSON");
  CLI::App* showing = add("show", "Show what was said", true,
                          [](Session& s, const Clock&, const Options& o) { return show(s, o); });
  showing->add_option("--at", options->at, "As it was at this checkpoint")->type_name("NUMBER");
  CLI::App* past = add("history", "List its checkpoints, newest first", true,
                       [](Session& s, const Clock&, const Options& o) { return history(s, o); });
  past->add_option("--limit", options->limit, "How many at most (default: 20)");
  past->add_flag("--json", options->json, "One JSON object a line");
  CLI::App* forking = add("fork", "Start a new conversation that shares this one's past", true,
                          [](Session& s, const Clock& c, const Options& o) -> Result<int> {
                            fmt::print("{}\n", TRY(fork_thread(s, o, c.now())));
                            return kExitOk;
                          });
  CLI::App* replaying = add("replay", "Fork at a checkpoint and run again from there", true,
                            [](Session& s, const Clock& c, const Options& o) -> Result<int> {
                              const std::string copy = TRY(fork_thread(s, o, c.now()));
                              to_stderr("precedent: replaying as {}\n", copy);
                              return go_on(s, copy, c, o);
                            });
  for (CLI::App* command : {forking, replaying}) {
    command->add_option("--at", options->at, "From this checkpoint (default: the latest)")
        ->type_name("NUMBER");
    command->add_option("--as", options->as, "The new conversation's name")->type_name("ID");
  }
  CLI::App* resuming =
      add("resume", "Finish a turn that was cut off", true,
          [](Session& s, const Clock& c, const Options& o) { return go_on(s, o.id, c, o); });
  for (CLI::App* command : {replaying, resuming}) {
    command->add_flag("--json", options->json, "Events, then the object of `ask --json`");
    add_model(*command, options->config, options->model);
    add_tools_config(*command, options->tools_config);
    add_mcp_config(*command, options->mcp_config);
    add_trace(*command, options->trace);
    add_now(*command, *options);
  }
  add("export", "Print messages and receipts as JSON", true,
      [](Session& s, const Clock&, const Options& o) { return export_thread(s, o); });
  add("delete", "Delete it; what other conversations share stays", true,
      [](Session& s, const Clock&, const Options& o) -> Result<int> {
        TRY(s.threads()->remove(o.id));
        return kExitOk;
      });
  CLI::App* pruning = add("prune", "Merge old checkpoints into one; nothing that was said is lost",
                          false, [](Session& s, const Clock& c, const Options& o) -> Result<int> {
                            if (o.id.empty() != o.all) {
                              return fail(ErrorCode::kInvalidArgument,
                                          "name a conversation, or all of them with --all");
                            }
                            return prune(s, o, c);
                          });
  pruning->add_option("id", options->id, "The conversation");
  pruning->add_flag("--all", options->all, "Every conversation");
  pruning->add_option("--keep-last", options->keep_last,
                      "How many checkpoints to keep (default: 1)");
  pruning->add_option("--older-than", options->older_than, "Only older ones, for example 30d")
      ->type_name("AGE");
}

}  // namespace precedent
