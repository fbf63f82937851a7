#include "net/served_request.h"

#include <algorithm>

#include "base/hex.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

// "http://host:80/a?b" → "host:80", and what is behind it. Nothing for what is in no absolute form.
std::optional<std::string_view> take_authority(std::string_view& target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!iequals(target.substr(0, scheme.size()), scheme)) continue;
    const size_t end = std::min(target.find_first_of("/?#", scheme.size()), target.size());
    const std::string_view authority = target.substr(scheme.size(), end - scheme.size());
    target.remove_prefix(end);
    return authority;
  }
  return std::nullopt;
}

}  // namespace

bool read_target(std::string_view target, ServedRequest& request) {
  std::string with_slash;  // "http://host?a=b" is of "/"
  if (const auto authority = take_authority(target)) {
    if (authority->empty() || authority->contains('@')) return false;
    std::erase_if(request.headers, [](const HttpHeader& h) { return iequals(h.name, "host"); });
    request.headers.push_back({"Host", std::string(*authority)});
    if (!target.starts_with('/')) target = with_slash = "/" + std::string(target);
  }
  if (!target.starts_with('/')) return false;
  target = target.substr(0, target.find('#'));
  const size_t mark = target.find('?');
  auto path = percent_decoded(target.substr(0, mark));
  if (!path) return false;
  request.path = std::move(*path);
  if (mark == std::string_view::npos) return true;
  for (const std::string_view pair : split(target.substr(mark + 1), '&')) {
    if (pair.empty()) continue;
    const size_t equals = pair.find('=');
    auto name = percent_decoded(pair.substr(0, equals), true);
    auto value = equals == std::string_view::npos ? std::optional<std::string>("")
                                                  : percent_decoded(pair.substr(equals + 1), true);
    if (!name || !value) return false;
    request.query.emplace_back(std::move(*name), std::move(*value));
  }
  return true;
}

std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_space) {
  std::string decoded;
  decoded.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hex_value(text[i + 1]), low = hex_value(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    } else if (c == '+' && plus_is_space) {
      c = ' ';
    }
    if (c == '\0') return std::nullopt;
    decoded += c;
  }
  if (invalid_utf8_at(decoded)) return std::nullopt;
  return decoded;
}

std::string_view ServedRequest::header(std::string_view name) const {
  const auto found = std::ranges::find_if(
      headers, [&](const HttpHeader& header) { return iequals(header.name, name); });
  return found == headers.end() ? std::string_view() : std::string_view(found->value);
}

std::string_view ServedRequest::parameter(std::string_view name) const {
  const auto found =
      std::ranges::find_if(query, [&](const auto& pair) { return pair.first == name; });
  return found == query.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace precedent
