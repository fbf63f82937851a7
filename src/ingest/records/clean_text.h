// Foreign text as the knowledge base keeps it: \n line ends, no escapes of terminals, no control
// characters, no invisible direction marks.
//
// Line counts do not change, so that line numbers still point into the file. Thread safety: pure
// functions.
#pragma once

#include <string>
#include <string_view>

namespace precedent {

// \r\n and a lone \r become \n.
std::string clean_text(std::string_view text);

}  // namespace precedent
