#include "investigate/verdict/investigation.h"

#include <algorithm>

namespace precedent {

const Hypothesis* Investigation::hypothesis(std::string_view id) const {
  if (const WiderHypothesis* wider = branches.find(id)) return &wider->hypothesis;
  const auto found = std::ranges::find(hypotheses, id, &Hypothesis::id);
  return found == hypotheses.end() ? nullptr : &*found;
}

std::vector<std::string> queries_of(const CaseFile& evidence) {
  constexpr size_t kMaxQueries = 6;
  std::vector<std::string> out;
  const auto ask = [&](std::string query) {
    if (out.size() < kMaxQueries && !query.empty() && std::ranges::find(out, query) == out.end())
      out.push_back(std::move(query));
  };
  const std::string& service = evidence.failing.empty() ? evidence.brief.service : evidence.failing;
  if (!evidence.brief.title.empty()) ask(service + ' ' + evidence.brief.title);
  if (!service.empty()) ask(service + " troubleshooting");
  for (const std::string& symptom : evidence.brief.symptoms) ask(symptom);
  for (const LogTemplate& made : evidence.logs)
    if (made.fresh && made.level == LogLevel::kError) ask(shown_text(made.sample, 160));
  return out;
}

}  // namespace precedent
