#include "agent/plan/plan.h"

#include <re2/re2.h>

#include <algorithm>

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
// Who asks for the longest wants to see what it was compared with.
constexpr int kRankedLimit = 5;
// Sections read for evidence: enough that the answering line of a long runbook is among them.
constexpr int kSectionLimit = 24;

// How long before or after its effects an incident may have been opened.
constexpr std::chrono::days kRecordedWithin{1};

// As far back as get_recent_incidents goes: "open incidents" may be old.
constexpr int kAnyDays = 36500;

// What the question restricts a list to, as the arguments of a tool.
nlohmann::json scope_args(const Intent& intent) {
  nlohmann::json args = {{"limit", intent.count.value_or(kListLimit)}};
  const Filter& filter = intent.filter;
  if (!filter.severities.empty()) args["severity"] = filter.severities;
  if (!filter.statuses.empty()) args["status"] = filter.statuses;
  if (!intent.ranked.empty()) {
    args["order"] = {intent.ranked};
    args["limit"] = intent.count.value_or(kRankedLimit);
  }
  const TimeRange window = intersection(intent.times);
  if (window.from) args["since"] = format_time(*window.from);
  if (window.to) args["until"] = format_time(*window.to);
  return args;
}

// A list holds what fits, all of it and nothing else: what the question restricts it to is an
// argument of the tool, never left to a search. What it asks beyond that orders the list.
std::vector<PlannedCall> plan_list(const Intent& intent) {
  const nlohmann::json scope = scope_args(intent);
  std::vector<PlannedCall> calls;
  const auto add = [&](std::string tool, nlohmann::json args, std::string purpose) {
    args.update(scope);
    if (!intent.lists_only) {
      tool = "search_similar_incidents";
      args["query"] = intent.question;
      args.erase("days");
    }
    calls.push_back({std::move(tool), std::move(args), std::move(purpose), {}});
  };
  for (const std::string& application : intent.applications)
    add("get_incidents_by_application", {{"app_name", application}},
        "the incidents of " + application);
  if (!calls.empty()) return calls;
  nlohmann::json args = nlohmann::json::object();
  const bool restricted = !intent.ranked.empty() || intent.count ||
                          !intent.filter.severities.empty() || !intent.filter.statuses.empty();
  // "Last 7 days" counts back from now; every other window has its own ends.
  const bool counts_back = intent.times.size() == 1 && intent.times.front().days;
  if (counts_back) {
    args["days"] = *intent.times.front().days;
  } else if (intent.times.empty()) {
    args["days"] = restricted ? kAnyDays : kRecentDays;
  }
  add("get_recent_incidents", std::move(args), "the incidents of that time");
  if (counts_back && intent.lists_only) {
    calls.back().args.erase("since");
    calls.back().args.erase("until");
  }
  return calls;
}

// Whom to call about it: the words in which documents on ownership say that. "Call" would find who
// calls whom.
std::string contact_text(const Intent& intent) {
  std::vector<std::string> about;
  for (const Subject& subject : intent.subjects) about.push_back(subject.text);
  return join(
      {about.empty() ? intent.question : join(about, " "), "team owner on-call escalation contact"},
      " ");
}

// When it happens now says nothing about when it happened before, or was written about.
std::string searched_text(const Intent& intent) {
  if (intent.asks.contact && intent.questions.size() < 2) return contact_text(intent);
  if (intent.qualifiers.overview) return "systems architecture overview services depend";
  if (intent.type != QuestionType::kDebugIncident) return intent.question;
  std::string text = intent.question;
  const auto cut = [&](const std::string& part) {
    if (const size_t at = text.find(part); !part.empty() && at != std::string::npos)
      text.erase(at, part.size());
  };
  if (intent.deploy) cut(intent.deploy->text);
  for (const TimeHint& hint : intent.times) cut(hint.text);
  static const RE2 kGap("\\s+([.,;:?!])");
  RE2::GlobalReplace(&text, kGap, "\\1");
  return trim(text).size() < 3 ? intent.question : squeeze(text);
}

}  // namespace

std::string arguments_of(const PlannedCall& call) {
  return call.args.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<PlannedCall> plan_documents(const Intent& intent) {
  const std::string query = searched_text(intent);
  std::vector<PlannedCall> calls;
  // "Who owns it, and what is its pool size?": each is searched for.
  if (intent.asks.contact && intent.questions.size() > 1)
    calls.push_back({"doc_search",
                     {{"query", contact_text(intent)}, {"limit", kSectionLimit}},
                     "whom to call"});
  calls.insert(
      calls.end(),
      {{"search_knowledge",
        {{"query", query}, {"limit", kSearchLimit}},
        "runbooks and notes on this"},
       {"doc_search", {{"query", query}, {"limit", kSectionLimit}}, "the sections that answer"}});
  return calls;
}

std::vector<PlannedCall> plan(const Intent& intent) {
  std::vector<PlannedCall> calls;
  const auto search_incidents = [&](int limit) {
    // What was recorded of that time, before what resembles it.
    const TimeRange asked = intersection(intent.times);
    if (intent.type == QuestionType::kDebugIncident && asked.to && *asked.to < intent.now) {
      nlohmann::json args = {{"query", searched_text(intent)},
                             {"limit", limit},
                             {"until", format_time(*asked.to + kRecordedWithin)}};
      if (asked.from) args["since"] = format_time(*asked.from - kRecordedWithin);
      calls.push_back({"search_similar_incidents", std::move(args), "the incidents of that time"});
    }
    calls.push_back({"search_similar_incidents",
                     {{"query", searched_text(intent)}, {"limit", limit}},
                     "past incidents like this"});
  };
  const auto search_documents = [&] {
    for (PlannedCall& call : plan_documents(intent)) calls.push_back(std::move(call));
  };
  if (!intent.documents.kinds.empty()) {
    nlohmann::json kinds = nlohmann::json::array();
    for (const Kind kind : intent.documents.kinds) kinds.push_back(name(kind));
    const bool all = intent.documents.all;
    // A post-mortem names its incident.
    const std::string query = join({intent.question, join(intent.documents.incidents, " ")}, " ");
    calls.push_back({"search_knowledge",
                     {{"query", all ? "" : query},
                      {"limit", all ? kListLimit : kSearchLimit},
                      {"typeFilter", kinds}},
                     "the documents that were asked for"});
    if (!all) {
      calls.push_back(
          {"doc_search", {{"query", query}, {"limit", kSectionLimit}}, "the sections that answer"});
    }
    return calls;
  }
  if (!intent.document.empty()) {
    // It is read first; what else is known may answer where it does not.
    calls.push_back(
        {"doc_search",
         {{"query", intent.question}, {"limit", kSectionLimit}, {"document", intent.document}},
         "the document that was talked about"});
    search_incidents(kSearchLimit);
    search_documents();
    return calls;
  }
  switch (intent.type) {
    case QuestionType::kLookupIncident:
      // Called by its day.
      if (intent.ids.empty() && !intent.times.empty()) return plan_list(intent);
      for (size_t i = 0; i < std::min(intent.ids.size(), kMaxLookups); ++i) {
        calls.push_back({"lookup_incident_by_id",
                         {{"incident_id", intent.ids[i]}},
                         "the incident that was named"});
      }
      // How to fix it, who to page, what is left to do: documents know more than the record.
      if (intent.asks.steps || intent.asks.person || intent.asks.command || intent.asks.work)
        search_documents();
      break;
    case QuestionType::kApplicationIncidents:
    case QuestionType::kRecentIncidents: return plan_list(intent);
    case QuestionType::kSimilarIncidents:
    case QuestionType::kDebugIncident:
    case QuestionType::kExplainCode:
    case QuestionType::kDesignOverview:
    case QuestionType::kConceptual:
    case QuestionType::kHowTo:
    case QuestionType::kKnowledge:
    case QuestionType::kAmbiguous:
    case QuestionType::kOffTopic:
      search_incidents(kSearchLimit);
      search_documents();
      break;
  }
  return calls;
}

}  // namespace precedent
