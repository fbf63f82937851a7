#include "knowledge/golden_state.h"

#include "base/strings.h"

namespace precedent {

std::string state_of(const GoldenExample& example) {
  if (is_served(example)) return "served";
  std::string state;
  if (!example.active) state = "not active";
  if (trim(example.answer).empty()) return state + (state.empty() ? "" : ", ") + "not corrected";
  if (!example.review) {
    state += std::string(state.empty() ? "" : ", ") + "not reviewed";
  } else if (!example.outdated.empty()) {
    state += std::string(state.empty() ? "" : ", ") + "review again";
  }
  return state;
}

}  // namespace precedent
