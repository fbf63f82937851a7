// FrozenText: the text of a question behind the freeze (agent/understand/freeze.h). Nobody reads it
// again there: it is searched for, its words are compared with those that were found, and it is
// shown.
//
// Thread safety: a value; every view is a pure function of the text.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "search/synonyms.h"
#include "search/verbatim.h"
#include "text/analyzer.h"

namespace precedent {

struct Intent;

class FrozenText {
 public:
  FrozenText() = default;
  explicit FrozenText(std::string text) : text_(std::move(text)) {}

  // As it stands, for people, models and checkpoints, and for the text of a search. Who calls these
  // reads nothing off them: scripts/check-layers knows the files that do.
  const std::string& to_show() const { return text_; }
  const std::string& to_search() const { return text_; }

  bool blank() const;  // nothing but white space
  // The views: its analysed terms; those that no field of a record answers to
  // (agent/language/field_words.h); its words that a record lacks (agent/converse/held_terms.h).
  std::vector<std::string> terms() const;
  std::vector<std::string> own_terms() const;
  std::vector<std::string> words_not_held(const std::set<std::string>& held) const;
  // `analyzer` outlives what is returned.
  Verbatim verbatim(const Analyzer& analyzer) const;
  // What tells another question from it (agent/frozen/same_question.h); "": they are the same.
  std::string difference_from(std::string_view other, const Analyzer& analyzer,
                              const Synonyms& synonyms) const;
  // Followed by `more`, which is no question's text.
  FrozenText with(std::string_view more) const;

  bool operator==(const FrozenText&) const = default;

 private:
  friend Intent asked_with(Intent intent, std::string_view more);  // freezes it anew

  std::string text_;
};

}  // namespace precedent
