// Snippet: the few sentences of a chunk that say why it was found, with the matched words marked.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/analyzer.h"

namespace precedent {

struct Snippet {
  std::string text;  // one line; "… " and " …" where something was left out
  struct Match {
    size_t begin, end;  // bytes in text
    bool operator==(const Match&) const = default;
  };
  std::vector<Match> matches;  // in order, not overlapping
};

// The window of `chunk` of at most about `max_bytes` with the most different terms of the question
// in it; its beginning if none. Secrets go before it is cut.
Snippet make_snippet(std::string_view chunk, const std::vector<std::string>& query_terms,
                     const Analyzer& analyzer, size_t max_bytes = 240);

}  // namespace precedent
