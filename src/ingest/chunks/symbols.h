// Symbol: a definition in source code that has a name: function, class, type, macro.
//
// Found by ctags.h, used by code_chunks.h. Thread safety: plain values.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace precedent {

struct Symbol {
  std::string name;   // with its scope: "Builder::StartEdge", "Platform.is_linux"
  uint32_t line = 0;  // on which it begins, 1-based
  uint32_t end = 0;   // its last line, inclusive; `line` where that is not known
  bool operator==(const Symbol&) const = default;
};

// (path, text) → symbols by line. Empty where nothing is known of the language. Called from several
// threads at once.
using SymbolFinder =
    std::function<std::vector<Symbol>(std::string_view path, std::string_view text)>;

}  // namespace precedent
