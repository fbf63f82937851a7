// Renamed functions and types: a diff without the lines that only carry another name.
//
// A name counts as renamed where a line that declares it differs from the line that replaces it in
// this name alone; a line that uses it, and differs from what it replaces in such names alone, does
// what it did. Only in languages whose compiler would refuse a use that was forgotten.
// Thread safety: pure function.
#pragma once

#include <vector>

#include "investigate/changes/diff.h"

namespace precedent {

// The same hunks; lines of renames are context in them.
std::vector<Hunk> without_renames(std::vector<Hunk> hunks);

}  // namespace precedent
