// The contract over the fake and over several sources as one; then what only several show.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "changes/change_source_contract.h"
#include "changes/change_sources.h"
#include "changes/changes_lab.h"
#include "changes/fixed_changes.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::unique_ptr<FixedChanges> shop(std::string name) {
  return std::make_unique<FixedChanges>(
      std::move(name), std::vector{deploy("search-service", "2.31.0", "2026-11-17T15:40:00Z"),
                                   deploy("checkout-api", "7.8.0", "2026-11-16T09:00:00Z"),
                                   deploy("checkout-api", "7.7.2", "2026-11-09T09:00:00Z")});
}

std::vector<std::string> ids(const ChangeList& list) {
  std::vector<std::string> ids;
  for (const Change& change : list.changes) ids.push_back(change.id);
  return ids;
}

TEST(FixedChanges, KeepsTheContract) { expect_change_source_contract(*shop("log")); }

TEST(ChangeSources, KeepTheContract) {
  ChangeSources sources;
  sources.add(shop("a"));
  sources.add(std::make_unique<FixedChanges>(
      "b", std::vector{deploy("ledger", "3.0.0", "2026-11-16T10:00:00Z")}));
  expect_change_source_contract(sources);
  EXPECT_THAT(ids(asked(sources, {})), ElementsAre("search-service@2.31.0", "ledger@3.0.0",
                                                   "checkout-api@7.8.0", "checkout-api@7.7.2"));
}

TEST(ChangeSources, NameTheOneThatFailsAndTheOneThatHasNothing) {
  ChangeSources sources;
  sources.add(std::make_unique<BrokenChanges>());
  sources.add(shop("a"));
  sources.add(std::make_unique<FixedChanges>("empty", std::vector<Change>{}));
  const ChangeList list = asked(sources, {});
  ASSERT_EQ(list.asked.size(), 3u);
  EXPECT_TRUE(list.asked[0].failed);
  EXPECT_THAT(list.asked[0].note, HasSubstr("the disk is gone"));
  EXPECT_EQ(list.asked[1], (AskedSource{"a", 3, ""}));
  EXPECT_EQ(list.asked[2], (AskedSource{"empty", 0, ""}));
  EXPECT_EQ(list.changes.size(), 3u);
}

TEST(ChangeSources, NothingReadableIsAnErrorAndAPartIsNot) {
  ChangeSources sources;
  EXPECT_TRUE(check_readable({}));
  sources.add(std::make_unique<BrokenChanges>());
  const auto none = check_readable(asked(sources, {}).asked);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(none.error().text(), HasSubstr("broken could not be read: the disk is gone"));
  EXPECT_THAT(unread_note(sources), HasSubstr("broken could not be read"));
  sources.add(shop("a"));
  EXPECT_TRUE(check_readable(asked(sources, {}).asked));
  EXPECT_EQ(unread_note(*shop("a")), "");
}

TEST(ChangeSources, KnowTheEnvironmentsOfTheirRecords) {
  Change staging = deploy("search-service", "2.32.0", "2026-11-17T16:00:00Z");
  staging.environment = "staging";
  ChangeSources sources("production");
  sources.add(shop("a"));
  sources.add(std::make_unique<FixedChanges>("b", std::vector{staging}));
  EXPECT_THAT(sources.environments(), ElementsAre("staging"));
}

TEST(ChangeSources, AnEnvironmentGoesByItsShortNameToo) {
  for (const auto& [a, b] : {std::pair{"prod", "Production"},
                             {"stg", "staging"},
                             {"stage", "stg"},
                             {"pre-prod", "preprod"},
                             {"prod-eu1", "PROD-EU1"}})
    EXPECT_TRUE(same_environment(a, b)) << a;
  for (const auto& [a, b] : {std::pair{"prod", "staging"}, {"prod-eu1", "prod-eu2"}, {"dev", ""}})
    EXPECT_FALSE(same_environment(a, b)) << a;
}

TEST(ChangeSources, LeaveOtherEnvironmentsOutUnlessAsked) {
  Change staging = deploy("search-service", "2.32.0", "2026-11-17T16:00:00Z");
  staging.environment = "staging";
  ChangeSources sources("production");
  sources.add(shop("a"));  // says nothing of an environment: belongs to all
  sources.add(std::make_unique<FixedChanges>("b", std::vector{staging}));
  EXPECT_EQ(asked(sources, {}).changes.size(), 3u);
  EXPECT_THAT(ids(asked(sources, {.environment = "STAGING", .limit = 1})),
              ElementsAre("search-service@2.32.0"));
}

TEST(ChangeSources, WhatRunsIsOfTheirOwnEnvironment) {
  Change seen = deploy("search-service", "2.31.0", "2026-11-17T16:00:00Z");
  seen.kind = ChangeKind::kVersionSeen;
  ChangeSources sources("production");
  sources.add(std::make_unique<FixedChanges>("build info", std::vector{seen}));
  EXPECT_EQ(asked(sources, {}).changes.size(), 1u);
  EXPECT_EQ(asked(sources, {.environment = "prod"}).changes.size(), 1u);
  EXPECT_EQ(asked(sources, {.environment = "staging"}).changes.size(), 0u);
}

}  // namespace
}  // namespace precedent
