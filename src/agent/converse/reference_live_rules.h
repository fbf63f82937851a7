// What the rules on follow-ups about a system in operation share, in three files: what was
// read before (reference_recall.cc), what is asked again (reference_live.cc), and what is asked of
// another system or time (reference_live_other.cc). Only these include this.
//
// Thread safety: pure functions over values.
#pragma once

#include <re2/re2.h>

#include <optional>
#include <string>

#include "agent/converse/reference_rules.h"

namespace precedent {

// Whether nothing is said beside a pattern but words that point, and names of what is meant.
bool says_only(const Asked& q, const LiveFocus& live, const RE2& said);
// How it is called where nothing but alerts was asked for: by its question.
std::string name_of(const LiveFocus& live);
// `whole` is asked of systems, as a follow-up on `live`.
Reference asked_again(const LiveFocus& live, std::string whole);
// The figures of its metrics.
Reference figures_of(const LiveFocus& live);

// "When did it start?", "who deployed it?", "show me the code", "why?": what earlier receipts
// answer.
std::optional<Reference> read_recalled(const Asked& q, const LiveFocus& live);

// The same question of another system: its words where they name the old one.
std::optional<Reference> read_another(const Asked& q, const LiveFocus& live);
// "And the day before?": before the time that a question on changes names.
std::optional<Reference> read_time_before(const Asked& q, const LiveFocus& live);
// "And yesterday?", "and since Monday?": where the question before was itself asked so.
std::optional<Reference> read_other_time(const Asked& q, const LiveFocus& live);

}  // namespace precedent
