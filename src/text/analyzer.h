// Text → terms, the way operations people search: prose is folded, stopped and stemmed; a technical
// token is kept whole and also yields its parts.
//
//   "HTTP_403 from PayU's gateway"  → http_403 http 403 payu gateway
//   "db.pool.maxSize"               → db.pool.maxsize db pool max size
//   "/api/v2/search"                → /api/v2/search api v2 search
//
// Thread safety: an Analyzer may be shared between threads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace precedent {

struct Term {
  std::string text;     // what is indexed
  uint32_t begin, end;  // the bytes of the source that it came from, for highlighting
  bool part = false;    // a part of a technical token whose whole form comes just before
  bool operator==(const Term&) const = default;
};

class Analyzer {
 public:
  Analyzer();
  ~Analyzer();
  Analyzer(const Analyzer&) = delete;
  Analyzer& operator=(const Analyzer&) = delete;

  // In order of appearance. `text` should be valid UTF-8; ill-formed bytes separate tokens.
  std::vector<Term> analyze(std::string_view text) const;
  // The texts of analyze() alone.
  std::vector<std::string> terms(std::string_view text) const;

 private:
  struct Impl;
  Impl* impl_;
};

}  // namespace precedent
