// precedent serve: the same answers over HTTP.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <thread>
#include <tuple>

#include "base/strings.h"
#include "cli/command/durability.h"
#include "cli/command/version.h"
#include "cli/conversation/session.h"
#include "cli/incidents/notes.h"
#include "cli/incidents/systems_investigator.h"
#include "cli/index/index_desk.h"
#include "cli/knowledge/desk_of_folder.h"
#include "cli/sources/kept_sources.h"
#include "cli/terminal/render.h"
#include "cli/terminal/to_stderr.h"
#include "files/files.h"
#include "graph/memory_checkpointer.h"
#include "llm/model_config.h"
#include "server/auth/oidc.h"
#include "server/server.h"

namespace precedent {
namespace {

struct ServeOptions : CommonOptions {
  std::string config, model, tools_config, mcp_config, sources_config, durability;
  std::string address = "127.0.0.1";
  uint16_t port = 8484;
  std::optional<size_t> workers;
  size_t queue = TurnPoolOptions().queue;
  int drain_seconds = 20;
  size_t rate = 600;
  size_t connections = HttpServerOptions().max_connections_per_client;
  std::vector<std::string> origins;
  bool trace = false;
  bool note = false;
};

// A turn of the offline reasoner computes all the time: more at once than there are processors only
// take each other's. One that asks a model waits nearly all the time, and costs a thread meanwhile.
size_t default_workers(bool asks_model) {
  constexpr size_t kWaiting = 1024;
  constexpr size_t kLeast = 4;
  return asks_model ? kWaiting : std::max<size_t>(kLeast, std::thread::hardware_concurrency());
}

// A connection takes a file descriptor, and many systems begin with 1,024 of them.
void allow_many_connections() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == files.rlim_max) return;
  files.rlim_cur = files.rlim_max;
  std::ignore = setrlimit(RLIMIT_NOFILE, &files);
}

// Of a webhook: one, or several with commas while they are changed.
std::vector<std::string> webhook_secrets(const char* variable) {
  std::vector<std::string> secrets;
  const std::string all = system_environment(variable).value_or("");
  for (const std::string_view secret : split(all, ','))
    if (!trim(secret).empty()) secrets.emplace_back(trim(secret));
  return secrets;
}

// Whether the cards of investigations have buttons: that takes a bot, whoever signs their presses,
// and somebody who may press.
bool has_buttons(const ServeOptions& options, const SlackButtonOptions& slack) {
  const bool taken = options.note && !slack.secrets.empty() &&
                     !system_environment("SLACK_BOT_TOKEN").value_or("").empty();
  if (taken && slack.users.empty())
    to_stderr(
        "precedent: cards in Slack have no buttons: nobody may press them (server.slack_users of "
        "precedent.yaml)\n");
  return taken && !slack.users.empty();
}

// A sync that was cancelled ends with the transaction it is in.
constexpr std::chrono::seconds kLastSync{10};
// An edited sources.yaml is in force two looks later.
constexpr std::chrono::seconds kLookAtSources{1};

// An ingest or an activation that was killed has left the index behind its store: lists would be of
// the version before, and texts of this one, until somebody writes again.
void catch_up(const std::filesystem::path& data_dir, const std::string& config, Session& session) {
  const auto knowledge = session.views().of({});
  if (!knowledge) return;
  const auto version = (*knowledge)->store().version();
  if (!version || (*knowledge)->index().info().version >= *version) return;
  const auto done = repair_index_of(data_dir, config, false, nullptr);
  if (!done && done.error().code == ErrorCode::kConflict) return;  // somebody writes just now
  if (done && done->empty()) return;
  to_stderr("precedent: the index was behind the store; {}\n",
            printable(done ? *done : done.error().text()));
  session.views().expire();
}

int serve(const ServeOptions& options) {
  const auto clock = clock_of(options.now);
  if (!clock) return fail_with(clock.error());
  const std::filesystem::path data_dir = data_dir_of(options);
  if (const auto made = make_directories(data_dir); !made) return fail_with(made.error());
  auto session = Session::open({.data_dir = data_dir,
                                .config = options.config,
                                .model = options.model,
                                .tools_config = options.tools_config,
                                .mcp_config = options.mcp_config,
                                .durability = options.durability,
                                .trace = options.trace,
                                .may_be_empty = true,
                                .whom = KnowledgeViews::For::kOthers,
                                .clock = clock->get()});
  if (!session) return fail_with(session.error());
  for (const std::string& warning : (*session)->warnings())
    to_stderr("precedent: {}\n", printable(warning));
  Session& own = **session;
  catch_up(data_dir, options.config, own);
  ServerOptions server_options;
  server_options.http.address = options.address;
  server_options.http.port = options.port;
  server_options.http.max_connections_per_client = options.connections;
  server_options.turns.workers =
      options.workers.value_or(default_workers(own.model_name() != "offline"));
  server_options.turns.queue = options.queue;
  server_options.allowed_origins = options.origins;
  server_options.sign_in.tokens = token_file(data_dir);
  server_options.requests_a_minute = options.rate;
  server_options.audit = audit_file(data_dir);
  const auto precedent = find_config(options.config, data_dir);
  if (!precedent) return fail_with(precedent.error());
  const auto oidc = read_oidc_config(precedent->text, precedent->path);
  if (!oidc) return fail_with(oidc.error());
  CurlHttpClient provider;
  const SystemClock present;
  std::optional<OidcVerifier> verifier;
  if (*oidc) {
    verifier.emplace(**oidc, provider, present);
    server_options.issuer = (*oidc)->issuer;
    server_options.sign_in.verify = [&verifier](std::string_view jwt) -> Result<Caller> {
      return caller_of(TRY(verifier->verify(jwt)));
    };
  }
  allow_many_connections();
  DeskOfFolder desk(
      data_dir, options.config, options.tools_config, **clock, [&own] { own.views().expire(); },
      [](const std::string& line) { to_stderr("precedent: {}\n", printable(line)); });
  auto slack_users = read_slack_users(precedent->text, precedent->path);
  if (!slack_users) return fail_with(slack_users.error());
  SlackButtonOptions& slack = server_options.slack;
  slack.secrets = webhook_secrets("SLACK_SIGNING_SECRET");
  slack.users = std::move(*slack_users);
  std::unique_ptr<Notes> notes;
  if (options.note) {
    const bool buttons = has_buttons(options, slack);
    server_options.investigation_limits.alarms_ask = buttons;
    auto opened = Notes::open(data_dir, buttons);
    if (!opened) return fail_with(opened.error());
    notes = std::move(*opened);
    slack.whisper = [&notes](const std::string& channel, const std::string& user,
                             const std::string& text, const CancelToken& cancel) {
      return notes->whisper(channel, user, text, cancel);
    };
  }
  const auto kept_cases = open_kept_cases(data_dir);
  if (!kept_cases)
    to_stderr("precedent: investigations that ask do not outlive this server: {}\n",
              printable(kept_cases.error().text()));
  MemoryCheckpointer memory;
  SystemsInvestigator investigator({data_dir, options.tools_config, notes.get(),
                                    kept_cases ? kept_cases->get() : &memory, own.report_step()},
                                   **clock);
  server_options.investigations = data_dir / "investigations";
  server_options.webhook_secrets = webhook_secrets("PAGERDUTY_WEBHOOK_SECRET");
  const auto sources = KeptSources::open(
      options.sources_config, data_dir,
      {.changed = [&own] { own.views().expire(); },
       .tell = [](const std::string& line) { to_stderr("precedent: {}\n", line); }});
  if (!sources) return fail_with(sources.error());
  std::vector<std::string> tools;
  for (const auto& tool : own.tools().all()) tools.push_back(tool->spec().name);
  auto server = Server::start(
      {.seat = [&own](const Caller& caller) { return own.seat(caller); },
       .clock = **clock,
       .tools = std::move(tools),
       .model = own.model_name(),
       .version = version_text(),
       .readiness =
           [&own, &sources] {
             auto parts = own.readiness();
             if (!(*sources)->empty()) parts.push_back((*sources)->readiness());
             return parts;
           },
       .desk = desk,
       .investigator = &investigator,
       .sources = sources->get(),
       .warn = [](const std::string& warning) { to_stderr("precedent: {}\n", warning); }},
      server_options);
  if (!server) {
    const int code = fail_with(server.error());
    // An address that would let anybody in is wrong usage.
    return server.error().code == ErrorCode::kPermission ? kExitUsage : code;
  }
  (*sources)->start();
  fmt::print("precedent answers at http://{}:{} (Ctrl-C ends it)\n", options.address,
             (*server)->port());
  std::fflush(stdout);
  for (auto next = std::chrono::steady_clock::now(); !interrupted().cancelled();) {
    if (const auto now = std::chrono::steady_clock::now(); now >= next) {
      (*sources)->refresh();
      next = now + kLookAtSources;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  to_stderr("precedent: stopping; running turns have {} s to end\n", options.drain_seconds);
  (*sources)->stop({});
  (*server)->drain(std::chrono::seconds(options.drain_seconds));
  own.finish_tracing();
  if (!(*sources)->stop(kLastSync)) {
    to_stderr("precedent: a sync waits for a server that does not answer, and is left\n");
    std::fflush(nullptr);
    std::_Exit(kExitOk);
  }
  return kExitOk;
}

}  // namespace

void add_serve(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ServeOptions>();
  CLI::App* command =
      app.add_subcommand("serve", "Answer over HTTP, with a web page (docs/server.md)");
  command->add_option(
      "--address", options->address,
      "The address to listen on (default: 127.0.0.1); others than this machine's need tokens");
  command->add_option("--port", options->port, "The port; 0 takes any free one (default: 8484)");
  command
      ->add_option("--workers", options->workers,
                   "How many turns run at once (default: one per processor, at least 4; 1024 with "
                   "a model, since turns mostly wait for it)")
      ->check(CLI::Range(1, 4096));
  command
      ->add_option("--queue", options->queue,
                   "How many turns may wait before further ones are refused (default: 64)")
      ->check(CLI::Range(0, 100'000));
  command->add_option(
      "--rate", options->rate,
      "Requests per minute for each signed-in caller; 0 sets no limit (default: 600)");
  command
      ->add_option("--connections", options->connections,
                   "How many connections one address may have open, also a proxy's (default: "
                   "4000; all together: 12000)")
      ->check(CLI::Range(size_t{1}, HttpServerOptions().max_connections));
  command
      ->add_option("--drain", options->drain_seconds,
                   "How many seconds running turns get to finish after SIGTERM (default: 20)")
      ->check(CLI::Range(0, 3600));
  command
      ->add_option("--allow-origin", options->origins,
                   "Also accept requests from web pages of this origin; may be repeated")
      ->type_name("ORIGIN")
      ->allow_extra_args(false);
  add_model(*command, options->config, options->model);
  add_tools_config(*command, options->tools_config);
  add_mcp_config(*command, options->mcp_config);
  command
      ->add_option("--sources-config", options->sources_config,
                   "The sources.yaml whose sources are kept up to date (default: as for `sources`)")
      ->type_name("FILE");
  command->add_flag("--note", options->note,
                    "Write the results of investigations of alarms as notes on their incidents of "
                    "PagerDuty (PAGERDUTY_FROM), as messages to Slack (SLACK_WEBHOOK_URL) and as "
                    "cards there, with threads and buttons (SLACK_BOT_TOKEN, SLACK_CHANNEL)");
  add_trace(*command, options->trace);
  add_durability(*command, options->durability);
  add_now(*command, *options);
  add_data_dir(*command, *options);
  command->callback([options, &exit_code] { exit_code = serve(*options); });
}

}  // namespace precedent
