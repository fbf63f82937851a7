#include "sources/link_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/ascii.h"
#include "net/url.h"
#include "sources/page_document.h"

namespace precedent {
namespace {

constexpr size_t kMaxPattern = 1000;
constexpr std::string_view kNames = "{repo}, {branch}, {commit} and {path}";

std::optional<std::string_view> value_of(std::string_view name, const LinkPattern::File& file) {
  if (name == "repo") return file.repo;
  if (name == "branch") return file.branch;
  if (name == "commit") return file.commit;
  if (name == "path") return file.path;
  return std::nullopt;
}

// Percent-encoded but for what a path of an address may hold.
std::string in_address(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_alnum(c) || std::string_view("/-_.~").contains(c))
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

Result<std::string> filled(std::string_view text, const LinkPattern::File& file) {
  std::string out;
  while (!text.empty()) {
    const size_t open = std::min(text.find('{'), text.size());
    out += text.substr(0, open);
    text.remove_prefix(open);
    if (text.empty()) break;
    const size_t close = text.find('}');
    const std::string_view name = text.substr(1, close == text.npos ? close : close - 1);
    const auto value = value_of(name, file);
    if (close == text.npos || !value)
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("'{{{}}}' is none of {}", clean_name(name), kNames));
    out += in_address(*value);
    text.remove_prefix(close + 1);
  }
  return out;
}

}  // namespace

Result<LinkPattern> LinkPattern::parse(std::string_view text) {
  const auto wrong = [](std::string_view what) {
    return fail(ErrorCode::kInvalidArgument, std::string(what));
  };
  if (text.size() > kMaxPattern || clean_address(std::string(text)).empty())
    return wrong("is no address: it has blanks, quotes or control characters, or is very long");
  const std::string example = TRY(filled(text, {"org/repo", "main", "0a1b2c", "a/b.md"}));
  const auto url = parse_url(example);
  if (!url) return wrong(url.error().message);
  if (url->has_user) return wrong("has a user or a password in it; leave it out");
  const size_t host = text.find("://") + 3;
  if (text.substr(host, text.find('/', host) - host).contains('{'))
    return wrong("has a host that is not written out; only what follows it may vary");
  LinkPattern pattern{std::string(text)};
  if (!pattern.has("path"))
    return wrong(fmt::format("has no {{path}}; every file would have the same link. It may have {}",
                             kNames));
  return pattern;
}

bool LinkPattern::has(std::string_view name) const {
  return text_.contains(fmt::format("{{{}}}", name));
}

std::string LinkPattern::link(const File& file) const { return filled(text_, file).value_or(""); }

}  // namespace precedent
