// What is done about a cause: what may go wrong by it, and how it is taken back.
//
// Thread safety: a constant table.
#pragma once

#include <string_view>

namespace precedent {

struct Remedy {
  std::string_view name;      // as in Hypothesis::remedy
  std::string_view risk;      // a sentence
  std::string_view rollback;  // a sentence
};
// Null for a name that no row has.
const Remedy* find_remedy(std::string_view name);

}  // namespace precedent
