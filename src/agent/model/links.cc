#include "agent/model/links.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/strings.h"
#include "net/url.h"

namespace precedent {
namespace {

// The longest address that browsers and servers take; longer ones are not looked at, but taken
// apart.
constexpr size_t kMaxAddressBytes = 8192;
constexpr size_t kMaxTagName = 16;

// Elements that load something or lead somewhere.
constexpr auto kLoadingTags = std::to_array<std::string_view>(
    {"a",      "applet", "audio", "base", "bgsound", "body",  "button", "embed",  "form",
     "frame",  "iframe", "image", "img",  "input",   "link",  "meta",   "object", "picture",
     "script", "source", "style", "svg",  "table",   "track", "video"});

char at(std::string_view text, size_t i) { return i < text.size() ? text[i] : '\0'; }

bool ends_address(char c) {
  return static_cast<unsigned char>(c) <= ' ' || c == '<' || c == '>' || c == '"' || c == '`';
}

size_t end_of_address(std::string_view text, size_t begin) {
  const size_t last = std::min(text.size(), begin + kMaxAddressBytes);
  while (begin < last && !ends_address(text[begin])) ++begin;
  return begin;
}

// A scheme that is fetched or followed: "https" of "https://…". "" if none begins at `i`.
std::string_view web_scheme(std::string_view text, size_t i) {
  for (const std::string_view scheme : {"https", "http", "ftp", "wss", "ws"}) {
    if (!iequals(text.substr(i, scheme.size()), scheme)) continue;
    const std::string_view rest = text.substr(i + scheme.size(), 3);
    // Browsers read a backslash as a slash, and one slash as two.
    if (rest.starts_with(":/") || rest.starts_with(":\\")) return text.substr(i, scheme.size());
  }
  return {};
}

// A plain address with an allowed host: nothing in it that two readers could read in two ways.
bool is_allowed(std::string_view address, const Hosts& allowed) {
  if (address.size() >= kMaxAddressBytes) return false;
  const std::string_view scheme = web_scheme(address, 0);
  if (scheme.empty() || address.substr(scheme.size(), 3) != "://") return false;
  std::string_view authority = address.substr(scheme.size() + 3);
  authority = authority.substr(0, authority.find_first_of("/?#"));
  const bool plain = std::ranges::all_of(authority, [](char c) {
    return is_alnum(c) || c == '.' || c == '-' || c == ':' || c == '_';
  });
  return plain && allowed.contains(ascii_lower(authority.substr(0, authority.find(':'))));
}

// Where a link of Markdown leads, written from `begin` on. It stands on the same line, or nobody
// knows.
bool is_safe_destination(std::string_view text, size_t begin, const Hosts& allowed) {
  while (at(text, begin) == ' ' || at(text, begin) == '\t') ++begin;
  if (at(text, begin) == '\n' || begin >= text.size()) return false;
  if (at(text, begin) == '<') ++begin;
  std::string_view destination = text.substr(begin, end_of_address(text, begin) - begin);
  destination = destination.substr(0, destination.find(')'));
  if (is_allowed(destination, allowed)) return true;
  // A path or an anchor of the same page. Entities and escapes could spell an address.
  return destination.find_first_of(":&\\") == std::string_view::npos &&
         !destination.starts_with("//");
}

bool is_loading_tag(std::string_view after) {
  if (after.starts_with('/')) after.remove_prefix(1);
  size_t end = 0;
  while (end <= kMaxTagName && is_alnum(at(after, end))) ++end;
  const char next = at(after, end);
  const bool whole = next == ' ' || next == '\t' || next == '\n' || next == '/' || next == '>';
  return whole && std::ranges::binary_search(kLoadingTags, ascii_lower(after.substr(0, end)));
}

// "<javascript:…>", "<data:…>", "<mailto:…>": followed when shown as Markdown.
bool is_autolink(std::string_view after) {
  size_t end = 0;
  while (end <= kMaxTagName && (is_alnum(at(after, end)) || at(after, end) == '+')) ++end;
  return end > 1 && at(after, end) == ':' && at(after, end + 1) != ':';
}

// "https://evil.example" → "hxxps://evil[.]example": read by people, followed by nobody. Returns
// the bytes that were read: scheme, slashes and host.
size_t add_defanged(std::string& out, std::string_view address, std::string_view scheme) {
  for (const char c : scheme) out += c == 't' ? 'x' : c == 'T' ? 'X' : c;
  if (scheme.back() == 's' && scheme.size() < 4) out += "[.]";  // ws, wss
  size_t i = scheme.size();
  while (i < address.size() && std::string_view(":/\\").contains(address[i])) out += address[i++];
  for (; i < address.size() && !std::string_view("/?#\\").contains(address[i]); ++i) {
    if (address[i] == '.') {
      out += "[.]";
    } else {
      out += address[i];
    }
  }
  return i;
}

// `[id]: address` makes a link of every [id] of the text.
bool is_definition(std::string_view text, size_t bracket) {
  const size_t line = text.rfind('\n', bracket);
  const size_t begin = line == std::string_view::npos ? 0 : line + 1;
  const std::string_view before = text.substr(begin, bracket - begin);
  const size_t first = before.find_first_not_of(" \t>");
  return first != std::string_view::npos && before[first] == '[';
}

}  // namespace

void add_hosts(Hosts& hosts, std::string_view text) {
  for (size_t i = text.find("://"); i != std::string_view::npos; i = text.find("://", i + 3)) {
    size_t begin = i;
    while (begin > 0 && i - begin < 5 && is_letter(text[begin - 1])) --begin;
    while (begin < i && web_scheme(text, begin).empty()) ++begin;
    if (begin == i) continue;
    std::string_view address = text.substr(begin, end_of_address(text, begin) - begin);
    address = address.substr(0, address.find_first_of(")]}',;"));
    if (const auto url = parse_url(address)) hosts.insert(url->host);
  }
}

Hosts named_hosts(const CopilotState& state) {
  Hosts hosts;
  for (const Message& message : state.messages)
    if (message.role == Role::kUser) add_hosts(hosts, message.content);
  for (const Receipt& receipt : state.receipts)
    for (const Source& source : sources_of(receipt)) add_hosts(hosts, source.path);
  return hosts;
}

std::string defang_links(std::string_view text, const Hosts& allowed) {
  std::string out;
  out.reserve(text.size());
  size_t line_begin = 0;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    const std::string_view rest = text.substr(i);
    if (c == '\n') line_begin = i + 1;
    if (rest.starts_with("](") && !is_safe_destination(text, i + 2, allowed)) {
      out += "] (";
      i += 2;
    } else if (rest.starts_with("]:") && is_definition(text.substr(line_begin), i - line_begin) &&
               !is_safe_destination(text, i + 2, allowed)) {
      out += "] :";
      i += 2;
    } else if (c == '<' &&
               (is_loading_tag(rest.substr(1)) ||
                (is_autolink(rest.substr(1)) &&
                 !is_allowed(text.substr(i + 1, end_of_address(text, i + 1) - i - 1), allowed)))) {
      out += "‹";
      ++i;
    } else if ((i == 0 || !is_alnum(text[i - 1])) && !web_scheme(text, i).empty()) {
      const std::string_view address = text.substr(i, end_of_address(text, i) - i);
      const std::string_view plain = address.substr(0, address.find_first_of(")]}',;"));
      if (is_allowed(plain, allowed)) {
        out += plain;
        i += plain.size();
      } else {
        i += add_defanged(out, address, web_scheme(text, i));
      }
    } else if ((i == 0 || !is_alnum(text[i - 1])) && iequals(rest.substr(0, 4), "www.") &&
               is_alnum(at(rest, 4)) &&
               !allowed.contains(ascii_lower(rest.substr(0, rest.find_first_of("/:?# )\n\t,;"))))) {
      out += "www[.]";
      i += 4;
    } else {
      out += c;
      ++i;
    }
  }
  return out;
}

}  // namespace precedent
