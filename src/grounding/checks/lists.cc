// What a sentence says of the entries of a list: how many there are and whether any is, what one
// line has, and what "only" leaves.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "grounding/checks/claim_check.h"
#include "grounding/checks/listed.h"
#include "grounding/checks/places.h"
#include "grounding/text/clauses.h"

namespace precedent {
namespace {

bool is_only(const Token& token) {
  static const TermSet kTerms = terms_of("only solely exclusively just exactly alone");
  return is_any(token, kTerms);
}
bool is_place_word(const Token& token) {
  static const TermSet kTerms = terms_of("to in on into at within for");
  return is_any(token, kTerms);
}
bool is_thing(const Token& token) { return is_content(token.kind) && !token.part; }

}  // namespace

// Refuted as soon as one clause is; proved only if all are.
Judgement check_lists(const Sentence& sentence, const Facts& facts) {
  bool proves = true, any = false;
  for (const Clause& clause : clauses_of(sentence.tokens())) {
    Listed own = Listed::kSilent;
    for (const auto judge :
         {judge_no_alert, judge_active_alert, judge_no_change, judge_newest, judge_all_changes}) {
      const Listed listed = judge(sentence, facts, clause);
      if (listed == Listed::kRefuted)
        return refuted(ClaimKind::kGeneral, "what the receipts list of it says otherwise");
      if (listed == Listed::kProved) own = listed;
    }
    any = true;
    proves = proves && own == Listed::kProved;
  }
  return any && proves ? proved("what the receipts list of it says so") : Judgement{};
}

// "X has the severity high", where that stands in the lines of others only. A line of a list is
// named by its first word, if no other line has it.
Judgement check_lines(const Sentence& sentence, const Facts& facts) {
  const auto& tokens = sentence.tokens();
  const auto& stated = facts.index.lexed().tokens;
  const auto names_line = [&](uint32_t place) {
    const EvidenceUnit& unit = facts.index.units()[facts.index.unit_of(place)];
    return unit.first == place && sentence.scope[unit.record] &&
           facts.index.records()[unit.record].list_items > 1;
  };
  size_t begin = 0;
  for (size_t t = 0; t <= tokens.size(); ++t) {
    if (t < tokens.size() && tokens[t].kind != TokenKind::kBreak && !is_contrast(tokens[t]))
      continue;
    std::vector<uint64_t> lines;
    for (size_t s = begin; s < t; ++s) {
      if (tokens[s].part || !is_fact(tokens[s].kind) || !is_content(tokens[s].kind)) continue;
      const auto places = facts.index.postings_of(tokens[s].term);
      if (!places.empty() && std::ranges::all_of(places, names_line))
        lines.push_back(tokens[s].term);
    }
    // The words that only lines of lists hold, none of them the one that is named.
    for (size_t s = begin; s < t && lines.size() == 1; ++s) {
      const auto places = facts.index.postings_of(tokens[s].term);
      if (tokens[s].kind != TokenKind::kWord || tokens[s].part || places.empty()) continue;
      bool others = true, own = false;
      for (const uint32_t place : places) {
        const EvidenceUnit& unit = facts.index.units()[facts.index.unit_of(place)];
        const auto first = facts.index.postings_of(stated[unit.first].term);
        own = own || facts.index.unit_has(facts.index.unit_of(place), lines.front());
        others = others && unit.first != place && is_fact(stated[unit.first].kind) &&
                 std::ranges::all_of(first, names_line);
      }
      if (others && !own)
        return refuted(ClaimKind::kName, fmt::format("the receipts tell \"{}\" of another",
                                                     squeeze(sentence.spelling(tokens[s]))));
    }
    begin = t + 1;
  }
  return {};
}

// "Deployed to staging only", "only in Frankfurt": what is left stands in the lines that are meant.
Judgement check_only(const Sentence& sentence, const Facts& facts) {
  constexpr size_t kNear = 3;
  const std::span tokens(sentence.tokens());
  for (const Clause& clause : clauses_of(tokens)) {
    for (size_t t = clause.first; t < clause.end; ++t) {
      if (!is_only(tokens[t])) continue;
      std::optional<size_t> left;
      // "To staging only" ends its clause, "only to staging" goes on.
      if (t + 1 == clause.end && t > clause.first + 1 && is_place_word(tokens[t - 2])) left = t - 1;
      if (!left && t + 1 < clause.end && is_place_word(tokens[t + 1]))
        for (size_t n = t + 2; n < std::min(clause.end, t + 2 + kNear) && !left; ++n)
          if (is_thing(tokens[n])) left = n;
      if (!left || !is_thing(tokens[*left])) continue;
      // The lines with everything else that the clause names.
      std::vector<uint64_t> names;
      for (size_t n = clause.first; n < clause.end; ++n)
        if (n != *left && is_named(tokens[n]) && !tokens[n].part &&
            facts.index.find(tokens[n].term) != ReceiptIndex::kNoTerm)
          names.push_back(tokens[n].term);
      bool any = false, held = false;
      for (const uint32_t place :
           names.empty() ? std::span<const uint32_t>() : facts.index.postings_of(names.front())) {
        const uint32_t unit = facts.index.unit_of(place);
        if (!std::ranges::all_of(names,
                                 [&](uint64_t name) { return facts.index.unit_has(unit, name); }))
          continue;
        any = true;
        held = held || facts.index.unit_has(unit, tokens[*left].term) ||
               (!facts.index.receipt_of(unit).lists_changes &&
                facts.index.find(tokens[*left].term) != ReceiptIndex::kNoTerm);
      }
      if (any ? !held : facts.index.find(tokens[*left].term) == ReceiptIndex::kNoTerm)
        return refuted(ClaimKind::kName, fmt::format("the receipts do not say {} of it",
                                                     squeeze(sentence.spelling(tokens[*left]))));
    }
  }
  return {};
}

}  // namespace precedent
