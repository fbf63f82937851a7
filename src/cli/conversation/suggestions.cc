#include "cli/conversation/suggestions.h"

#include <fmt/format.h>

#include <algorithm>

namespace precedent {

std::vector<std::string> suggested_questions(const KnowledgeStore& store, TimePoint now) {
  // Later ones are there only where `now` is set back, by a few days.
  constexpr size_t kNewest = 20;
  std::vector<std::string> questions;
  const auto incidents = store.list(Kind::kIncident, kNewest);
  const bool any = incidents && !incidents->empty();
  if (any) {
    const auto begun = std::ranges::find_if(*incidents, [&](const Document& incident) {
      return !incident.opened_at || *incident.opened_at <= now;
    });
    if (begun != incidents->end())
      questions.push_back(fmt::format("What do we know about {}?", begun->id));
  }
  if (const auto runbooks = store.list(Kind::kRunbook, 1); runbooks && !runbooks->empty())
    questions.push_back(fmt::format("What are the steps of \"{}\"?", runbooks->front().title));
  auto named = store.services();
  if (!named || named->empty()) named = store.applications();
  if (named && !named->empty())
    questions.push_back(any ? fmt::format("Which incidents did {} have?", named->front().name)
                            : fmt::format("What do we know about {}?", named->front().name));
  return questions;
}

}  // namespace precedent
