// precedent mcp: the tools and `ask` for a client that starts this program and speaks MCP with it
// over standard input and output.
#include <fmt/format.h>

#include <cstdio>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "cli/durability.h"
#include "cli/input.h"
#include "cli/render.h"
#include "cli/session.h"
#include "cli/to_stderr.h"
#include "cli/version.h"
#include "server/mcp.h"

namespace precedent {
namespace {

struct McpOptions : CommonOptions {
  std::string config, model, tools_config, mcp_config, durability;
};

// A message is a line; a tool's arguments may hold a log.
constexpr size_t kMaxMessage = 4 << 20;

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
  const Mcp mcp((*session)->mcp_services(**clock, version_text()));
  InputLines lines = InputLines::standard_input(kMaxMessage);
  for (std::string line;;) {
    const Result<bool> more = lines.next(line);
    if (interrupted().cancelled()) return interrupt_code();
    if (!more) return fail_with(more.error());
    if (!*more) return kExitOk;
    if (trim(line).empty()) continue;
    const McpAnswer answer = mcp.handle(line, nullptr, interrupted());
    if (answer.body.is_null()) continue;
    fmt::print("{}\n", dump_json(answer.body));
    std::fflush(stdout);
  }
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
