#include "changes/changes_config.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "changes/change_source_contract.h"
#include "changes/changes_lab.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<ChangesConfig> read(std::string_view text) {
  return read_changes_config(text, "shop/tools.yaml");
}

void expect_problem(std::string_view text, const std::string& what) {
  const auto config = read(text);
  ASSERT_FALSE(config) << text;
  EXPECT_THAT(config.error().text(), HasSubstr("shop/tools.yaml:" + what));
}

TEST(ChangesConfig, PathsAreTakenFromTheFilesFolder) {
  const auto config = read(R"(
changes:
  environment: production
  repositories:
    - path: ../code
      name: shop
      branch: main
      tags: "v{version}"
      services: [checkout-api]
  logs: [deploys.jsonl, /var/log/deploys]
  snapshots: frozen
  service_folders: "services/{service}/"
  services:
    search-service: [search/, libs/cache/]
metrics: {whatever: 1}
)");
  ASSERT_TRUE(config) << config.error().text();
  EXPECT_EQ(config->environment, "production");
  ASSERT_EQ(config->repositories.size(), 1u);
  const GitChangesOptions& repository = config->repositories[0];
  EXPECT_EQ(repository.path, "code");
  EXPECT_EQ(repository.name, "shop");
  EXPECT_EQ(repository.branch, "main");
  EXPECT_EQ(repository.tags, "v{version}");
  EXPECT_THAT(repository.own_services, ElementsAre("checkout-api"));
  EXPECT_THAT(repository.services.services_of("services/fx-rates/a.go"), ElementsAre("fx-rates"));
  EXPECT_THAT(repository.services.services_of("libs/cache/a.go"), ElementsAre("search-service"));
  EXPECT_THAT(config->logs, ElementsAre("shop/deploys.jsonl", "/var/log/deploys"));
  EXPECT_THAT(config->snapshots, ElementsAre("shop/frozen"));
}

TEST(ChangesConfig, WithoutTheSectionThereIsNoSource) {
  const auto config = read("metrics: {}");
  ASSERT_TRUE(config);
  EXPECT_EQ(open_changes(*config), nullptr);
}

TEST(ChangesConfig, ErrorsNameFileLineAndKey) {
  expect_problem("changes:\n  lgos: []", "2: changes.lgos is unknown; did you mean logs?");
  expect_problem("changes:\n  repositories:\n    - name: a",
                 "3: changes.repositories[0].path: is missing");
  expect_problem("changes:\n  repositories: a", "2: changes.repositories: is no list");
  expect_problem("changes:\n  repositories:\n    - path: a\n      tags: v1",
                 "4: changes.repositories[0].tags: has no {version}");
  // Patterns that no tag would ever follow.
  const std::pair<const char*, const char*> kTags[] = {
      {"{svc}-{version}", "has {svc}; there are {service} and {version}"},
      {"{service}-v", "has no {version}"},
      {"{version}-{service}", "has {service} after {version}"},
      {"{service}{version}", "has nothing between {service} and {version}"},
      {"{service}/{version}-{version}", "has {version} twice"},
      {"{service}/v{version", "has {version; there are"}};
  for (const auto& [tags, expected] : kTags)
    expect_problem(fmt::format("changes:\n  repositories:\n    - path: a\n      tags: '{}'", tags),
                   fmt::format("4: changes.repositories[0].tags: {}", expected));
  expect_problem("changes:\n  logs: {a: b}", "2: changes.logs: is neither");
  expect_problem("changes:\n  logs: ['']", "2: changes.logs: holds an empty path");
  expect_problem("changes:\n  services: [a]", "2: changes.services: is no mapping");
  expect_problem("changes:\n  services:\n    a: '{service}/'", "3: changes.services.a: ");
  expect_problem("changes:\n  service_folders: a/", "2: changes.service_folders: ");
  expect_problem("changes: [", "1: this is no YAML");
  expect_problem("changes:\n  build_info:\n    metrcs: []",
                 "3: changes.build_info.metrcs is unknown");
  expect_problem("changes:\n  build_info:\n    metrics: ['a*b']",
                 "3: changes.build_info.metrics: has 'a*b'");
  expect_problem("changes:\n  build_info:\n    service: []",
                 "3: changes.build_info.service: names no label");
}

TEST(ChangesConfig, BuildInfoHasDefaultsAndMayBeTurnedOff) {
  EXPECT_EQ(read("changes: {}")->build_info.metrics, std::vector<std::string>{"*_build_info"});
  const auto config =
      read("changes: {build_info: {metrics: [], service: [team], version: release}}");
  ASSERT_TRUE(config);
  EXPECT_TRUE(config->build_info.metrics.empty());
  EXPECT_EQ(config->build_info.service_labels, std::vector<std::string>{"team"});
  EXPECT_EQ(config->build_info.version_label, "release");
}

TEST(ChangesConfig, OpensWhatItNames) {
  TemporaryFolder folder;
  write_text(folder.path() / "deploys.jsonl", kShopLog);
  const auto config = read_changes_config("changes: {logs: deploys.jsonl}",
                                          (folder.path() / "tools.yaml").string());
  ASSERT_TRUE(config);
  const auto source = open_changes(*config);
  ASSERT_TRUE(source);
  expect_change_source_contract(*source);
}

TEST(ChangesConfig, AllProblemsAreToldIfTheyAreWanted) {
  ConfigProblems problems;
  EXPECT_TRUE(read_changes_config(R"(
changes:
  log: x
  logs: [a, ""]
  repositories:
    - {name: a}
    - {path: /nowhere/b, tags: none}
  services: [search]
)",
                                  "f", &problems));
  std::vector<std::string> lines;
  for (const Error& problem : problems) lines.push_back(problem.message.substr(0, 4));
  EXPECT_THAT(lines, testing::UnorderedElementsAre("f:3:", "f:4:", "f:6:", "f:7:", "f:7:", "f:8:"));
}

constexpr std::string_view kNowhere = R"(
changes:
  logs: [there.jsonl, gone.jsonl]
  snapshots: no-snapshot
  repositories:
    - path: no-repository
)";

TEST(ChangesConfig, PathsThatLeadNowhereAreProblemsOnlyOfACheck) {
  TemporaryFolder folder;
  write_text(folder.path() / "there.jsonl", kShopLog);
  const std::string file = (folder.path() / "tools.yaml").string();
  ConfigProblems problems;
  EXPECT_TRUE(read_changes_config(kNowhere, file, &problems));
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_THAT(problems[0].text(),
              testing::AllOf(HasSubstr(file + ":6: changes.repositories[0].path: "),
                             HasSubstr("/no-repository")));
  EXPECT_THAT(problems[1].text(),
              testing::AllOf(HasSubstr(file + ":3: changes.logs: "), HasSubstr("/gone.jsonl")));
  EXPECT_THAT(problems[2].text(), testing::AllOf(HasSubstr(file + ":4: changes.snapshots: "),
                                                 HasSubstr("/no-snapshot")));
  EXPECT_TRUE(read_changes_config(kNowhere, file));
}

TEST(ChangesConfig, WhatCannotBeOpenedIsASourceThatSaysSo) {
  TemporaryFolder folder;
  write_text(folder.path() / "there.jsonl", kShopLog);
  const auto config = read_changes_config(kNowhere, (folder.path() / "tools.yaml").string());
  ASSERT_TRUE(config);
  const auto source = open_changes(*config);
  ASSERT_NE(source, nullptr);
  const ChangeList list = asked(*source, {});
  EXPECT_FALSE(list.changes.empty());
  EXPECT_THAT(unreadable_sources(list.asked),
              ElementsAre(HasSubstr("gone.jsonl could not be read: "),
                          HasSubstr("snapshot:no-snapshot could not be read: "),
                          HasSubstr("git:no-repository could not be read: ")));
}

}  // namespace
}  // namespace precedent
