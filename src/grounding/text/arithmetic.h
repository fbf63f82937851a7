// Arithmetic: figures of an answer that stand in no receipt but follow from those that do.
//
// Ratios ("3× normal", "twice"), shares and changes in percent, differences and sums. Only where
// the sentence's words ask for it: with enough figures at hand almost any number is the quotient of
// two.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grounding/text/quantity.h"

namespace precedent {

// Which operations the wording allows.
struct ArithmeticCues {
  bool ratio = false, share = false, difference = false, sum = false;
};
// What a difference is measured from, if the sentence names it: "90 above the contract".
struct ReferenceFigures {
  std::vector<bool> figures;  // by figure: whether it may be that; empty: not named
  bool smaller = true;        // it is the smaller of the two: "above", not "below"
};
// From the words around the figure, in lower case.
ArithmeticCues arithmetic_cues(std::string_view words);

// How `claimed` follows from two of `figures` ("2,400 / 640"), if it does. With `first`, one of the
// two is among the first so many. Cost: quadratic in the figures, of which at most kMaxFigures are
// looked at.
inline constexpr size_t kMaxFigures = 40;
std::optional<std::string> derive(const Quantity& claimed, Hedge hedge, const ArithmeticCues& cues,
                                  std::span<const Quantity> figures, size_t first = SIZE_MAX,
                                  const ReferenceFigures& reference = {});

}  // namespace precedent
