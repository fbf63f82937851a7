#include "net/url.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <memory>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

std::string part(CURLU* url, CURLUPart which) {
  char* text = nullptr;
  if (curl_url_get(url, which, &text, 0) != CURLUE_OK) return "";
  std::string copy = text;
  curl_free(text);
  return copy;
}

// The text up to anything that may be secret.
std::string_view harmless_prefix(std::string_view text) {
  if (const size_t at = text.rfind('@'); at != std::string_view::npos) return "…";
  return utf8_prefix(text.substr(0, text.find('?')), 80);
}

}  // namespace

std::string Url::shown() const {
  const std::string name = host.contains(':') ? "[" + host + "]" : host;
  return port.empty() ? name : name + ":" + port;
}

Result<Url> parse_url(std::string_view text) {
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'{}' {}; write it like https://api.example.com/v1",
                            harmless_prefix(text), why));
  };
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> url(curl_url(), &curl_url_cleanup);
  if (!url) return fail(ErrorCode::kResourceExhausted, "no memory to read an address");
  const CURLUcode code =
      curl_url_set(url.get(), CURLUPART_URL, std::string(text).c_str(), CURLU_NON_SUPPORT_SCHEME);
  if (code != CURLUE_OK) return refuse("is not an address");
  Url parts{
      ascii_lower(part(url.get(), CURLUPART_SCHEME)), ascii_lower(part(url.get(), CURLUPART_HOST)),
      part(url.get(), CURLUPART_PORT),
      !part(url.get(), CURLUPART_USER).empty() || !part(url.get(), CURLUPART_PASSWORD).empty()};
  if (parts.scheme != "http" && parts.scheme != "https") return refuse("is neither http nor https");
  if (parts.host.starts_with('[') && parts.host.ends_with(']'))
    parts.host = parts.host.substr(1, parts.host.size() - 2);
  if (parts.host.empty()) return refuse("names no host");
  return parts;
}

bool is_loopback(std::string_view host) {
  if (host == "localhost" || host.ends_with(".localhost") || host == "::1") return true;
  const auto octets = split(host, '.');
  if (octets.size() != 4 || octets[0] != "127") return false;
  for (const std::string_view octet : octets)
    if (octet.empty() || octet.size() > 3 ||
        octet.find_first_not_of("0123456789") != std::string_view::npos)
      return false;
  return true;
}

std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    if (is_alnum(c) || std::string_view("-_.~").contains(c))
      encoded += c;
    else
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

}  // namespace precedent
