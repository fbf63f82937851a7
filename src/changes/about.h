// What a change is about, in plain words: whether its title, its files, its version or its flag
// have the words that somebody says.
//
// Thread safety: pure function.
#pragma once

#include <set>
#include <string>

#include "changes/change.h"

namespace precedent {

// Whether each of `words`, in lower case, begins a word of the change or is begun by one: "ack" and
// "acknowledge"; a version is the same, or a patch of it: "2.31" and "2.31.0"; a file, with or
// without its folders, is among those it touches. False for none.
bool is_about(const Change& change, const std::set<std::string>& words);

}  // namespace precedent
