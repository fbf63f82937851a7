#include "search/synonyms.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/strings.h"

namespace precedent {
namespace {

// More terms than this on one line is a pasted document rather than a rule.
constexpr size_t kMaxAlternatives = 32;

Result<std::vector<std::vector<std::string>>> alternatives(std::string_view side,
                                                           const Analyzer& analyzer,
                                                           std::string_view where) {
  std::vector<std::vector<std::string>> phrases;
  for (const std::string_view phrase : split(side, ',')) {
    std::vector<std::string> terms = analyzer.terms(phrase);
    if (terms.empty()) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: '{}' holds no searchable word; write words separated by commas",
                              where, trim(phrase)));
    }
    phrases.push_back(std::move(terms));
  }
  if (phrases.size() > kMaxAlternatives) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: {} alternatives, at most {} are allowed on a line", where,
                            phrases.size(), kMaxAlternatives));
  }
  return phrases;
}

}  // namespace

Result<void> Synonyms::add(std::string_view line, const std::string& where,
                           const Analyzer& analyzer) {
  const size_t arrow = line.find("=>");
  const bool one_way = arrow != std::string_view::npos;
  if (one_way && line.find("=>", arrow + 2) != std::string_view::npos) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: more than one '=>'; write one rule a line", where));
  }
  const auto left = TRY(alternatives(one_way ? line.substr(0, arrow) : line, analyzer, where));
  const auto right = one_way ? TRY(alternatives(line.substr(arrow + 2), analyzer, where)) : left;
  if (left.size() + right.size() < 2 || (!one_way && left.size() < 2)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: one word alone is no rule; write 'a, b' or 'a => b'", where));
  }
  for (const auto& from : left) {
    Rule rule{from, {}};
    for (const auto& to : right) {
      if (to != from) rule.right.insert(rule.right.end(), to.begin(), to.end());
    }
    by_first_term_.emplace(from.front(), std::move(rule));
  }
  ++rules_;
  return {};
}

Result<Synonyms> Synonyms::parse(std::string_view text, std::string_view origin,
                                 const Analyzer& analyzer, std::vector<Error>* all) {
  Synonyms synonyms;
  size_t number = 0;
  for (std::string_view line : split_lines(text)) {
    ++number;
    line = trim(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    auto added = synonyms.add(line, fmt::format("{}:{}", origin, number), analyzer);
    if (added) continue;
    if (all == nullptr) return std::unexpected(std::move(added).error());
    all->push_back(std::move(added).error());
  }
  return synonyms;
}

std::vector<Synonyms::Expansion> Synonyms::expand(const std::vector<std::string>& terms) const {
  std::set<std::string_view> present(terms.begin(), terms.end());
  std::vector<Expansion> found;
  for (size_t i = 0; i < terms.size(); ++i) {
    const auto [begin, end] = by_first_term_.equal_range(terms[i]);
    for (auto rule = begin; rule != end; ++rule) {
      const std::vector<std::string>& left = rule->second.left;
      if (left.size() > terms.size() - i ||
          !std::equal(left.begin(), left.end(), terms.begin() + static_cast<long>(i))) {
        continue;
      }
      for (const std::string& term : rule->second.right) {
        if (present.insert(term).second) found.push_back({term, join(left, " ")});
      }
    }
  }
  return found;
}

}  // namespace precedent
