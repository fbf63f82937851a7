// Alert lines: the alerts of an answer's receipts that concern its question, a line each. Part of
// the composition (compose_live.cc, compose_alerts of compose_parts.h).
//
// Thread safety: pure functions over values.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/compose/compose_parts.h"

namespace precedent {

inline constexpr size_t kMaxAlertsShown = 5;

// Whether the question names that metric, by its own name or as it is configured.
bool is_named(const MetricsResult& metric, const Intent& intent);

// The results whose alerts may be meant: where the question names a metric and no system, those of
// that metric, which stand with its own labels. What is looked at beside it is of everything.
std::vector<std::pair<const Receipt*, const MetricsResult*>> alerted(
    const Answer& answer, const std::set<std::string>& words);

// An alert of something else is no evidence. `words`: of the system
// (agent/understand/system_words.h); none: what is active since `from`.
bool concerns(const Alert& alert, const std::set<std::string>& words, Instant from);

// That `metric` knows none, at its end if that is past.
std::string no_alert_text(const Intent& intent, const MetricsResult& metric);

using WantedAlert = std::function<bool(const Alert& alert, const MetricsResult& metric)>;
// The active ones that are wanted, each once; `whose`: with service, severity and team.
std::vector<std::string> alert_lines(Writer& out, const Answer& answer,
                                     const std::set<std::string>& words, size_t most,
                                     const WantedAlert& wanted, bool whose = false);
// Those that are over, of the time that is asked about.
std::vector<std::string> past_alert_lines(Writer& out, const Answer& answer,
                                          const std::set<std::string>& words);

}  // namespace precedent
