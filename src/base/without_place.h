// Names of files and folders for clients, who need not know where on this machine they lie.
//
// Thread safety: a pure function.
#pragma once

#include <filesystem>
#include <string>

namespace precedent {

// The last part of an absolute path; anything else as it is.
inline std::string without_place(const std::string& path) {
  return path.starts_with('/') ? std::filesystem::path(path).filename().string() : path;
}

}  // namespace precedent
