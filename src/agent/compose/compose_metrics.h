// What the metrics of an answer's receipts say, in figures: one line each, the state, the ranking,
// the onset. Only compose*.cc include this. Thread safety: pure functions over values.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "agent/compose/compose_parts.h"

namespace precedent {

// Whether the last value is of the present: not of the end of a window that is over, nor of a
// series that ended.
bool is_current(const MetricsResult& metric, TimePoint now);
// Whether a metric was asked for by the endpoint or the service that the question names
// (agent/plan/plan_live.h).
bool is_asked_for(const Receipt& receipt);
// A metric that was asked for without a filter is of everything: it concerns the question if its
// name or its series do. Where only some of them do, they were asked for by themselves
// (plan_again). `words` are those of the question's systems.
bool concerns(const MetricsResult& metric, const Receipt& receipt,
              const std::set<std::string>& words);
// A line for each metric and alert that concerns the question, what moved first.
void show_metrics(Writer& out, const Answer& answer, const std::set<std::string>& words,
                  const Onset* onset, const std::vector<Moved>& moved);
// Where nothing began in the window: what the metric that is asked about says.
void tell_state(Writer& out, const Answer& answer, const std::set<std::string>& words,
                bool as_ever);
// "Which service had the most errors": each one's mean, in that order; nothing if that was not
// asked.
void tell_ranking(Writer& out, const Answer& answer);

}  // namespace precedent
