#include "server/auth/jwt_keys.h"

#include <fmt/format.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/foreign_json.h"
#include "base/json_access.h"

namespace precedent {
namespace {

using nlohmann::json;

// The largest sets of large providers have some ten keys and 20 kB.
constexpr size_t kMaxSetBytes = 256 * 1024;
constexpr size_t kMaxKeys = 64;
constexpr size_t kMaxId = 256;
// Below, a key can be broken; above, checking one signature costs milliseconds.
constexpr int kMinRsaBits = 2048;
constexpr int kMaxRsaBits = 8192;
constexpr size_t kMaxExponentBytes = 4;
constexpr size_t kP256Bytes = 32;
constexpr size_t kEd25519Bytes = 32;

struct Freed {
  void operator()(BIGNUM* number) const { BN_free(number); }
  void operator()(OSSL_PARAM_BLD* builder) const { OSSL_PARAM_BLD_free(builder); }
  void operator()(OSSL_PARAM* params) const { OSSL_PARAM_free(params); }
  void operator()(EVP_PKEY_CTX* context) const { EVP_PKEY_CTX_free(context); }
};
template <typename T>
using Owned = std::unique_ptr<T, Freed>;
using Pkey = std::shared_ptr<EVP_PKEY>;

const unsigned char* bytes_of(const std::string& text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string binary_of(const json& object, const char* key) {
  return base64url_decoded(foreign::string_at(object, key)).value_or("");
}

Pkey owned(EVP_PKEY* key) {
  return {key, [](EVP_PKEY* last) { EVP_PKEY_free(last); }};
}

Pkey made(const char* type, OSSL_PARAM_BLD& builder) {
  const Owned<OSSL_PARAM> params(OSSL_PARAM_BLD_to_param(&builder));
  const Owned<EVP_PKEY_CTX> context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* key = nullptr;
  if (!params || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, params.get()) != 1)
    return nullptr;
  return owned(key);
}

// Each of these: null if it is none.
Pkey rsa_key(const json& jwk) {
  const std::string n = binary_of(jwk, "n"), e = binary_of(jwk, "e");
  if (n.empty() || n.size() > kMaxRsaBits / 8 || e.empty() || e.size() > kMaxExponentBytes)
    return nullptr;
  const Owned<BIGNUM> modulus(BN_bin2bn(bytes_of(n), static_cast<int>(n.size()), nullptr));
  const Owned<BIGNUM> exponent(BN_bin2bn(bytes_of(e), static_cast<int>(e.size()), nullptr));
  const Owned<OSSL_PARAM_BLD> builder(OSSL_PARAM_BLD_new());
  if (!modulus || !exponent || !builder || BN_num_bits(modulus.get()) < kMinRsaBits ||
      BN_is_odd(modulus.get()) == 0 || BN_is_odd(exponent.get()) == 0 ||
      BN_is_one(exponent.get()) == 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, modulus.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, exponent.get()) != 1)
    return nullptr;
  return made("RSA", *builder);
}

Pkey p256_key(const json& jwk) {
  const std::string x = binary_of(jwk, "x"), y = binary_of(jwk, "y");
  if (foreign::string_at(jwk, "crv") != "P-256" || x.size() != kP256Bytes || y.size() != kP256Bytes)
    return nullptr;
  const std::string point = '\x04' + x + y;  // uncompressed
  const Owned<OSSL_PARAM_BLD> builder(OSSL_PARAM_BLD_new());
  if (!builder ||
      OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) !=
          1 ||
      OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                       point.size()) != 1)
    return nullptr;
  Pkey key = made("EC", *builder);
  const Owned<EVP_PKEY_CTX> context(key ? EVP_PKEY_CTX_new(key.get(), nullptr) : nullptr);
  // The point must lie on the curve.
  return context && EVP_PKEY_public_check(context.get()) == 1 ? key : nullptr;
}

Pkey ed25519_key(const json& jwk) {
  const std::string x = binary_of(jwk, "x");
  if (foreign::string_at(jwk, "crv") != "Ed25519" || x.size() != kEd25519Bytes) return nullptr;
  return owned(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes_of(x), x.size()));
}

struct KeyType {
  std::string_view name;
  std::vector<JwtAlgorithm> algorithms;
  Pkey (*read)(const json& jwk);
};

const KeyType* type_of(const json& jwk) {
  static const std::array kTypes = {
      KeyType{"RSA", {JwtAlgorithm::kRs256, JwtAlgorithm::kPs256}, rsa_key},
      KeyType{"EC", {JwtAlgorithm::kEs256}, p256_key},
      KeyType{"OKP", {JwtAlgorithm::kEdDsa}, ed25519_key},
  };
  const auto type = std::ranges::find(kTypes, foreign::string_at(jwk, "kty"), &KeyType::name);
  return type == kTypes.end() ? nullptr : &*type;
}

bool is_for_signatures(const json& jwk) {
  if (jwk.contains("use") && foreign::string_at(jwk, "use") != "sig") return false;
  // Whoever can read a private key can sign with it.
  if (jwk.contains("d") || jwk.contains("k")) return false;
  if (!jwk.contains("key_ops")) return true;
  const json& operations = jwk["key_ops"];
  return operations.is_array() && std::ranges::find(operations, json("verify")) != operations.end();
}

std::optional<JwtKey> key_of(const json& jwk) {
  if (!jwk.is_object() || !is_for_signatures(jwk)) return std::nullopt;
  const KeyType* type = type_of(jwk);
  if (type == nullptr) return std::nullopt;
  JwtKey key{.id = foreign::string_at(jwk, "kid"), .algorithms = type->algorithms, .key = nullptr};
  if (key.id.size() > kMaxId || (jwk.contains("kid") && !jwk["kid"].is_string()))
    return std::nullopt;
  if (jwk.contains("alg")) {
    const auto only = parse_jwt_algorithm(foreign::string_at(jwk, "alg"));
    if (!only || !key.is_for(*only)) return std::nullopt;
    key.algorithms = {*only};
  }
  key.key = type->read(jwk);
  if (!key.key) return std::nullopt;
  return key;
}

// 64: it is none.
uint32_t base64url_digit(char c) {
  if (is_upper(c)) return static_cast<uint32_t>(c - 'A');
  if (is_lower(c)) return static_cast<uint32_t>(c - 'a') + 26;
  if (is_digit(c)) return static_cast<uint32_t>(c - '0') + 52;
  return c == '-' ? 62 : c == '_' ? 63 : 64;
}

}  // namespace

std::optional<JwtAlgorithm> parse_jwt_algorithm(std::string_view name) {
  constexpr std::pair<std::string_view, JwtAlgorithm> kNames[] = {
      {"RS256", JwtAlgorithm::kRs256},   {"PS256", JwtAlgorithm::kPs256},
      {"ES256", JwtAlgorithm::kEs256},   {"EdDSA", JwtAlgorithm::kEdDsa},
      {"Ed25519", JwtAlgorithm::kEdDsa},  // its name since RFC 9864
  };
  for (const auto& [known, algorithm] : kNames)
    if (known == name) return algorithm;
  return std::nullopt;
}

bool JwtKey::is_for(JwtAlgorithm algorithm) const {
  return std::ranges::find(algorithms, algorithm) != algorithms.end();
}

Result<JwtKeys> JwtKeys::parse(std::string_view text) {
  if (text.size() > kMaxSetBytes)
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("the key set has {} bytes, at most {} are read", text.size(), kMaxSetBytes));
  const json set = parse_json(text);
  if (!set.is_object() || !set.contains("keys") || !set["keys"].is_array())
    return fail(ErrorCode::kInvalidArgument, "this is no JWK set: it has no list 'keys'");
  const json& all = set["keys"];
  if (all.size() > kMaxKeys)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the key set has {} keys, at most {} are read", all.size(), kMaxKeys));
  JwtKeys keys;
  for (const json& jwk : all)
    if (auto key = key_of(jwk)) keys.keys.push_back(std::move(*key));
  if (keys.keys.empty())
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("none of the {} keys of the set can check a signature of RS256, PS256, "
                            "ES256 or EdDSA",
                            all.size()));
  return keys;
}

std::optional<std::string> base64url_decoded(std::string_view text) {
  if (text.size() % 4 == 1) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  uint32_t held = 0, bits = 0;
  for (const char c : text) {
    const uint32_t digit = base64url_digit(c);
    if (digit > 63) return std::nullopt;
    held = held << 6 | digit;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(held >> bits & 0xff);
  }
  // Two spellings of the same bytes would be two tokens with one signature.
  if ((held & ((1U << bits) - 1)) != 0) return std::nullopt;
  return bytes;
}

}  // namespace precedent
