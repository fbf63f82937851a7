// A text as literal look-ups see it: lower case, white space squeezed, typographic marks as in
// ASCII, Markdown's * _ ` left out.
//
// Thread safety: a pure function.
#pragma once

#include <string>
#include <string_view>

namespace precedent {

std::string fold_literal(std::string_view text);

}  // namespace precedent
