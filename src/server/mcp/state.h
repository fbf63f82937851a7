// requestState: what a question back needs to go on, kept by the client and signed by us.
//
// A state is given for one call of one caller and holds for ten minutes: it is signed with its
// caller and its expiry, and names the digest of the call. Format: hexadecimal HMAC-SHA256, '.',
// JSON. It is no secret: it says what the client was told. Whoever hands it back twice asks twice.
// Thread safety: all members.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/time.h"

namespace precedent {

class McpState {
 public:
  // `key`: "" makes one.
  McpState(std::string key, std::string principal);

  struct Pending {
    std::string chat;      // of the job
    nlohmann::json forms;  // that it asks back
    nlohmann::json kept;   // for its next round
  };
  // `call`: the arguments of the call, the same when it comes again.
  std::string seal(const Pending& pending, const nlohmann::json& call, TimePoint now) const;
  // Errors: kPermission for a state that is not ours or another caller's; kInvalidArgument for one
  // of another call; kTimeout for one that has expired.
  Result<Pending> open(std::string_view state, const nlohmann::json& call, TimePoint now) const;

 private:
  std::string sign(std::string_view what, std::string_view text) const;

  const std::string key_;
  const std::string principal_;
};

}  // namespace precedent
