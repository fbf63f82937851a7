// Figures: the number that a cell of a record holds, and how one is written.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tools/receipt.h"

namespace precedent {

// FiguresResult::of, where how long incidents lasted is meant, in minutes.
inline constexpr std::string_view kDuration = "duration";

// "1,250", "EUR 2 850", "38.5 %", "-4": the one number that a cell holds. Nothing of a date, a
// time, an id or a text.
std::optional<double> number_in(std::string_view cell);

// "38,610", "0.25".
std::string figure_text(double value);
// A figure of the result with its unit.
std::string figure_text(const FiguresResult& result, double value);

}  // namespace precedent
