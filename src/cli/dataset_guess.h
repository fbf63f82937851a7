// precedent dataset guess: a first mapping for a file, from what its columns are called and hold.
//
// Thread safety: pure but for the file system and stdout.
#pragma once

#include <string>

namespace precedent {

// Prints it; returns the exit code.
int print_first_mapping(const std::string& file);

}  // namespace precedent
