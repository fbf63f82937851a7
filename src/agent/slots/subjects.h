// Subjects: the things that a question names: incidents, endpoints, services, metrics, files.
//
// Thread safety: pure functions over values.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "search/self_query.h"

namespace precedent {

enum class SubjectKind {
  kIncident,
  kEndpoint,     // /api/search
  kService,      // of the knowledge base, or a name of that form: ledger-api
  kApplication,  // of the knowledge base
  kMetric,       // p95_latency, hit ratio, or a metric's own name
  kFile,         // search_service.py, terraform/modules/rds
  kSymbol,       // a function, a class, a setting: search_orders(), max.poll.records
  kPerson,       // whose changes are asked for
  kFlag,         // a feature flag, by its name; "flags": all of them
  kThing,        // whatever else the question is about, in its own words
};
std::string_view name(SubjectKind kind);

// The text of a kFlag that stands for all.
inline constexpr std::string_view kAllFlags = "flags";

struct Subject {
  std::string text;  // as the knowledge base spells it if it knows it, else as written
  SubjectKind kind = SubjectKind::kThing;
  bool operator==(const Subject&) const = default;
};

// Each once, in the order of the kinds above. Things only where there is nothing better. `names`
// are those of the catalogue that the question mentions, `ids` the incidents'; `not_these` are
// stretches of text that mean a time.
std::vector<Subject> find_subjects(std::string_view question, const std::vector<std::string>& ids,
                                   const std::vector<NameMention>& names,
                                   const std::vector<std::string>& not_these);

// Whether a word (in lower case) only says what is done, asked or waited for: "recent", "show",
// "still".
bool frames_a_question(std::string_view word);

// The words of a name that tell it from others: "search" of search-service and of /api/search.
std::set<std::string> telling_words(std::string_view text);

}  // namespace precedent
