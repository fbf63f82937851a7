#include "cli/suggestions.h"

#include <fmt/format.h>

namespace precedent {

std::vector<std::string> suggested_questions(const KnowledgeStore& store) {
  std::vector<std::string> questions;
  if (const auto incidents = store.list(Kind::kIncident, 1); incidents && !incidents->empty())
    questions.push_back(fmt::format("What do we know about {}?", incidents->front().id));
  if (const auto runbooks = store.list(Kind::kRunbook, 1); runbooks && !runbooks->empty())
    questions.push_back(fmt::format("What are the steps of \"{}\"?", runbooks->front().title));
  if (const auto services = store.services(); services && !services->empty())
    questions.push_back(fmt::format("Which incidents did {} have?", services->front().name));
  return questions;
}

}  // namespace precedent
