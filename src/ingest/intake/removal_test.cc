#include "ingest/intake/removal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<DocumentState> kKnown = {
    {"INC-1", "", "/srv/kb", "kb/incidents.csv", Kind::kIncident},
    {"INC-2", "", "/srv/kb", "kb/incidents.csv", Kind::kIncident},
    {"kb-1", "", "/srv/kb", "kb/runbooks/pool.md", Kind::kRunbook},
    {"kb-2", "", "/srv/old/kb", "old/kb/runbooks/disk.md", Kind::kRunbook},
    {"g-1", "", "golden:", "", Kind::kGolden},
};

std::vector<std::string> ids(const Removal& removal) {
  const auto found = to_remove(removal, kKnown);
  EXPECT_TRUE(found) << (found ? "" : found.error().text());
  std::vector<std::string> ids;
  for (const DocumentState& document : found.value_or(std::vector<DocumentState>()))
    ids.push_back(document.id);
  return ids;
}

TEST(Removal, FindsByEachCriterion) {
  EXPECT_THAT(ids({.ids = {"inc-2", "kb-1"}}), ElementsAre("INC-2", "kb-1"));
  EXPECT_THAT(ids({.paths = {"kb/runbooks"}}), ElementsAre("kb-1"));
  EXPECT_THAT(ids({.paths = {"kb/runbooks/"}}), ElementsAre("kb-1"));
  EXPECT_THAT(ids({.paths = {"kb/incidents.csv"}}), ElementsAre("INC-1", "INC-2"));
  EXPECT_THAT(ids({.paths = {"*.md"}}), ElementsAre("kb-1", "kb-2"));
  EXPECT_THAT(ids({.sources = {"/srv/old"}}), ElementsAre("kb-2"));
  EXPECT_THAT(ids({.sources = {"/srv/kb/"}}), ElementsAre("INC-1", "INC-2", "kb-1"));
  EXPECT_THAT(ids({.kind = Kind::kRunbook}), ElementsAre("kb-1", "kb-2"));
}

TEST(Removal, EveryCriterionThatIsGivenMustHold) {
  EXPECT_THAT(ids({.sources = {"/srv/kb"}, .kind = Kind::kRunbook}), ElementsAre("kb-1"));
  EXPECT_FALSE(to_remove({.ids = {"INC-1"}, .kind = Kind::kRunbook}, kKnown));
}

TEST(Removal, WhatFitsNothingIsNamedAndStopsTheRemoval) {
  const auto found = to_remove({.ids = {"INC-1", "INC-9"}}, kKnown);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(found.error().message, HasSubstr("'INC-9'"));
  EXPECT_FALSE(to_remove({.paths = {"kb/run"}}, kKnown)) << "a folder, not the start of a name";
  EXPECT_FALSE(to_remove({.kind = Kind::kAdr}, kKnown));
}

TEST(Removal, GoldenExamplesAreLeftAlone) {
  EXPECT_FALSE(to_remove({.ids = {"g-1"}}, kKnown));
  EXPECT_FALSE(to_remove({.kind = Kind::kGolden}, kKnown));
}

}  // namespace
}  // namespace precedent
