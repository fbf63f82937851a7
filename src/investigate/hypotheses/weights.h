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
    {"other", 1.030, 4.405},
    {"live", 1.469, 0},
    {"reach", 1.202, 0},
    {"effect", 3.890, 0},
    {"earlier", 0.873, 0},
    {"explains", 0, 1.329},
    {"words", 0, 3.290},
    {"timing", 0, 1.767},
    {"specific", 0, 0.630},
    {"acts", 0, 2.796},
    {"alike", 0, 1.928},
}};

// What a hypothesis of a row starts with.
struct RowWeight {
  std::string_view name;
  double start;
};
inline constexpr std::array<RowWeight, 9> kRows = {{
    {"change", -1.961},
    {"flag", -2.999},
    {"traffic", -3.180},
    {"certificate", -1.515},
    {"provider", -0.388},
    {"machine", -0.294},
    {"record", -1.374},
    {"resource", -1.778},
    {"known", -2.000},
}};

}  // namespace precedent::fitted
