// precedent tokens: who may use a server, beside whoever sits at its machine.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "cli/command/command.h"
#include "cli/terminal/render.h"
#include "cli/terminal/to_stderr.h"
#include "cli/terminal/user_name.h"
#include "server/auth/audit.h"
#include "server/auth/tokens.h"

namespace precedent {
namespace {

struct TokensOptions : CommonOptions {
  std::string name, role = "user", id;
  std::vector<std::string> kinds, services;
  size_t days = 0;
};

std::string scope_text(const Scope& scope) {
  if (scope.everything()) return "everything";
  std::vector<std::string> parts;
  for (const Kind kind : scope.kinds) parts.push_back(fmt::format("kind {}", name(kind)));
  for (const std::string& service : scope.services)
    parts.push_back(fmt::format("service {}", service));
  return join(parts, ", ");
}

std::string expiry_text(const AccessToken& token) {
  return token.expires_at ? format_time(*token.expires_at) : "never";
}

// Into the log that a server writes, too. What was changed is changed, whether or not it can be
// written there.
void audit(const std::filesystem::path& data_dir, std::string_view command,
           const nlohmann::json& what, TimePoint at) {
  const auto written = Audit(audit_file(data_dir)).add_command(command, user_name(), what, at);
  if (!written)
    to_stderr("precedent: the audit log cannot be written: {}\n",
              printable(written.error().text()));
}

nlohmann::json audited(const AccessToken& token) {
  return {{"id", token.id},
          {"name", token.name},
          {"role", name(token.role)},
          {"sees", scope_text(token.scope)},
          {"expires", expiry_text(token)}};
}

int create(const TokensOptions& options) {
  const auto clock = clock_of(options.now);
  if (!clock) return fail_with(clock.error());
  AccessToken draft{.name = options.name, .created_at = (*clock)->now()};
  draft.role = *parse_role(options.role);
  draft.scope.services = options.services;
  for (const std::string& kind : options.kinds) {
    const auto known = parse_kind(kind);
    if (!known)
      return fail_with({ErrorCode::kInvalidArgument,
                        fmt::format("--kind: there is no kind '{}'; `precedent ingest --help` "
                                    "lists them",
                                    kind)});
    draft.scope.kinds.push_back(*known);
  }
  if (options.days > 0) draft.expires_at = draft.created_at + std::chrono::days(options.days);
  const std::filesystem::path data_dir = data_dir_of(options);
  std::error_code ignored;
  if (!std::filesystem::is_directory(data_dir, ignored))
    return fail_with({ErrorCode::kNotFound,
                      fmt::format("there is no data directory {}; `precedent ingest PATH…` makes "
                                  "one",
                                  data_dir.string())});
  const auto made = create_token(token_file(data_dir), std::move(draft));
  if (!made) return fail_with(made.error());
  audit(data_dir, "tokens create", audited(made->token), made->token.created_at);
  if (options.json) {
    fmt::print("{}\n", dump({{"id", made->token.id}, {"token", made->secret}}));
    return kExitOk;
  }
  fmt::print("{}\n", made->secret);
  if (stdout_is_terminal())
    fmt::print(stderr,
               "precedent: this is the only time the token is shown. Whoever uses the server has "
               "to sign in from now on.\n");
  return kExitOk;
}

int list(const TokensOptions& options) {
  const auto tokens = read_tokens(token_file(data_dir_of(options)));
  if (!tokens) return fail_with(tokens.error());
  nlohmann::json all = nlohmann::json::array();
  for (const AccessToken& token : *tokens) {
    const std::string ends = expiry_text(token);
    if (options.json) {
      all.push_back({{"id", token.id},
                     {"name", token.name},
                     {"role", name(token.role)},
                     {"sees", scope_text(token.scope)},
                     {"created", format_time(token.created_at)},
                     {"expires", ends}});
    } else {
      fmt::print("{}  {:<20} {:<7} made {}, expires {}; sees {}\n", token.id, printable(token.name),
                 name(token.role), format_time(token.created_at), ends,
                 printable(scope_text(token.scope)));
    }
  }
  if (options.json) fmt::print("{}\n", dump(all));
  return kExitOk;
}

int revoke(const TokensOptions& options) {
  const auto clock = clock_of(options.now);
  if (!clock) return fail_with(clock.error());
  const std::filesystem::path data_dir = data_dir_of(options);
  const auto revoked = revoke_token(token_file(data_dir), options.id);
  if (!revoked) return fail_with(revoked.error());
  audit(data_dir, "tokens revoke", {{"id", options.id}}, (*clock)->now());
  fmt::print("{} is revoked; a running server refuses it from now on\n", printable(options.id));
  return kExitOk;
}

}  // namespace

void add_tokens(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<TokensOptions>();
  CLI::App* command =
      app.add_subcommand("tokens", "Manage who may use `precedent serve` (docs/sign-in.md)");
  command->require_subcommand(1);
  CLI::App* create_command =
      command->add_subcommand("create", "Create a token and print it; it is shown only once");
  create_command->add_option("name", options->name, "The person or program it is for")->required();
  create_command
      ->add_option("--role", options->role, "reader, user, editor or admin (default: user)")
      ->check(CLI::IsMember({"reader", "user", "editor", "admin"}));
  create_command
      ->add_option("--kind", options->kinds,
                   "Only documents of this kind are visible; may be repeated")
      ->allow_extra_args(false);
  create_command
      ->add_option("--service", options->services,
                   "Only documents of this service are visible; may be repeated")
      ->allow_extra_args(false);
  create_command
      ->add_option("--days", options->days, "Expires after this many days (default: never)")
      ->check(CLI::Range(1, 3650));
  create_command->add_flag("--json", options->json, "Print id and token as JSON");
  add_now(*create_command, *options);
  add_data_dir(*create_command, *options);
  create_command->callback([options, &exit_code] { exit_code = create(*options); });
  CLI::App* list_command =
      command->add_subcommand("list", "List the tokens, without their secrets");
  list_command->add_flag("--json", options->json, "As JSON");
  add_data_dir(*list_command, *options);
  list_command->callback([options, &exit_code] { exit_code = list(*options); });
  CLI::App* revoke_command = command->add_subcommand("revoke", "Revoke a token");
  revoke_command->add_option("id", options->id, "As `list` shows it")->required();
  add_now(*revoke_command, *options);
  add_data_dir(*revoke_command, *options);
  revoke_command->callback([options, &exit_code] { exit_code = revoke(*options); });
}

}  // namespace precedent
