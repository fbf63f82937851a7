// Where the parser of PromQL stands among the tokens, and how it says what is wrong there.
//
// Thread safety: one thread. Lifetime: the text outlives it.
#pragma once

#include <string_view>
#include <vector>

#include "telemetry/promql/promql_ast.h"
#include "telemetry/promql/promql_lexer.h"

namespace precedent {

class PromCursor {
 public:
  // REQUIRES: tokens of lex_promql(text).
  PromCursor(std::string_view text, std::vector<PromToken> tokens)
      : text_(text), tokens_(std::move(tokens)) {}

 protected:
  std::string_view text() const { return text_; }
  // The end stays where it is.
  const PromToken& peek() const { return tokens_[next_]; }
  PromToken take();
  bool is_sign(std::string_view sign) const {
    return peek().kind == PromToken::Kind::kSign && peek().raw == sign;
  }
  bool is_word(std::string_view word) const;
  const PromOperator* next_operator() const;
  bool accept(std::string_view sign);
  Result<void> expect(std::string_view sign, std::string_view what);

  std::unexpected<Error> wrong(const PromToken& token, std::string_view what) const;
  std::unexpected<Error> wrong(const PromNode& node, std::string_view what) const;
  std::unexpected<Error> unexpected_here(std::string_view wanted) const;

 private:
  std::string_view text_;
  std::vector<PromToken> tokens_;
  size_t next_ = 0;
};

}  // namespace precedent
