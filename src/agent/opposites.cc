#include "agent/opposites.h"

#include <array>
#include <set>
#include <vector>

namespace precedent {
namespace {

struct Sides {
  std::string_view left, right;  // words separated by spaces; each of one side opposes the other's
};

// Of operations text in general: what is done to a system, and the two ends or roles of one. A pair
// too many costs one direct answer, a pair too few gives the wrong one.
constexpr std::array kOpposites = {
    Sides{"enable", "disable"},
    Sides{"start restart resume launch", "stop halt pause suspend kill terminate"},
    Sides{"increase raise grow expand extend", "decrease reduce lower shrink shorten"},
    Sides{"add create insert attach mount install", "remove delete drop detach unmount uninstall"},
    Sides{"allow permit grant accept unblock", "deny forbid revoke reject block"},
    Sides{"open unlock", "close lock"},
    Sides{"connect", "disconnect"},
    Sides{"up", "down"},
    Sides{"on", "off"},
    Sides{"upgrade deploy rollout apply commit", "downgrade rollback revert undo"},
    Sides{"promote", "demote"},
    Sides{"succeed success pass work", "fail failure break"},
    Sides{"consumer subscriber receiver reader", "producer publisher sender writer"},
    Sides{"read receive pull download import", "write send push upload export"},
    Sides{"primary master leader active", "replica secondary slave standby follower passive"},
    Sides{"client", "server"},
    Sides{"source upstream", "target downstream destination sink"},
    Sides{"inbound incoming ingress", "outbound outgoing egress"},
    Sides{"production prod live", "staging stage test dev development sandbox"},
    Sides{"internal private", "external public"},
    Sides{"login logon signin", "logout logoff signout"},
    Sides{"encrypt encode compress", "decrypt decode decompress"},
    Sides{"before", "after"},
    Sides{"minimum min least", "maximum max most"},
    Sides{"fast faster high", "slow slower low"},
    Sides{"backup", "restore"},
    Sides{"subscribe register join", "unsubscribe deregister unregister leave"},
};

using Terms = std::set<std::string>;

Terms terms_of(std::string_view text, const Analyzer& analyzer) {
  const std::vector<std::string> terms = analyzer.terms(text);
  return {terms.begin(), terms.end()};
}

// A word that `have` holds and `lack` does not.
std::optional<std::string> one_of(const Terms& side, const Terms& have, const Terms& lack) {
  for (const std::string& term : side) {
    if (have.contains(term) && !lack.contains(term)) return term;
  }
  return std::nullopt;
}

// "subscribe" and "unsubscribe", "connect" and "disconnect", whatever is in the table.
std::optional<std::string> negated(const Terms& have, const Terms& lack) {
  // Not "de": "default" denies no fault.
  for (const std::string_view prefix : {"un", "dis"}) {
    for (const std::string& term : have) {
      // Shorter stems meet by accident: "do" and "undo" do oppose, "it" and "unit" do not.
      constexpr size_t kShortestStem = 4;
      const std::string other = std::string(prefix) + term;
      if (term.size() >= kShortestStem && lack.contains(other) && !have.contains(other))
        return other;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::pair<std::string, std::string>> find_opposites(std::string_view a,
                                                                  std::string_view b,
                                                                  const Analyzer& analyzer) {
  const Terms x = terms_of(a, analyzer), y = terms_of(b, analyzer);
  for (const Sides& sides : kOpposites) {
    const Terms left = terms_of(sides.left, analyzer), right = terms_of(sides.right, analyzer);
    for (const auto& [mine, theirs] : {std::pair(&left, &right), std::pair(&right, &left)}) {
      const auto in_a = one_of(*mine, x, y), in_b = one_of(*theirs, y, x);
      if (in_a && in_b) return std::pair(*in_a, *in_b);
    }
  }
  if (const auto in_b = negated(x, y)) return std::pair(std::string(), *in_b);
  if (const auto in_a = negated(y, x)) return std::pair(*in_a, std::string());
  return std::nullopt;
}

}  // namespace precedent
