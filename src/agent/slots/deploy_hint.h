// Deploy hints: "since yesterday's deploy", "after the last release", "after we shipped v84": times
// that only a record of changes can tell.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "changes/last_deploy.h"

namespace precedent {

struct DeployHint {
  std::string text;           // as written
  size_t begin = 0, end = 0;  // bytes in the question
  std::string version = {};   // that the question names
  TimeRange day = {};         // in which it lies, as far as the question says; unbounded otherwise
  std::optional<LastDeploy> deploy = {};  // which one it was, once a source was asked
  bool of_version = true;                 // that it is of the version named, if any
};

// The first of the question; nothing if it names no deploy as a time.
std::optional<DeployHint> find_deploy_hint(std::string_view question, TimePoint now);

}  // namespace precedent
