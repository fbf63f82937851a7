#include "index/casefold.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>

#include "base/strings.h"

namespace precedent {

std::string fold_case(std::string_view text) {
  const auto ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::all_of(text.begin(), text.end(), ascii)) return ascii_lower(text);
  utf8proc_uint8_t* folded = nullptr;
  const utf8proc_ssize_t bytes =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &folded, UTF8PROC_CASEFOLD);
  if (bytes < 0) return std::string(text);
  std::string result(reinterpret_cast<const char*>(folded), static_cast<size_t>(bytes));
  std::free(folded);
  return result;
}

}  // namespace precedent
