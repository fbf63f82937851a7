// Names of services, people, files and things that are numbered: whether they occur, and in the place
// that the sentence gives them.
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checker.h"

namespace precedent {
namespace {

// How far from a name its neighbours are looked for, in tokens.
constexpr size_t kBesideTokens = 3;

}  // namespace

// Whether the name has one of the words beside it that it has in the sentence, if a rival has both.
bool Checker::stands_beside(size_t at, const std::vector<uint32_t>& own,
                            const std::vector<uint32_t>& rivals) const {
  const auto& stated = evidence_.lexed().tokens;
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
  const uint64_t left = beside(statement_->lexed.tokens, at, -1),
                 right = beside(statement_->lexed.tokens, at, 1);
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
bool Checker::in_header(const std::vector<uint32_t>& places) const {
  return std::ranges::any_of(places, [&](uint32_t place) {
    const uint32_t unit = evidence_.unit_of(place);
    return unit < evidence_.records()[evidence_.units()[unit].record].end_header;
  });
}

// "Let's Encrypt" where the receipts write "letsencrypt": the names that stand together, joined.
bool Checker::is_written_together(size_t at) const {
  const auto& tokens = statement_->lexed.tokens;
  const auto joins = [&](size_t t) {
    return t < tokens.size() &&
           (tokens[t].kind == TokenKind::kName || tokens[t].kind == TokenKind::kWord);
  };
  for (const size_t first : {at, at - 1}) {
    if (!joins(first) || !joins(first + 1)) continue;
    std::string joined =
        ascii_lower(spelled(tokens[first])) + ascii_lower(spelled(tokens[first + 1]));
    std::erase_if(joined,
                  [](char c) { return c >= 0 && (c < 'a' || c > 'z') && (c < '0' || c > '9'); });
    // The typographic apostrophe.
    if (const size_t mark = joined.find("\u2019"); mark != std::string::npos) joined.erase(mark, 3);
    if (evidence_.find(term_of(joined)) != ReceiptIndex::kNoTerm) return true;
  }
  return false;
}

// Whether two places of a sentence of the receipts are items of one list: nothing but names, marks and
// short words between them.
bool Checker::in_one_list(uint32_t one, uint32_t other) const {
  const auto& stated = evidence_.lexed().tokens;
  if (evidence_.unit_of(one) != evidence_.unit_of(other)) return false;
  bool comma = false;
  for (uint32_t t = std::min(one, other) + 1; t < std::max(one, other); ++t) {
    if (stated[t].kind == TokenKind::kWord && !stated[t].part) return false;
    comma = comma || (stated[t].kind == TokenKind::kBreak && stated[t].value == ',');
  }
  return comma;
}

// "Deploy of search 2.1" and "a deploy": a word with a capital, no name.
bool Checker::is_also_word(uint64_t term) const {
  return std::ranges::any_of(evidence_.postings_of(term), [&](uint32_t place) {
    const Token& token = evidence_.lexed().tokens[place];
    return token.kind == TokenKind::kWord && !token.part;
  });
}

// "Deploy of search 2.1; was 2.0": no rival of 2.1, unless the sentence speaks of what was before.
bool Checker::is_former(uint32_t place) const {
  static const TermSet kFormer =
      terms_of("was from before previous previously former back replace");
  static const uint64_t kWas = hash64("was");
  const auto& stated = evidence_.lexed().tokens;
  return place > 0 && stated[place - 1].term == kWas &&
         evidence_.receipt_of(evidence_.unit_of(place)).lists_changes &&
         std::ranges::none_of(statement_->lexed.tokens, [](const Token& token) {
           return token.kind != TokenKind::kBreak && kFormer.contains(token.term);
         });
}

Checker::Verdict Checker::check_names(Alignment& alignment) {
  const auto& tokens = statement_->lexed.tokens;
  for (size_t t = 0; t < tokens.size(); ++t) {
    const Token& token = tokens[t];
    const bool shaped = token.kind == TokenKind::kIdentifier && token.value != 0;
    const bool path = token.kind == TokenKind::kPath;
    if (token.part ||
        (token.kind != TokenKind::kName && token.kind != TokenKind::kService && !shaped && !path))
      continue;
    const uint32_t id = evidence_.find(token.term);
    std::vector<uint32_t> own;
    if (id != ReceiptIndex::kNoTerm) {
      for (const uint32_t place : evidence_.postings(id)) {
        if (in_scope(place)) own.push_back(place);
      }
    }
    if (own.empty() && path) continue;
    if (own.empty() && !shaped) {
      if ((evidence_.has_literal(spelled(token)) && !scoped_) || is_written_together(t)) continue;
      return Fault{ClaimKind::kName, fmt::format("{} does not occur in {}", spelled(token),
                                                 scoped_ ? "what it cites" : "any receipt")};
    }
    std::vector<uint32_t> rivals = in_passages(alignment, token.kind);
    std::erase_if(rivals, [&](uint32_t place) {
      const uint64_t term = evidence_.lexed().tokens[place].term;
      if (token.kind == TokenKind::kName && is_also_word(term)) return true;
      if (shaped && is_former(place)) return true;
      if (shaped && evidence_.lexed().tokens[place].value != token.value) return true;
      return std::ranges::any_of(tokens, [&](const Token& other) { return other.term == term; });
    });
    keep_cited(own, rivals);
    // A team or an application in a record's fields belongs to all that it tells.
    // "-1" in the place of "-2", which some longer text holds.
    if (own.empty() && stands_in_place(alignment, t, own, rivals)) continue;
    const bool field = token.kind == TokenKind::kName && scoped_ && in_header(own);
    if (!field && !statement_->supposing && !statement_->advising &&
        (!stands_in_place(alignment, t, own, rivals) || !stands_beside(t, own, rivals) ||
         (token.kind != TokenKind::kName && outplaced(t, own, rivals))))
      return Fault{ClaimKind::kName,
                   fmt::format("the receipts say this of another than {}", spelled(token))};
  }
  return {};
}

}  // namespace precedent
