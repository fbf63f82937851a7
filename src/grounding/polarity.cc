#include "grounding/polarity.h"

#include <algorithm>
#include <span>

namespace precedent {
namespace {

// How many content words a negator governs: "was not used", "no healthy replica".
constexpr int kGoverned = 2;
// Passages further down are about something else.
constexpr size_t kPassages = 2;

bool is_word(const Token& token) {
  return token.kind == TokenKind::kWord || token.kind == TokenKind::kName ||
         token.kind == TokenKind::kService || token.kind == TokenKind::kIdentifier;
}

// By token: 0 free, 1 the first word that a negator governs, 2 a later one.
std::vector<uint8_t> governed(std::span<const Token> tokens) {
  std::vector<uint8_t> out(tokens.size(), 0);
  int rank = 0;
  for (size_t t = 0; t < tokens.size(); ++t) {
    const Token& token = tokens[t];
    if (token.kind == TokenKind::kNegator) {
      rank = 1;
    } else if (token.kind == TokenKind::kBreak) {
      rank = 0;
    } else if (token.negated) {
      out[t] = 1;
    } else if (rank > 0 && is_word(token) && !token.part) {
      out[t] = static_cast<uint8_t>(rank);
      rank = rank == kGoverned ? 0 : rank + 1;
    } else if (rank > 0 && token.part && t > 0) {
      out[t] = out[t - 1];
    }
  }
  return out;
}

}  // namespace

std::optional<size_t> find_flip(const LexedText& sentence, const Evidence& evidence,
                                const std::vector<uint32_t>& passages) {
  const std::vector<uint8_t> claimed = governed(sentence.tokens);
  struct Place {
    uint64_t term;
    uint8_t governed;
  };
  std::vector<Place> places;
  for (const uint32_t unit : std::span(passages).first(std::min(passages.size(), kPassages))) {
    const EvidenceUnit& u = evidence.units()[unit];
    const auto tokens = std::span(evidence.lexed().tokens).subspan(u.first, u.end - u.first);
    const std::vector<uint8_t> stated = governed(tokens);
    for (size_t t = 0; t < tokens.size(); ++t) {
      if (is_word(tokens[t])) places.push_back({tokens[t].term, stated[t]});
    }
  }
  for (size_t t = 0; t < sentence.tokens.size(); ++t) {
    const Token& token = sentence.tokens[t];
    if (!is_word(token)) continue;
    bool seen = false, any_free = false, any_governed = false, any_first = false;
    for (const Place& place : places) {
      if (place.term != token.term) continue;
      seen = true;
      any_free = any_free || place.governed == 0;
      any_governed = any_governed || place.governed > 0;
      any_first = any_first || place.governed == 1;
    }
    if (!seen) continue;
    if (claimed[t] == 1 && !any_governed) return t;
    if (claimed[t] == 0 && any_first && !any_free) return t;
  }
  return std::nullopt;
}

}  // namespace precedent
