// Investigations over what this machine reaches: PagerDuty, the alerts, metrics and changes of
// tools.yaml, the knowledge base. The command `investigate` and the server use the same.
//
// Thread safety: as Investigator; look_into() from several threads. Errors: kInvalidArgument for an
// order that names nothing, and for a time that is none; kNotFound; those of the sources.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/clock.h"
#include "cli/live_incident.h"
#include "cli/notes.h"
#include "investigate/investigation.h"
#include "server/investigator.h"

namespace precedent {

struct LookInto {
  // A folder, a file, "-" (only where `files` may be read), PD-ID, or the name of an alert; "":
  // described by the rest.
  std::string incident;
  std::string alert;  // JSON, instead
  bool files = false;
  std::filesystem::path snapshot;  // where the evidence is; empty: in the live systems
  std::filesystem::path record;    // where those are kept; empty: nowhere
  std::filesystem::path bundle;    // where a bundle (investigate/bundle.h) goes; empty: nowhere
  std::string service, since, until, description;
};

struct Systems {
  std::filesystem::path data_dir;
  std::string tools;             // --tools-config
  const Notes* notes = nullptr;  // null: nothing is written back
};

// "--since: …" with an error's text.
Result<BriefOptions> by_hand(const LookInto& wish);

Result<Investigation> look_into(const LookInto& wish, const Systems& systems, const Clock& clock,
                                const std::function<void(std::string_view)>& say,
                                const CancelToken& cancel);
// "recorded 2026-… to 2026-…: 12 metrics (80 series), 1 alert …"
std::string told(const Recording& recording, const Window& window);

class SystemsInvestigator final : public Investigator {
 public:
  SystemsInvestigator(Systems systems, const Clock& clock)
      : systems_(std::move(systems)), clock_(clock) {}
  Result<InvestigationReport> investigate(const InvestigationOrder& order,
                                          const std::function<void(std::string_view)>& say,
                                          const CancelToken& cancel) override;
  Result<void> tell(const InvestigationOrder& order, const std::string& id,
                    const InvestigationReport& report, const CancelToken& cancel) override;

 private:
  const Systems systems_;
  const Clock& clock_;
};

}  // namespace precedent
