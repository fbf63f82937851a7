#include "investigate/hypotheses/generators.h"

#include <fmt/format.h>

#include <algorithm>

#include "investigate/evidence/failing_parts.h"

namespace precedent {

const std::vector<Generator>& generators() {
  static const std::vector<Generator> table = {
      {"change", "a commit whose diff can do what is seen", change_hypotheses},
      {"flag", "a flag or a setting that was turned before the onset", flag_hypotheses},
      {"traffic", "more requests at a service that nobody here calls", traffic_hypotheses},
      {"certificate", "a certificate that ran out, or an error that says so",
       certificate_hypotheses},
      {"provider", "errors that name a host outside", provider_hypotheses},
      {"machine", "services on one machine or zone that fail together", machine_hypotheses},
      {"record", "errors about one and the same record", record_hypotheses},
      {"resource", "a resource of its own that ran out", resource_hypotheses},
      {"known", "documents that read like the alerts, where nothing was measured",
       known_hypotheses},
  };
  return table;
}

std::vector<Hypothesis> hypotheses_of(const Generator& row, const CaseFile& evidence) {
  std::vector<Hypothesis> made = row.make(evidence);
  // Only a change is looked for apart: what comes from outside reaches services that no call links.
  if (row.make == change_hypotheses)
    for (const FailingPart& part : evidence.apart)
      for (Hypothesis& hypothesis : row.make(evidence_of(evidence, part))) {
        hypothesis.part = part.services.front();
        made.push_back(std::move(hypothesis));
      }
  for (Hypothesis& hypothesis : made) hypothesis.row = row.name;
  return made;
}

std::vector<Hypothesis> ranked(std::vector<Hypothesis> all) {
  share_confidence(all);
  std::ranges::stable_sort(all, std::greater<>(), &Hypothesis::confidence);
  for (size_t i = 0; i < all.size(); ++i) all[i].id = fmt::format("H{}", i + 1);
  return all;
}

}  // namespace precedent
