// Times in formats of strptime, in a time zone.
//
// Thread safety: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace precedent {

// "2025-01-20T13:05:00Z" of a text in the first of these formats that it follows. `zone`: "UTC",
// "+02:00" or a name of the system's time zones; for formats without %z. Errors: kInvalidArgument.
Result<std::string> time_in_format(std::string_view text, std::span<const std::string> formats,
                                   std::string_view zone);

bool is_zone(std::string_view zone);

// "%Q": the first part of a format that strptime does not know; "" if it knows all.
std::string_view unknown_in_format(std::string_view format);

}  // namespace precedent
