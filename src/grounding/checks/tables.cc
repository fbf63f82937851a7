#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "grounding/checks/claim_check.h"
#include "grounding/checks/places.h"
#include "grounding/text/clauses.h"

namespace precedent {
namespace {

// Rows of a record that are looked at: a longer table is data, not a statement.
constexpr size_t kMaxRows = 200;

// What belongs to a row.
bool is_bound(const Token& token) {
  return token.kind == TokenKind::kQuantity || token.kind == TokenKind::kTime ||
         (token.kind == TokenKind::kService && !token.part);
}

// A row of a table: what its first cell names, and all of it.
struct Row {
  std::vector<uint64_t> key;
  uint32_t first = 0, end = 0;  // tokens, half-open
};

// Between two cells is space; "401|403" is one of two.
bool parts_cells(std::span<const Token> tokens, const EvidenceUnit& unit, uint32_t t) {
  if (tokens[t].kind != TokenKind::kBreak || tokens[t].value != '|') return false;
  return t == unit.first || t + 1 == unit.end || tokens[t - 1].end < tokens[t].begin ||
         tokens[t].end < tokens[t + 1].begin;
}

std::optional<Row> row_of(std::span<const Token> tokens, const EvidenceUnit& unit) {
  Row row{{}, unit.first, unit.end};
  for (uint32_t t = unit.first; t < unit.end; ++t) {
    const Token& token = tokens[t];
    if (parts_cells(tokens, unit, t)) {
      if (!row.key.empty()) return row;
    } else if (is_content(token.kind) && !token.part) {
      row.key.push_back(token.term);
    }
  }
  return std::nullopt;
}

bool holds_all(std::span<const Token> tokens, const std::vector<uint64_t>& terms) {
  return std::ranges::all_of(terms, [&](uint64_t term) {
    return std::ranges::any_of(
        tokens, [&](const Token& t) { return t.kind != TokenKind::kBreak && t.term == term; });
  });
}

bool holds_any(std::span<const Token> tokens, const std::vector<uint64_t>& terms) {
  return std::ranges::any_of(terms, [&](uint64_t term) { return holds_all(tokens, {term}); });
}

}  // namespace

// A fact of a clause that names one row of a table must not be that of another row only.
Judgement check_tables(const Sentence& sentence, const Facts& facts) {
  const std::span tokens(sentence.tokens());
  const auto& stated = facts.index.lexed().tokens;
  const auto& records = facts.index.records();
  if (std::ranges::none_of(tokens, is_bound)) return {};
  std::vector<uint32_t> told;  // of the passages
  for (const uint32_t unit : sentence.alignment->passages()) {
    const uint32_t record = facts.index.units()[unit].record;
    if (std::ranges::find(told, record) == told.end()) told.push_back(record);
  }
  for (const uint32_t r : told) {
    std::vector<Row> rows;
    for (uint32_t u = records[r].first_unit; u < records[r].end_unit && rows.size() < kMaxRows;
         ++u) {
      if (auto row = row_of(stated, facts.index.units()[u])) rows.push_back(std::move(*row));
    }
    if (rows.size() < 2) continue;
    for (const Clause& clause : clauses_of(tokens, ClauseEnd::kBreak)) {
      const std::span words = tokens.subspan(clause.first, clause.end - clause.first);
      const auto names = [&](const Row& row) { return holds_all(words, row.key); };
      if (std::ranges::none_of(rows, names)) continue;
      for (const Token& fact : words) {
        if (!is_bound(fact) || sentence.is_quoted(fact)) continue;
        const auto in = [&](const Row& row) {
          return std::any_of(
              stated.begin() + row.first, stated.begin() + row.end,
              [&](const Token& token) { return same_fact(sentence, facts, fact, token); });
        };
        const auto owns = [&](const Row& row) { return names(row) && in(row); };
        const auto other = [&](const Row& row) { return !holds_any(tokens, row.key) && in(row); };
        if (std::ranges::none_of(rows, owns) && std::ranges::any_of(rows, other))
          return refuted(
              fact.kind == TokenKind::kService ? ClaimKind::kName : ClaimKind::kNumber,
              fmt::format("the table has {} in another row", squeeze(sentence.spelling(fact))));
      }
    }
  }
  return {};
}

}  // namespace precedent
