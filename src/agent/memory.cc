#include "agent/memory.h"

#include <algorithm>

#include "base/strings.h"

namespace precedent {
namespace {

// The latest receipt of the conversation that holds the incident, cut down to it.
std::optional<Receipt> latest_record(const Conversation& conversation, std::string_view id) {
  const auto& turns = conversation.turns();
  for (auto turn = turns.rbegin(); turn != turns.rend(); ++turn) {
    for (const Receipt& receipt : turn->receipts) {
      const auto* result = std::get_if<IncidentsResult>(&receipt.result);
      if (result == nullptr) continue;
      for (const IncidentItem& item : result->incidents) {
        if (item.incident.incident_id != id) continue;
        Receipt record = receipt;
        IncidentsResult one;
        one.incidents.push_back(item);
        one.incidents.front().relevance = 1;
        one.total = 1;
        record.result = std::move(one);
        record.text.clear();
        return record;
      }
    }
  }
  return std::nullopt;
}

const Incident& incident_in(const Receipt& record) {
  return std::get<IncidentsResult>(record.result).incidents.front().incident;
}

bool one_of(const std::vector<std::string>& names, std::string_view value) {
  return names.empty() || std::ranges::any_of(names, [&](const std::string& name) {
           return name_key(name) == name_key(value);
         });
}

}  // namespace

Recollection recollect(const Conversation& conversation, const std::vector<std::string>& ids) {
  Recollection recollection;
  for (const std::string& id : ids) {
    if (auto record = latest_record(conversation, id)) {
      recollection.receipts.push_back(std::move(*record));
    } else {
      recollection.unknown.push_back(id);
    }
  }
  return recollection;
}

void apply_filter(Recollection& recollection, const Filter& filter) {
  std::erase_if(recollection.receipts, [&](const Receipt& record) {
    const Incident& i = incident_in(record);
    const auto at = opened(i);
    return !one_of(filter.severities, i.severity) || !one_of(filter.statuses, i.status) ||
           !one_of(filter.applications, i.impacted_application) ||
           !(filter.opened.unbounded() || (at && filter.opened.contains(*at)));
  });
}

bool holds_what_is_asked(const Recollection& recollection, const Asks& asks) {
  // What to do next is in runbooks; a record tells what was done then.
  if (asks.command) return false;
  return std::ranges::all_of(recollection.receipts, [&](const Receipt& record) {
    const Incident& i = incident_in(record);
    const auto said = [](const std::string& text) { return !trim(text).empty(); };
    if (asks.cause && !said(i.root_cause)) return false;
    if ((asks.remedy || asks.steps) && !said(i.action_taken) && !said(i.mitigation)) return false;
    if (asks.person && !said(i.accountable_party)) return false;
    return true;
  });
}

}  // namespace precedent
