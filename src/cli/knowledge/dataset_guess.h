// precedent dataset guess: a first mapping for a file, from what its columns are called and hold.
//
// Thread safety: pure but for the file system and stdout.
#pragma once

#include <string>

#include "base/error.h"

namespace precedent {

// Its text; messages call the file `called`. Errors: kInvalidArgument where it has no columns.
Result<std::string> first_mapping(const std::string& file, const std::string& called);

// Prints it; returns the exit code.
int print_first_mapping(const std::string& file);

}  // namespace precedent
