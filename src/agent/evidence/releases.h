// Releases among changes, and which changes are of the same service.
//
// Thread safety: pure functions.
#pragma once

#include "changes/change.h"

namespace precedent {

// Puts code into operation, unlike a flag or a setting.
bool is_release(const Change& change);

bool shares_service(const Change& a, const Change& b);

}  // namespace precedent
