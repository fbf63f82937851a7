// Feedback at the edge, as commands and server print it. Thread safety: pure function.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "knowledge/golden.h"

namespace precedent {

nlohmann::json to_json(const Feedback& feedback);

}  // namespace precedent
