// The macros of a page as Confluence itself shows them: its rendered view → the text of each.
//
// Confluence marks what a macro without a body makes with `data-macro-name`. Thread safety: pure.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sources/storage_markdown.h"

namespace precedent {

// Of `names` alone. Nothing for a view that cannot be read.
RenderedMacros rendered_macros(std::string_view view, const std::map<std::string, size_t>& names);

}  // namespace precedent
