// Report: an investigation as one HTML page that needs nothing else: no script, no font, no request
// (its own content policy forbids all of it). Every claim links to its receipt further down.
//
// All texts of others are repaired, made visible, redacted and escaped where they are written.
// Thread safety: pure function.
#pragma once

#include <string>

#include "investigate/verdict/investigation.h"

namespace precedent {

std::string to_html(const Investigation& investigation);

}  // namespace precedent
