// Every line of the indexed code that a pattern matches: the exact side of repo_search.
//
// Reads the files out of the store, in the order of their paths. Time is linear in what is read,
// whatever the pattern (RE2), and what is read is bounded. Thread safety: pure function over the
// store.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "store/knowledge_store.h"

namespace precedent {

struct CodeMatch {
  std::string id;  // of the document
  std::string path;
  LineRange lines;      // of the excerpt
  std::string excerpt;  // the lines that match, with their neighbours
};

struct CodeScan {
  std::vector<CodeMatch> matches;  // at most the limit
  size_t total = 0;                // places that match, also beyond the limit
  size_t files = 0;                // in which they are
  bool complete = true;            // false: kMaxScannedBytes was reached
};

// A pattern longer than this is not written by hand.
inline constexpr size_t kMaxPatternBytes = 1000;
// A second or two of reading; 25 times the code of a large company's service.
inline constexpr uint64_t kMaxScannedBytes = 1ull << 30;

// Which files to look into, by id and path.
using CodeFileFilter = std::function<bool(std::string_view id, std::string_view path)>;

// `pattern` is RE2 syntax, matched line by line ("^" and "$" are those of a line). Errors:
// kInvalidArgument saying what is wrong with the pattern; those of the store.
Result<CodeScan> scan_code(const KnowledgeStore& store, std::string_view pattern,
                           const CodeFileFilter& wanted, size_t limit);

}  // namespace precedent
