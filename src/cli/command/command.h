// What every command shares: where it writes, how it fails, its exit codes.
//
// stdout carries the answer, stderr everything else. Colour and progress only on a terminal, never
// with NO_COLOR.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/error.h"

namespace precedent {

// Documented in README.md; scripts depend on them.
enum ExitCode {
  kExitOk = 0,
  kExitFailed = 1,
  kExitUsage = 2,  // or configuration
  kExitDenied = 3,
  kExitNeedsInput = 4,
  kExitInterrupted = 130,  // SIGINT
  kExitTerminated = 143,   // SIGTERM
};

// Options that several commands have.
struct CommonOptions {
  std::string data_dir;
  std::string now;
  bool json = false;
};

void add_data_dir(CLI::App& command, CommonOptions& options);
void add_now(CLI::App& command, CommonOptions& options);
void add_config(CLI::App& command, std::string& config);
// --config and --model.
void add_model(CLI::App& command, std::string& config, std::string& model);
// --fast.
void add_fast(CLI::App& command, bool& fast);
// --tools-config.
void add_tools_config(CLI::App& command, std::string& file);
// --mcp-config.
void add_mcp_config(CLI::App& command, std::string& file);
// --trace.
void add_trace(CLI::App& command, bool& trace);
// --user, or PRECEDENT_USER.
void add_user(CLI::App& command, std::string& user);
// The data directory. What an earlier version left readable for others, it takes from them.
std::filesystem::path data_dir_of(const CommonOptions& options);

// The clock of --now, or the system's. A date alone means the end of that day, so that its
// incidents are past.
Result<std::unique_ptr<Clock>> clock_of(const std::string& now);

// Prints "precedent: message" to stderr and returns the exit code that fits.
int fail_with(const Error& error);

// Set by SIGINT and SIGTERM; the exit code they ask for once it is.
CancelToken& interrupted();
int interrupt_code();
// A conversation goes on after a cancelled turn.
void forget_interrupt();
bool stdin_is_terminal();

bool stdout_is_terminal();
bool stderr_is_terminal();
bool use_color();

// Each adds its subcommand; the callback sets `exit_code`.
void add_ask(CLI::App& app, int& exit_code);
void add_ingest(CLI::App& app, int& exit_code);
void add_investigate(CLI::App& app, int& exit_code);
void add_snapshot(CLI::App& app, int& exit_code);
void add_verify(CLI::App& app, int& exit_code);
void add_remove(CLI::App& app, int& exit_code);
void add_dataset(CLI::App& app, int& exit_code);
void add_sources(CLI::App& app, int& exit_code);
void add_store(CLI::App& app, int& exit_code);
void add_tools(CLI::App& app, int& exit_code);
void add_eval(CLI::App& app, int& exit_code);
void add_index(CLI::App& app, int& exit_code);
void add_doctor(CLI::App& app, int& exit_code);
void add_chat(CLI::App& app, int& exit_code);
void add_serve(CLI::App& app, int& exit_code);
void add_mcp(CLI::App& app, int& exit_code);
void add_tokens(CLI::App& app, int& exit_code);
int chat_by_default();
void add_threads(CLI::App& app, int& exit_code);
void add_models(CLI::App& app, int& exit_code);
void add_graph(CLI::App& app, int& exit_code);
void add_golden(CLI::App& app, int& exit_code);
void add_feedback(CLI::App& app, int& exit_code);
void add_stats(CLI::App& app, int& exit_code);
void add_config_check(CLI::App& app, int& exit_code);

// All of them.
void add_commands(CLI::App& app, int& exit_code);

// The whole program after main(): parses, runs, returns the exit code.
int run_cli(int argc, char** argv);

}  // namespace precedent
