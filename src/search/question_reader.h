// The `QuestionReader` seam: who reads a question into a filter and a query better than the rules
// of self_query.h do, as a language model may.
//
// Where reading fails, the rules read instead; where the filter finds nothing, the search goes on
// without it. Thread safety: read() may be called from several threads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "search/self_query.h"

namespace precedent {

struct ReadQuestion {
  std::string query;              // what to search for; "": nothing beyond the filter
  Filter filter;                  // of names, states and kinds that the knowledge base has
  std::vector<std::string> cues;  // what was read, and what was dropped, one each
};

class QuestionReader {
 public:
  virtual ~QuestionReader() = default;
  virtual Result<ReadQuestion> read(std::string_view question, const Catalogue& catalogue,
                                    TimePoint now) const = 0;
};

}  // namespace precedent
