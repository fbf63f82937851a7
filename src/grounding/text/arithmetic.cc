#include "grounding/text/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace precedent {
namespace {

using namespace std::string_view_literals;

// A ratio is hardly ever told to more than two digits: "3× normal" for 3.29.
constexpr double kRatioTolerance = 0.06;
constexpr double kMaxChance = 0.1;

template <size_t N>
bool holds_any(std::string_view sentence, const std::array<std::string_view, N>& words) {
  return std::ranges::any_of(
      words, [&](std::string_view w) { return sentence.find(w) != std::string_view::npos; });
}

constexpr std::array kRatioWords = {"times"sv,   "factor"sv,  "-fold"sv, "twice"sv, "double"sv,
                                    "triple"sv,  "half"sv,    "x "sv,    "fold"sv,  "×"sv,
                                    "as much"sv, "as many"sv, "ratio"sv};
constexpr std::array kDifferenceWords = {
    "more"sv,   "less"sv,   "fewer"sv,  "higher"sv,   "lower"sv,    "above"sv,  "below"sv,
    "up "sv,    "down"sv,   "by "sv,    "increase"sv, "decrease"sv, "rose"sv,   "fell"sv,
    "grew"sv,   "drop"sv,   "differ"sv, "left"sv,     "short"sv,    "beyond"sv, "exceed"sv,
    "faster"sv, "slower"sv, "longer"sv, "again"sv};
constexpr std::array kShareWords = {"% of"sv,  "percent of"sv, "half"sv,
                                    "third"sv, "quarter"sv,    "i.e."sv};
constexpr std::array kSumWords = {
    "add up"sv, "adds up"sv, "added up"sv, "total"sv, "together"sv, "altogether"sv, "combined"sv,
    "sum"sv,    "plus"sv,    "overall"sv,  "need"sv,  "in all"sv,   "all told"sv};

bool comparable(const Quantity& a, const Quantity& b) {
  return a.dimension == b.dimension || a.dimension == Dimension::kNone ||
         b.dimension == Dimension::kNone;
}

bool close(double claimed, double step, double exact, Hedge hedge) {
  if (same_amount(claimed, step, exact, hedge)) return true;
  return std::abs(exact - claimed) <= kRatioTolerance * std::abs(claimed) &&
         step < std::abs(claimed);
}

}  // namespace

namespace {

// Whether hardly any two of so many figures give such a number by chance: then no word need
// announce the computation.
bool is_precise(const Quantity& claimed, Hedge hedge, size_t figures) {
  if ((hedge != Hedge::kNone && hedge != Hedge::kAbout) || claimed.dimension == Dimension::kShare)
    return false;
  const double pairs = static_cast<double>(figures) * static_cast<double>(figures);
  const double value = std::abs(claimed.value / claimed.factor);
  // "300" is as exact as hundreds.
  double step = claimed.step / claimed.factor;
  while (value > step && std::fmod(value, 10 * step) < 1e-9 * step) step *= 10;
  return value != 0 && pairs * step / value < kMaxChance;
}

}  // namespace

ArithmeticCues arithmetic_cues(std::string_view text) {
  // "More than 70 %" says how exact, not how much more.
  std::string words(text);
  for (const std::string_view hedge : {"more than "sv, "less than "sv, "fewer than "sv}) {
    for (size_t at = words.find(hedge); at != std::string::npos; at = words.find(hedge, at + 1)) {
      const size_t after = at + hedge.size();
      if (after < words.size() && words[after] >= '0' && words[after] <= '9')
        words.erase(at, hedge.size());
    }
  }
  return {holds_any(words, kRatioWords), holds_any(words, kShareWords),
          holds_any(words, kDifferenceWords), holds_any(words, kSumWords)};
}

std::optional<std::string> derive(const Quantity& claimed, Hedge hedge,
                                  const ArithmeticCues& announced,
                                  std::span<const Quantity> figures, size_t first,
                                  const ReferenceFigures& reference) {
  const size_t n = std::min(figures.size(), kMaxFigures);
  const ArithmeticCues cues =
      is_precise(claimed, hedge, n) ? ArithmeticCues{true, true, true, true} : announced;
  const bool times = claimed.dimension == Dimension::kTimes;
  const bool share = claimed.dimension == Dimension::kShare;
  for (size_t i = 0; i < n && claimed.dimension == Dimension::kRate; ++i) {
    // "twice a minute" for "every 30 s"
    if (figures[i].dimension == Dimension::kTime && figures[i].value > 0 &&
        same_amount(claimed.value, 0, 1 / figures[i].value, hedge))
      return fmt::format("every {:g} s", figures[i].value);
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      const Quantity &a = figures[i], &b = figures[j];
      if (i == j || std::min(i, j) >= first || !comparable(a, b)) continue;
      // Of figures of different units the numbers as written are compared: "2,400 req/s in place of
      // 640".
      const bool same = a.dimension == b.dimension;
      const double x = same ? a.value : a.value / a.factor, y = same ? b.value : b.value / b.factor;
      const auto shown = [&](std::string_view sign) {
        return fmt::format("{:g} {} {:g}", a.value / a.factor, sign, b.value / b.factor);
      };
      if (times && cues.ratio && y != 0 && x != y &&
          close(claimed.value, claimed.step * 0.5, x / y, hedge))
        return shown("/");
      if (share && y != 0 && x != y) {
        if (cues.share && same_amount(claimed.value, claimed.step, x / y, hedge)) return shown("/");
        if (cues.difference &&
            same_amount(claimed.value, claimed.step, std::abs(x - y) / std::abs(y), hedge))
          return shown("against");
      }
      const bool unit = a.dimension == claimed.dimension || b.dimension == claimed.dimension ||
                        claimed.dimension == Dimension::kNone ||
                        (a.dimension == Dimension::kNone && b.dimension == Dimension::kNone);
      if (times || !unit) continue;
      // So many of so much.
      if (cues.sum && i < j &&
          (a.dimension == Dimension::kNone) != (b.dimension == Dimension::kNone) &&
          same_amount(claimed.value, claimed.step, a.value * b.value, hedge))
        return shown("x");
      const bool named = reference.figures.empty() || reference.figures[reference.smaller ? j : i];
      if (cues.difference && named && x > y &&
          same_amount(claimed.value, claimed.step, x - y, hedge))
        return shown("-");
      if (cues.sum && i < j && same_amount(claimed.value, claimed.step, x + y, hedge))
        return shown("+");
      if (cues.sum && i < j && same_amount(claimed.value, claimed.step, x * y, hedge))
        return shown("x");
    }
  }
  return std::nullopt;
}

}  // namespace precedent
