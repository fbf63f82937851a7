// Quantities: the figures of the receipts, by value and by the number as written.
//
// Thread safety: const methods may run in several threads.
#pragma once

#include <vector>

#include "grounding/text/tokens.h"

namespace precedent {

class QuantityIndex {
 public:
  void build(const LexedText& text);
  // The tokens whose value, or number as written, may be `claimed`; at most kMaxCandidates of each.
  static constexpr size_t kMaxCandidates = 256;
  std::vector<uint32_t> near(const Quantity& claimed, Hedge hedge) const;

 private:
  struct Placed {
    double value;
    uint32_t token;
  };
  std::vector<Placed> by_value_, by_number_;  // ascending
};

}  // namespace precedent
