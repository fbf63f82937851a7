// How much an edit and a failure speak of the same things: the rare parts of identifiers that stand
// in the changed lines of a diff and in what the failing services say since the onset.
//
// Words that stood in the logs while all was calm count for nothing, and so do the names of
// services; a word that many commits share counts for little (inverse document frequency).
// Thread safety: const members from any thread.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "investigate/evidence/evidence.h"

namespace precedent {

// The changed lines of a diff and the paths of its files.
std::string edited_text(const ChangeCandidate& candidate);

class SharedWords {
 public:
  explicit SharedWords(const CaseFile& evidence);

  struct Overlap {
    double score = 0;                // 0 to 1
    double rarest = 0;               // of its rarest word: 1 if no other commit edits it
    std::vector<std::string> words;  // the rarest first
  };
  Overlap with(std::string_view changed) const;

 private:
  std::map<std::string, std::set<size_t>, std::less<>>
      commits_;  // word → candidates that change it
  size_t count_ = 0;
  std::set<std::string, std::less<>> said_;
};

}  // namespace precedent
