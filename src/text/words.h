// Plain words: which are dropped, and what the others are looked up as.
//
// Stemming is Snowball's "english" (Porter2) of libstemmer. The original Porter stemmer finds as
// much on the judged sets (mean nDCG@10 .728 for both, no stemming .718), but makes one word of
// general, generic and generate.
//
// Thread safety: a Stemmer belongs to one thread; thread_stemmer() gives each thread its own.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

struct sb_stemmer;

namespace precedent {

// REQUIRES: `word` is lower case.
bool is_stop_word(std::string_view word);

class Stemmer {
 public:
  Stemmer();
  ~Stemmer();
  Stemmer(const Stemmer&) = delete;
  Stemmer& operator=(const Stemmer&) = delete;

  // Replaces `word`, lower-case ASCII letters, by its stem.
  void stem(std::string& word);

 private:
  struct Entry {
    std::string word, stem;
  };
  sb_stemmer* snowball_;
  std::vector<Entry> cache_;  // direct-mapped; a few thousand words are most of any text
};

Stemmer& thread_stemmer();

}  // namespace precedent
