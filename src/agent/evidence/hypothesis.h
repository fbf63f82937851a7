// Hypothesis: which change may be the cause of what a metric did, and what speaks for it.
//
// Never a proof: candidates are ranked by time and by what they touched; what metrics, alerts and
// documents say is listed beside. Thread safety: pure functions over values.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/evidence/evidence.h"
#include "agent/findings/onset.h"
#include "agent/understand/intent.h"
#include "tools/receipt.h"

namespace precedent {

// Which way the question means.
Direction asked_direction(const Intent& intent);

// Metrics other than the onset's that moved too: a factor of 1.3 against the window before or of 2
// against another day, or a change in the window.
struct Moved {
  const Receipt* receipt = nullptr;
  const MetricsResult* metric = nullptr;
  // Of the mean, against the window before, a day or a week ago: the farthest from 1.
  double factor = 1;
  std::string against;    // which of these
  bool appeared = false;  // there is no value before the window
};
std::vector<Moved> find_moved(const std::vector<Receipt>& receipts, const Onset* onset);

struct Suspect {
  const Receipt* receipt = nullptr;
  const Change* change = nullptr;
  std::vector<const Change*>
      commits;             // that a release brought: of the same services, since the release before
  bool elsewhere = false;  // of another service than the one that is asked about
  std::vector<const Evidence*> told;  // causes in documents that share its words
};
// The record of an incident of that very time: opened at most an hour before the onset or its end,
// and not resolved before; none from after `now`, and none that is open and began with the onset,
// which is what is asked about. `words`: of the system that is asked about (system_words.h); none:
// of any.
struct Recorded {
  const Receipt* receipt = nullptr;
  const IncidentItem* item = nullptr;
};
std::optional<Recorded> find_recorded(const std::vector<Receipt>& receipts, const Onset& onset,
                                      const std::set<std::string>& words, TimePoint now);
// What was changed elsewhere so short before may be behind it, where nothing of the service itself
// was.
inline constexpr std::chrono::hours kLongestLeadElsewhere{1};
// The last change before the onset, at most six hours before; of another service than `service`
// ("": unknown) only if none of that service was made then, and at most an hour before. Without an
// onset only what was changed in that service is suspected. `evidence` is ranked, best first.
std::optional<Suspect> find_suspect(const std::vector<Receipt>& receipts, const Onset* onset,
                                    const std::string& service,
                                    const std::vector<Evidence>& evidence);

}  // namespace precedent
