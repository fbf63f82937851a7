// The language of a file, by its name. For a filter and for show: how a file is cut is decided by
// ctags, which has its own idea.
//
// Thread safety: pure function.
#pragma once

#include <string_view>

namespace precedent {

// "cpp", "python", "yaml"; "text" where the name says nothing.
std::string_view language_of(std::string_view path);

}  // namespace precedent
