#include "server/auth/slack_users.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "server/auth/tokens.h"

namespace precedent {
namespace {

constexpr size_t kMaxName = 100;

// Of a workspace U…, of an organisation W…: https://docs.slack.dev/reference/objects/user-object.
bool is_member(std::string_view id) {
  return id.size() >= 3 && id.size() <= 30 && (id.front() == 'U' || id.front() == 'W') &&
         std::ranges::all_of(id, [](char c) { return is_upper(c) || is_digit(c); });
}

// What `precedent tokens` takes for a name.
bool is_user(std::string_view name) {
  return !name.empty() && name.size() <= kMaxName && std::ranges::all_of(name, [](char c) {
    return is_letter(c) || is_digit(c) || std::string_view("-_.@+").contains(c);
  });
}

}  // namespace

Result<SlackUsers> read_slack_users(std::string_view yaml, std::string_view path,
                                    ConfigProblems* all) {
  SlackUsers out;
  const ConfigSection root(TRY(parse_yaml(yaml, path)), path, "", all);
  const ConfigSection server = root.section("server");
  if (!root.has("server") || !server.has("slack_users")) return out;
  const ConfigSection users = server.section("slack_users");
  const std::vector<std::string> members = users.keys();
  if (members.empty())
    TRY(server.settle(
        server.wrong("slack_users",
                     "names nobody; write the id of a member of Slack and a user of precedent, "
                     "like U012ABCDEF: ann")));
  for (const std::string& member : members) {
    std::string user;
    TRY(users.read(member, user));
    if (!is_member(member))
      TRY(users.settle(users.wrong(
          member, "is no id of a member of Slack; their profile has it (Copy member ID): U…")));
    else if (!is_user(user))
      TRY(users.settle(users.wrong(
          member, fmt::format("'{}' is no name of a user of precedent (`precedent tokens list`)",
                              user.substr(0, kMaxName)))));
    else
      out.emplace(member, user);
  }
  return out;
}

Result<Caller> slack_caller(const SlackBinding& binding, std::string_view member, TimePoint now) {
  const auto bound = binding.users.find(member);
  if (bound == binding.users.end())
    return fail(ErrorCode::kPermission, "no user of precedent is bound to this member of Slack");
  const std::string& name = bound->second;
  const std::vector<AccessToken> tokens = TRY(read_tokens(binding.tokens));
  const AccessToken* best = nullptr;
  bool known = false;
  for (const AccessToken& token : tokens) {
    if (token.name != name) continue;
    known = true;
    const bool valid = !token.expires_at || *token.expires_at > now;
    if (valid && token.scope.everything() && (best == nullptr || best->role < token.role))
      best = &token;
  }
  if (best != nullptr && best->role >= AccessRole::kUser)
    return Caller{name, best->role, best->scope, "slack"};
  if (best != nullptr)
    return fail(ErrorCode::kPermission,
                fmt::format("{} has the role '{}', and answering takes 'user'", name,
                            precedent::name(best->role)));
  if (known || (!tokens.empty() && !binding.identity_provider))
    return fail(ErrorCode::kPermission,
                fmt::format("{} has no valid token that sees everything", name));
  return Caller{name, AccessRole::kUser, {}, "slack"};
}

}  // namespace precedent
