#include "cli/command/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <system_error>

#include "agent/sources/knowledge_base.h"
#include "base/nearest.h"
#include "base/strings.h"
#include "cli/command/verb_first.h"
#include "cli/command/version.h"
#include "cli/terminal/line_editor.h"
#include "cli/terminal/render.h"
#include "cli/terminal/to_stderr.h"
#include "files/files.h"
#include "store/index_build.h"

namespace precedent {
namespace {

std::atomic<int> g_signal{0};

void on_signal(int signal) {
  // A second signal ends the process the hard way: somebody is waiting.
  if (g_signal.exchange(signal) != 0) std::_Exit(128 + signal);
  interrupted().cancel();
  LineEditor::wake();
}

// Says why standard output took nothing, which errno tells.
int unwritten() {
  to_stderr("precedent: cannot write to standard output: {}\n",
            std::error_code(errno, std::generic_category()).message());
  return kExitFailed;
}

// An answer that did not reach the disk or the pipe is no answer: `ask > file` on a full disk
// fails.
int written_out(int exit_code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  unwritten();
  return exit_code == kExitOk ? kExitFailed : exit_code;
}

// "precedent aks": which command was meant.
void suggest_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || !app.get_subcommands().empty()) return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  if (const auto meant = nearest(argv[1], names))
    to_stderr("precedent: did you mean `precedent {}`?\n", *meant);
}

}  // namespace

CancelToken& interrupted() {
  static CancelToken token;
  return token;
}

int interrupt_code() { return 128 + g_signal.load(); }

void forget_interrupt() {
  g_signal.store(0);
  interrupted().reset();
}

bool stdin_is_terminal() { return ::isatty(STDIN_FILENO) != 0; }

void add_trace(CLI::App& command, bool& trace) {
  command.add_flag("--trace", trace,
                   "Send a trace of each answer, secrets redacted, to Langfuse or an OpenTelemetry "
                   "collector (LANGFUSE_*, OTEL_EXPORTER_OTLP_*)");
}

void add_user(CLI::App& command, std::string& user) {
  command
      .add_option("--user", user,
                  "Who asks, as the conversation and its traces name them (default: "
                  "$PRECEDENT_USER)")
      ->type_name("ID")
      ->envname("PRECEDENT_USER");
}

void add_tools_config(CLI::App& command, std::string& file) {
  command
      .add_option("--tools-config", file,
                  "What the tools reach: metrics, alerts, repositories, logs (default: "
                  "$PRECEDENT_TOOLS, config/tools.yaml, tools.yaml in the data directory)")
      ->type_name("FILE");
}

void add_mcp_config(CLI::App& command, std::string& file) {
  command
      .add_option("--mcp-config", file,
                  "The MCP servers whose tools may be called (default: mcp.config of "
                  "precedent.yaml, mcp.json in the data directory)")
      ->type_name("FILE");
}

void add_config(CLI::App& command, std::string& config) {
  command
      .add_option("--config", config,
                  "The configuration (default: $PRECEDENT_CONFIG, config/precedent.yaml, "
                  "precedent.yaml in the data directory)")
      ->type_name("FILE");
}

void add_model(CLI::App& command, std::string& config, std::string& model) {
  add_config(command, config);
  command
      .add_option("--model", model,
                  "Instead of the configured one: gpt-4o, anthropic/claude-sonnet-4-5, offline …")
      ->type_name("NAME");
}

void add_fast(CLI::App& command, bool& fast) {
  command.add_flag("--fast", fast,
                   "Check a model's sentences by exact rules alone, without the learned judge");
}

void add_data_dir(CLI::App& command, CommonOptions& options) {
  command
      .add_option("--data-dir", options.data_dir,
                  "Where the knowledge base lives (default: $PRECEDENT_DATA_DIR, else " +
                      default_data_dir().string() + ")")
      // An unset variable of a script must not lead to somebody's own knowledge base.
      ->check([](const std::string& folder) {
        return folder.empty() ? std::string("is empty; name a folder") : std::string();
      });
}

void add_now(CLI::App& command, CommonOptions& options) {
  command
      .add_option("--now", options.now,
                  "Take this as the current time, for example 2026-11-20 or 2026-11-20T09:30Z")
      // An unset variable of a script must not mean today.
      ->check([](const std::string& time) {
        return time.empty() ? std::string("is empty; give a time, or leave it out") : std::string();
      });
}

std::filesystem::path data_dir_of(const CommonOptions& options) {
  std::filesystem::path folder =
      options.data_dir.empty() ? default_data_dir() : std::filesystem::path(options.data_dir);
  std::error_code ignored;
  // One of ours, wherever its store is; nobody else's folder is changed.
  if (!std::filesystem::exists(store_file(folder), ignored) &&
      !std::filesystem::exists(ingest_lock_file(folder), ignored))
    return folder;
  make_private(folder);
  for (const char* database : {"precedent.db", "threads.db"})
    for (const char* part : {"", "-wal", "-shm", ".locks"})
      make_private(folder / (database + std::string(part)));
  for (const char* own : {"ingest.lock", "requests.jsonl", "index", "cache"})
    make_private(folder / own, Privacy::kWithContent);
  return folder;
}

Result<std::unique_ptr<Clock>> clock_of(const std::string& now) {
  if (now.empty()) return std::make_unique<SystemClock>();
  const Result<TimePoint> time = parse_time(now);
  if (!time) return fail(ErrorCode::kInvalidArgument, "--now: " + time.error().text());
  const bool date_only =
      now.find(':') == std::string::npos && *time == std::chrono::floor<std::chrono::days>(*time);
  return std::make_unique<FixedClock>(
      date_only ? *time + std::chrono::days(1) - std::chrono::seconds(1) : *time);
}

int fail_with(const Error& error) {
  to_stderr("precedent: {}\n", printable(error.text()));
  switch (error.code) {
    case ErrorCode::kInvalidArgument: return kExitUsage;
    case ErrorCode::kPermission: return kExitFailed;
    case ErrorCode::kCancelled: return g_signal.load() != 0 ? interrupt_code() : kExitFailed;
    default: return kExitFailed;
  }
}

bool stdout_is_terminal() { return ::isatty(STDOUT_FILENO) != 0; }

bool stderr_is_terminal() { return ::isatty(STDERR_FILENO) != 0; }

bool use_color() {
  const char* no_color = std::getenv("NO_COLOR");
  return stdout_is_terminal() && (no_color == nullptr || *no_color == '\0');
}

void add_commands(CLI::App& app, int& exit_code) {
  add_ask(app, exit_code);
  add_chat(app, exit_code);
  add_investigate(app, exit_code);
  add_snapshot(app, exit_code);
  add_verify(app, exit_code);
  add_serve(app, exit_code);
  add_tokens(app, exit_code);
  add_mcp(app, exit_code);
  add_threads(app, exit_code);
  add_ingest(app, exit_code);
  add_remove(app, exit_code);
  add_dataset(app, exit_code);
  add_sources(app, exit_code);
  add_store(app, exit_code);
  add_golden(app, exit_code);
  add_feedback(app, exit_code);
  add_tools(app, exit_code);
  add_eval(app, exit_code);
  add_models(app, exit_code);
  add_graph(app, exit_code);
  add_stats(app, exit_code);
  add_config_check(app, exit_code);
  add_index(app, exit_code);
  add_doctor(app, exit_code);
}

int run_cli(int argc, char** argv) {
  occupy_standard_streams();
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  // A file that reaches the limit of its size is an error of the write (EFBIG), not the end of the
  // process.
  std::signal(SIGXFSZ, SIG_IGN);
  CLI::App app("precedent: an incident copilot that proves what it says", "precedent");
  app.set_version_flag("--version", version_text());
  app.require_subcommand(0, 1);
  app.get_formatter()->column_width(34);
  app.footer(
      "Options may also stand before the command: precedent --data-dir DIR ask ...\n"
      "Exit codes: 0 ok, 1 failed, 2 usage or configuration, 3 denied, 4 needs input.\n"
      "Start with: precedent ingest PATH... && precedent ask \"how do I fix ...\"");
  int exit_code = kExitOk;
  add_commands(app, exit_code);
  // Nothing said is a conversation.
  app.callback([&app, &exit_code] {
    if (app.get_subcommands().empty()) exit_code = chat_by_default();
  });
  try {
    std::vector<std::string> args = verb_first(app, {argv + std::min(argc, 1), argv + argc});
    std::ranges::reverse(args);  // as CLI11 wants them
    app.parse(std::move(args));
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    if (code != 0) suggest_command(app, argc, argv);
    exit_code = code == 0 ? kExitOk : kExitUsage;
  } catch (const std::bad_alloc&) {
    exit_code = fail_with({ErrorCode::kResourceExhausted,
                           "there is not enough memory for this; ask for less at once"});
  } catch (const std::system_error& error) {
    // fmt, which could not write to standard output.
    errno = error.code().value();
    return unwritten();
  } catch (const std::exception& error) {
    exit_code =
        fail_with({ErrorCode::kInternal, fmt::format("internal error ({}); please report it, with "
                                                     "the command that you ran",
                                                     error.what())});
  }
  return written_out(exit_code);
}

}  // namespace precedent
