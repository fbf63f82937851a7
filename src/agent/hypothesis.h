// Hypothesis: which change may be the cause of what a metric did, and what speaks for it.
//
// Never a proof: candidates are ranked by time and by what they touched; what metrics, alerts and documents say is listed beside.
// Thread safety: pure functions over values.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agent/evidence.h"
#include "tools/receipt.h"

namespace precedent {

// When the behaviour that is asked about changed, as a metric tells it. One of both is there.
struct Onset {
  const Receipt* receipt = nullptr;
  const MetricsResult* metric = nullptr;
  std::optional<ChangePoint> change;  // of level; of several the one by the largest factor
  std::optional<Excursion> first;     // the first value of its kind, where it came before that
  Instant at() const { return first ? first->at : change->at; }
};
// Whether a metric is one of what is asked about.
using Concerns = std::function<bool(const MetricsResult&, const Receipt&)>;
// Of the first metric whose level changed in its window; else of the first with unusual values. Only
// those that concern the question.
std::optional<Onset> find_onset(const std::vector<Receipt>& receipts, const Concerns& concerns);

// Metrics other than the onset's that moved too: a factor of 1.3 against the window before, or a change in the window.
struct Moved {
  const Receipt* receipt = nullptr;
  const MetricsResult* metric = nullptr;
  double factor = 1;      // of the mean, against the window before
  bool appeared = false;  // there is no value before the window
};
std::vector<Moved> find_moved(const std::vector<Receipt>& receipts, const Onset* onset);

struct Suspect {
  const Receipt* receipt = nullptr;
  const Change* change = nullptr;
  std::vector<const Change*>
      commits;  // that a release brought: of the same services, since the release before
  std::vector<const Evidence*> told;  // causes in documents that share its words
};
// Nothing without a change before the onset. `evidence` is ranked, best first.
std::optional<Suspect> find_suspect(const std::vector<Receipt>& receipts, const Onset* onset,
                                    const std::vector<Evidence>& evidence);

}  // namespace precedent
