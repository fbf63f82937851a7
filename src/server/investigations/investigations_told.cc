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
  if (const auto shown = find(id); shown && shown->resolved_at) {
    score(id);
    tell_resolved(id, cancel);
  }
}

void Investigations::score(const std::string& id) {
  const auto shown = find(id);
  const auto made = report(id);
  if (!shown || !shown->resolved_at || !made) return;
  auto scored = investigator_.score(made->report, shown->created_at, *shown->resolved_at);
  if (!scored) {
    warn_(fmt::format("investigation {} is not scored: {}", id, scored.error().text()));
    return;
  }
  if (!scored->is_object()) return;
  (*scored)["in_time"] = shown->ended_at && *shown->ended_at <= *shown->resolved_at;
  const MutexLock lock(mutex_);
  for (Entry& each : entries_)
    if (each.shown.id == id) {
      each.shown.score = std::move(*scored);
      keep_end(each);
      return;
    }
}

void Investigations::tell_resolved(const std::string& id, const CancelToken& cancel) {
  if (const auto told = investigator_.tell_resolved(id, cancel); !told)
    warn_(fmt::format("investigation {}: {}", id, told.error().text()));
}

void Investigations::resolve(const Alarm& alarm) {
  std::string id;
  {
    const MutexLock lock(mutex_);
    if (const auto waits = pending_.find(alarm.group); waits != pending_.end()) {
      const auto is_over = [&](const Alarm& each) { return each.member == alarm.member; };
      for (const Alarm& each : waits->second.alarms)
        if (is_over(each)) kept_alarms_.remove(each);
      std::erase_if(waits->second.alarms, is_over);
      if (waits->second.alarms.empty()) pending_.erase(waits);
    }
    for (Entry& each : entries_) {
      if (each.group != alarm.group || each.shown.resolved_at) continue;
      each.members.erase(alarm.member);
      // Others of the storm go on.
      if (each.members.empty()) each.shown.resolved_at = clock_.now(), id = each.shown.id;
      if (each.shown.ended_at) keep_end(each);
      break;
    }
  }
  if (id.empty()) return;
  // Whoever sent it does not wait for a chat.
  const auto begun = turns_.start("resolved:" + id, [this, id](ChatTurn& own) {
    score(id);
    tell_resolved(id, own.cancel);
    own.finish();
  });
  if (!begun)
    warn_(fmt::format("investigation {}: its end is not told: {}", id, begun.error().text()));
}

}  // namespace precedent
