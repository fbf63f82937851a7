#include "sources/github_app.h"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "files/files.h"
#include "sources/github_source.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr size_t kMaxKeyBytes = 64 * 1024;
// GitHub takes ten minutes at most, and clocks differ.
constexpr std::chrono::minutes kBefore{1};
constexpr std::chrono::minutes kValid{9};
// A request may wait for two minutes, and be repeated.
constexpr std::chrono::minutes kRest{10};

template <auto kFree>
struct FreeBy {
  template <typename T>
  void operator()(T* pointer) const {
    kFree(pointer);
  }
};
using Key = std::unique_ptr<EVP_PKEY, FreeBy<EVP_PKEY_free>>;
using Memory = std::unique_ptr<BIO, FreeBy<BIO_free_all>>;
using Digest = std::unique_ptr<EVP_MD_CTX, FreeBy<EVP_MD_CTX_free>>;

// RFC 7515: without padding.
std::string base64url(std::string_view bytes) {
  std::string out(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                     reinterpret_cast<const unsigned char*>(bytes.data()),
                                     static_cast<int>(bytes.size()));
  out.resize(static_cast<size_t>(length));
  while (out.ends_with('=')) out.pop_back();
  std::ranges::replace(out, '+', '-');
  std::ranges::replace(out, '/', '_');
  return out;
}

// There is nobody to ask for a passphrase.
int no_passphrase(char*, int, int, void*) { return -1; }

Result<Key> read_key(std::string_view pem) {
  const Memory memory(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  Key key(PEM_read_bio_PrivateKey(memory.get(), nullptr, no_passphrase, nullptr));
  if (key != nullptr && EVP_PKEY_get_base_id(key.get()) == EVP_PKEY_RSA) return key;
  return fail(ErrorCode::kInvalidArgument,
              "the key of the GitHub App is no RSA key in PEM without a passphrase; make one under "
              "the app's settings, and name its file with key_file");
}

Result<std::string> sign(EVP_PKEY* key, std::string_view text) {
  const Digest digest(EVP_MD_CTX_new());
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  size_t length = 0;
  if (EVP_DigestSignInit(digest.get(), nullptr, EVP_sha256(), nullptr, key) == 1 &&
      EVP_DigestSign(digest.get(), nullptr, &length, bytes, text.size()) == 1) {
    std::string signature(length, '\0');
    if (EVP_DigestSign(digest.get(), reinterpret_cast<unsigned char*>(signature.data()), &length,
                       bytes, text.size()) == 1) {
      signature.resize(length);
      return signature;
    }
  }
  return fail(ErrorCode::kInternal, "OpenSSL could not sign with the key of the GitHub App");
}

// What GitHub says of the app itself reads otherwise than of a token.
Error about_app(Error error, const std::string& app) {
  if (error.code == ErrorCode::kPermission || error.code == ErrorCode::kNotFound)
    return {ErrorCode::kPermission,
            fmt::format("GitHub gives the app {} no token: {}; check 'app', that key_file is its "
                        "key, that it is installed for the repository, and this machine's clock",
                        app, error.message)};
  return error;
}

}  // namespace

Result<std::string> github_app_jwt(std::string_view app, std::string_view pem, TimePoint now) {
  const Key key = TRY(read_key(pem));
  const auto seconds = [](TimePoint time) { return time.time_since_epoch().count(); };
  const std::string signed_text = fmt::format(
      "{}.{}", base64url(R"({"alg":"RS256","typ":"JWT"})"),
      base64url(dump_json(
          {{"iat", seconds(now - kBefore)}, {"exp", seconds(now + kValid)}, {"iss", app}})));
  return fmt::format("{}.{}", signed_text, base64url(TRY(sign(key.get(), signed_text))));
}

GithubApp::GithubApp(HttpClient& client, const Clock& clock, GithubAppOptions options,
                     std::function<Result<void>(std::chrono::seconds, const CancelToken&)> wait)
    : client_(client), clock_(clock), options_(std::move(options)), wait_(std::move(wait)) {}

Result<std::string> GithubApp::installation(const SourceHttp& http, const CancelToken& cancel) {
  if (!options_.installation.empty()) return options_.installation;
  const json found = TRY(
      http.get_json(http.address(fmt::format("/repos/{}/installation", options_.repo)), cancel));
  const auto id = found.find("id");
  if (id == found.end() || !id->is_number_unsigned())
    return fail(ErrorCode::kCorrupt, "GitHub names no installation of the app");
  return std::to_string(id->get<uint64_t>());
}

Result<std::string> GithubApp::token(const CancelToken& cancel) {
  if (!token_.empty() && clock_.now() + kRest < expires_at_) return token_;
  const std::string pem = TRY(read_file(options_.key_file, kMaxKeyBytes));
  const std::string jwt = TRY(github_app_jwt(options_.app, pem, clock_.now()));
  const SourceHttp http(client_, clock_,
                        {options_.base_url, github_headers(jwt), "the GitHub App", wait_});
  const auto number = installation(http, cancel);
  if (!number) return std::unexpected(about_app(number.error(), options_.app));
  options_.installation = *number;
  const std::string name = options_.repo.substr(options_.repo.find('/') + 1);
  const auto given =
      http.post_json(http.address(fmt::format("/app/installations/{}/access_tokens", *number)),
                     {{"repositories", {name}}}, cancel);
  if (!given) return std::unexpected(about_app(given.error(), options_.app));
  const auto token = given->find("token");
  const auto expires = given->find("expires_at");
  const auto until = expires != given->end() && expires->is_string()
                         ? parse_time(expires->get<std::string>())
                         : parse_time("");
  if (token == given->end() || !token->is_string() || !until)
    return fail(ErrorCode::kCorrupt, "GitHub gave the app no token that can be read");
  token_ = token->get<std::string>();
  expires_at_ = *until;
  return token_;
}

}  // namespace precedent
