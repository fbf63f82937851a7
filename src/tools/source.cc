#include "tools/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/utf8.h"

namespace precedent {

using nlohmann::json;

json to_json(const LineRange& lines) { return {{"begin", lines.begin}, {"end", lines.end}}; }

json to_json(const Source& source) {
  json out = {{"id", source.id},
              {"title", source.title},
              {"type", source.kind},
              {"path", source.path},
              {"receipt", source.receipt}};
  if (source.lines.begin > 0) out["lines"] = to_json(source.lines);
  if (!source.link.empty()) out["link"] = source.link;
  if (!source.version.empty()) out["version"] = source.version;
  return out;
}

std::string where_it_lives(const Source& source) {
  if (source.link.empty()) return "";
  return source.version.empty() ? " — " + source.link
                                : fmt::format(" — version {}, {}", source.version, source.link);
}

std::string link_of(const Attributes& attributes) {
  // Longer ones are no addresses of documents.
  constexpr size_t kMaxLink = 2000;
  const auto found = attributes.find("link");
  if (found == attributes.end() || found->second.size() > kMaxLink) return "";
  const std::string& link = found->second;
  const bool plain = std::ranges::all_of(
      link, [](char c) { return c > ' ' && c <= '~' && !std::string_view("<>\"`\\").contains(c); });
  return plain && (link.starts_with("https://") || link.starts_with("http://")) ? link : "";
}

std::string version_of(const Attributes& attributes) {
  // A number, a time or a hash.
  constexpr size_t kMaxVersion = 40;
  const auto found = attributes.find("version");
  return found == attributes.end() ? "" : std::string(utf8_prefix(found->second, kMaxVersion));
}

}  // namespace precedent
