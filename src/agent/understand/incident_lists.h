// Lists of incidents: whether a question asks for one, and of what.
//
// Thread safety: pure functions over values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agent/understand/open_intent.h"

namespace precedent {

// Whether it speaks of incidents at all. `lower`: the question in lower case, here and below.
bool about_incidents(const std::string& lower);

// The names whose incidents are to be listed. Of several names at one place that begin so the tool
// takes all.
std::vector<std::string> asked_applications(std::string_view question,
                                            const std::vector<NameMention>& names);

// "How long was the outage on 24 August 2025?": one incident, called by its day, and something of
// it.
bool asks_for_one_of_a_day(const Intent& intent, const std::string& lower);

// "Incidents of X in March": what a list is made of, and of what. False: no list is asked for.
bool decide_list(OpenIntent& intent, const SelfQuery& read, const Catalogue& catalogue,
                 const std::string& lower);

// A list of records, and of nothing else: whatever the question says beyond its frame is what the
// records must say. `read`: of records.
void take_records(OpenIntent& intent, const SelfQuery& read);
// Figures over the records, rather than they themselves. `read`: of records.
void take_tally(OpenIntent& intent, const SelfQuery& read, Tally tally);

}  // namespace precedent
