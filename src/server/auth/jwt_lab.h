// For tests: an identity provider's side of jwt.h, signing with OpenSSL.
//
// Thread safety: one thread; a key may be shared.
#pragma once

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace precedent {

inline std::string base64url(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string text;
  uint32_t held = 0, bits = 0;
  for (const char byte : bytes) {
    held = held << 8 | static_cast<unsigned char>(byte);
    for (bits += 8; bits >= 6; bits -= 6) text += kDigits[held >> (bits - 6) & 63];
  }
  if (bits > 0) text += kDigits[held << (6 - bits) & 63];
  return text;
}

class SigningKey {
 public:
  enum class Type : uint8_t { kRsa, kWeakRsa, kP256, kP384, kEd25519 };

  explicit SigningKey(Type type) : type_(type), key_(made(type), EVP_PKEY_free) {
    if (!key_) std::abort();
  }
  // Made once for all tests, since an RSA key takes a while.
  static const SigningKey& rsa() {
    static const SigningKey key(Type::kRsa);
    return key;
  }
  static const SigningKey& p256() {
    static const SigningKey key(Type::kP256);
    return key;
  }
  static const SigningKey& ed25519() {
    static const SigningKey key(Type::kEd25519);
    return key;
  }

  nlohmann::json jwk(std::string_view id) const {
    nlohmann::json jwk = {{"kid", id}, {"use", "sig"}};
    if (type_ == Type::kRsa || type_ == Type::kWeakRsa)
      jwk.update({{"kty", "RSA"},
                  {"n", base64url(number(OSSL_PKEY_PARAM_RSA_N))},
                  {"e", base64url(number(OSSL_PKEY_PARAM_RSA_E))}});
    if (type_ == Type::kP256 || type_ == Type::kP384) {
      const size_t bytes = type_ == Type::kP256 ? 32 : 48;
      jwk.update({{"kty", "EC"},
                  {"crv", type_ == Type::kP256 ? "P-256" : "P-384"},
                  {"x", base64url(number(OSSL_PKEY_PARAM_EC_PUB_X, bytes))},
                  {"y", base64url(number(OSSL_PKEY_PARAM_EC_PUB_Y, bytes))}});
    }
    if (type_ == Type::kEd25519) {
      std::string bytes(32, '\0');
      size_t size = bytes.size();
      EVP_PKEY_get_raw_public_key(key_.get(), reinterpret_cast<unsigned char*>(bytes.data()),
                                  &size);
      jwk.update({{"kty", "OKP"}, {"crv", "Ed25519"}, {"x", base64url(bytes)}});
    }
    return jwk;
  }

  std::string pem() const {
    const std::unique_ptr<BIO, int (*)(BIO*)> out(BIO_new(BIO_s_mem()), BIO_free);
    PEM_write_bio_PUBKEY(out.get(), key_.get());
    char* text = nullptr;
    const long size = BIO_get_mem_data(out.get(), &text);
    return {text, static_cast<size_t>(size)};
  }

  // Signs as the algorithm of this name does, whatever the header says.
  std::string signature(std::string_view algorithm, std::string_view text) const {
    const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(),
                                                                     EVP_MD_CTX_free);
    EVP_PKEY_CTX* settings = nullptr;
    const EVP_MD* digest = algorithm == "EdDSA"   ? nullptr
                           : algorithm == "RS512" ? EVP_sha512()
                                                  : EVP_sha256();
    EVP_DigestSignInit(context.get(), &settings, digest, nullptr, key_.get());
    if (algorithm == "PS256") {
      EVP_PKEY_CTX_set_rsa_padding(settings, RSA_PKCS1_PSS_PADDING);
      EVP_PKEY_CTX_set_rsa_pss_saltlen(settings, RSA_PSS_SALTLEN_DIGEST);
    }
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    size_t size = 0;
    EVP_DigestSign(context.get(), nullptr, &size, bytes, text.size());
    std::string signature(size, '\0');
    EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size, bytes,
                   text.size());
    signature.resize(size);
    return algorithm == "ES256" ? flat(signature) : signature;
  }

  std::string token(const nlohmann::json& header, const nlohmann::json& claims) const {
    return token_of(header, claims.dump());
  }
  std::string token_of(const nlohmann::json& header, std::string_view payload) const {
    const std::string text = base64url(header.dump()) + "." + base64url(payload);
    return text + "." + base64url(signature(header.value("alg", ""), text));
  }

 private:
  static EVP_PKEY* made(Type type) {
    switch (type) {
      case Type::kRsa: return EVP_RSA_gen(2048);
      case Type::kWeakRsa: return EVP_RSA_gen(1024);
      case Type::kP256: return EVP_EC_gen("P-256");
      case Type::kP384: return EVP_EC_gen("P-384");
      case Type::kEd25519: return EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519");
    }
    return nullptr;
  }

  std::string number(const char* name, size_t bytes = 0) const {
    BIGNUM* read = nullptr;
    EVP_PKEY_get_bn_param(key_.get(), name, &read);
    const std::unique_ptr<BIGNUM, void (*)(BIGNUM*)> value(read, BN_free);
    if (bytes == 0) bytes = static_cast<size_t>(BN_num_bytes(value.get()));
    std::string text(bytes, '\0');
    BN_bn2binpad(value.get(), reinterpret_cast<unsigned char*>(text.data()),
                 static_cast<int>(bytes));
    return text;
  }

  // r and s side by side, as a JWS has them.
  static std::string flat(const std::string& der) {
    const auto* at = reinterpret_cast<const unsigned char*>(der.data());
    const std::unique_ptr<ECDSA_SIG, void (*)(ECDSA_SIG*)> pair(
        d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())), ECDSA_SIG_free);
    std::string text(64, '\0');
    auto* out = reinterpret_cast<unsigned char*>(text.data());
    BN_bn2binpad(ECDSA_SIG_get0_r(pair.get()), out, 32);
    BN_bn2binpad(ECDSA_SIG_get0_s(pair.get()), out + 32, 32);
    return text;
  }

  Type type_;
  std::shared_ptr<EVP_PKEY> key_;
};

inline std::string key_set(const std::vector<nlohmann::json>& keys) {
  return nlohmann::json{{"keys", keys}}.dump();
}

}  // namespace precedent
