// The self-query by rule: what a question says about *which* documents it wants, read off its
// words.
//
//   "SEV1 timeouts in Settlement & Reporting since March"
//     → severity=SEV1, application=Settlement & Reporting, opened=[2026-03-01,)
//
// Names, statuses and severities are those the knowledge base has (Catalogue): nothing is a name
// that no document carries. A name is *scope* only where the sentence uses it so ("incidents in X",
// "X outages"); elsewhere it is a mention, which ranks matching documents higher and excludes none.
// Thread safety: pure functions over values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "knowledge/filter.h"
#include "time/time_hints.h"

namespace precedent {

struct Catalogue {
  std::vector<std::string> applications;
  std::vector<std::string> services;
  std::vector<std::string> severities;
  std::vector<std::string> statuses;
};

struct NameMention {
  enum class Field { kApplication, kService };
  std::string name;  // as the catalogue spells it
  Field field = Field::kApplication;
  size_t begin = 0, end = 0;  // bytes in the question
  bool whole = false;         // the whole name, not just its distinctive first word
  bool scope = false;         // the sentence restricts itself to it
  bool operator==(const NameMention&) const = default;
};

struct SelfQuery {
  Filter filter;  // severities, statuses, ids, dates, and the names that are scope
  std::vector<NameMention> names;
  std::vector<TimeHint> times;
  std::vector<std::string> ids;   // normalised, in order
  std::vector<std::string> cues;  // "severity=SEV1: 'sev1'", for --explain
  // Nothing is asked beyond the filter: "open incidents of PayU Core in March". To be listed rather
  // than ranked.
  bool lists = false;
  // The only number from 2 to 50 that is of no name, id, time or restriction: how many, if it asks
  // for a list.
  std::optional<int> count;
  // Those that are not over yet, whatever their status is called: "still open".
  bool open = false;
  // Whether there is no other word in it than names, times, severities, statuses, that count and
  // those that frame a request for a list.
  bool only_frames = false;
  // The other words, as written: "PS-09" is one.
  std::vector<std::string> rest;
  bool of_records = false;  // as it was told
};

// `of_records`: it is known to ask for records, in whatever words; then every severity, status and
// time in it restricts them.
SelfQuery read_self_query(std::string_view question, const Catalogue& catalogue, TimePoint now,
                          bool of_records = false);

// Every mention of an application or service of the catalogue, longest first, not overlapping per
// field.
std::vector<NameMention> find_names(std::string_view question, const Catalogue& catalogue);

// Names compared as people write them: case, '&' and "and", hyphens, underscores and white space
// fold.
std::string name_key(std::string_view name);

// The one of `known` that is the same name, in its spelling; `name` itself if none is.
std::string known_name(std::string_view name, const std::vector<std::string>& known);

// "Resolved", "closed", "done": nothing is left to do. Also for sorting an answer.
bool is_closed_status(std::string_view status);

}  // namespace precedent
