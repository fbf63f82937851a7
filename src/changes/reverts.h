// Reverts: whether a commit takes back another one, by the hash or the title that git gives a
// revert.
//
// Thread safety: pure functions.
#pragma once

#include <string_view>

#include "changes/change.h"

namespace precedent {

// By one of the hashes that `later` says it reverts; either hash may be cut short.
bool reverts_by_hash(const Change& later, const Change& commit);

// Revert "x" of x; Reapply "x", too, of Revert "x".
bool has_title_of_revert(const Change& later, const Change& commit);

}  // namespace precedent
