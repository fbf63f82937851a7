#include "agent/opposites.h"

#include <set>
#include <vector>

#include "text/opposites.h"

namespace precedent {
namespace {

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
  // A pair too many costs one direct answer, a pair too few gives the wrong one.
  for (const Opposites& sides : opposites()) {
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
