// What a change is about, in plain words: whether its title, its files or its flag have the words that somebody says.
//
// Thread safety: pure function.
#pragma once

#include <set>
#include <string>

#include "changes/change.h"

namespace precedent {

// Whether each of `words`, in lower case, begins a word of the change or is begun by one: "ack" and "acknowledge". False for none.
bool is_about(const Change& change, const std::set<std::string>& words);

}  // namespace precedent
