#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "grounding/checks/claim_check.h"

namespace precedent {
namespace {

// "SHA-1" for "sha1", "95th" for "p95".
bool spelled_otherwise(const Facts& facts, std::string_view name) {
  std::string joined(name);
  std::erase(joined, '-');
  if (joined.size() < name.size() &&
      facts.index.find(term_of(ascii_lower(joined))) != ReceiptIndex::kNoTerm)
    return true;
  // "p99" for "the 99th percentile", "3d/6h" for "3d" and "6h".
  if (name.size() > 1 && (name[0] == 'p' || name[0] == 'P') &&
      facts.index.find(term_of(fmt::format("{}th", name.substr(1)))) != ReceiptIndex::kNoTerm)
    return true;
  const auto parts = split(name, '/');
  if (parts.size() > 1 && std::ranges::all_of(parts, [&](std::string_view part) {
        return part.size() > 1 && facts.index.has_literal(fmt::format(" {}", part));
      }))
    return true;
  return name.ends_with("th") &&
         facts.index.find(term_of(fmt::format("p{}", name.substr(0, name.size() - 2)))) !=
             ReceiptIndex::kNoTerm;
}

}  // namespace

Judgement check_references(const Sentence& sentence, const Facts& facts) {
  for (const Token& token : sentence.tokens()) {
    if (token.part) continue;
    if (token.kind == TokenKind::kPath) {
      switch (
          facts.index.find_path(sentence.spelling(token), sentence.lexed().lines[token.value])) {
        case PathMatch::kMatch: continue;
        case PathMatch::kWrongLines:
          return refuted(ClaimKind::kPath, fmt::format("the receipts do not show these lines: {}",
                                                       sentence.spelling(token)));
        case PathMatch::kUnknown:
          return refuted(ClaimKind::kPath,
                         fmt::format("no receipt names the file {}", sentence.spelling(token)));
      }
    }
    if (token.kind != TokenKind::kIdentifier ||
        facts.index.find(token.term) != ReceiptIndex::kNoTerm)
      continue;
    if (facts.index.has_literal(sentence.spelling(token)) ||
        spelled_otherwise(facts, sentence.spelling(token)))
      continue;
    return refuted(ClaimKind::kId, fmt::format("no receipt holds {}", sentence.spelling(token)));
  }
  return {};
}

Judgement check_quotations(const Sentence& sentence, const Facts& facts) {
  for (const TextRange& range : sentence.statement->quoted) {
    if (facts.index.has_literal(range.in(sentence.answer))) continue;
    const bool code = range.begin > 0 && sentence.answer[range.begin - 1] == '`';
    bool held = code;
    for (const Token& token : sentence.tokens()) {
      if (!held || token.begin < range.begin || token.end > range.end) continue;
      if (is_content(token.kind) && !token.part)
        held = facts.index.find(token.term) != ReceiptIndex::kNoTerm ||
               facts.index.has_literal(sentence.spelling(token));
    }
    if (!held)
      return refuted(ClaimKind::kQuotation, fmt::format("no receipt says literally: {}",
                                                        squeeze(range.in(sentence.answer))));
  }
  return {};
}

}  // namespace precedent
