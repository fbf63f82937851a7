// The weights of the one scoring function (hypothesis.h), as train/fit_investigate.py made them of
// 448 generated cases: the dev half of the seeds 2001 to 2016. Not to be edited
// by hand: change what is measured, then fit again.
// Thread safety: constants.
#pragma once

#include <array>
#include <string_view>

namespace precedent::fitted {

// In the order of Measure: of the logarithm of a need, and of a prediction.
struct MeasureWeight {
  std::string_view name;
  double need, prediction;
};
inline constexpr std::array<MeasureWeight, 11> kWeights = {{
    {"other", 1.081, 4.472},
    {"live", 1.728, 0},
    {"reach", 1.097, 0},
    {"effect", 3.756, 0},
    {"earlier", 0.853, 0},
    {"explains", 0, 1.229},
    {"words", 0, 3.595},
    {"timing", 0, 1.908},
    {"specific", 0, 0.455},
    {"acts", 0, 2.030},
    {"alike", 0, 1.438},
}};

// What a hypothesis of a row starts with.
struct RowWeight {
  std::string_view name;
  double start;
};
inline constexpr std::array<RowWeight, 9> kRows = {{
    {"change", -1.715},
    {"flag", -2.998},
    {"traffic", -3.195},
    {"certificate", -1.529},
    {"provider", -0.276},
    {"machine", -0.404},
    {"record", -1.390},
    {"resource", -1.693},
    {"known", -2.000},
}};

}  // namespace precedent::fitted
