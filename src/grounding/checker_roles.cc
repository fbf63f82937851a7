// Who did it, which value a setting has, and what is said to be the cause: facts that belong to one
// line of the receipts.
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checker.h"
#include "grounding/plain_english.h"

namespace precedent {
namespace {

bool holds(std::span<const uint64_t> terms, const Token& token) {
  return token.kind != TokenKind::kBreak && token.term != 0 && !token.part &&
         std::ranges::find(terms, token.term) != terms.end();
}

std::vector<uint64_t> terms_of(std::string_view words) {
  std::vector<uint64_t> out;
  for (const std::string_view word : split(words, ' ')) out.push_back(term_of(word));
  return out;
}

// What people do to a system.
bool is_change(const Token& token) {
  static const auto kTerms = terms_of(
      "deploy write commit author merge tag release ship roll change add push make switch flip "
      "turn "
      "fix introduce revert edit");
  return holds(kTerms, token);
}

// A name of a person: neither of a component nor with an inner capital.
bool is_person(const Token& token) { return token.kind == TokenKind::kName && !token.part; }

// What names a thing.
bool names_thing(const Token& token) {
  return !token.part && (token.kind == TokenKind::kIdentifier ||
                         token.kind == TokenKind::kService || token.kind == TokenKind::kPath);
}

struct Clause {
  size_t first = 0, end = 0;
};
// "A deployed X and B merged Y" are two.
std::vector<Clause> clauses_of(std::span<const Token> tokens) {
  static const uint64_t kAnd = hash64("and");
  std::vector<Clause> out;
  size_t begin = 0;
  for (size_t t = 0; t <= tokens.size(); ++t) {
    if (t < tokens.size() && tokens[t].kind != TokenKind::kBreak && tokens[t].term != kAnd &&
        !is_contrast(tokens[t]))
      continue;
    if (t > begin) out.push_back({begin, t});
    begin = t + 1;
  }
  return out;
}

}  // namespace

bool Checker::unit_has(uint32_t unit, uint64_t term) const {
  const auto& tokens = evidence_.lexed().tokens;
  const EvidenceUnit& u = evidence_.units()[unit];
  return std::any_of(tokens.begin() + u.first, tokens.begin() + u.end, [&](const Token& token) {
    return token.kind != TokenKind::kBreak && token.term == term;
  });
}

// "P deployed X 1.2" where each line about X 1.2 has "by Q".
Checker::Verdict Checker::check_actors() const {
  static const uint64_t kBy = hash64("by");
  const std::span tokens(statement_->lexed.tokens);
  const auto& stated = evidence_.lexed().tokens;
  for (const Clause& clause : clauses_of(tokens)) {
    const auto words = tokens.subspan(clause.first, clause.end - clause.first);
    std::vector<uint64_t> people, things;
    for (const Token& token : words) {
      if (is_person(token)) people.push_back(token.term);
      if (names_thing(token)) things.push_back(token.term);
    }
    if (people.empty() || things.empty() || std::ranges::none_of(words, is_change)) continue;
    const auto acts = [&](uint32_t unit) {
      const EvidenceUnit& u = evidence_.units()[unit];
      for (uint32_t t = u.first; t + 1 < u.end; ++t) {
        if (stated[t].kind == TokenKind::kStop && stated[t].term == kBy && is_person(stated[t + 1]))
          return true;
      }
      return false;
    };
    bool told = false, theirs = false;
    for (const uint32_t place : evidence_.postings_of(things.front())) {
      const uint32_t unit = evidence_.unit_of(place);
      const bool all =
          std::ranges::all_of(things, [&](uint64_t thing) { return unit_has(unit, thing); });
      if (!all) continue;
      theirs = theirs ||
               std::ranges::any_of(people, [&](uint64_t name) { return unit_has(unit, name); });
      told = told || acts(unit);
    }
    if (told && !theirs)
      return Fault{ClaimKind::kName, "the receipts say that somebody else did it"};
  }
  return {};
}

// "max_conns is 40" where every line that sets it has another value.
Checker::Verdict Checker::check_settings() const {
  const std::span tokens(statement_->lexed.tokens);
  const auto& stated = evidence_.lexed().tokens;
  for (const Clause& clause : clauses_of(tokens)) {
    for (size_t t = clause.first; t < clause.end; ++t) {
      if (tokens[t].part || tokens[t].kind != TokenKind::kIdentifier) continue;
      // The first figure behind it.
      size_t figure = t + 1;
      while (figure < clause.end && tokens[figure].kind != TokenKind::kQuantity &&
             (tokens[figure].part || !is_content(tokens[figure].kind)))
        ++figure;
      if (figure >= clause.end || tokens[figure].kind != TokenKind::kQuantity) continue;
      bool set = false, same = false;
      for (const uint32_t place : evidence_.postings_of(tokens[t].term)) {
        if (!in_scope(place)) continue;
        const EvidenceUnit& unit = evidence_.units()[evidence_.unit_of(place)];
        for (uint32_t s = unit.first; s < unit.end; ++s)
          same = same || same_fact(tokens[figure], stated[s]);
        uint32_t value = place + 1;
        while (value < unit.end && stated[value].part) ++value;
        const bool assigns = value + 1 < unit.end && stated[value].kind == TokenKind::kBreak &&
                             stated[value].value == ':';
        set = set || (assigns && stated[value + 1].kind == TokenKind::kQuantity);
      }
      if (set && !same)
        return Fault{ClaimKind::kNumber, fmt::format("the receipts give {} another value",
                                                     squeeze(spelled(tokens[t])))};
    }
  }
  return {};
}

// "X caused Y": of X, some line that gives a cause of Y must speak.
Checker::Verdict Checker::check_causer() const {
  static const auto kVerbs = terms_of("cause trigger provoke");
  static const uint64_t kBy = hash64("by"), kLead = term_of("lead"), kTo = hash64("to"),
                        kIs = hash64("is"), kWas = hash64("was"), kBehind = hash64("behind");
  const std::span tokens(statement_->lexed.tokens);
  for (const Clause& clause : clauses_of(tokens)) {
    for (size_t t = clause.first + 1; t + 1 < clause.end; ++t) {
      const bool verb = holds(kVerbs, tokens[t]) && spelled(tokens[t]).ends_with("ed") &&
                        tokens[t + 1].term != kBy && tokens[t - 1].term != kIs &&
                        tokens[t - 1].term != kWas;
      const bool led = tokens[t].term == kLead && tokens[t + 1].term == kTo;
      const bool behind =
          (tokens[t].term == kIs || tokens[t].term == kWas) && tokens[t + 1].term == kBehind;
      if (!verb && !led && !behind) continue;
      std::vector<uint64_t> subject, effect;
      bool denied = false;
      for (size_t s = clause.first; s < t; ++s) {
        denied = denied || tokens[s].kind == TokenKind::kNegator;
        if (names_thing(tokens[s])) subject.push_back(tokens[s].term);
      }
      for (size_t s = t + 1; s < clause.end; ++s)
        if (is_content(tokens[s].kind) && !tokens[s].part) effect.push_back(tokens[s].term);
      if (subject.empty() || effect.empty() || denied) continue;
      const auto told = [&](uint32_t unit) {
        const auto has = [&](uint64_t term) { return unit_has(unit, term); };
        return scope_[evidence_.units()[unit].record] && evidence_.names_cause(unit) &&
               std::ranges::any_of(subject, has) && std::ranges::any_of(effect, has);
      };
      const auto places = [&](uint64_t term) {
        return std::ranges::any_of(evidence_.postings_of(term),
                                   [&](uint32_t place) { return told(evidence_.unit_of(place)); });
      };
      if (std::ranges::none_of(subject, places))
        return Fault{ClaimKind::kCause, "the receipts do not give this as a cause"};
    }
  }
  return {};
}

}  // namespace precedent
