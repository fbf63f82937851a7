// The `Investigator` seam: who finds out what caused an incident. The command line's looks into
// PagerDuty and the live systems (cli/incidents/systems_investigator.h).
//
// Thread safety: investigate() may be called from several threads. Ownership: outlives the server.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/error.h"
#include "base/time.h"

namespace precedent {

// What somebody wants looked into: one of `incident`, `alert` and `description`, the rest beside
// it.
struct InvestigationOrder {
  std::string incident;  // "PD-12345", or the name of an active alert
  std::string alert;     // JSON, as docs/format/snapshot.md has alerts
  std::string service, since, until, description;
  bool ask = false;  // stop at the deciding question of an inconclusive one
};

struct InvestigationReport {
  nlohmann::json report;  // docs/format/investigation.md
  std::string markdown;
  bool asks = false;  // it waits for the answer to its deciding question
};

class Investigator {
 public:
  virtual ~Investigator() = default;
  // `id`: under which name answer() finds one that asks. One that was stopped goes on from where it
  // stands if it is called again under its id. `say`: what it does at present, a line for people.
  // Errors: kInvalidArgument for an order that names nothing, or nothing that can be read;
  // kNotFound; those of the sources; kCancelled.
  virtual Result<InvestigationReport> investigate(const InvestigationOrder& order,
                                                  const std::string& id,
                                                  const std::function<void(std::string_view)>& say,
                                                  const CancelToken& cancel) = 0;
  // What can be said of an order at once, before anybody looks into it. Errors: kNotFound for an
  // incident that its source does not know; whatever else is wrong, investigate() tells.
  virtual Result<void> check(const InvestigationOrder& /*order*/, const CancelToken& /*cancel*/) {
    return {};
  }
  // Goes on with one that asks. Errors: also kInvalidArgument for what is neither yes nor no.
  virtual Result<InvestigationReport> answer(const std::string& id, const std::string& answer,
                                             const std::function<void(std::string_view)>& say,
                                             const CancelToken& cancel) = 0;
  // What an investigation that an alarm began came to, told where people talk about it, by those
  // who were configured to; again after each answer to its deciding question. Errors: what could
  // not be told, and why.
  virtual Result<void> tell(const InvestigationOrder& /*order*/, const std::string& /*id*/,
                            const InvestigationReport& /*report*/, const CancelToken& /*cancel*/) {
    return {};
  }
  // Whether what ended its alarm fits the report, as an object: `outcome`, `because`, `change`
  // (investigate/verdict/outcome.h). `since`, `until`: of the alarm. Null: nobody can tell.
  virtual Result<nlohmann::json> score(const nlohmann::json& /*report*/, TimePoint /*since*/,
                                       TimePoint /*until*/) {
    return nlohmann::json();
  }
  // That its alarm is over, told there as well.
  virtual Result<void> tell_resolved(const std::string& /*id*/, const CancelToken& /*cancel*/) {
    return {};
  }
};

}  // namespace precedent
