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
    {"other", 1.026, 4.401},
    {"live", 1.407, 0},
    {"reach", 1.156, 0},
    {"effect", 3.834, 0},
    {"earlier", 0.894, 0},
    {"explains", 0, 1.432},
    {"words", 0, 3.236},
    {"timing", 0, 1.659},
    {"specific", 0, 0.747},
    {"acts", 0, 2.933},
    {"alike", 0, 1.958},
}};

// What a hypothesis of a row starts with.
struct RowWeight {
  std::string_view name;
  double start;
};
inline constexpr std::array<RowWeight, 9> kRows = {{
    {"change", -2.005},
    {"flag", -3.006},
    {"traffic", -3.183},
    {"certificate", -1.516},
    {"provider", -0.420},
    {"machine", -0.268},
    {"record", -1.379},
    {"resource", -1.775},
    {"known", -2.000},
}};

}  // namespace precedent::fitted
