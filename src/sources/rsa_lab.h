// For tests: a private key of RSA. Thread safety: one thread.
#pragma once

#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <string>

namespace precedent {

// Made anew for each run.
inline EVP_PKEY* lab_key() {
  static EVP_PKEY* const made = EVP_RSA_gen(2048);
  return made;
}

inline std::string pem_of(EVP_PKEY* made) {
  BIO* memory = BIO_new(BIO_s_mem());
  EXPECT_EQ(PEM_write_bio_PrivateKey(memory, made, nullptr, nullptr, 0, nullptr, nullptr), 1);
  char* bytes = nullptr;
  const auto size = BIO_get_mem_data(memory, &bytes);
  std::string pem(bytes, static_cast<size_t>(size));
  BIO_free_all(memory);
  return pem;
}

}  // namespace precedent
