// Helpers that make work faster and that nobody relies on: the system may have no thread left.
//
// Thread safety: pure function.
#pragma once

#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace precedent {

// At most `most` threads that run `work`; fewer if the system gives no more. The caller does the
// work, too: what no helper takes is left to it.
template <typename Work>
std::vector<std::jthread> start_helpers(size_t most, const Work& work) {
  std::vector<std::jthread> helpers;
  helpers.reserve(most);
  try {
    while (helpers.size() < most) helpers.emplace_back(work);
  } catch (const std::system_error&) {
    // Those that started do it all.
  }
  return helpers;
}

}  // namespace precedent
