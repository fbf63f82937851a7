// Generator of kinds of fault that are written down, where nothing was measured.
#include <fmt/format.h>

#include "base/strings.h"
#include "investigate/evidence/alert_signs.h"
#include "investigate/hypotheses/generators.h"

namespace precedent {
namespace {

// A need that alerts and documents alone never keep: with any prediction, it stays below what
// convicts (verdict.h).
constexpr double kUnseen = 0.1;

// "at shop, …", where the alerts say where.
std::string placed(const CaseFile& evidence, const std::string& what) {
  return evidence.failing.empty() ? what : fmt::format("at {}, {}", evidence.failing, what);
}

}  // namespace

std::vector<Hypothesis> known_hypotheses(const CaseFile& evidence) {
  std::vector<Hypothesis> all;
  if (!nothing_measured(evidence)) return all;
  for (const KnownFault& fault : evidence.known.faults) {
    Hypothesis out;
    out.category = Category::kKnown;
    out.service = evidence.failing;
    out.statement = placed(evidence, fmt::format("what \"{}\" describes", fault.title));
    out.needs.push_back(
        {placed(evidence, fmt::format("\"{}\"", fault.says.empty() ? fault.title : fault.says)),
         kUnseen, 1, "nothing was measured, and alerts and documents alone prove no cause",
         fault.receipt});
    out.predictions.push_back(
        {"the alerts read like it", fault.fits, 1, fault.alert, fault.receipt});
    if (evidence.known.past > 0)
      out.predictions.push_back(
          {"past incidents that read alike were this", fault.share, 1,
           fault.past.empty()
               ? fmt::format("none of the {} most alike names it", evidence.known.past)
               : join(fault.past, ", "),
           fault.receipt});
    out.advice = fmt::format("Follow {} ({}).", fault.title, place_of(fault));
    out.path = path_from(evidence, out.service);
    all.push_back(std::move(out));
  }
  return all;
}

}  // namespace precedent
