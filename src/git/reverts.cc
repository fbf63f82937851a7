#include "git/reverts.h"

#include <algorithm>

#include "base/strings.h"

namespace precedent::git {
namespace {

constexpr size_t kMaxReverted = 50;
constexpr size_t kShortestHash = 7;  // as git abbreviates; a shorter one may be a word
constexpr size_t kHash = 40;

}  // namespace

std::vector<std::string> reverted_by(std::string_view message) {
  constexpr std::string_view kReverts = "This reverts commit ";
  std::vector<std::string> hashes;
  for (std::string_view line : split_lines(message)) {
    line = trim(line);
    if (hashes.size() == kMaxReverted) break;
    if (!line.starts_with(kReverts)) continue;
    line.remove_prefix(kReverts.size());
    const size_t end = std::min(line.find_first_of(" .,"), line.size());
    const std::string hash = ascii_lower(line.substr(0, end));
    if (hash.size() < kShortestHash || hash.size() > kHash ||
        hash.find_first_not_of("0123456789abcdef") != std::string::npos)
      continue;
    hashes.push_back(hash);
  }
  return hashes;
}

}  // namespace precedent::git
