// Settings of the code that are called by plain words.
#include "agent/understand/asked_settings.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

OpenIntent asking(std::string question, std::string system = "") {
  OpenIntent intent;
  intent.question = std::move(question);
  if (!system.empty()) intent.subjects.push_back({std::move(system), SubjectKind::kService});
  return intent;
}

TEST(AskedSettings, ByTwoNeighbouringWordsOfTheName) {
  EXPECT_TRUE(is_called_by("KILN_DOOR_TIMEOUT_MS", asking("whats the door timeout of the ovens?")));
  EXPECT_TRUE(is_called_by("doorTimeout", asking("how long is the door timeout")));
  EXPECT_FALSE(is_called_by("KILN_DOOR_TIMEOUT_MS", asking("the timeout of a door")));
}

TEST(AskedSettings, NotByTheNameOfItsSystem) {
  EXPECT_FALSE(is_called_by("DOOR_CONTROL_PORT", asking("limit of door-control", "door-control")));
  EXPECT_TRUE(
      is_called_by("DOOR_CONTROL_MAX_RUNS", asking("max runs of door-control", "door-control")));
}

}  // namespace
}  // namespace precedent
