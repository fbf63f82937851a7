#include "grounding/text/quantity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace precedent {
namespace {

struct NamedUnit {
  std::string_view name;
  MeasureUnit unit;
  bool attached_only = false;
};

constexpr double kKiB = 1024.0, kMinute = 60, kHour = 3600, kDay = 86400;

constexpr std::array kUnits = {
    NamedUnit{"ns", {Dimension::kTime, 1e-9}},
    NamedUnit{"us", {Dimension::kTime, 1e-6}},
    NamedUnit{"µs", {Dimension::kTime, 1e-6}},
    NamedUnit{"ms", {Dimension::kTime, 1e-3}},
    NamedUnit{"msec", {Dimension::kTime, 1e-3}},
    NamedUnit{"millisecond", {Dimension::kTime, 1e-3}},
    NamedUnit{"milliseconds", {Dimension::kTime, 1e-3}},
    NamedUnit{"microsecond", {Dimension::kTime, 1e-6}},
    NamedUnit{"microseconds", {Dimension::kTime, 1e-6}},
    NamedUnit{"s", {Dimension::kTime, 1}},
    NamedUnit{"sec", {Dimension::kTime, 1}},
    NamedUnit{"secs", {Dimension::kTime, 1}},
    NamedUnit{"second", {Dimension::kTime, 1}},
    NamedUnit{"seconds", {Dimension::kTime, 1}},
    NamedUnit{"m", {Dimension::kTime, kMinute}, true},
    NamedUnit{"min", {Dimension::kTime, kMinute}},
    NamedUnit{"mins", {Dimension::kTime, kMinute}},
    NamedUnit{"minute", {Dimension::kTime, kMinute}},
    NamedUnit{"minutes", {Dimension::kTime, kMinute}},
    NamedUnit{"h", {Dimension::kTime, kHour}},
    NamedUnit{"hr", {Dimension::kTime, kHour}},
    NamedUnit{"hrs", {Dimension::kTime, kHour}},
    NamedUnit{"hour", {Dimension::kTime, kHour}},
    NamedUnit{"hours", {Dimension::kTime, kHour}},
    NamedUnit{"d", {Dimension::kTime, kDay}},
    NamedUnit{"day", {Dimension::kTime, kDay}},
    NamedUnit{"days", {Dimension::kTime, kDay}},
    NamedUnit{"week", {Dimension::kTime, 7 * kDay}},
    NamedUnit{"weeks", {Dimension::kTime, 7 * kDay}},
    NamedUnit{"month", {Dimension::kTime, 30.4375 * kDay}},
    NamedUnit{"months", {Dimension::kTime, 30.4375 * kDay}},
    NamedUnit{"year", {Dimension::kTime, 365.25 * kDay}},
    NamedUnit{"years", {Dimension::kTime, 365.25 * kDay}},
    NamedUnit{"b", {Dimension::kBytes, 1}, true},
    NamedUnit{"byte", {Dimension::kBytes, 1}},
    NamedUnit{"bytes", {Dimension::kBytes, 1}},
    NamedUnit{"kb", {Dimension::kBytes, 1e3, kKiB / 1e3}},
    NamedUnit{"mb", {Dimension::kBytes, 1e6, kKiB* kKiB / 1e6}},
    NamedUnit{"gb", {Dimension::kBytes, 1e9, kKiB* kKiB* kKiB / 1e9}},
    NamedUnit{"tb", {Dimension::kBytes, 1e12, kKiB* kKiB* kKiB* kKiB / 1e12}},
    NamedUnit{"kib", {Dimension::kBytes, kKiB}},
    NamedUnit{"ki", {Dimension::kBytes, kKiB}, true},
    NamedUnit{"mib", {Dimension::kBytes, kKiB* kKiB}},
    NamedUnit{"mi", {Dimension::kBytes, kKiB* kKiB}, true},
    NamedUnit{"gib", {Dimension::kBytes, kKiB* kKiB* kKiB}},
    NamedUnit{"gi", {Dimension::kBytes, kKiB* kKiB* kKiB}, true},
    NamedUnit{"tib", {Dimension::kBytes, kKiB* kKiB* kKiB* kKiB}},
    NamedUnit{"%", {Dimension::kShare, 0.01}},
    NamedUnit{"percent", {Dimension::kShare, 0.01}},
    NamedUnit{"percentage", {Dimension::kShare, 0.01}},
    NamedUnit{"pct", {Dimension::kShare, 0.01}},
    NamedUnit{"pp", {Dimension::kShare, 0.01}},
    NamedUnit{"rps", {Dimension::kRate, 1}},
    NamedUnit{"qps", {Dimension::kRate, 1}},
    NamedUnit{"tps", {Dimension::kRate, 1}},
    NamedUnit{"eur", {Dimension::kMoney, 1}},
    NamedUnit{"euro", {Dimension::kMoney, 1}},
    NamedUnit{"euros", {Dimension::kMoney, 1}},
    NamedUnit{"usd", {Dimension::kMoney, 1}},
    NamedUnit{"dollars", {Dimension::kMoney, 1}},
    NamedUnit{"gbp", {Dimension::kMoney, 1}},
    NamedUnit{"pounds", {Dimension::kMoney, 1}},
    NamedUnit{"chf", {Dimension::kMoney, 1}},
    NamedUnit{"x", {Dimension::kTimes, 1}, true},
    NamedUnit{"times", {Dimension::kTimes, 1}},
};

struct NamedNumber {
  std::string_view name;
  double value;
};

constexpr std::array kScales = {
    NamedNumber{"hundred", 100}, NamedNumber{"k", 1e3},        NamedNumber{"thousand", 1e3},
    NamedNumber{"million", 1e6}, NamedNumber{"millions", 1e6}, NamedNumber{"mio", 1e6},
    NamedNumber{"billion", 1e9}, NamedNumber{"bn", 1e9},
};

struct NamedHedge {
  std::string_view name;
  Hedge hedge;
};

constexpr std::array kHedges = {
    NamedHedge{"about", Hedge::kAbout},   NamedHedge{"around", Hedge::kAbout},
    NamedHedge{"roughly", Hedge::kAbout}, NamedHedge{"approximately", Hedge::kAbout},
    NamedHedge{"approx", Hedge::kAbout},  NamedHedge{"some", Hedge::kAbout},
    NamedHedge{"circa", Hedge::kAbout},   NamedHedge{"ca", Hedge::kAbout},
    NamedHedge{"nearly", Hedge::kUnder},  NamedHedge{"almost", Hedge::kUnder},
    NamedHedge{"under", Hedge::kUnder},   NamedHedge{"below", Hedge::kUnder},
    NamedHedge{"less", Hedge::kUnder},    NamedHedge{"over", Hedge::kOver},
    NamedHedge{"above", Hedge::kOver},    NamedHedge{"more", Hedge::kOver},
    NamedHedge{"exceed", Hedge::kOver},   NamedHedge{"beyond", Hedge::kOver},
    NamedHedge{"exceeds", Hedge::kOver},  NamedHedge{"exceeded", Hedge::kOver},
    NamedHedge{"least", Hedge::kOver},    NamedHedge{"bit", Hedge::kOver},
    NamedHedge{"good", Hedge::kOver},     NamedHedge{"close", Hedge::kAbout},
};

// "about 14 times" for 14.1, "roughly 24,000" for 23,740: as exact as the last digit that is no
// zero, and never further off than this.
constexpr double kAboutTolerance = 0.1;
// "over three times" for 3.28: the next whole number would have been nearer beyond it.
constexpr double kOneSidedTolerance = 0.17;

// The row of that name, or null. Asked for every word: few begin like a name of the table and are
// as long.
template <const auto& table>
auto find_in(std::string_view name) -> decltype(&table[0]) {
  static constexpr auto lengths = [] {
    std::array<uint32_t, 256> out{};
    for (const auto& row : table)
      out[static_cast<unsigned char>(row.name[0])] |= 1U << row.name.size();
    return out;
  }();
  if (name.empty() || name.size() > 31 ||
      (lengths[static_cast<unsigned char>(name[0])] >> name.size() & 1U) == 0)
    return nullptr;
  static const auto rows = [] {
    std::unordered_map<std::string_view, decltype(&table[0])> out;
    for (const auto& row : table) out.emplace(row.name, &row);
    return out;
  }();
  const auto found = rows.find(name);
  return found == rows.end() ? nullptr : found->second;
}

// A number without a unit stands for a share only as the fraction that it would be.
bool unitless_matches(const Quantity& claimed, const Quantity& stated, Hedge hedge) {
  if (claimed.dimension == Dimension::kShare && stated.value <= 1 && stated.step < 1)
    return same_amount(claimed.value, claimed.step, stated.value, hedge);
  const double factor = claimed.dimension == Dimension::kShare ? 100 : 1;
  return same_amount(claimed.value * factor, claimed.step * factor, stated.value, hedge);
}

}  // namespace

std::optional<MeasureUnit> find_unit(std::string_view word, bool attached) {
  // "req/s", "/min", "MB/s"
  if (const size_t slash = word.rfind('/'); slash != std::string_view::npos) {
    const auto per = find_unit(word.substr(slash + 1), true);
    if (!per || per->dimension != Dimension::kTime) return std::nullopt;
    return MeasureUnit{Dimension::kRate, 1 / per->factor};
  }
  const auto* found = find_in<kUnits>(word);
  if (found == nullptr || (found->attached_only && !attached)) return std::nullopt;
  return found->unit;
}

std::optional<double> scale_word(std::string_view word) {
  const auto* found = find_in<kScales>(word);
  return found == nullptr ? std::nullopt : std::optional(found->value);
}

std::optional<Hedge> hedge_word(std::string_view word) {
  const auto* found = find_in<kHedges>(word);
  return found == nullptr ? std::nullopt : std::optional(found->hedge);
}

bool same_amount(double claimed, double step, double stated, Hedge hedge) {
  // Half a step is rounding; a hair more is what binary fractions cost.
  const double rounding = 0.5 * step + 1e-9 * std::abs(stated);
  const double difference = stated - claimed;
  if (std::abs(difference) <= rounding) return true;
  switch (hedge) {
    case Hedge::kNone: return false;
    case Hedge::kAbout: {
      double last_digit = step;
      // The remainder, since a modulus of 0.3 by 0.1 is nearly 0.1.
      while (claimed != 0 &&
             std::abs(std::remainder(claimed, last_digit * 10)) < 1e-9 * last_digit &&
             last_digit < std::abs(claimed))
        last_digit *= 10;
      return std::abs(difference) <=
             std::min(0.5 * last_digit, kAboutTolerance * std::abs(claimed));
    }
    case Hedge::kOver:
      return difference > 0 && difference <= kOneSidedTolerance * std::abs(claimed);
    case Hedge::kUnder:
      return difference < 0 && -difference <= kOneSidedTolerance * std::abs(claimed);
  }
  return false;
}

bool same_quantity(const Quantity& claimed, const Quantity& stated, Hedge hedge) {
  if (claimed.plural || stated.plural) {
    Quantity a = claimed, b = stated;
    for (Quantity* q : {&a, &b}) {
      if (q->plural) q->dimension = Dimension::kNone;
      q->plural = false;
    }
    if (same_quantity(a, b, hedge)) return true;
  }
  if (claimed.dimension == stated.dimension) {
    for (const double a : {1.0, claimed.binary}) {
      for (const double b : {1.0, stated.binary}) {
        if (same_amount(claimed.value * a, claimed.step * a, stated.value * b, hedge)) return true;
      }
    }
    return false;
  }
  if (stated.dimension == Dimension::kNone) return unitless_matches(claimed, stated, hedge);
  if (claimed.dimension == Dimension::kNone) {
    // "from 205 to 380 ms": the unit follows once.
    return same_amount(claimed.value, claimed.step, stated.value / stated.factor, hedge);
  }
  return false;
}

}  // namespace precedent
