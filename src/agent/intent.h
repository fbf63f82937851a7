// Intent: what a question wants, read off its words by rule, with the cues that decided.
//
// Thread safety: pure functions over values.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "agent/asked_documents.h"
#include "agent/references.h"
#include "search/self_query.h"
#include "text/analyzer.h"

namespace precedent {

enum class QuestionType {
  kLookupIncident,        // names an incident
  kApplicationIncidents,  // "what incidents affected X"
  kRecentIncidents,       // "incidents from the last 7 days"
  kSimilarIncidents,      // "have we seen X before"
  kHowTo,                 // "how do I fix X"
  kKnowledge,             // anything else that documents may answer
};
std::string_view name(QuestionType type);

// The form of answer that a question asks for. Several may hold.
struct Asks {
  bool steps = false;      // how do I …, what should I do
  bool command = false;    // which command, how to run
  bool number = false;     // how many, what threshold, how long
  bool person = false;     // who, which team, on-call
  bool time = false;       // when
  bool cause = false;      // why, root cause
  bool remedy = false;     // what was done, resolution, fix
  bool list = false;       // which incidents, show all
  bool count = false;      // how many incidents
  bool status = false;     // is it still open
  bool impact = false;     // who was affected, blast radius
  bool detection = false;  // how it was noticed
  bool other = false;      // a question of another form: "did", "which", "is"
};

struct Intent {
  QuestionType type = QuestionType::kKnowledge;
  std::string question;               // what is asked, a follow-up made whole
  std::vector<std::string> ids;       // normalised, to look up or to remember
  std::vector<std::string> subjects;  // endpoints, services, applications, ids: as the knowledge
                                      // base spells them if it does
  // For kApplicationIncidents: the names as asked.
  std::vector<std::string> applications;
  // Of a list: nothing is asked beyond what it is restricted to.
  bool lists_only = true;
  std::vector<TimeHint> times;
  Filter filter;  // of the self-query
  Asks asks;
  AskedDocuments documents;
  std::string
      document;  // the id of the document that a follow-up is on or the question calls by name; "": none
  bool parts_only = false;  // Reference::parts_only
  bool advice = false;      // Reference::advice
  std::string except;       // Reference::except
  bool follow_up = false;
  std::string order;  // the verb, if it was an order (agent/orders.h); "": it was a question
  std::vector<std::string> cues;  // why, one each
};

using IntentContext = ReferenceContext;

// Whether a question names nothing that could be looked for: "it's broken again", "help".
bool is_vague(std::string_view question, const Analyzer& analyzer);

// `asked` is the question as the conversation completes it (agent/references.h).
Intent read_intent(const Reference& asked, const IntentContext& context);

nlohmann::json to_json(const Intent& intent);

}  // namespace precedent
