#include "server/mcp_state.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"

namespace precedent {
namespace {

using nlohmann::json;

// Long enough for a person to look something up.
constexpr std::chrono::minutes kLife{10};
constexpr size_t kSignature = 64;  // digits

std::string random_key() {
  std::array<unsigned char, 32> bytes{};
  // Without randomness there is no signature: nothing is signed with a key that anybody knows.
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1)
    throw std::runtime_error("the system gives no random bytes");
  return {bytes.begin(), bytes.end()};
}

}  // namespace

McpState::McpState(std::string key, std::string principal)
    : key_(key.empty() ? random_key() : std::move(key)), principal_(std::move(principal)) {}

// `what` keeps signatures of one purpose from being used for another.
std::string McpState::sign(std::string_view what, std::string_view text) const {
  const std::string whole = dump_json(json::array({what, principal_, text}));
  std::array<unsigned char, 32> digest{};
  HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()),
       reinterpret_cast<const unsigned char*>(whole.data()), whole.size(), digest.data(), nullptr);
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

std::string McpState::seal(const Pending& pending, const json& call, TimePoint now) const {
  const std::string body = dump_json({{"chat", pending.chat},
                                      {"message", pending.message},
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
  if (CRYPTO_memcmp(signature.data(), state.data(), kSignature) != 0) return foreign();
  const json said = parse_json(body);  // signed, so that it has our shape
  if (said["expires"].get<int64_t>() <= now.time_since_epoch().count())
    return fail(ErrorCode::kTimeout, "'requestState' has expired; make the call without it");
  if (said["call"] != sign("call", dump_json(call)))
    return fail(ErrorCode::kInvalidArgument,
                "'requestState' was given for another call; repeat its arguments as they were");
  return Pending{said["chat"], said["message"]};
}

}  // namespace precedent
