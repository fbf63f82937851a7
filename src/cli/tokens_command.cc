// precedent tokens: who may ask a server, and what they may do there.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "access/token_store.h"
#include "cli/command.h"
#include "cli/render.h"
#include "cli/to_stderr.h"
#include "tools/receipt.h"

namespace precedent {
namespace {

using nlohmann::json;

struct TokensOptions : CommonOptions {
  std::string name, role, expires, id;
};

Result<std::unique_ptr<TokenStore>> open_tokens(const TokensOptions& options) {
  const std::filesystem::path folder = data_dir_of(options);
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  return TokenStore::open(folder / kAccessFile);
}

json to_json(const AccessToken& token) {
  const auto time = [](const std::optional<TimePoint>& at) {
    return at ? json(format_time(*at)) : json();
  };
  return {{"id", token.id},
          {"name", token.name},
          {"role", name(token.role)},
          {"created", format_time(token.created)},
          {"expires", time(token.expires)},
          {"revoked", time(token.revoked)}};
}

Result<void> create(const TokensOptions& options, TimePoint now) {
  const auto role = role_of(options.role);
  if (!role)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("--role: '{}' is none; roles are reader, user, editor and admin",
                            options.role));
  std::optional<TimePoint> expires;
  if (!options.expires.empty()) expires = now + TRY(age_of("--expires", options.expires));
  const auto store = TRY(open_tokens(options));
  const NewToken made = TRY(store->create(options.name, *role, expires, now));
  if (options.json) {
    json out = to_json(made.token);
    out["token"] = made.text;
    fmt::print("{}\n", dump(out));
    return {};
  }
  fmt::print("{}\n", made.text);
  to_stderr("precedent: this is the token of {} ({}); it is shown this once\n",
            printable(made.token.name), name(*role));
  return {};
}

std::string_view state_of(const AccessToken& token, TimePoint now) {
  if (token.revoked) return "revoked";
  return token.valid_at(now) ? "valid" : "expired";
}

Result<void> list(const TokensOptions& options, TimePoint now) {
  const auto store = TRY(open_tokens(options));
  const std::vector<AccessToken> tokens = TRY(store->list());
  if (options.json) {
    json out = json::array();
    for (const AccessToken& token : tokens) out.push_back(to_json(token));
    fmt::print("{}\n", dump(out));
    return {};
  }
  for (const AccessToken& token : tokens)
    fmt::print("{}  {:<7}  {:<7}  {}  {}{}\n", token.id, name(token.role), state_of(token, now),
               format_date(token.created), printable(token.name),
               token.expires ? fmt::format(" (until {})", format_time(*token.expires)) : "");
  if (tokens.empty()) to_stderr("no token was created yet; `precedent tokens create` does\n");
  return {};
}

Result<void> revoke(const TokensOptions& options, TimePoint now) {
  const auto store = TRY(open_tokens(options));
  return store->revoke(options.id, now);
}

}  // namespace

void add_tokens(CLI::App& app, int& exit_code) {
  CLI::App* tokens = app.add_subcommand("tokens", "Who may ask a server, and what they may do");
  tokens->require_subcommand(1);
  const auto add = [&](const char* command_name, const char* about,
                       Result<void> (*run)(const TokensOptions&, TimePoint)) {
    auto options = std::make_shared<TokensOptions>();
    CLI::App* command = tokens->add_subcommand(command_name, about);
    add_now(*command, *options);
    add_data_dir(*command, *options);
    command->callback([options, run, &exit_code] {
      const auto clock = clock_of(options->now);
      const Result<void> done = clock ? run(*options, (*clock)->now()) : std::unexpected(clock.error());
      exit_code = done ? kExitOk : fail_with(done.error());
    });
    return std::pair(command, options);
  };
  const auto [creating, creation] =
      add("create", "A new token, which is shown once and kept as a hash", create);
  creating->add_option("name", creation->name, "Whose it is")->required();
  creating
      ->add_option("--role", creation->role,
                   "reader (asks), user (judges answers), editor (changes what is known), admin")
      ->type_name("ROLE")
      ->required();
  creating->add_option("--expires", creation->expires, "After how long, for example 90d")
      ->type_name("AGE");
  creating->add_flag("--json", creation->json, "As JSON");
  const auto [listing, listed] = add("list", "All tokens, without what they are", list);
  listing->add_flag("--json", listed->json, "As JSON");
  const auto [revoking, revoked] = add("revoke", "It opens nothing any more, at once", revoke);
  revoking->add_option("id", revoked->id, "Its id, as `precedent tokens list` shows it")
      ->required();
}

}  // namespace precedent
