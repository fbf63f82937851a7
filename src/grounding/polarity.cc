#include "grounding/polarity.h"

#include <algorithm>
#include <span>

#include "grounding/plain_english.h"

namespace precedent {
namespace {

// How many content words a negator governs: "was not used", "no healthy replica".
constexpr int kGoverned = 2;
// Passages further down are about something else.
constexpr size_t kPassages = 3;
// A field is a label and "no".
constexpr size_t kMaxFieldTokens = 6;

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

// "Repeat Incident: no"
bool is_denied_field(std::span<const Token> tokens) {
  if (tokens.empty() || tokens.size() > kMaxFieldTokens) return false;
  return tokens.back().kind == TokenKind::kNegator && tokens.front().kind != TokenKind::kNegator;
}

class Passages {
 public:
  Passages(const Evidence& evidence, const std::vector<uint32_t>& passages) {
    for (const uint32_t unit : std::span(passages).first(std::min(passages.size(), kPassages))) {
      const EvidenceUnit& u = evidence.units()[unit];
      const auto tokens = std::span(evidence.lexed().tokens).subspan(u.first, u.end - u.first);
      std::vector<uint8_t> stated = governed(tokens);
      if (is_denied_field(tokens)) std::ranges::fill(stated, 1);
      Passage& passage = passages_.emplace_back();
      passage.field = tokens.size() <= kMaxFieldTokens;
      for (size_t t = 0; t < tokens.size(); ++t) {
        if (is_word(tokens[t])) passage.places.push_back({tokens[t].term, stated[t]});
      }
    }
  }

  struct Stated {
    bool seen = false, free = false, governed = false, first = false;
  };
  // As a passage says it that also has another word of the clause, or is nothing but a field.
  Stated find(uint64_t term, std::span<const Token> clause, bool best_only) const {
    Stated stated;
    for (const Passage& passage : passages_) {
      if (!passage.field && !shares(passage, term, clause)) continue;
      for (const Place& place : passage.places) {
        if (place.term != term) continue;
        stated.seen = true;
        stated.free = stated.free || place.governed == 0;
        stated.governed = stated.governed || place.governed > 0;
        stated.first = stated.first || place.governed == 1;
      }
      if (stated.seen && best_only) break;
    }
    return stated;
  }

 private:
  struct Place {
    uint64_t term;
    uint8_t governed;
  };
  struct Passage {
    std::vector<Place> places;
    bool field = false;
  };
  static bool shares(const Passage& passage, uint64_t term, std::span<const Token> clause) {
    return std::ranges::any_of(clause, [&](const Token& token) {
      return is_word(token) && !token.part && token.term != term &&
             std::ranges::find(passage.places, token.term, &Place::term) != passage.places.end();
    });
  }
  std::vector<Passage> passages_;
};

// The words between two lines or cells.
std::span<const Token> clause_of(std::span<const Token> tokens, size_t at) {
  size_t begin = at, end = at;
  const auto separates = [](const Token& token) {
    return token.kind == TokenKind::kBreak && (token.strength != BreakStrength::kClause || token.value == '|');
  };
  while (begin > 0 && !separates(tokens[begin - 1])) --begin;
  while (end < tokens.size() && !separates(tokens[end])) ++end;
  return tokens.subspan(begin, end - begin);
}

struct TermPair {
  uint64_t left, right;
};

const std::vector<TermPair>& opposite_terms() {
  static const std::vector<TermPair> terms = [] {
    std::vector<TermPair> out;
    for (const WordPair& pair : opposite_words()) {
      out.push_back({term_of(pair.left), term_of(pair.right)});
      out.push_back({term_of(pair.right), term_of(pair.left)});
    }
    return out;
  }();
  return terms;
}

// A word of the sentence whose opposite the best passages have in its place.
std::optional<size_t> find_opposite(std::span<const Token> tokens, const Passages& stated) {
  const auto says = [&](uint64_t term) {
    return std::ranges::any_of(tokens, [&](const Token& t) { return is_word(t) && t.term == term; });
  };
  if (std::ranges::any_of(tokens, [](const Token& t) { return t.kind == TokenKind::kNegator; })) return std::nullopt;
  for (size_t t = 0; t < tokens.size(); ++t) {
    if (tokens[t].kind != TokenKind::kWord || tokens[t].part) continue;
    const auto clause = clause_of(tokens, t);
    for (const TermPair& pair : opposite_terms()) {
      if (pair.left != tokens[t].term || says(pair.right)) continue;
      const auto there = stated.find(pair.right, clause, true);
      if (there.seen && !there.governed && !stated.find(pair.left, clause, false).seen) return t;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<size_t> find_flip(const LexedText& sentence, const Evidence& evidence,
                                const std::vector<uint32_t>& passages) {
  const std::span<const Token> tokens(sentence.tokens);
  const std::vector<uint8_t> claimed = governed(tokens);
  const Passages stated(evidence, passages);
  const auto said_as = [&](uint64_t term, bool denied) {
    for (size_t t = 0; t < tokens.size(); ++t) {
      if (tokens[t].term == term && (claimed[t] != 0) == denied) return true;
    }
    return false;
  };
  // Another word of the clause is denied in both: then it is the same denial.
  const auto denies_alike = [&](size_t at) {
    for (size_t t = 0; t < tokens.size(); ++t) {
      if (claimed[t] != 0 && is_word(tokens[t]) && stated.find(tokens[t].term, clause_of(tokens, at), false).governed) return true;
    }
    return false;
  };
  if (const auto opposite = find_opposite(tokens, stated)) return opposite;
  for (size_t t = 0; t < tokens.size(); ++t) {
    const Token& token = tokens[t];
    // A name is not denied; something about it is.
    if (token.kind != TokenKind::kWord || token.part) continue;
    const auto clause = clause_of(tokens, t);
    if (claimed[t] == 0) {
      const auto here = stated.find(token.term, clause, true);
      if (here.first && !here.free && !said_as(token.term, true) && !denies_alike(t)) return t;
    }
    if (claimed[t] != 1 || said_as(token.term, false)) continue;
    // The words that one negator governs: denied there as soon as one of them is.
    if (!stated.find(token.term, clause, false).seen) continue;
    bool denied = false;
    for (size_t next = t; next < tokens.size() && (next == t || claimed[next] != 1); ++next) {
      if (claimed[next] == 0) continue;
      const auto also = stated.find(tokens[next].term, clause, false);
      denied = denied || also.governed;
    }
    if (!denied) return t;
  }
  return std::nullopt;
}

}  // namespace precedent
