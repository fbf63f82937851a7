// Quantities: a number as people write it, its unit, and when two of them say the same.
//
// "1h 32m" equals "92 minutes", "4.2 %" equals 0.042, "61 million" is what 60,988,211 rounds to.
// A quantity keeps the size of its last written digit (`step`), so that a claim may round what a
// receipt states exactly, and never the other way round.
//
// Thread safety: plain values and pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "text/number_words.h"

namespace precedent {

enum class Dimension : uint8_t {
  kNone,   // a count, a code, or a number whose unit is not written
  kTime,   // seconds
  kBytes,  // bytes
  kShare,  // a fraction of one: 4 % is 0.04
  kRate,   // a second
  kMoney,  // the currencies are not told apart
  kTimes,  // "3x", "three times", "twice"
};

struct Quantity {
  double value = 0;   // in the unit of its dimension
  double step = 1;    // what one more in its last written digit would add
  double factor = 1;  // of the written unit: value / factor is the number as written
  double binary = 1;  // of "GB" and its like: what 1024 instead of 1000 would multiply
  Dimension dimension = Dimension::kNone;
  bool plural = false;  // "429s": seconds, or more than one 429
  bool verb = false;    // "doubled", "tenfold": says of a figure that it moved
  bool word = false;    // written as a word: "three"
};

struct MeasureUnit {
  Dimension dimension = Dimension::kNone;
  double factor = 1;
  double binary = 1;
};

// `word` in lower case. `attached`: it followed the digits without a space, where "m" is minutes
// and "x" is times.
std::optional<MeasureUnit> find_unit(std::string_view word, bool attached);

// "thousand", "k", "million" …
std::optional<double> scale_word(std::string_view word);

// How closely a claim says that it looks: "exactly" by its digits, or after "about", "over" …
enum class Hedge : uint8_t { kNone, kAbout, kOver, kUnder };
std::optional<Hedge> hedge_word(std::string_view word);

// Whether `claimed` is a way to write `stated`, both in the same unit.
bool same_amount(double claimed, double step, double stated, Hedge hedge);
// The same, for two quantities of whatever units: a number without a unit stands for any.
bool same_quantity(const Quantity& claimed, const Quantity& stated, Hedge hedge);

}  // namespace precedent
