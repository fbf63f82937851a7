// A text of others as one line of Markdown that cannot be more than a text: no heading, list, link,
// image or tag begins in it, and nothing ends the line. Thread safety: a pure function.
#pragma once

#include <string>
#include <string_view>

namespace precedent {

std::string markdown_line(std::string_view text);

}  // namespace precedent
