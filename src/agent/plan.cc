#include "agent/plan.h"

#include <algorithm>

#include "base/strings.h"

namespace precedent {
namespace {

// More ids than this in one question is a pasted list: the first few are looked up.
constexpr size_t kMaxLookups = 8;
// "The last few" of a question without a number.
constexpr int kRecentDays = 7;
// A list a person asked for may be longer than what a search returns by default.
constexpr int kListLimit = 50;
constexpr int kSearchLimit = 5;
// Sections read for evidence: enough that the answering line of a long runbook is among them.
constexpr int kSectionLimit = 24;

// How many days back a window reaches that ends now; nothing for other windows ("in March").
std::optional<int> days_back(const Intent& intent) {
  if (intent.times.empty()) return kRecentDays;
  // "Last 7 days" counts back from now; every other window has its own ends.
  return intent.times.size() == 1 ? intent.times.front().days : std::nullopt;
}

}  // namespace

std::vector<PlannedCall> plan_documents(const Intent& intent) {
  return {{"search_knowledge",
           {{"query", intent.question}, {"limit", kSearchLimit}},
           "runbooks and notes on this"},
          {"doc_search",
           {{"query", intent.question}, {"limit", kSectionLimit}},
           "the sections that answer"}};
}

std::vector<PlannedCall> plan(const Intent& intent) {
  std::vector<PlannedCall> calls;
  const auto search_incidents = [&](int limit) {
    calls.push_back({"search_similar_incidents",
                     {{"query", intent.question}, {"limit", limit}},
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
  const bool restricted = !intent.filter.statuses.empty() || !intent.filter.severities.empty();
  switch (intent.type) {
    case QuestionType::kLookupIncident:
      for (size_t i = 0; i < std::min(intent.ids.size(), kMaxLookups); ++i) {
        calls.push_back({"lookup_incident_by_id",
                         {{"incident_id", intent.ids[i]}},
                         "the incident that was named"});
      }
      // How to fix it, who to page: documents know more than the record.
      if (intent.asks.steps || intent.asks.person || intent.asks.command) search_documents();
      break;
    case QuestionType::kApplicationIncidents:
      if (intent.times.empty() && !restricted) {
        calls.push_back({"get_incidents_by_application",
                         {{"app_name", intent.application}, {"limit", kListLimit}},
                         "the incidents of that application"});
      } else {
        search_incidents(kListLimit);
      }
      break;
    case QuestionType::kRecentIncidents:
      if (const auto days = days_back(intent); days && !restricted) {
        calls.push_back({"get_recent_incidents",
                         {{"days", *days}, {"limit", kListLimit}},
                         "what happened lately"});
      } else {
        search_incidents(kListLimit);
      }
      break;
    case QuestionType::kSimilarIncidents:
    case QuestionType::kHowTo:
    case QuestionType::kKnowledge:
      search_incidents(kSearchLimit);
      search_documents();
      break;
  }
  return calls;
}

}  // namespace precedent
