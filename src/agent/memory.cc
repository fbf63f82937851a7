#include "agent/memory.h"

#include <re2/re2.h>

#include <algorithm>
#include <cstdint>

#include "agent/further_fields.h"
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

// "SEV1" before "P2", "critical" before "low"; nothing for a severity of no known scale.
std::optional<int> severity_rank(std::string_view severity) {
  static const RE2 kLevel("(?i)(?:sev(?:erity)?|p(?:rio(?:rity)?)?)[ -]?(\\d)");
  static constexpr std::string_view kWords[][2] = {
      {"critical", "blocker"}, {"high", "major"}, {"medium", "moderate"}, {"low", "minor"}};
  int level = 0;
  if (RE2::FullMatch(re2::StringPiece(severity.data(), severity.size()), kLevel, &level))
    return level;
  const std::string lower = ascii_lower(severity);
  for (size_t i = 0; i < std::size(kWords); ++i)
    if (std::ranges::find(kWords[i], lower) != std::end(kWords[i])) return static_cast<int>(i) + 1;
  return std::nullopt;
}

// Those of the highest severity; all, if one has none that can be compared.
void keep_severest(std::vector<Receipt>& receipts) {
  std::optional<int> best;
  for (const Receipt& record : receipts) {
    const auto rank = severity_rank(incident_in(record).severity);
    if (!rank) return;
    best = std::min(*rank, best.value_or(*rank));
  }
  std::erase_if(receipts, [&](const Receipt& record) {
    return severity_rank(incident_in(record).severity) != best;
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

void narrow(Recollection& recollection, std::string_view question, const Filter& filter) {
  const std::string lower = ascii_lower(question);
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
  static const RE2 kRepeats("\\b(?:which|what|any)\\b.*\\brepeats?\\b");
  if (RE2::PartialMatch(lower, kRepeats))
    keep([](const Incident& i) { return i.repeat_incident.value_or(false); });
  static const RE2 kCausedBy(
      "\\b(?:which|what|any)\\b.*\\b(?:caused by|due to|because of) (.{1,60})");
  std::string cause;
  if (RE2::PartialMatch(lower, kCausedBy, &cause)) {
    const Analyzer analyzer;
    const auto wanted = analyzer.terms(cause);
    keep([&](const Incident& i) {
      const auto held = analyzer.terms(i.root_cause);
      return std::ranges::any_of(wanted, [&](const std::string& term) {
        return std::ranges::find(held, term) != held.end();
      });
    });
  }
  const auto extreme = [&](const RE2& words, auto measure) {
    if (!RE2::PartialMatch(lower, words) || receipts.size() < 2) return;
    std::stable_sort(receipts.begin(), receipts.end(), [&](const Receipt& a, const Receipt& b) {
      return measure(incident_in(a)) > measure(incident_in(b));
    });
    receipts.resize(1);
  };
  static const RE2 kLongest("\\blong(?:er|est)\\b"), kShortest("\\b(?:short|quick)(?:er|est)\\b");
  static const RE2 kSeverest(
      "\\b(?:worse|worst|(?:more|most) (?:severe|serious|critical)|(?:higher|highest) "
      "severity)\\b");
  if (RE2::PartialMatch(lower, kSeverest)) keep_severest(receipts);
  static const RE2 kNewest("\\b(?:newest|newer|latest|later|most recent)\\b"),
      kOldest(
          "\\b(?:oldest|older|earliest|earlier)\\b|\\b(?:happened|came|was|started|began|opened) "
          "first\\b");
  const auto minutes = [](const Incident& i) {
    const auto known = time_to_recover(i);
    return known ? known->count() : -1;
  };
  extreme(kLongest, minutes);
  extreme(kShortest, [&](const Incident& i) { return minutes(i) < 0 ? INT64_MIN : -minutes(i); });
  const auto when = [](const Incident& i) {
    const auto at = opened(i);
    return at ? at->time_since_epoch().count() : INT64_MIN;
  };
  extreme(kNewest, when);
  extreme(kOldest, [&](const Incident& i) { return when(i) == INT64_MIN ? when(i) : -when(i); });
}

bool holds_what_is_asked(const Recollection& recollection, const Asks& asks) {
  // What to do next is in runbooks, what was left to do in post-mortems; a record tells what was done then.
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
