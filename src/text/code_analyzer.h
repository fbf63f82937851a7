// Source code → terms, so that words find identifiers and identifiers find one another however they
// are joined.
//
//   "FinishCommand(edge_)"     → finishcommand finish command edg
//   "finish_command"           → finishcommand finish command
//   "DEPFILE_PARSER_H"         → depfileparserh depfil parser
//   "parseHTTPHeader2"         → parsehttpheader2 pars http header 2
//   "--dry-run"                → dryrun dri run
//   "src/build_log.cc"         → src buildlog build log cc
//
// An identifier of several words gives itself, joined and folded, then its words; words of letters
// are stemmed and stop words dropped as in prose (words.h), because comments are prose and so are
// questions. Operators, quotes and brackets separate; an escape in a string ("\n") is no letter.
// What is not ASCII goes through the Analyzer (analyzer.h). A query must be analysed by the same
// analyser as the code.
//
// Thread safety: has no state, may be shared between threads. Errors: none. Time is linear, and no
// term exceeds kMaxTermBytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/analyzer.h"

namespace precedent {

class CodeAnalyzer {
 public:
  // In order of appearance; Term::part marks the words of an identifier. REQUIRES: text.size() < 4
  // GiB.
  std::vector<Term> analyze(std::string_view text) const;
  // The texts of analyze() alone.
  std::vector<std::string> terms(std::string_view text) const;
};

// The words of an identifier, as ranges of bytes of it: camelCase, snake_case, kebab-case, and
// numbers apart from letters. One letter alone is no word, unless it is all there is.
struct WordSpan {
  uint32_t begin, end;
  bool operator==(const WordSpan&) const = default;
};
std::vector<WordSpan> identifier_words(std::string_view identifier);

}  // namespace precedent
