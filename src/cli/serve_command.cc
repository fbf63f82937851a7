// precedent serve: the same answers over HTTP.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "cli/desk_of_folder.h"
#include "cli/durability.h"
#include "cli/render.h"
#include "cli/session.h"
#include "cli/to_stderr.h"
#include "cli/version.h"
#include "server/server.h"

namespace precedent {
namespace {

struct ServeOptions : CommonOptions {
  std::string config, model, tools_config, durability;
  std::string address = "127.0.0.1";
  uint16_t port = 8484;
  size_t workers = 4;
  int drain_seconds = 20;
  std::vector<std::string> origins;
  bool trace = false;
};

int serve(const ServeOptions& options) {
  const auto clock = clock_of(options.now);
  if (!clock) return fail_with(clock.error());
  auto session = Session::open({.data_dir = data_dir_of(options),
                                .config = options.config,
                                .model = options.model,
                                .tools_config = options.tools_config,
                                .durability = options.durability,
                                .trace = options.trace});
  if (!session) return fail_with(session.error());
  for (const std::string& warning : (*session)->warnings())
    to_stderr("precedent: {}\n", printable(warning));
  Session& own = **session;
  ServerOptions server_options;
  server_options.http.address = options.address;
  server_options.http.port = options.port;
  server_options.turns.workers = options.workers;
  server_options.allowed_origins = options.origins;
  DeskOfFolder desk(data_dir_of(options), options.tools_config, **clock);
  const McpServices mcp = own.mcp_services(**clock, version_text());
  auto server = Server::start({.answerer = own,
                               .copilot = own.copilot(),
                               .threads = own.threads(),
                               .clock = **clock,
                               .tools = own.tools(),
                               .call_tool = mcp.call_tool,
                               .model = own.model_name(),
                               .version = version_text(),
                               .readiness = [&own] { return own.readiness(); },
                               .suggestions = [&own] { return own.suggestions(); },
                               .knowledge = {desk, [&own] { return own.knowledge_view(); }}},
                              server_options);
  if (!server) return fail_with(server.error());
  fmt::print("precedent answers at http://{}:{} (Ctrl-C ends it)\n", options.address,
             (*server)->port());
  std::fflush(stdout);
  while (!interrupted().cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  to_stderr("precedent: stopping; running turns have {} s to end\n", options.drain_seconds);
  (*server)->drain(std::chrono::seconds(options.drain_seconds));
  own.finish_tracing();
  return kExitOk;
}

}  // namespace

void add_serve(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ServeOptions>();
  CLI::App* command =
      app.add_subcommand("serve", "Answer over HTTP on this machine (docs/server.md)");
  command->add_option("--address", options->address, "Where to listen (default: 127.0.0.1)");
  command->add_option("--port", options->port, "At which port; 0: any (default: 8484)");
  command->add_option("--workers", options->workers, "Turns that run at once (default: 4)")
      ->check(CLI::Range(1, 64));
  command
      ->add_option("--drain", options->drain_seconds,
                   "Seconds that running turns have to end at SIGTERM (default: 20)")
      ->check(CLI::Range(0, 3600));
  command
      ->add_option("--allow-origin", options->origins,
                   "A web page of this origin may ask, too; may be given several times")
      ->type_name("ORIGIN")
      ->allow_extra_args(false);
  add_model(*command, options->config, options->model);
  add_tools_config(*command, options->tools_config);
  add_trace(*command, options->trace);
  add_durability(*command, options->durability);
  add_now(*command, *options);
  add_data_dir(*command, *options);
  command->callback([options, &exit_code] { exit_code = serve(*options); });
}

}  // namespace precedent
