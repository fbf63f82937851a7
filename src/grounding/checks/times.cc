#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "grounding/checks/claim_check.h"
#include "grounding/checks/places.h"

namespace precedent {
namespace {

// "18 % now (at 03:30)": a line has the figure right before a time and the time.
bool is_of_figure(const Sentence& sentence, const Facts& facts, size_t at,
                  const std::vector<uint32_t>& own) {
  constexpr size_t kNear = 6;
  const auto& tokens = sentence.tokens();
  for (size_t t = at; t > 0 && t + kNear > at; --t) {
    const Token& figure = tokens[t - 1];
    if (figure.kind != TokenKind::kQuantity) continue;
    return std::ranges::any_of(own, [&](uint32_t place) {
      const EvidenceUnit& unit = facts.index.units()[facts.index.unit_of(place)];
      for (uint32_t s = unit.first; s < unit.end; ++s)
        if (same_fact(sentence, facts, figure, facts.index.lexed().tokens[s])) return true;
      return false;
    });
  }
  return false;
}

// "From 20:07 to 20:29": two times that are both fields of one record.
bool in_span(const Sentence& sentence, const Facts& facts, size_t at,
             const std::vector<uint32_t>& own) {
  const auto& tokens = sentence.tokens();
  for (const uint32_t place : own) {
    const uint32_t number = facts.index.units()[facts.index.unit_of(place)].record;
    const EvidenceRecord& record = facts.index.records()[number];
    if (facts.index.unit_of(place) >= record.end_header) continue;
    const uint32_t end = facts.index.units()[record.end_header - 1].end;
    for (size_t t = 0; t < tokens.size(); ++t) {
      if (tokens[t].kind != TokenKind::kTime || tokens[t].value == tokens[at].value) continue;
      for (const uint32_t other : facts.index.times()) {
        if (other >= facts.index.units()[record.first_unit].first && other < end &&
            same_fact(sentence, facts, tokens[t], facts.index.lexed().tokens[other]))
          return true;
      }
    }
  }
  return false;
}

// "Unlike that of 30 June": it speaks of another record, too.
bool compares_records(const Sentence& sentence) {
  static const uint64_t kWords[] = {term_of("differ"),   term_of("different"), term_of("unlike"),
                                    hash64("unlike"),    hash64("than"),       hash64("same"),
                                    hash64("like"),      term_of("similar"),   hash64("both"),
                                    term_of("previous"), hash64("earlier"),    hash64("again")};
  return std::ranges::any_of(sentence.tokens(), [](const Token& token) {
    return token.kind != TokenKind::kBreak && token.term != 0 &&
           std::ranges::find(kWords, token.term) != std::end(kWords);
  });
}

}  // namespace

Judgement check_times(const Sentence& sentence, const Facts& facts) {
  const auto& tokens = sentence.tokens();
  std::vector<uint32_t> proofs;
  for (size_t t = 0; t < tokens.size(); ++t) {
    if (tokens[t].kind == TokenKind::kDate) {
      const CalendarDate& date = sentence.lexed().dates[tokens[t].value];
      const bool wide = compares_records(sentence);
      const bool known = std::ranges::any_of(facts.index.dates(), [&](uint32_t place) {
        return (in_scope(sentence, facts, place) || wide) &&
               date.compatible(facts.index.lexed().dates[facts.index.lexed().tokens[place].value]);
      });
      if (!known)
        return refuted(ClaimKind::kTime,
                       fmt::format("no receipt has the date {}", sentence.spelling(tokens[t])),
                       std::move(proofs));
    }
    if (tokens[t].kind != TokenKind::kTime) continue;
    std::vector<uint32_t> own, rivals;
    for (const uint32_t place : facts.index.times()) {
      if (in_scope(sentence, facts, place) &&
          same_minute(facts.index.lexed().tokens[place], tokens[t]))
        own.push_back(place);
    }
    if (own.empty())
      return refuted(ClaimKind::kTime,
                     fmt::format("no receipt has the time {}", sentence.spelling(tokens[t])),
                     std::move(proofs));
    rivals = in_passages(sentence, facts, TokenKind::kTime);
    std::erase_if(rivals, [&](uint32_t place) {
      return std::ranges::any_of(tokens, [&](const Token& other) {
        return other.kind == TokenKind::kTime &&
               same_minute(other, facts.index.lexed().tokens[place]);
      });
    });
    keep_cited(sentence, facts, own, rivals);
    if (!sentence.statement->supposing && !in_span(sentence, facts, t, own) &&
        !is_of_figure(sentence, facts, t, own) &&
        !stands_in_place(sentence, facts, t, own, rivals, proofs))
      return refuted(
          ClaimKind::kTime,
          fmt::format("the receipts give {} for something else", sentence.spelling(tokens[t])),
          std::move(proofs));
  }
  return silent(std::move(proofs));
}

}  // namespace precedent
