// A question of any bytes: what the rules read off it lies inside it, and reading it is safe.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/utf8.h"
#include "search/code_ranking.h"
#include "search/self_query.h"
#include "search/snippet.h"
#include "search/synonyms.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace precedent;  // NOLINT
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const TimePoint now = parse_time("2026-11-20T09:30:00Z").value();
  static const Catalogue kCatalogue{.applications = {"PayU Core", "Settlement & Reporting"},
                                    .services = {"checkout-api", "ledger"},
                                    .severities = {"SEV1", "high"},
                                    .statuses = {"Resolved", "Investigating"}};
  const SelfQuery read = read_self_query(bytes, kCatalogue, now);
  for (const NameMention& name : read.names) {
    if (name.begin >= name.end || name.end > size) std::abort();
  }
  for (const std::string& name : find_code_names(bytes).paths) {
    if (bytes.find(name) == std::string_view::npos) std::abort();
  }
  static_cast<void>(joined_words(bytes));
  static_cast<void>(RolePrior(bytes).of(bytes));
  const Analyzer analyzer;
  const std::string valid = repair_utf8(bytes);
  const Snippet snippet = make_snippet(valid, analyzer.terms(valid.substr(0, 64)), analyzer, 60);
  if (invalid_utf8_at(snippet.text)) std::abort();
  for (size_t at = 0; const auto& match : snippet.matches) {
    if (match.begin < at || match.end < match.begin || match.end > snippet.text.size())
      std::abort();
    at = match.end;
  }
  if (const auto synonyms = Synonyms::parse(bytes, "fuzz", analyzer)) {
    static_cast<void>(synonyms->expand(analyzer.terms(bytes)));
  }
  return 0;
}
