// QuestionType: what a question is after.
//
// Thread safety: plain values, pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace precedent {

enum class QuestionType {
  kLookupIncident,        // names an incident
  kApplicationIncidents,  // "what incidents affected X"
  kRecentIncidents,       // "incidents from the last 7 days"
  kSimilarIncidents,      // "have we seen X before"
  kDebugIncident,         // "why is X slow since the deploy"
  kExplainCode,           // "where is the retry policy configured"
  kDesignOverview,        // "how are the alerts of X wired"
  kConceptual,            // "what is a circuit breaker"
  kHowTo,                 // "how do I fix X"
  kKnowledge,             // anything else that documents may answer
  kAmbiguous,             // nothing to go on: asked back
  kOffTopic,              // not what precedent is for: refused
};

// As an intent record has it: "debug_incident". A how-to is "knowledge".
std::string_view name(QuestionType type);
std::optional<QuestionType> parse_question_type(std::string_view name);
// "; did you mean 'debug_incident'?" for a name that is nearly one of a type; "" otherwise.
std::string did_you_mean_type(std::string_view name);

}  // namespace precedent
