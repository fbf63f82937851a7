// Names of services, people, files and things that are numbered: whether they occur, and in the
// place that the sentence gives them.
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checks/claim_check.h"
#include "grounding/checks/places.h"
#include "grounding/text/clauses.h"

namespace precedent {
namespace {

// How far from a name its neighbours are looked for, in tokens.
constexpr size_t kBesideTokens = 3;

// Whether the name has one of the words beside it that it has in the sentence, if a rival has both.
bool stands_beside(const Sentence& sentence, const Facts& facts, size_t at,
                   const std::vector<uint32_t>& own, const std::vector<uint32_t>& rivals) {
  const auto& stated = facts.index.lexed().tokens;
  // The nearest content word on one side, 0 if there is none in the clause.
  const auto beside = [](const std::vector<Token>& tokens, size_t from, int step) -> uint64_t {
    auto t = static_cast<int64_t>(from);
    for (size_t n = 0; n < kBesideTokens; ++n) {
      t += step;
      if (t < 0 || t >= static_cast<int64_t>(tokens.size())) return 0;
      const Token& token = tokens[static_cast<size_t>(t)];
      if (token.kind == TokenKind::kBreak) return 0;
      if (is_content(token.kind) && !token.part) return token.term;
    }
    return 0;
  };
  const uint64_t left = beside(sentence.tokens(), at, -1), right = beside(sentence.tokens(), at, 1);
  if (left == 0 || right == 0) return true;
  const auto held = [&](uint32_t place) {
    return (beside(stated, place, -1) == left ? 1 : 0) +
           (beside(stated, place, 1) == right ? 1 : 0);
  };
  const auto none = [&](uint32_t place) { return held(place) == 0; };
  const auto both = [&](uint32_t place) { return held(place) == 2; };
  return !(std::ranges::all_of(own, none) && std::ranges::any_of(rivals, both));
}

// Whether one of the places is among the fields of its record.
bool in_header(const Facts& facts, const std::vector<uint32_t>& places) {
  return std::ranges::any_of(places, [&](uint32_t place) {
    const uint32_t unit = facts.index.unit_of(place);
    return unit < facts.index.records()[facts.index.units()[unit].record].end_header;
  });
}

// "Let's Encrypt" where the receipts write "letsencrypt": the names that stand together, joined.
bool is_written_together(const Sentence& sentence, const Facts& facts, size_t at) {
  const auto& tokens = sentence.tokens();
  const auto joins = [&](size_t t) {
    return t < tokens.size() &&
           (tokens[t].kind == TokenKind::kName || tokens[t].kind == TokenKind::kWord);
  };
  for (const size_t first : {at, at - 1}) {
    if (!joins(first) || !joins(first + 1)) continue;
    std::string joined = ascii_lower(sentence.spelling(tokens[first])) +
                         ascii_lower(sentence.spelling(tokens[first + 1]));
    std::erase_if(joined,
                  [](char c) { return c >= 0 && (c < 'a' || c > 'z') && (c < '0' || c > '9'); });
    // The typographic apostrophe.
    if (const size_t mark = joined.find("\u2019"); mark != std::string::npos) joined.erase(mark, 3);
    if (facts.index.find(term_of(joined)) != ReceiptIndex::kNoTerm) return true;
  }
  return false;
}

// "Deploy of search 2.1" and "a deploy": a word with a capital, no name.
bool is_also_word(const Facts& facts, uint64_t term) {
  return std::ranges::any_of(facts.index.postings_of(term), [&](uint32_t place) {
    const Token& token = facts.index.lexed().tokens[place];
    return token.kind == TokenKind::kWord && !token.part;
  });
}

// "Deploy of search 2.1; was 2.0": no rival of 2.1, unless the sentence speaks of what was before.
bool is_former(const Sentence& sentence, const Facts& facts, uint32_t place) {
  static const TermSet kFormer =
      terms_of("was from before previous previously former back replace");
  static const uint64_t kWas = hash64("was");
  const auto& stated = facts.index.lexed().tokens;
  return place > 0 && stated[place - 1].term == kWas &&
         facts.index.receipt_of(facts.index.unit_of(place)).lists_changes &&
         std::ranges::none_of(sentence.tokens(), [](const Token& token) {
           return token.kind != TokenKind::kBreak && kFormer.contains(token.term);
         });
}

}  // namespace

Judgement check_names(const Sentence& sentence, const Facts& facts) {
  const auto& tokens = sentence.tokens();
  std::vector<uint32_t> proofs;
  for (size_t t = 0; t < tokens.size(); ++t) {
    const Token& token = tokens[t];
    const bool shaped = token.kind == TokenKind::kIdentifier && token.value != 0;
    const bool path = token.kind == TokenKind::kPath;
    if (token.part ||
        (token.kind != TokenKind::kName && token.kind != TokenKind::kService && !shaped && !path))
      continue;
    const uint32_t id = facts.index.find(token.term);
    std::vector<uint32_t> own;
    if (id != ReceiptIndex::kNoTerm) {
      for (const uint32_t place : facts.index.postings(id)) {
        if (in_scope(sentence, facts, place)) own.push_back(place);
      }
    }
    if (own.empty() && path) continue;
    if (own.empty() && !shaped) {
      if ((facts.index.has_literal(sentence.spelling(token)) && !sentence.scoped) ||
          is_written_together(sentence, facts, t))
        continue;
      return refuted(ClaimKind::kName,
                     fmt::format("{} does not occur in {}", sentence.spelling(token),
                                 sentence.scoped ? "what it cites" : "any receipt"),
                     std::move(proofs));
    }
    std::vector<uint32_t> rivals = in_passages(sentence, facts, token.kind);
    std::erase_if(rivals, [&](uint32_t place) {
      const uint64_t term = facts.index.lexed().tokens[place].term;
      if (token.kind == TokenKind::kName && is_also_word(facts, term)) return true;
      if (shaped && is_former(sentence, facts, place)) return true;
      if (shaped && facts.index.lexed().tokens[place].value != token.value) return true;
      return std::ranges::any_of(tokens, [&](const Token& other) { return other.term == term; });
    });
    keep_cited(sentence, facts, own, rivals);
    // A team or an application in a record's fields belongs to all that it tells.
    // "-1" in the place of "-2", which some longer text holds.
    if (own.empty() && stands_in_place(sentence, facts, t, own, rivals, proofs)) continue;
    const bool field = token.kind == TokenKind::kName && sentence.scoped && in_header(facts, own);
    if (!field && !sentence.statement->supposing && !sentence.statement->advising &&
        (!stands_in_place(sentence, facts, t, own, rivals, proofs) ||
         !stands_beside(sentence, facts, t, own, rivals) ||
         (token.kind != TokenKind::kName && outplaced(sentence, facts, t, own, rivals))))
      return refuted(
          ClaimKind::kName,
          fmt::format("the receipts say this of another than {}", sentence.spelling(token)),
          std::move(proofs));
  }
  return silent(std::move(proofs));
}

}  // namespace precedent
