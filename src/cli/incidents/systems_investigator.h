// Investigations over what this machine reaches: PagerDuty, the alerts, metrics and changes of
// tools.yaml, the knowledge base. The command `investigate` and the server use the same.
//
// Thread safety: as Investigator; look_into() from several threads. Errors: kInvalidArgument for an
// order that names nothing, and for a time that is none; kNotFound; those of the sources.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/clock.h"
#include "cli/conversation/model_step.h"
#include "cli/incidents/live_incident.h"
#include "cli/incidents/notes.h"
#include "graph/checkpointer.h"
#include "investigate/verdict/investigation.h"
#include "server/investigations/investigator.h"

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
  bool ask = false;                  // stop at the deciding question
  std::vector<std::string> answers;  // to it and those after it: "yes" or "no"
};

struct Systems {
  std::filesystem::path data_dir;
  std::string tools;             // --tools-config
  const Notes* notes = nullptr;  // null: nothing is written back
  Checkpointer* kept = nullptr;  // of open_kept_cases(); null: nothing is kept
  ModelStep model = {};          // empty: no model adds to a report
};

// What of a data directory's investigations is not complete yet, each phase as it ended; the last
// kMaxKeptCases. Whatever is complete is forgotten. Errors: those of the disk.
inline constexpr size_t kMaxKeptCases = 200;
Result<std::unique_ptr<Checkpointer>> open_kept_cases(const std::filesystem::path& data_dir);

// "--since: …" with an error's text.
Result<BriefOptions> by_hand(const LookInto& wish);

struct LookedInto {
  Investigation made;
  // It stopped at the deciding question of `made`; go_on() takes the answer.
  bool asks = false;
};
// `id`: under which name it is kept; "": it is not. `note`: what is worth telling beyond the
// moment. Errors: kInvalidArgument for an answer that is neither yes nor no.
Result<LookedInto> look_into(const LookInto& wish, const std::string& id, const Systems& systems,
                             const Clock& clock, EventSink& events,
                             const std::function<void(std::string_view)>& note,
                             const CancelToken& cancel);
// A kept one that was stopped or asks: from where it stands. Of the wish only `answers`, `record`
// and `bundle` count. Errors: kNotFound; kInvalidArgument for an answer to nothing.
Result<LookedInto> go_on(const LookInto& wish, const std::string& id, const Systems& systems,
                         const Clock& clock, EventSink& events,
                         const std::function<void(std::string_view)>& note,
                         const CancelToken& cancel);
// "recorded 2026-… to 2026-…: 12 metrics (80 series), 1 alert …"
std::string told(const Recording& recording, const Window& window);

class SystemsInvestigator final : public Investigator {
 public:
  SystemsInvestigator(Systems systems, const Clock& clock)
      : systems_(std::move(systems)), clock_(clock) {}
  Result<InvestigationReport> investigate(const InvestigationOrder& order, const std::string& id,
                                          const std::function<void(std::string_view)>& say,
                                          const CancelToken& cancel) override;
  // Of the name of an alert: PagerDuty's incidents would cost a call to somebody else.
  Result<void> check(const InvestigationOrder& order, const CancelToken& cancel) override;
  Result<InvestigationReport> answer(const std::string& id, const std::string& answer,
                                     const std::function<void(std::string_view)>& say,
                                     const CancelToken& cancel) override;
  Result<void> tell(const InvestigationOrder& order, const std::string& id,
                    const InvestigationReport& report, const CancelToken& cancel) override;
  Result<nlohmann::json> score(const nlohmann::json& report, TimePoint since,
                               TimePoint until) override;
  Result<void> tell_resolved(const std::string& id, const CancelToken& cancel) override;

 private:
  const Systems systems_;
  const Clock& clock_;
};

}  // namespace precedent
