#include "agent/plan/plan.h"

#include <algorithm>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "time/time_hints.h"

namespace precedent {
namespace {

// More ids than this in one question is a pasted list: the first few are looked up.
constexpr size_t kMaxLookups = 8;
// "The last few" of a question without a number.
constexpr int kRecentDays = 7;
// A list a person asked for may be longer than what a search returns by default.
constexpr int kListLimit = 50;
constexpr int kSearchLimit = 5;
// Asked for the longest, people want to see what it was compared with.
constexpr int kRankedLimit = 5;
// Sections read for evidence: enough that the answering line of a long runbook is among them.
constexpr int kSectionLimit = 24;

// How long before or after its effects an incident may have been opened.
constexpr std::chrono::days kRecordedWithin{1};

// As far back as get_recent_incidents goes: "open incidents" may be old.
constexpr int kAnyDays = 36500;

// What the question restricts a list to.
IncidentQuery scope_of(const Intent& intent) {
  IncidentQuery query;
  query.limit = intent.count.value_or(intent.ranked.empty() ? kListLimit : kRankedLimit);
  query.severities = intent.filter.severities;
  query.statuses = intent.filter.statuses;
  query.ranked = intent.ranked;
  query.saying = intent.saying;
  if (intent.lists_only) query.restriction = intent.asked.text.to_search();
  query.open = intent.open;
  const TimeRange window = intersection(intent.times);
  query.since = window.from;
  query.until = window.to;
  return query;
}

// What is computed over the incidents of that scope. Which columns are meant is for the tool to
// find.
PlannedCall plan_figures(const Intent& intent, const Tally& tally) {
  FiguresQuery query{.function = tally.function, .scope = scope_of(intent)};
  query.scope.limit = intent.count;
  query.scope.open = tally.open;
  if (intent.applications.size() == 1) query.scope.application = intent.applications.front();
  const bool each = tally.function == "extreme" && tally.by == "none";
  if (each) {
    query.function = tally.pick == "least" ? "lowest" : "highest";
  } else if (tally.function == "extreme") {
    query.function = tally.of == "duration" || tally.of == "number" ? "sum" : "count";
  }
  if (query.function != "count")
    query.of = tally.of == "duration" ? "duration" : intent.asked.text.to_search();
  if (tally.by != "none")
    query.by = tally.by == "column" ? intent.asked.text.to_search() : tally.by;
  if (!each && tally.pick != "none") query.order = tally.pick;
  return {std::move(query), "figures over the incidents"};
}

// A list holds what fits, all of it and nothing else: what the question restricts it to is an
// argument of the tool, never left to a search. What it asks beyond that orders the list.
std::vector<PlannedCall> plan_list(const Intent& intent) {
  if (intent.tally) return {plan_figures(intent, *intent.tally)};
  IncidentQuery query = scope_of(intent);
  if (!intent.lists_only) {
    query.by = IncidentQuery::By::kLikeness;
    query.text = intent.asked.text.to_search();
  }
  std::vector<PlannedCall> calls;
  for (const std::string& application : intent.applications) {
    IncidentQuery of_it = query;
    if (intent.lists_only) of_it.by = IncidentQuery::By::kApplication;
    of_it.application = application;
    calls.push_back({std::move(of_it), "the incidents of " + application});
  }
  if (!calls.empty()) return calls;
  const bool restricted = !intent.ranked.empty() || intent.count || intent.open ||
                          !intent.saying.empty() || !intent.filter.severities.empty() ||
                          !intent.filter.statuses.empty();
  if (intent.lists_only) {
    if (intent.times.empty()) query.days = restricted ? kAnyDays : kRecentDays;
    // "Last 7 days" counts back from now; every other window has its own ends.
    if (intent.times.size() == 1 && intent.times.front().days) {
      query.days = intent.times.front().days;
      query.since = query.until = std::nullopt;
    }
  }
  calls.push_back({std::move(query), "the incidents of that time"});
  return calls;
}

// Whom to call: in the words of ownership documents. "Call" would find which service calls which.
std::string contact_text(const Intent& intent) {
  std::vector<std::string> about;
  for (const Subject& subject : intent.subjects) about.push_back(subject.text);
  return join({about.empty() ? intent.asked.text.to_search() : join(about, " "),
               "team owner on-call escalation contact"},
              " ");
}

std::string searched_text(const Intent& intent) {
  if (intent.asks.contact && intent.questions.size() < 2) return contact_text(intent);
  if (intent.qualifiers.overview) return "systems architecture overview services depend";
  const FrozenQuestion& asked = intent.asked;
  return (intent.type == QuestionType::kDebugIncident ? asked.without_times : asked.text)
      .to_search();
}

}  // namespace

std::string arguments_of(const PlannedCall& call) { return dump_json(to_json(call.arguments)); }

std::vector<PlannedCall> plan_documents(const Intent& intent) {
  const std::string query = searched_text(intent);
  std::vector<PlannedCall> calls;
  // "Who owns it, and what is its pool size?": each is searched for.
  if (intent.asks.contact && intent.questions.size() > 1)
    calls.push_back({SectionQuery{contact_text(intent), kSectionLimit}, "whom to call"});
  calls.push_back({DocumentQuery{query, kSearchLimit}, "runbooks and notes on this"});
  calls.push_back({SectionQuery{query, kSectionLimit}, "the sections that answer"});
  return calls;
}

namespace {

// Incidents like the question; before them, what was recorded of the time that it asks about.
void search_incidents(const Intent& intent, std::vector<PlannedCall>& calls) {
  IncidentQuery query{
      .by = IncidentQuery::By::kLikeness, .text = searched_text(intent), .limit = kSearchLimit};
  const TimeRange asked = intersection(intent.times);
  if (intent.type == QuestionType::kDebugIncident && asked.to && *asked.to < intent.now) {
    IncidentQuery then = query;
    then.until = *asked.to + kRecordedWithin;
    if (asked.from) then.since = *asked.from - kRecordedWithin;
    calls.push_back({std::move(then), "the incidents of that time"});
  }
  calls.push_back({std::move(query), "past incidents like this"});
}

void search_documents(const Intent& intent, std::vector<PlannedCall>& calls) {
  for (PlannedCall& call : plan_documents(intent)) calls.push_back(std::move(call));
}

// Documents of a kind: all of them, or those that the question is about.
std::vector<PlannedCall> plan_kinds(const Intent& intent) {
  const std::vector<Kind>& kinds = intent.documents.kinds;
  const std::string purpose = "the documents that were asked for";
  if (intent.documents.all) return {{DocumentQuery{"", kListLimit, kinds}, purpose}};
  // A post-mortem names its incident.
  const std::string query =
      join({intent.asked.text.to_search(), join(intent.documents.incidents, " ")}, " ");
  return {{DocumentQuery{query, kSearchLimit, kinds}, purpose},
          {SectionQuery{query, kSectionLimit}, "the sections that answer"}};
}

// The named incidents, and what documents know beyond their records: how to fix it, whom to page,
// what is left to do.
std::vector<PlannedCall> plan_lookup(const Intent& intent) {
  // Called by its day.
  if (intent.ids.empty() && !intent.times.empty()) return plan_list(intent);
  std::vector<PlannedCall> calls;
  for (size_t i = 0; i < std::min(intent.ids.size(), kMaxLookups); ++i)
    calls.push_back({IncidentLookup{intent.ids[i]}, "the incident that was named"});
  const Asks& asks = intent.asks;
  if (asks.steps || asks.person || asks.command || asks.work) search_documents(intent, calls);
  return calls;
}

}  // namespace

std::vector<PlannedCall> plan(const Intent& intent) {
  if (!intent.documents.kinds.empty()) return plan_kinds(intent);
  std::vector<PlannedCall> calls;
  // It is read first; other documents may answer what it does not.
  if (!intent.document.empty()) {
    calls.push_back({SectionQuery{intent.asked.text.to_search(), kSectionLimit, intent.document},
                     "the document that was talked about"});
  } else {
    switch (intent.type) {
      case QuestionType::kLookupIncident: return plan_lookup(intent);
      case QuestionType::kApplicationIncidents:
      case QuestionType::kRecentIncidents: return plan_list(intent);
      default: break;
    }
  }
  search_incidents(intent, calls);
  search_documents(intent, calls);
  return calls;
}

}  // namespace precedent
