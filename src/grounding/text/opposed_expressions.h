// Opposed expressions: those that take a side in a matter that has two. "It was innocent", "was not
// to blame" and "had nothing to do with it" say the same; "was to blame" says the contrary.
//
// The contraries of text/opposites.h are matters, too; the others are expressions of plain English
// of one or more words. None of them knows a company.
//
// Thread safety: pure function.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grounding/text/tokens.h"

namespace precedent {

struct OpposedExpression {
  uint32_t first = 0, last = 0;  // tokens, inclusive
  uint16_t matter = 0;
  bool denies = false;  // which of the two sides
};

// In order of their first tokens; a token may take several expressions. `negation`: by
// find_negation(). What a negator governs only as a second word is left out: its side is not
// certain.
std::vector<OpposedExpression> find_opposed_expressions(std::span<const Token> tokens,
                                                        std::span<const uint8_t> negation);

}  // namespace precedent
