// "&nbsp;", "&#8211;", "&amp;" → the characters that they stand for; what is no reference stays.
// Thread safety: pure.
#pragma once

#include <string>
#include <string_view>

namespace precedent {

std::string decode_html_entities(std::string_view text);

}  // namespace precedent
