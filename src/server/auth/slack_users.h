// Slack users: which member of a Slack workspace answers as which user of precedent.
// `server.slack_users` of config/precedent.yaml; docs/investigate.md is its page.
//
// Thread safety: pure functions, but for the file of tokens.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "base/config_values.h"
#include "base/error.h"
#include "base/time.h"
#include "server/auth/caller.h"

namespace precedent {

// "U012ABCDEF" → "ann".
using SlackUsers = std::map<std::string, std::string, std::less<>>;

// `yaml` is the text of the file `path`. Errors: kInvalidArgument with path:line:key; with `all`,
// all of them.
Result<SlackUsers> read_slack_users(std::string_view yaml, std::string_view path,
                                    ConfigProblems* all = nullptr);

struct SlackBinding {
  SlackUsers users;
  std::filesystem::path tokens;    // tokens.json
  bool identity_provider = false;  // people sign in there, and need no token
};
// Who this member is. Of a user with tokens, the best of them that has not expired counts: a token
// that was revoked ends what its owner may do in Slack as well. A user without one is believed
// where people sign in with an identity provider, or where nobody signs in, and has the role user.
// Errors: kPermission, saying why; those of read_tokens().
Result<Caller> slack_caller(const SlackBinding& binding, std::string_view member, TimePoint now);

}  // namespace precedent
