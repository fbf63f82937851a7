// The weights of the one scoring function (hypothesis.h), as train/fit_investigate.py made them of
// 352 generated cases: the dev half of the seeds 2001 to 2016. Not to be edited
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
    {"other", 1.138, 3.809},
    {"live", 1.982, 0},
    {"reach", 1.065, 0},
    {"effect", 3.664, 0},
    {"earlier", 0.973, 0},
    {"explains", 0, 1.318},
    {"words", 0, 3.009},
    {"timing", 0, 2.861},
    {"specific", 0, 1.104},
}};

// What a hypothesis of a row starts with.
struct RowWeight {
  std::string_view name;
  double start;
};
inline constexpr std::array<RowWeight, 8> kRows = {{
    {"change", -1.237},
    {"flag", -2.939},
    {"traffic", -2.000},
    {"certificate", -1.426},
    {"provider", -2.000},
    {"machine", -2.000},
    {"record", -1.148},
    {"resource", -0.833},
}};

}  // namespace precedent::fitted
