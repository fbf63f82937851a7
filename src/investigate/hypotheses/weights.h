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
inline constexpr std::array<MeasureWeight, 9> kWeights = {{
    {"other", 1.055, 4.392},
    {"live", 1.682, 0},
    {"reach", 1.180, 0},
    {"effect", 3.787, 0},
    {"earlier", 1.054, 0},
    {"explains", 0, 1.241},
    {"words", 0, 3.321},
    {"timing", 0, 2.774},
    {"specific", 0, 0.523},
}};

// What a hypothesis of a row starts with.
struct RowWeight {
  std::string_view name;
  double start;
};
inline constexpr std::array<RowWeight, 9> kRows = {{
    {"change", -1.092},
    {"flag", -3.034},
    {"traffic", -3.159},
    {"certificate", -1.508},
    {"provider", -0.284},
    {"machine", -0.369},
    {"record", -1.376},
    {"resource", -1.687},
    {"known", -2.000},
}};

}  // namespace precedent::fitted
