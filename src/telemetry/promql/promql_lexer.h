// PromQL's text → tokens.
//
// Follows promql/parser/lex.go of Prometheus 2.42. Thread safety: pure functions. Lifetime: tokens
// point into the text.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace precedent {

struct PromToken {
  enum class Kind { kEnd, kName, kNumber, kDuration, kString, kSign };
  Kind kind = Kind::kEnd;
  size_t at = 0;
  std::string_view raw = {};             // as written; of a sign the sign: "=~", "("
  double number = 0;                     // kNumber
  std::chrono::milliseconds duration{};  // kDuration
  std::string text = {};                 // kString, without quotes and escapes
};

// Ends with a token kEnd. Errors: kInvalidArgument with the place.
Result<std::vector<PromToken>> lex_promql(std::string_view text);

// The error of whatever is wrong with PromQL: "column 14, 'foo': what"; with the line of a text of
// several lines. `shown` is the piece of the text that is meant.
std::unexpected<Error> promql_error(std::string_view text, size_t at, std::string_view shown,
                                    std::string_view what);

}  // namespace precedent
