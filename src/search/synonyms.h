// The synonym file: words that this company uses for one another, edited by the operator.
//
// Format: one rule a line, '#' starts a comment.
//   db, database, postgres        each of these finds the others
//   k8s => kubernetes             the left finds the right, not the other way round
// Terms may be phrases. A rule is compared after analysis, so "databases" matches "database".
// Thread safety: immutable after parsing. Ownership: refers to the Analyzer it was parsed with only
// while parsing.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "text/analyzer.h"

namespace precedent {

class Synonyms {
 public:
  // Errors: kInvalidArgument naming `origin` (for messages), the line and what is wrong with it;
  // with `all`, those of every line.
  static Result<Synonyms> parse(std::string_view text, std::string_view origin,
                                const Analyzer& analyzer, std::vector<Error>* all = nullptr);

  // The analysed terms that `terms` (analysed, in order) may also be called, without those already
  // there; each with the phrase of the question that brought it.
  struct Expansion {
    std::string term;
    std::string because;
    bool operator==(const Expansion&) const = default;
  };
  std::vector<Expansion> expand(const std::vector<std::string>& terms) const;

  size_t rules() const { return rules_; }

 private:
  // First term of a left side → (whole left side, right side's terms).
  struct Rule {
    std::vector<std::string> left;
    std::vector<std::string> right;
  };
  std::multimap<std::string, Rule, std::less<>> by_first_term_;
  Result<void> add(std::string_view line, const std::string& where, const Analyzer& analyzer);

  size_t rules_ = 0;
};

// The rules that are in force when the operator has none: config/synonyms.txt, built into the
// binary.
std::string_view default_synonyms();

}  // namespace precedent
