// Which documents a removal is about.
//
// Every criterion that is given must hold; of several values of one criterion any will do.
// Thread safety: pure but for the file system, which is asked where a source is.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "knowledge/kind.h"
#include "store/knowledge_store.h"

namespace precedent {

struct Removal {
  std::vector<std::string> ids;      // as people write them
  std::vector<std::string> paths;    // a file, a folder with all below it, or a pattern with * ? []
  std::vector<std::string> sources;  // a file or folder that was ingested, or a folder above it
  std::optional<Kind> kind;

  bool says_nothing() const { return ids.empty() && paths.empty() && sources.empty() && !kind; }
};

// By path, then by id. Golden examples are left alone: they are truth of their own.
// Errors: kNotFound, naming the values to which nothing fits, so that a misspelling does not pass
// for a removal.
Result<std::vector<DocumentState>> to_remove(const Removal& removal,
                                             std::span<const DocumentState> known);

}  // namespace precedent
