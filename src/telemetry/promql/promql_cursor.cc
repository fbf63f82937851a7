#include "telemetry/promql/promql_cursor.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"

namespace precedent {

using Kind = PromToken::Kind;

PromToken PromCursor::take() {
  PromToken token = peek();
  if (next_ + 1 < tokens_.size()) ++next_;
  return token;
}

bool PromCursor::is_word(std::string_view word) const {
  return peek().kind == Kind::kName && iequals(peek().raw, word);
}

const PromOperator* PromCursor::next_operator() const {
  const bool may_be = peek().kind == Kind::kSign || peek().kind == Kind::kName;
  return may_be ? find_prom_operator(ascii_lower(peek().raw)) : nullptr;
}

bool PromCursor::accept(std::string_view sign) {
  if (!is_sign(sign)) return false;
  take();
  return true;
}

Result<void> PromCursor::expect(std::string_view sign, std::string_view what) {
  if (accept(sign)) return {};
  return unexpected_here(what);
}

std::unexpected<Error> PromCursor::wrong(const PromToken& token, std::string_view what) const {
  return promql_error(text_, token.at, token.raw, what);
}

std::unexpected<Error> PromCursor::wrong(const PromNode& node, std::string_view what) const {
  // The word that the node begins with.
  const auto token = std::ranges::lower_bound(tokens_, node.at, {}, &PromToken::at);
  return promql_error(text_, node.at, token == tokens_.end() ? std::string_view() : token->raw,
                      what);
}

std::unexpected<Error> PromCursor::unexpected_here(std::string_view wanted) const {
  if (peek().kind == Kind::kEnd)
    return promql_error(text_, peek().at, "", fmt::format("it ends where {} should stand", wanted));
  return wrong(peek(), fmt::format("stands where {} should stand", wanted));
}

}  // namespace precedent
