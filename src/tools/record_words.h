// Which records of a list say certain words, and which are not over yet: by the records themselves,
// whatever their columns and statuses are called.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "tools/receipt.h"

namespace precedent {

// Keeps the records that say each of the words: in a short field (title, system, a column) where
// any record has the word there, else anywhere. A word that no record says, or that would leave
// none, restricts nothing and is returned.
std::vector<std::string> keep_those_saying(std::vector<IncidentItem>& records,
                                           const std::vector<std::string>& words);

// Keeps the records without an end, but for those of a status that says so by its name, or of which
// nearly all have one.
void keep_open(std::vector<IncidentItem>& records);

}  // namespace precedent
