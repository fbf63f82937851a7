#include "cli/suggestions.h"

#include <fmt/format.h>

namespace precedent {

std::vector<std::string> suggested_questions(const KnowledgeStore& store) {
  std::vector<std::string> questions;
  if (const auto incidents = store.list(Kind::kIncident, 1); incidents && !incidents->empty())
    questions.push_back(fmt::format("What do we know about {}?", incidents->front().id));
  if (const auto runbooks = store.list(Kind::kRunbook, 1); runbooks && !runbooks->empty())
    questions.push_back(fmt::format("What are the steps of \"{}\"?", runbooks->front().title));
  auto named = store.services();
  if (!named || named->empty()) named = store.applications();
  if (named && !named->empty())
    questions.push_back(fmt::format("Which incidents did {} have?", named->front().name));
  return questions;
}

}  // namespace precedent
