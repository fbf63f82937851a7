// Which id a document has that names none: one that its place below the source decides, so that a
// folder may be renamed or read through another path.
//
// Two sources may hold files of the same name, so what the store knows decides: a file keeps the id
// that it has; a free id is taken; the id of a document whose file is gone goes to the file that is
// now at the same place below its source; else the whole path decides. Documents of older stores
// have ids made of their whole path, and keep them by the same rules.
//
// Thread safety: one thread at a time.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "store/knowledge_store.h"

namespace precedent {

// Where a document was found.
struct Place {
  std::string source;    // as Document::source
  std::string relative;  // the way below it
  std::string file;      // its canonical path
  std::string named;     // its path as the operator named it
  size_t line = 0;       // of a record; 0 for a document that is the file
};

// The id where nothing else is known.
std::string id_below_source(const Place& place);

class PathIds {
 public:
  explicit PathIds(std::span<const DocumentState> known);

  std::string id_of(const Place& place);

 private:
  struct Owner {
    std::string source;
    std::string file;  // its canonical path
  };

  void know(const DocumentState& state, const std::string& file, const std::string& relative);
  std::string find(const Place& place) const;

  std::unordered_map<std::string, Owner> owners_;          // by id
  std::unordered_map<std::string, std::string> by_file_;   // canonical path, ":line" → id
  std::unordered_map<std::string, std::string> by_place_;  // relative path → id of an older
                                                           // store, whose file is gone
};

}  // namespace precedent
