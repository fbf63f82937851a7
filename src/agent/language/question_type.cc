#include "agent/language/question_type.h"

#include <fmt/format.h>

#include <vector>

#include "base/nearest.h"

namespace precedent {
namespace {

// Those with a name of their own.
constexpr QuestionType kNamed[] = {
    QuestionType::kLookupIncident,  QuestionType::kApplicationIncidents,
    QuestionType::kRecentIncidents, QuestionType::kSimilarIncidents,
    QuestionType::kDebugIncident,   QuestionType::kExplainCode,
    QuestionType::kDesignOverview,  QuestionType::kConceptual,
    QuestionType::kKnowledge,       QuestionType::kAmbiguous,
    QuestionType::kOffTopic};

}  // namespace

std::string_view name(QuestionType type) {
  switch (type) {
    case QuestionType::kLookupIncident: return "lookup_incident";
    case QuestionType::kApplicationIncidents: return "application_incidents";
    case QuestionType::kRecentIncidents: return "recent_incidents";
    case QuestionType::kSimilarIncidents: return "similar_incidents";
    case QuestionType::kDebugIncident: return "debug_incident";
    case QuestionType::kExplainCode: return "explain_code";
    case QuestionType::kDesignOverview: return "design_overview";
    case QuestionType::kConceptual: return "conceptual";
    case QuestionType::kHowTo:
    case QuestionType::kKnowledge: return "knowledge";
    case QuestionType::kAmbiguous: return "ambiguous";
    case QuestionType::kOffTopic: return "off_topic";
  }
  return "knowledge";
}

std::optional<QuestionType> parse_question_type(std::string_view text) {
  for (const QuestionType type : kNamed)
    if (name(type) == text) return type;
  return std::nullopt;
}

std::string did_you_mean_type(std::string_view text) {
  std::vector<std::string> names;
  for (const QuestionType type : kNamed) names.emplace_back(name(type));
  const auto close = nearest(text, names);
  return close ? fmt::format("; did you mean '{}'?", *close) : "";
}

}  // namespace precedent
