// What could not be looked at: calls that failed, alerts and changes whose source could not be
// read.
//
// Told right below the headline of an answer, since what follows lacks it. Thread safety: pure.
#pragma once

#include <string>
#include <vector>

#include "tools/receipt.h"

namespace precedent {

// Each a sentence, what failed for the same reason together. Not: what was looked at and not found,
// and calls that a model made in vain.
std::vector<std::string> failures_of(const std::vector<Receipt>& receipts);

// Whether nothing that was asked answered: then nobody knows what there is.
bool all_failed(const std::vector<Receipt>& receipts);

}  // namespace precedent
