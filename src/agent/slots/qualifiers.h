// Qualifiers: what a question says beyond the form of its answer (asks.h) and the trouble it tells
// of (signals.h). Read once, with the rest of the intent; plan and answer look here, never at the
// text again.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "time/time_hints.h"

namespace precedent {

struct Qualifiers {
  bool everything = false;      // how all is: "is anything on fire"
  bool overview = false;        // how the parts hang together
  bool to_look = false;         // how to check, not what to do about it
  bool version = false;         // which version runs
  bool author = false;          // who wrote a file, whenever that was
  bool least = false;           // of a ranking: the lowest first
  bool switched_off = false;    // of flags: those that are off
  bool ever = false;            // of an alert: those that are over, too
  bool before = false;          // whether it happened before
  bool flags = false;           // of changes: flags and configuration
  bool deploys = false;         // of changes: deploys and releases
  bool rollbacks = false;       // of changes
  bool commits = false;         // of changes
  bool only_objective = false;  // nothing but a service level
  bool dependants = false;      // what depends on it
  bool moment = false;          // how it was at one moment
  bool rising = false;          // that something rose: "spiked", "slow"
  bool falling = false;         // that something fell: "dropped", "recovered"
  bool open_work = false;       // of work: what is still to be done
  bool repeat = false;          // of an incident: whether it happened before
  bool outlook = false;         // of an incident: when it will be over
  bool of_a_document = false;   // it says "runbook", "guide", "the page on"
  std::string commit;           // its hash; "": none is named
  std::string environment;      // "staging", as written; "": none
  std::string label;            // what a ranking is of: "endpoint"; "": nothing is ranked
  std::string resource;         // "memory", "heap", "cpu", "disk"; "": none is named
  std::string future;           // when what is yet to come is asked for: "tomorrow"; "": it is not
  std::string deed;             // "removed" of "when was it removed"; "": no deed
  std::vector<std::string> words;    // its own, as written; not those of what a follow-up leans on
  std::vector<std::string> names;    // words that may be a document's title, file or path
  std::optional<int> compared_days;  // how far back a comparison goes: 7 for "last week"
  std::vector<TimeHint> compared;    // of its times: those that it only compares to
};

// `times`: those of the question. `now`: when it was asked.
Qualifiers read_qualifiers(const std::string& question, const std::vector<TimeHint>& times,
                           TimePoint now);

}  // namespace precedent
