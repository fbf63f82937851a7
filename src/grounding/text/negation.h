// Negation: which words of a sentence a negator denies.
//
// A negator governs the first content words after it, up to the end of the clause; "Repeat
// incident: no" denies its label. What stands behind "if" or "until" neither affirms nor denies,
// and neither does a bound: "not longer than 30 minutes".
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grounding/text/tokens.h"

namespace precedent {

// What a negator does to a token.
enum Negation : uint8_t {
  kFree,
  kFirstWord,    // the first word that a negator governs
  kSecondWord,   // the one after it: its side is not certain
  kQuantified,   // the first word after a negator that denies there is any: "no", "none" …
  kConditional,  // "until the cause is known": said of a case, not of what is
};
// By token.
std::vector<uint8_t> find_negation(std::span<const Token> tokens);

// What a negator may govern.
bool is_word(const Token& token);
// "Not deployed since the 16th": what is denied so, the times of the receipts tell.
bool is_since(const Token& token);
// "[ ] Enable alerts": not done yet.
bool is_open_task(std::span<const Token> unit);

}  // namespace precedent
