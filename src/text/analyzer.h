// Text → terms, the way operations people search: prose is folded, stopped and stemmed; a technical
// token is kept whole and also yields its parts (token_parts.h).
//
//   "HTTP_403 from PayU's gateway"  → http_403 http 403 payu gateway
//   "db.pool.maxSize"               → db.pool.maxsize db pool maxsiz max size
//   "/api/v2/search"                → /api/v2/search api v2 search
//   "checkout-api is OOMKilled"     → checkoutapi checkout api oomkil oom kill
//   "it doesn't start"              → not start
//   "支付失败"                        → 支付 付失 失败
//
// Everything made of letters alone is stemmed, in whatever case it is written, so that "oomkilled"
// finds OOMKilled and "pools" finds db.pool.maxSize; hyphens between letters vanish, so that
// fail-over is failover and CheckoutApi is checkout-api. Whatever holds a digit or another joiner
// is only folded. A query must be analysed by the same analyser as the documents.
//
// Thread safety: an Analyzer has no state and may be shared between threads.
// Errors: none. Ill-formed UTF-8 separates tokens. Time is linear, and no term exceeds
// kMaxTermBytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace precedent {

struct Term {
  std::string text;     // what is indexed
  uint32_t begin, end;  // the bytes of the source that it came from, half-open, for highlighting
  bool part = false;    // of a technical token; the whole, if short enough for a term, came before
  bool operator==(const Term&) const = default;
};
// What is indexed of each.
std::vector<std::string> texts_of(std::vector<Term> terms);

class Analyzer {
 public:
  // In order of appearance. REQUIRES: text.size() < 4 GiB.
  std::vector<Term> analyze(std::string_view text) const;
  // The texts of analyze() alone.
  std::vector<std::string> terms(std::string_view text) const;
};

}  // namespace precedent
