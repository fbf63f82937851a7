#include "agent/converse/recollection.h"

#include <re2/re2.h>

#include <algorithm>

#include "agent/findings/extra_fields.h"
#include "base/strings.h"
#include "text/analyzer.h"

namespace precedent {
namespace {

// The latest receipt of the conversation that holds the incident, cut down to it.
std::optional<Receipt> latest_record(const Conversation& conversation, std::string_view id) {
  const auto& turns = conversation.turns();
  for (auto turn = turns.rbegin(); turn != turns.rend(); ++turn) {
    for (const auto& receipt : turn->receipts) {
      const auto* result = std::get_if<IncidentsResult>(&receipt->result);
      if (result == nullptr) continue;
      for (const IncidentItem& item : result->incidents) {
        if (item.incident.incident_id != id) continue;
        Receipt record{.id = receipt->id,
                       .call = receipt->call,
                       .tool = receipt->tool,
                       .args = receipt->args,
                       .at = receipt->at,
                       .status = receipt->status};
        IncidentsResult one;
        one.incidents.push_back(item);
        one.incidents.front().relevance = 1;
        one.total = 1;
        record.result = std::move(one);
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

std::vector<Receipt> recollect_live(const Conversation& conversation) {
  std::vector<Receipt> receipts;
  if (conversation.lives().empty()) return receipts;
  for (const auto& receipt : conversation.lives().back().receipts) receipts.push_back(*receipt);
  return receipts;
}

Narrowing read_narrowing(std::string_view question) {
  const std::string lower = ascii_lower(question);
  Narrowing narrowing;
  static const RE2 kRepeats("\\b(?:which|what|any)\\b.*\\brepeats?\\b");
  narrowing.repeats = RE2::PartialMatch(lower, kRepeats);
  static const RE2 kCausedBy(
      "\\b(?:which|what|any)\\b.*\\b(?:caused by|due to|because of) (.{1,60})");
  std::string cause;
  if (RE2::PartialMatch(lower, kCausedBy, &cause)) narrowing.cause = Analyzer().terms(cause);
  narrowing.extremes = read_extremes(lower);
  return narrowing;
}

void narrow(Recollection& recollection, const Narrowing& narrowing, const Filter& filter) {
  auto& receipts = recollection.receipts;
  const auto keep = [&](auto holds) {
    std::erase_if(receipts, [&](const Receipt& record) { return !holds(incident_in(record)); });
  };
  keep([&](const Incident& i) {
    const auto at = opened(i);
    return one_of(filter.severities, i.severity) && one_of(filter.statuses, i.status) &&
           one_of(filter.applications, i.impacted_application) &&
           (filter.opened.unbounded() || (at && filter.opened.contains(*at)));
  });
  if (narrowing.repeats) keep([](const Incident& i) { return i.repeat_incident.value_or(false); });
  if (narrowing.cause)
    keep([&](const Incident& i) {
      const auto held = Analyzer().terms(i.root_cause);
      return std::ranges::any_of(*narrowing.cause, [&](const std::string& term) {
        return std::ranges::find(held, term) != held.end();
      });
    });
  for (const Extreme extreme : narrowing.extremes) {
    if (receipts.size() < 2) break;
    std::vector<const Incident*> incidents;
    for (const Receipt& record : receipts) incidents.push_back(&incident_in(record));
    const Extremal extremal = extreme_of(extreme, incidents);
    if (extremal.places.empty() || extremal.places.size() == receipts.size()) continue;
    recollection.chosen = extreme_text(extreme, extremal, incidents);
    std::vector<Receipt> chosen;
    for (const size_t place : extremal.places) chosen.push_back(std::move(receipts[place]));
    receipts = std::move(chosen);
  }
}

bool holds_what_is_asked(const Recollection& recollection, const Asks& asks) {
  // What to do next is in runbooks, what was left to do in post-mortems; a record tells what was
  // done then.
  if (asks.command || asks.work) return false;
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
