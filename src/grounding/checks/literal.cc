#include <algorithm>
#include <ranges>

#include "base/strings.h"
#include "grounding/checks/wording.h"

namespace precedent {
namespace {

// Two words may stand anywhere by chance.
constexpr size_t kMinLiteralBytes = 16;

// The sentence before its trailing brackets.
std::string_view without_citations(std::string_view body) {
  while (body.ends_with(']') || body.ends_with("].")) {
    const size_t open = body.rfind('[');
    if (open == std::string_view::npos || open == 0) break;
    body = trim(body.substr(0, open));
  }
  return body;
}

// Whether what the sentence cites holds a text literally; any receipt, where it cites none.
bool stands_in_scope(const Sentence& sentence, const Facts& facts, std::string_view text) {
  if (!sentence.scoped) return facts.index.has_literal(text);
  for (uint32_t r = 0; r < facts.index.receipts().size(); ++r) {
    const bool cited = std::ranges::any_of(
        std::views::iota(size_t{0}, sentence.scope.size()),
        [&](size_t n) { return sentence.scope[n] && facts.index.records()[n].receipt == r; });
    if (cited && facts.index.has_literal(text, r)) return true;
  }
  return false;
}

// "Address not on the list: Route the zone through …": a heading of the receipts that names nothing
// which the sentence behind it could be told of wrongly.
bool is_labelled_quotation(const Sentence& sentence, const Facts& facts, std::string_view body) {
  for (size_t colon = body.find(": "); colon != std::string_view::npos;
       colon = body.find(": ", colon + 1)) {
    if (body.size() - colon < kMinLiteralBytes) return false;
    const auto in_label = [&](const Token& token) {
      return token.begin < sentence.statement->body.begin + colon && is_fact(token.kind) &&
             token.kind != TokenKind::kName;
    };
    if (std::ranges::any_of(sentence.tokens(), in_label)) return false;
    // "No" and "not" alone stand anywhere.
    if (colon >= kMinLiteralBytes && stands_in_scope(sentence, facts, body.substr(0, colon)) &&
        stands_in_scope(sentence, facts, body.substr(colon + 2)) &&
        facts.index.has_sentence(body.substr(colon + 2)))
      return true;
  }
  return false;
}

}  // namespace

Judgement check_code_line(const Sentence& sentence, const Facts& facts) {
  if (facts.index.has_literal(sentence.statement->bytes.in(sentence.answer)))
    return proved("a receipt has this line");
  return refuted(ClaimKind::kQuotation, "no receipt has this line of code");
}

// "Nobody was charged twice" holds "was charged twice" literally.
Judgement check_literal(const Sentence& sentence, const Facts& facts) {
  const std::string_view body = trim(sentence.statement->body.in(sentence.answer));
  if (body.size() < kMinLiteralBytes || sentence.tokens().size() <= 2) return {};
  const std::string_view words = without_citations(body);
  if (is_labelled_quotation(sentence, facts, words) ||
      (stands_in_scope(sentence, facts, words) &&
       (facts.index.has_sentence(words) || check_polarity(sentence, facts).silent())))
    return proved("a receipt says so word for word");
  return {};
}

}  // namespace precedent
