// Live focus: what a turn asked of the systems in operation, as its receipts have it: of which
// system, which metrics, of which time. Follow-ups inherit it.
//
// Thread safety: pure functions over values.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tools/receipt.h"

namespace precedent {

struct LiveFocus {
  std::string question;              // that it began with, as it was said
  std::string endpoint, service;     // "" if unknown
  std::vector<std::string> metrics;  // asked of it, in the order of the calls
  std::string from, to;  // of the time, as a question says it; "": unknown, or until now
  std::vector<std::shared_ptr<const Receipt>> receipts;

  // As calls name it; "" if whatever there is was asked for.
  const std::string& system() const { return endpoint.empty() ? service : endpoint; }
};

// Whether one goes on with the other: the service alone may stand for its endpoint.
bool is_same_system(const LiveFocus& a, const LiveFocus& b);
// What is talked about once a follow-up on it has been answered: the metrics of both, the later
// time.
LiveFocus go_on(const LiveFocus& before, LiveFocus after);
// The question with another system in the place of its own; "" if it names none.
std::string question_of(const LiveFocus& focus, const std::string& other_system);

// Of the receipts of a turn; nothing if no metrics, alerts or changes were read.
std::optional<LiveFocus> read_live_focus(
    std::string_view question, const std::vector<std::shared_ptr<const Receipt>>& receipts);

// The terms of the analyser that are about it: of its question, its system and its metrics.
std::set<std::string> terms_of(const LiveFocus& focus);

// What was measured, of what and when, as a question says it: "p95 latency and error rate of
// /v1/slots since 2026-11-20T00:00:00Z".
std::string focus_phrase(const LiveFocus& focus);
// The metrics of it alone: "p95 latency and error rate".
std::string metrics_phrase(const LiveFocus& focus);

// Whether an answer cites what these receipts hold.
bool cites(std::string_view answer, const LiveFocus& focus);

}  // namespace precedent
