// Polarity: does a sentence deny what the receipts affirm, or affirm what they deny?
//
// A negator governs the first content words after it, up to the end of the clause; "Repeat incident:
// no" denies its label. For every word the place of the receipts is found that fits best what stands
// around it (Alignment::affinity); a flip is a word that is denied on one side only, or an expression
// of the contrary (stances.h). What stands behind "if" or "until" neither affirms nor denies.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "grounding/lexer.h"

namespace precedent {

class Alignment;
class Grounds;

// What a negator does to a token.
enum Governed : uint8_t {
  kFree,
  kFirstWord,    // the first word that a negator governs
  kSecondWord,   // the one after it: its side is not certain
  kQuantified,   // the first word after a negator that denies there is any: "no", "none" …
  kConditional,  // "until the cause is known": said of a case, not of what is
};
// By token.
std::vector<uint8_t> find_governed(std::span<const Token> tokens);

// The token of the sentence that is flipped. `records`: those that it may rest on.
std::optional<size_t> find_flip(const LexedText& sentence, const Grounds& evidence,
                                Alignment& alignment, const std::vector<bool>& records);

}  // namespace precedent
