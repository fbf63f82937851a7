#include "changes/shown_changes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "changes/fixed_changes.h"

namespace precedent {
namespace {

TEST(ShownChanges, FilesAreKnownByTheirNames) {
  Change logged, committed;
  logged.path = "/srv/logs/deploys.jsonl";
  committed.path = "src/a.cc";
  for (Change* change : {&logged, &committed}) change->services = {"shop"};
  const ShownChanges shown(std::make_unique<FixedChanges>(
      "log", std::vector<Change>{std::move(logged), std::move(committed)}));
  const auto list = shown.changes({});
  ASSERT_TRUE(list) << list.error().text();
  std::vector<std::string> paths;
  for (const Change& change : list->changes) paths.push_back(change.path);
  std::ranges::sort(paths);
  EXPECT_EQ(paths, (std::vector<std::string>{"deploys.jsonl", "src/a.cc"}));
  EXPECT_EQ(shown.name(), "log");
}

}  // namespace
}  // namespace precedent
