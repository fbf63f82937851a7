// Spelling: words that say how something behaves, as hurried people type them: "latancy",
// "errrors", "spikey".
//
// Thread safety: pure function.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace precedent {

struct Spelled {
  std::string question;  // with what was meant
  std::string note;      // "'latancy' is read as latency."; "" if nothing was misspelt
};
// `is_word` says of a word in lower case that it is one of its own: what documents hold is not
// misspelt.
Spelled read_spelling(std::string_view question,
                      const std::function<bool(std::string_view)>& is_word);

}  // namespace precedent
