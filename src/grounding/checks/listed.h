// Listed: what whole lists of active alerts and of changes say of a clause. A list that is complete
// can prove that something is not there; all others can only refute.
//
// Thread safety: pure functions.
#pragma once

#include "grounding/checks/sentence.h"
#include "grounding/facts/facts.h"
#include "grounding/text/clauses.h"

namespace precedent {

// What it is not about, a list is silent on.
enum class Listed : uint8_t { kSilent, kProved, kRefuted };

// "No alert is firing", "there are no alerts for search", "the alerts are quiet".
Listed judge_no_alert(const Sentence& sentence, const Facts& facts, const Clause& clause);
// "StreamSlow is firing", "search has an alert that fires", "StreamSlow has not cleared yet".
Listed judge_active_alert(const Sentence& sentence, const Facts& facts, const Clause& clause);
// "No deploy happened before the rise", "nothing was changed on search today".
Listed judge_no_change(const Sentence& sentence, const Facts& facts, const Clause& clause);
// "The latest is search 5.5.0, by Mei": the newest of the list, or of its kind.
Listed judge_newest(const Sentence& sentence, const Facts& facts, const Clause& clause);
// "All of the deploys were made by Mei"
Listed judge_all_changes(const Sentence& sentence, const Facts& facts, const Clause& clause);

// "Four deploys", "Mei made two of the deploys": whether the lists have so many of the noun behind
// token `at`, or of those by whom or of what the sentence names.
bool is_number_of_changes(const Sentence& sentence, const Facts& facts, size_t at, size_t wanted);

}  // namespace precedent
