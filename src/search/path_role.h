// What a file of a repository is for, by its path: the code itself, its tests, its documents, or
// what surrounds it. By the conventions that repositories share; the table is in the .cc.
//
// Thread safety: pure function.
#pragma once

#include <cstdint>
#include <string_view>

namespace precedent {

enum class PathRole : uint8_t {
  kSource,
  kTest,         // tests, fixtures, benches, fuzzers
  kExample,      // samples and demos
  kDocument,     // manuals, read-mes
  kTranslation,  // message catalogues
  kHistory,      // change logs, licences, authors: they name everything and do nothing
};

PathRole role_of(std::string_view path);

}  // namespace precedent
