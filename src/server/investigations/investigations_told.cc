// Investigations: what is told where people talk about an incident.
#include <fmt/format.h>

#include "server/investigations/investigations.h"

namespace precedent {

void Investigations::tell(const std::string& id, const InvestigationReport& report,
                          const CancelToken& cancel) {
  if (group_of(id).empty()) return;
  if (const auto told = investigator_.tell(order_of(id), id, report, cancel); !told)
    warn_(fmt::format("investigation {}: {}", id, told.error().text()));
  // An alarm that ended while it was looked into had no place to be told.
  if (const auto shown = find(id); shown && shown->resolved_at) tell_resolved(id, cancel);
}

void Investigations::tell_resolved(const std::string& id, const CancelToken& cancel) {
  if (const auto told = investigator_.tell_resolved(id, cancel); !told)
    warn_(fmt::format("investigation {}: {}", id, told.error().text()));
}

void Investigations::resolve(const std::string& group) {
  std::string id;
  {
    const MutexLock lock(mutex_);
    if (pending_.erase(group) > 0) kept_alarms_.remove(group);
    for (Entry& each : entries_)
      if (each.group == group && !each.shown.resolved_at) {
        each.shown.resolved_at = clock_.now();
        id = each.shown.id;
        break;
      }
  }
  if (id.empty()) return;
  // Whoever sent it does not wait for a chat.
  const auto begun = turns_.start("resolved:" + id, [this, id](ChatTurn& own) {
    tell_resolved(id, own.cancel);
    own.finish();
  });
  if (!begun)
    warn_(fmt::format("investigation {}: its end is not told: {}", id, begun.error().text()));
}

}  // namespace precedent
