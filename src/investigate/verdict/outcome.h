// Outcome: whether what ended an incident fits what an investigation of it said.
//
// Told from the changes that are recorded alone. Something was taken back while it lasted (a
// rollback, a commit that reverts another, a version that ran before, a flag that was turned
// again): that was the convicted change, or another one. What lies outside the changes leaves no
// record, so a certificate or a provider is never confirmed.
// Thread safety: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "changes/change.h"

namespace precedent {

enum class Outcomes {
  kConfirmed,     // the convicted change was taken back
  kContradicted,  // another one was, and the convicted one was not
  kMissed,        // nothing was convicted, and a change was taken back
  kUnknown,       // nothing that is recorded tells
};
std::string_view name(Outcomes outcome);  // "confirmed"

struct OutcomeScore {
  Outcomes outcome = Outcomes::kUnknown;
  std::string because;  // a sentence
  std::string change;   // the id of what took something back; ""
};
nlohmann::json to_json(const OutcomeScore& score);

// `report`: docs/format/investigation.md. `changes`: those of the day before its onset and of the
// incident, in any order. `since`: when the investigation began; it counts where the report knows
// neither onset nor alert.
OutcomeScore outcome_score(const nlohmann::json& report, std::vector<Change> changes,
                           TimePoint since);

}  // namespace precedent
