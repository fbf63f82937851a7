// Whose it is and who did it: what stands right beside a name, "the playlist of X", "P issued it".
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checks/claim_check.h"
#include "grounding/checks/places.h"
#include "grounding/text/clauses.h"

namespace precedent {
namespace {

// Of what names a component, the term: "search-api", or any words with hyphens; 0 of anything else.
uint64_t component_at(std::span<const Token> tokens, size_t t) {
  const Token& token = tokens[t];
  if (token.part) return 0;
  if (token.kind == TokenKind::kService || token.kind == TokenKind::kIdentifier) return token.term;
  // The last of its parts is all of it, joined.
  size_t last = t;
  while (last + 1 < tokens.size() && tokens[last + 1].begin == token.begin) ++last;
  return token.kind == TokenKind::kWord && last > t + 1 ? tokens[last].term : 0;
}
bool is_noun(const Token& token) { return token.kind == TokenKind::kWord && !token.part; }
bool is_person(const Token& token) { return token.kind == TokenKind::kName && !token.part; }

// "The playlist of X": the tokens of the noun and the name, and the term of that.
struct Possession {
  size_t noun = 0, at = 0;
  uint64_t owner = 0;
};
std::vector<Possession> find_possessions(std::span<const Token> tokens) {
  static const uint64_t kOf = hash64("of"), kThe = hash64("the");
  std::vector<Possession> found;
  for (size_t t = 1; t + 1 < tokens.size(); ++t) {
    if (tokens[t].kind != TokenKind::kStop || tokens[t].term != kOf || !is_noun(tokens[t - 1]) ||
        is_change_word(tokens[t - 1]))
      continue;
    const size_t at = tokens[t + 1].term == kThe ? t + 2 : t + 1;
    const uint64_t owner = at < tokens.size() ? component_at(tokens, at) : 0;
    if (owner != 0) found.push_back({t - 1, at, owner});
  }
  return found;
}

// "P issued it", "it was issued by P": the person and the verb. Of a person's names, the last.
struct Act {
  uint64_t person = 0, verb = 0;
  size_t at = 0;  // of the person
};
std::vector<Act> find_acts(std::span<const Token> tokens) {
  static const uint64_t kBy = hash64("by");
  static const TermSet kHelpers = terms_of("has had then also");
  std::vector<Act> found;
  for (size_t t = 0; t < tokens.size(); ++t) {
    // A first name and a last name: one alone may be a thing's.
    if (t == 0 || !is_person(tokens[t]) || !is_person(tokens[t - 1]) ||
        (t + 1 < tokens.size() && is_person(tokens[t + 1])))
      continue;
    size_t verb = t + 1;
    while (verb < tokens.size() && is_any(tokens[verb], kHelpers)) ++verb;
    if (verb < tokens.size() && is_noun(tokens[verb]))
      found.push_back({tokens[t].term, tokens[verb].term, t});
    size_t first = t;
    while (first > 0 && is_person(tokens[first - 1])) --first;
    if (first > 1 && tokens[first - 1].term == kBy && is_noun(tokens[first - 2]))
      found.push_back({tokens[t].term, tokens[first - 2].term, t});
  }
  return found;
}

}  // namespace

// "The playlist of X", where a line has "the playlist of Y" and none has playlist and X.
Judgement check_possessions(const Sentence& sentence, const Facts& facts) {
  const auto& tokens = sentence.tokens();
  const auto& stated = facts.index.lexed().tokens;
  for (const Possession& own : find_possessions(tokens)) {
    const uint64_t noun = tokens[own.noun].term, owner = own.owner;
    bool together = false, other = false;
    for (const uint32_t place : facts.index.postings_of(noun)) {
      if (!in_scope(sentence, facts, place)) continue;
      const uint32_t unit = facts.index.unit_of(place);
      const EvidenceRecord& record = facts.index.records()[facts.index.units()[unit].record];
      const uint32_t id = facts.index.find(owner);
      // A record about X tells of the playlist of X without its name.
      together =
          together || facts.index.unit_has(unit, owner) ||
          std::ranges::find(record.keys, owner) != record.keys.end() ||
          (id != ReceiptIndex::kNoTerm && std::ranges::binary_search(record.title_terms, id));
      const EvidenceUnit& u = facts.index.units()[unit];
      const std::span line(stated.data() + u.first, u.end - u.first);
      for (const Possession& there : find_possessions(line))
        other = other || (line[there.noun].term == noun && there.owner != owner);
    }
    if (other && !together)
      return refuted(ClaimKind::kName, fmt::format("the receipts have the {} of another than {}",
                                                   squeeze(sentence.spelling(tokens[own.noun])),
                                                   squeeze(sentence.spelling(tokens[own.at]))));
  }
  return {};
}

// "P issued the certificate and Q installed it", where the receipts have "Q issued".
Judgement check_acts(const Sentence& sentence, const Facts& facts) {
  const std::span tokens(sentence.tokens());
  const auto& stated = facts.index.lexed().tokens;
  for (const Act& own : find_acts(tokens)) {
    bool same = false, other = false;
    for (const uint32_t place : facts.index.postings_of(own.verb)) {
      if (!in_scope(sentence, facts, place)) continue;
      const uint32_t unit = facts.index.unit_of(place);
      const EvidenceUnit& u = facts.index.units()[unit];
      const std::span line(stated.data() + u.first, u.end - u.first);
      for (const Act& there : find_acts(line)) {
        if (there.verb != own.verb) continue;
        // Of the same thing: another word of the sentence stands there, too.
        const bool alike = std::ranges::any_of(tokens, [&](const Token& token) {
          return is_noun(token) && token.term != own.verb && facts.index.unit_has(unit, token.term);
        });
        same = same || there.person == own.person;
        other = other || (alike && there.person != own.person);
      }
    }
    if (other && !same)
      return refuted(ClaimKind::kName, fmt::format("the receipts say that another than {} did it",
                                                   squeeze(sentence.spelling(tokens[own.at]))));
  }
  return {};
}

// "Owned by the team T, led by P", where the record of T names somebody else and P stands in none
// that has the other names of the sentence.
Judgement check_people(const Sentence& sentence, const Facts& facts) {
  const auto& tokens = sentence.tokens();
  const auto& records = facts.index.records();
  const auto record_of = [&](uint32_t place) {
    return facts.index.units()[facts.index.unit_of(place)].record;
  };
  // The records of a term; empty if it is in none or in too many to tell.
  const auto records_of = [&](uint64_t term) {
    std::vector<bool> held(records.size(), false);
    for (const uint32_t place : facts.index.postings_of(term))
      if (facts.index.is_found(place)) held[record_of(place)] = true;
    return held;
  };
  for (size_t t = 1; t < tokens.size(); ++t) {
    // A first name and a last name.
    if (!is_person(tokens[t]) || !is_person(tokens[t - 1]) ||
        (t + 1 < tokens.size() && is_person(tokens[t + 1])) || (t > 1 && is_person(tokens[t - 2])))
      continue;
    const std::vector<bool> theirs = records_of(tokens[t].term);
    if (std::ranges::find(theirs, true) == theirs.end()) continue;
    // What else the sentence names, if no record has it and the person.
    std::vector<size_t> named_facts(records.size(), 0);
    size_t all = 0;
    bool shared = false;
    for (size_t f = 0; f < tokens.size(); ++f) {
      // "01" is no name.
      const bool letters =
          std::ranges::any_of(sentence.spelling(tokens[f]), [](char c) { return c >= 'A'; });
      const bool named = (letters && component_at(tokens, f) != 0) ||
                         (is_person(tokens[f]) && f != t && f + 1 != t);
      if (!named || tokens[f].term == 0) continue;
      const std::vector<bool> held =
          records_of(is_person(tokens[f]) ? tokens[f].term : component_at(tokens, f));
      ++all;
      for (size_t r = 0; r < records.size(); ++r) {
        shared = shared || (held[r] && theirs[r]);
        named_facts[r] += held[r] ? 1 : 0;
      }
    }
    if (shared || all < 2) continue;
    // One record has all of it, and a person of its own in the same role.
    static const TermSet kRoles = terms_of("lead leads led leader owner owned head manager author");
    const auto is_role = [&](const Token& token) { return is_any(token, kRoles); };
    if (t < 2 ||
        std::ranges::none_of(std::span(tokens).first(t).last(std::min<size_t>(t, 4)), is_role))
      continue;
    for (size_t r = 0; r < records.size(); ++r) {
      if (named_facts[r] != all || theirs[r]) continue;
      for (uint32_t unit = records[r].first_unit; unit < records[r].end_unit; ++unit) {
        const EvidenceUnit& u = facts.index.units()[unit];
        for (uint32_t s = u.first; s + 2 < u.end; ++s)
          if (is_role(facts.index.lexed().tokens[s]))
            return refuted(ClaimKind::kName, fmt::format("the receipts say this of another than {}",
                                                         squeeze(sentence.spelling(tokens[t]))));
      }
    }
  }
  return {};
}

}  // namespace precedent
