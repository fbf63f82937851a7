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
    {"other", 1.200, 3.776},
    {"live", 1.983, 0},
    {"reach", 1.099, 0},
    {"effect", 3.699, 0},
    {"earlier", 0.991, 0},
    {"explains", 0, 1.454},
    {"words", 0, 2.921},
    {"timing", 0, 2.894},
    {"specific", 0, 1.135},
}};

// What a hypothesis of a row starts with.
struct RowWeight {
  std::string_view name;
  double start;
};
inline constexpr std::array<RowWeight, 9> kRows = {{
    {"change", -1.188},
    {"flag", -2.874},
    {"traffic", -2.000},
    {"certificate", -1.408},
    {"provider", -2.000},
    {"machine", -2.000},
    {"record", -1.240},
    {"resource", -1.077},
    {"known", -2.000},
}};

}  // namespace precedent::fitted
