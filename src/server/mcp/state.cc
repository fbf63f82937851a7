#include "server/mcp/state.h"

#include <fmt/format.h>

#include "base/foreign_json.h"
#include "server/auth/digest.h"

namespace precedent {
namespace {

using nlohmann::json;

// Long enough for a person to look something up.
constexpr std::chrono::minutes kLife{10};
constexpr size_t kSignature = 64;  // digits

}  // namespace

McpState::McpState(std::string key, std::string principal)
    : key_(key.empty() ? random_text(32) : std::move(key)), principal_(std::move(principal)) {}

// `what` keeps signatures of one purpose from being used for another.
std::string McpState::sign(std::string_view what, std::string_view text) const {
  const std::string digest = hmac_sha256(key_, dump_json(json::array({what, principal_, text})));
  std::string digits;
  for (const char byte : digest) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return digits;
}

std::string McpState::seal(const Pending& pending, const json& call, TimePoint now) const {
  const std::string body = dump_json({{"chat", pending.chat},
                                      {"forms", pending.forms},
                                      {"kept", pending.kept},
                                      {"expires", (now + kLife).time_since_epoch().count()},
                                      {"call", sign("call", dump_json(call))}});
  return fmt::format("{}.{}", sign("state", body), body);
}

Result<McpState::Pending> McpState::open(std::string_view state, const json& call,
                                         TimePoint now) const {
  const auto foreign = [] {
    return fail(ErrorCode::kPermission,
                "'requestState' is not what you were given here; make the call without it");
  };
  if (state.size() <= kSignature || state[kSignature] != '.') return foreign();
  const std::string_view body = state.substr(kSignature + 1);
  const std::string signature = sign("state", body);
  if (!same_secret(signature, state.substr(0, kSignature))) return foreign();
  const json said = parse_json(body);  // signed, so that it has our shape
  if (said["expires"].get<int64_t>() <= now.time_since_epoch().count())
    return fail(ErrorCode::kTimeout, "'requestState' has expired; make the call without it");
  if (said["call"] != sign("call", dump_json(call)))
    return fail(ErrorCode::kInvalidArgument,
                "'requestState' was given for another call; repeat its arguments as they were");
  return Pending{said["chat"], said["forms"], said["kept"]};
}

}  // namespace precedent
