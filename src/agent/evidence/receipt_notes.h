// Receipt notes: what each tool call found, in a line: for the model that answers, and in --json
// beside the receipt.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "tools/receipt.h"

namespace precedent {

// "R1 metrics_query: p95_latency 3.083 s, 2.09× the 1d before; rose at …". Never empty.
std::string note_of(const Receipt& receipt);
std::string notes_text(const std::vector<Receipt>& receipts);

}  // namespace precedent
