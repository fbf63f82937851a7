#include "changes/change_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "changes/change_record.h"
#include "changes/change_source_contract.h"
#include "changes/changes_lab.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ParsedLog parse(std::string_view text) { return parse_change_log(text, "logs/deploys.jsonl"); }

Change only(std::string_view line) {
  const ParsedLog log = parse(line);
  EXPECT_EQ(log.first_problem, "");
  return log.changes.empty() ? Change{} : log.changes[0];
}

void expect_problem(std::string_view line, const std::string& what) {
  const ParsedLog log = parse(line);
  EXPECT_EQ(log.bad_lines, 1u) << line;
  EXPECT_THAT(log.first_problem, HasSubstr("deploys.jsonl:1: " + what));
}

TEST(ChangeLog, KeepsTheContract) {
  TemporaryFolder folder;
  write_text(folder.path() / "deploys.jsonl", kShopLog);
  const ChangeLog log(folder.path() / "deploys.jsonl");
  EXPECT_EQ(log.name(), "deploys.jsonl");
  expect_change_source_contract(log);
}

TEST(ChangeLog, AFolderHoldsOneLogADay) {
  TemporaryFolder folder;
  write_text(folder.path() / "2026-11-17.jsonl", kShopLog);
  write_text(folder.path() / "2026-11-16.ndjson",
             R"({"time":"2026-11-16T08:00:00Z","service":"ledger","version":"3.0.0"})");
  write_text(folder.path() / "README.txt", "not a log");
  const ChangeLog log(folder.path());
  expect_change_source_contract(log);
  EXPECT_EQ(asked(log, {.service = "ledger"}).changes.at(0).id, "2026-11-16.ndjson:1");
}

TEST(ChangeLog, IsReadAgainWhenItHasGrown) {
  TemporaryFolder folder;
  const auto path = folder.path() / "deploys.jsonl";
  write_text(path, kShopLog);
  const ChangeLog log(path);
  EXPECT_EQ(asked(log, {}).changes.size(), 4u);
  std::ofstream(path, std::ios::app)
      << R"({"time":"2026-11-18T09:00:00Z","service":"ledger","version":"3.0.0"})" << "\n";
  EXPECT_EQ(asked(log, {}).changes.size(), 5u);
}

TEST(ChangeLog, AMissingOneIsAnErrorThatNamesIt) {
  const ChangeLog log("no/such/deploys.jsonl");
  const auto list = log.changes({});
  ASSERT_FALSE(list);
  EXPECT_THAT(list.error().text(), HasSubstr("no/such/deploys.jsonl"));
}

TEST(ChangeLog, ADeployHasAllItsFields) {
  const Change c = only(
      R"({"time":"2026-11-17T15:40:00Z","service":"search-service","version":"2.31.0","environment":"production","commit":"bb22","author":"Clara Neumann","kind":"deploy","from":"2.30.4","to":"2.31.0"})");
  EXPECT_EQ(c.at, moment("2026-11-17T15:40:00Z"));
  EXPECT_EQ(c.kind, ChangeKind::kDeploy);
  EXPECT_THAT(c.services, ElementsAre("search-service"));
  EXPECT_EQ(c.version, "2.31.0");
  EXPECT_EQ(c.environment, "production");
  EXPECT_EQ(c.commit, "bb22");
  EXPECT_EQ(c.author, "Clara Neumann");
  EXPECT_EQ(c.from, "2.30.4");
  EXPECT_EQ(c.to, "2.31.0");
  EXPECT_EQ(c.title, "Deploy of search-service 2.31.0");
  EXPECT_EQ(c.id, "deploys.jsonl:1");
  EXPECT_EQ(c.path, "logs/deploys.jsonl");
  EXPECT_EQ(c.line, 1u);
}

TEST(ChangeLog, OtherNamesOfTheSameFields) {
  const Change c = only(
      R"({"timestamp":1795016400,"app":"ledger","commit_sha":"cc33","env":"prod","actor":"bot","type":"ROLLBACK","to":"2.9.9","id":"d-7"})");
  EXPECT_EQ(c.kind, ChangeKind::kRollback);
  EXPECT_THAT(c.services, ElementsAre("ledger"));
  EXPECT_EQ(c.version, "2.9.9");
  EXPECT_EQ(c.commit, "cc33");
  EXPECT_EQ(c.id, "d-7");
  EXPECT_EQ(c.title, "Rollback of ledger to 2.9.9");
}

TEST(ChangeLog, FlagsAndSettingsSayFromWhatToWhat) {
  const Change flag = only(
      R"({"time":"2026-11-17","flag":"new_cache","service":"search-service","change":"off->on"})");
  EXPECT_EQ(flag.kind, ChangeKind::kFlag);
  EXPECT_EQ(flag.title, "Flag new_cache: off → on");
  const Change boolean = only(R"({"time":"2026-11-17","flag":"new_cache","from":true,"to":false})");
  EXPECT_EQ(boolean.title, "Flag new_cache: on → off");
  const Change setting = only(
      R"({"time":"2026-11-17","kind":"config","key":"capture.batch.tps","service":"capture-worker","from":250,"to":100})");
  EXPECT_EQ(setting.title, "Setting capture.batch.tps: 250 → 100");
}

TEST(ChangeLog, AValueOfBeforeIsThatOfTheRecordBefore) {
  TemporaryFolder folder;
  write_text(folder.path() / "flags.jsonl",
             R"({"time":"2026-11-17T10:00:00Z","flag":"new_cache","service":"a","to":"on"}
{"time":"2026-11-17T11:00:00Z","flag":"new_cache","service":"a","title":"Ana switched it","to":"off"}
{"time":"2026-11-17T09:00:00Z","flag":"new_cache","service":"a","to":"off"}
{"time":"2026-11-17T10:30:00Z","flag":"new_cache","service":"b","to":"half"}
{"time":"2026-11-17T10:40:00Z","kind":"config","key":"new_cache","service":"a","to":"7"}
)");
  const ChangeList list = asked(ChangeLog(folder.path() / "flags.jsonl"), {});
  ASSERT_EQ(list.changes.size(), 5u);
  EXPECT_EQ(list.changes[0].from, "on");
  EXPECT_EQ(list.changes[0].title, "Ana switched it");
  EXPECT_EQ(flag_of(list.changes[0]), "new_cache");
  EXPECT_EQ(list.changes[1].from, "");
  EXPECT_EQ(list.changes[2].from, "");
  EXPECT_EQ(list.changes[3].from, "off");
  EXPECT_EQ(list.changes[3].title, "Flag new_cache: off → on");
  EXPECT_EQ(list.changes[4].from, "");
}

TEST(ChangeLog, BadLinesAreNamedAndTheOthersRead) {
  expect_problem("{", "is no JSON");
  expect_problem("[]", "is no JSON object");
  expect_problem(R"({"service":"a"})", "'time' is missing");
  expect_problem(R"({"time":"soon","service":"a"})", "'time': ");
  expect_problem(R"({"time":"2026-11-17","service":"a","kind":"party"})", "'kind' is 'party'");
  expect_problem(R"({"time":"2026-11-17"})", "says neither");
  expect_problem(std::string(200, '[') + std::string(200, ']'), "is no JSON");
  const ParsedLog log = parse(std::string("nonsense\n\n") + std::string(kShopLog));
  EXPECT_EQ(log.bad_lines, 1u);
  ASSERT_EQ(log.changes.size(), 4u);
  EXPECT_EQ(log.changes[0].line, 3u);
  TemporaryFolder folder;
  write_text(folder.path() / "d.jsonl", std::string("nonsense\n") + std::string(kShopLog));
  EXPECT_THAT(asked(ChangeLog(folder.path() / "d.jsonl"), {}).asked.at(0).note,
              HasSubstr("1 of its lines cannot be read; the first: "));
}

TEST(ChangeLog, AChangedSecretKeepsItsValuesToItself) {
  for (const std::string values :
       {R"("from":"oldSecret1","to":"newSecret2")", R"("old":"oldSecret1","new":"newSecret2")",
        R"("change":"oldSecret1->newSecret2")"}) {
    const ParsedLog log = parse_change_log(
        R"({"time":"2026-11-18T09:41:00Z","kind":"config","service":"tide","key":"TIDE_DB_PASSWORD",)" +
            values + "}",
        "log.jsonl", ChangeKind::kDeploy);
    ASSERT_EQ(log.changes.size(), 1U) << log.first_problem;
    EXPECT_EQ(log.changes[0].from, "[redacted:password]");
    EXPECT_EQ(log.changes[0].to, "[redacted:password]");
    EXPECT_EQ(log.changes[0].title,
              "Setting TIDE_DB_PASSWORD: [redacted:password] → [redacted:password]");
  }
}

TEST(ChangeLog, SecretsAndHiddenCharactersDoNotGetThrough) {
  const Change c = only(
      "{\"time\":\"2026-11-17\",\"service\":\"a\",\"title\":\"set "
      "password=hunter2secret\\u202e\\nand more\"}");
  EXPECT_THAT(c.title, testing::Not(HasSubstr("hunter2secret")));
  EXPECT_THAT(c.title, testing::Not(HasSubstr("\u202e")));
  EXPECT_THAT(c.title, testing::Not(HasSubstr("and more")));
}

}  // namespace
}  // namespace precedent
