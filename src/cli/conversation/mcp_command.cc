// precedent mcp: the tools and `ask` for a client that starts this program and speaks MCP with it
// over standard input and output.
#include <fmt/format.h>

#include <cstdio>

#include "base/strings.h"
#include "cli/command/durability.h"
#include "cli/command/input.h"
#include "cli/command/version.h"
#include "cli/conversation/session.h"
#include "cli/terminal/render.h"
#include "cli/terminal/to_stderr.h"
#include "server/mcp/stdio.h"
#include "server/turns/chats.h"
#include "server/turns/turns.h"

namespace precedent {
namespace {

struct McpOptions : CommonOptions {
  std::string config, model, tools_config, mcp_config, durability;
};

// A message is a line; a tool's arguments may hold a log.
constexpr size_t kMaxMessage = 4 << 20;
constexpr size_t kCallsAtOnce = 4, kCallsWaiting = 256;

// Until the client ends its side, and what it asked for is answered.
int speak_on(McpStdio& stdio) {
  InputLines lines = InputLines::standard_input(kMaxMessage);
  Result<bool> more = true;
  for (std::string line; *more;) {
    more = lines.next(line);
    if (!more || interrupted().cancelled()) break;
    if (*more && !trim(line).empty()) stdio.take(line);
  }
  stdio.finish(interrupted());
  if (interrupted().cancelled()) return interrupt_code();
  return more ? kExitOk : fail_with(more.error());
}

int speak(const McpOptions& options) {
  const auto clock = clock_of(options.now);
  if (!clock) return fail_with(clock.error());
  auto session = Session::open({.data_dir = data_dir_of(options),
                                .config = options.config,
                                .model = options.model,
                                .tools_config = options.tools_config,
                                .mcp_config = options.mcp_config,
                                .durability = options.durability,
                                .clock = clock->get()});
  if (!session) return fail_with(session.error());
  for (const std::string& warning : (*session)->warnings())
    to_stderr("precedent: {}\n", printable(warning));
  const Chats chats((*session)->copilot(), (*session)->threads());
  TurnPool pool({.workers = kCallsAtOnce, .queue = kCallsWaiting});
  Turns turns(pool);
  McpServices services = (*session)->mcp_services(**clock, version_text());
  services.turns = &turns;
  services.last_turn = [&chats](const std::string& chat) { return chats.last_turn(chat); };
  const Mcp mcp(std::move(services));
  McpStdio stdio(mcp, turns, [](const std::string& line) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
  });
  const int code = speak_on(stdio);
  // Tasks have a client that would ask for them no more.
  pool.drain(std::chrono::milliseconds(0));
  return code;
}

}  // namespace

void add_mcp(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<McpOptions>();
  CLI::App* command = app.add_subcommand(
      "mcp", "Speak the Model Context Protocol on standard input and output (docs/clients.md)");
  add_model(*command, options->config, options->model);
  add_tools_config(*command, options->tools_config);
  add_mcp_config(*command, options->mcp_config);
  add_durability(*command, options->durability);
  add_now(*command, *options);
  add_data_dir(*command, *options);
  command->callback([options, &exit_code] { exit_code = speak(*options); });
}

}  // namespace precedent
