#include "server/auth/jwt.h"

#include <fmt/format.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <cmath>

#include "base/foreign_json.h"
#include "base/strings.h"

namespace precedent {
namespace {

using nlohmann::json;

// A request's whole header may have 16 kB (HttpServerOptions).
constexpr size_t kMaxToken = 16 * 1024;
constexpr size_t kMaxKeyId = 256;
constexpr size_t kMaxAudiences = 64;
constexpr size_t kEs256Half = 32;
constexpr size_t kSha256Bytes = 32;
// 10^11 seconds are the year 5138.
constexpr double kMaxSeconds = 1e11;

std::unexpected<Error> refused(std::string_view why) {
  return fail(ErrorCode::kPermission, fmt::format("the token is not valid: {}", why));
}

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// r and s of a JWS, as OpenSSL wants them: in DER. "" if it is none.
std::string es256_in_der(std::string_view signature) {
  if (signature.size() != 2 * kEs256Half) return "";
  const std::unique_ptr<ECDSA_SIG, void (*)(ECDSA_SIG*)> pair(ECDSA_SIG_new(), ECDSA_SIG_free);
  BIGNUM* r = BN_bin2bn(bytes_of(signature), kEs256Half, nullptr);
  BIGNUM* s = BN_bin2bn(bytes_of(signature) + kEs256Half, kEs256Half, nullptr);
  // Takes both, if it succeeds.
  if (!pair || r == nullptr || s == nullptr || ECDSA_SIG_set0(pair.get(), r, s) != 1) {
    BN_free(r);
    BN_free(s);
    return "";
  }
  unsigned char* der = nullptr;
  const int size = i2d_ECDSA_SIG(pair.get(), &der);
  if (size <= 0) return "";
  std::string text(reinterpret_cast<const char*>(der), static_cast<size_t>(size));
  OPENSSL_free(der);
  return text;
}

bool set_padding(EVP_PKEY_CTX* context, JwtAlgorithm algorithm) {
  if (algorithm == JwtAlgorithm::kRs256)
    return EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1;
  if (algorithm != JwtAlgorithm::kPs256) return true;
  return EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1 &&
         EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1 &&
         EVP_PKEY_CTX_set_rsa_pss_saltlen(context, kSha256Bytes) == 1;
}

// REQUIRES: the key is for the algorithm.
bool is_signed(const JwtKey& key, JwtAlgorithm algorithm, std::string_view text,
               std::string_view signature) {
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(),
                                                                   EVP_MD_CTX_free);
  EVP_PKEY_CTX* settings = nullptr;  // the context's own
  const std::string der = algorithm == JwtAlgorithm::kEs256 ? es256_in_der(signature) : "";
  const std::string_view given = algorithm == JwtAlgorithm::kEs256 ? der : signature;
  const EVP_MD* digest = algorithm == JwtAlgorithm::kEdDsa ? nullptr : EVP_sha256();
  const bool good =
      context && !given.empty() &&
      EVP_DigestVerifyInit(context.get(), &settings, digest, nullptr, key.key.get()) == 1 &&
      set_padding(settings, algorithm) &&
      EVP_DigestVerify(context.get(), bytes_of(given), given.size(), bytes_of(text), text.size()) ==
          1;
  // A wrong signature leaves a note for this thread, which later calls must not find.
  ERR_clear_error();
  return good;
}

// A type that is none of a token to come in with, such as of a logout token, is refused (RFC 8725,
// 3.11): the provider signed it for something else.
bool is_known_type(std::string type) {
  type = ascii_lower(type);
  if (type.starts_with("application/")) type.erase(0, type.find('/') + 1);
  return type == "jwt" || type == "at+jwt";
}

Result<std::string> text_claim(const json& all, const char* name) {
  if (!all.contains(name)) return std::string();
  if (!all[name].is_string()) return refused(fmt::format("its claim '{}' is no text", name));
  return all[name].get<std::string>();
}

Result<std::optional<TimePoint>> time_claim(const json& all, const char* name) {
  if (!all.contains(name)) return std::nullopt;
  const double seconds = all[name].is_number() ? all[name].get<double>() : -1;
  if (!(seconds >= 0 && seconds <= kMaxSeconds))
    return refused(fmt::format("its claim '{}' is no time", name));
  return TimePoint(std::chrono::seconds(static_cast<int64_t>(std::floor(seconds))));
}

Result<std::vector<std::string>> audiences(const json& all) {
  std::vector<std::string> names;
  if (!all.contains("aud")) return names;
  const json& aud = all["aud"];
  if (aud.is_string()) return std::vector{aud.get<std::string>()};
  if (!aud.is_array() || aud.size() > kMaxAudiences) return refused("its claim 'aud' is malformed");
  for (const json& name : aud) {
    if (!name.is_string()) return refused("its claim 'aud' is malformed");
    names.push_back(name.get<std::string>());
  }
  return names;
}

Result<JwtClaims> claims_of(std::string_view payload) {
  JwtClaims claims;
  claims.all = parse_json(payload);
  if (!claims.all.is_object()) return refused("its claims are no JSON object");
  claims.issuer = TRY(text_claim(claims.all, "iss"));
  claims.subject = TRY(text_claim(claims.all, "sub"));
  claims.audiences = TRY(audiences(claims.all));
  claims.expires = TRY(time_claim(claims.all, "exp"));
  claims.not_before = TRY(time_claim(claims.all, "nbf"));
  claims.issued = TRY(time_claim(claims.all, "iat"));
  return claims;
}

}  // namespace

Result<SignedJwt> SignedJwt::parse(std::string_view token) {
  if (token.size() > kMaxToken) return refused("it is too long");
  const auto parts = split(token, '.');
  if (parts.size() != 3) return refused("it has not three parts");
  const auto header_text = base64url_decoded(parts[0]);
  auto payload = base64url_decoded(parts[1]);
  auto signature = base64url_decoded(parts[2]);
  if (!header_text || !payload || !signature) return refused("a part of it is no base64url");
  const json header = parse_json(*header_text);
  if (!header.is_object()) return refused("its header is no JSON object");
  const auto text = [&](const char* name) {
    return header.contains(name) && header[name].is_string() ? header[name].get<std::string>() : "";
  };
  const auto algorithm = parse_jwt_algorithm(text("alg"));
  if (!algorithm)
    return refused("its algorithm is none of RS256, PS256, ES256 and EdDSA, which are believed");
  if (header.contains("crit") || header.contains("b64"))
    return refused("it takes an extension of the standard");
  if (header.contains("typ") && !is_known_type(text("typ")))
    return refused("it is of a type that is for something else");
  SignedJwt jwt;
  jwt.algorithm_ = *algorithm;
  if (header.contains("kid")) {
    jwt.key_id_ = text("kid");
    if (jwt.key_id_->empty() || jwt.key_id_->size() > kMaxKeyId)
      return refused("the id of its key is malformed");
  }
  jwt.signed_text_ = token.substr(0, parts[0].size() + 1 + parts[1].size());
  jwt.payload_ = std::move(*payload);
  jwt.signature_ = std::move(*signature);
  return jwt;
}

Result<JwtClaims> SignedJwt::verified_by(const JwtKeys& keys) const {
  std::vector<const JwtKey*> fitting;
  for (const JwtKey& key : keys.keys)
    if (key.is_for(algorithm_) && (!key_id_ || key.id == *key_id_)) fitting.push_back(&key);
  if (fitting.empty() || (!key_id_ && fitting.size() > 1))
    return fail(ErrorCode::kNotFound,
                "the token is not valid: the issuer publishes no such key as it is signed with");
  // Providers may give one id to two keys, while they replace one by the other.
  for (const JwtKey* key : fitting)
    if (is_signed(*key, algorithm_, signed_text_, signature_)) return claims_of(payload_);
  return refused("its signature is wrong");
}

}  // namespace precedent
