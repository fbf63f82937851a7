// Any bytes as a token and as a key set: nothing is believed, and what is no signature is never
// taken for one.
#include <cstdint>
#include <cstdlib>

#include "server/auth/jwt.h"

namespace {

using precedent::JwtKeys;
using precedent::SignedJwt;

// The examples of RFC 8037 and RFC 7515.
const JwtKeys& fixed_keys() {
  static const auto keys = JwtKeys::parse(R"({"keys":[
    {"kty":"OKP","crv":"Ed25519","kid":"k","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"},
    {"kty":"EC","crv":"P-256","kid":"k","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
     "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]})");
  if (!keys) std::abort();
  return *keys;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto jwt = SignedJwt::parse(bytes); jwt && jwt->verified_by(fixed_keys())) std::abort();
  if (const auto keys = JwtKeys::parse(bytes)) {
    for (const auto& key : keys->keys)
      if (!key.key || key.algorithms.empty()) std::abort();
  }
  (void)precedent::base64url_decoded(bytes);
  return 0;
}
