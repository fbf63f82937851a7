// Sentence: one statement of an answer, with all that a check may ask about it.
//
// The verifier fills it once for each statement. The sentences before it are told here in four
// fields, so that no check keeps anything from one call to the next.
//
// Thread safety: const methods may run in several threads, but for the alignment (alignment.h).
// Lifetime: borrows answer, statement, rules and alignment.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "grounding/checks/judgement.h"
#include "grounding/checks/rules.h"
#include "grounding/facts/dated_events.h"
#include "grounding/matching/alignment.h"
#include "grounding/text/statements.h"

namespace precedent {

struct Sentence {
  std::string_view answer;
  const Statement* statement = nullptr;
  const GroundingRules* rules = nullptr;
  const Alignment* alignment = nullptr;  // of its words with the receipts in its scope
  bool is_assertion = true;              // neither a topic nor an entry of the list of sources

  // What it may rest on, by record: what it cites, or everything.
  std::vector<bool> scope;
  bool scoped = false;  // it cites something
  std::vector<uint32_t>
      cited_units;            // where what it cites stands, if it is a place: "[log.jsonl:64]"
  Judgement citations;        // whether what it cites exists
  std::vector<bool> subject;  // by record: those of the scope that it is about

  std::vector<Mention> mentions;  // the moments that it names
  std::vector<double> days;       // and the days, in seconds since the epoch
  // Of the last sentence before it that named any.
  std::vector<Mention> recent_mentions;
  std::vector<double> recent_days;
  uint64_t last_record_key = 0;  // the id of the record that was named last: what "it" may mean

  const LexedText& lexed() const { return statement->lexed; }
  const std::vector<Token>& tokens() const { return statement->lexed.tokens; }
  std::string_view spelling(const Token& token) const {
    return answer.substr(token.begin, token.end - token.begin);
  }
  bool is_quoted(const Token& token) const {
    return std::ranges::any_of(statement->quoted, [&](const TextRange& range) {
      return range.begin <= token.begin && token.end <= range.end;
    });
  }
  // "Reload: no | owner: Payments": a row of a table, its columns before its cells.
  bool is_row() const {
    return std::ranges::count_if(tokens(), [](const Token& token) {
             return token.kind == TokenKind::kBreak && token.value == '|';
           }) > 1;
  }
};

}  // namespace precedent
