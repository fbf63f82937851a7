#include "changes/change_appender.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "changes/change_log.h"
#include "changes/changes_lab.h"
#include "files/files.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr auto* kDeploy = R"({"service":"ledger","time":"2026-11-18T09:00:00Z","version":"3.0.0"})";
constexpr auto* kFlag = R"({"flag":"waiting_room","time":"2026-11-18T09:00:00Z","to":true})";

class ChangeAppender : public ::testing::Test {
 protected:
  std::filesystem::path at(const std::string& name) const { return folder_.path() / name; }
  std::string text(const std::string& name) const {
    return read_file(at(name), kMaxChangeLogBytes).value_or("");
  }
  Result<AppendedRecords> append(const std::vector<std::string>& records) const {
    return append_changes(config_, records);
  }
  void expect_refused(const std::string& record, const std::string& why) const {
    const auto done = append({kDeploy, record});
    ASSERT_FALSE(done) << record;
    EXPECT_EQ(done.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(done.error().message, HasSubstr("record 2: "));
    EXPECT_THAT(done.error().message, HasSubstr(why));
    EXPECT_EQ(text("deploys.jsonl"), "");
  }

  const TemporaryFolder folder_;
  ChangesConfig config_{.logs = {at("deploys.jsonl")}};
};

TEST_F(ChangeAppender, ARecordIsReadAsAnyOther) {
  write_text(at("deploys.jsonl"), kShopLog);
  const auto done = append({kDeploy, kFlag});
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_THAT(done->lines, ElementsAre(kDeploy, kFlag));
  EXPECT_EQ(text("deploys.jsonl"), std::string(kShopLog) + kDeploy + "\n" + kFlag + "\n");
  const auto read = ChangeLog(at("deploys.jsonl")).changes({.service = "ledger"});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->changes.at(0).version, "3.0.0");
}

TEST_F(ChangeAppender, ARecordThatStandsThereIsNotRepeated) {
  ASSERT_TRUE(append({kDeploy}));
  const std::string other =
      R"({"time":"2026-11-18T09:00:00+00:00","service":["ledger"],"version":"3.0.0"})";
  const auto again = append({kDeploy, kFlag, other, kFlag});
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_THAT(again->lines, ElementsAre(kFlag));
  EXPECT_EQ(again->known, 3U);
  EXPECT_EQ(text("deploys.jsonl"), std::string(kDeploy) + "\n" + kFlag + "\n");
}

TEST_F(ChangeAppender, AnIdIsOfOneRecord) {
  const std::string one = R"({"id":"d-1","service":"ledger","time":"2026-11-18"})";
  ASSERT_TRUE(append({one}));
  EXPECT_EQ(append({one})->known, 1U);
  const auto other = append({kDeploy, R"({"id":"d-1","service":"press","time":"2026-11-18"})"});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::kConflict);
  EXPECT_THAT(other.error().message, HasSubstr("'d-1'"));
  EXPECT_EQ(text("deploys.jsonl"), one + "\n");
}

TEST_F(ChangeAppender, FlagsGoToTheirOwnLogWhereThereIsOne) {
  config_.logs = {at("flags.jsonl"), at("deploys.jsonl")};
  ASSERT_TRUE(append({kDeploy, kFlag}));
  EXPECT_EQ(text("deploys.jsonl"), std::string(kDeploy) + "\n");
  EXPECT_EQ(text("flags.jsonl"), std::string(kFlag) + "\n");
  std::filesystem::create_directories(at("logs"));
  config_.logs = {at("logs")};
  ASSERT_TRUE(append({kDeploy, kFlag}));
  EXPECT_EQ(text("logs/deploys.jsonl"), std::string(kDeploy) + "\n");
  EXPECT_EQ(text("logs/flags.jsonl"), std::string(kFlag) + "\n");
  EXPECT_THAT(ChangeLog(at("logs")).changes({})->changes, SizeIs(2));
}

TEST_F(ChangeAppender, NothingIsAppendedOfAListWithABadRecord) {
  expect_refused("[]", "no JSON object");
  expect_refused("{", "no JSON object");
  expect_refused(R"({"service":"ledger"})", "'time' is missing");
  expect_refused(R"({"service":"ledger","time":"soon"})", "'time'");
  expect_refused(R"({"service":"ledger","time":"2026-11-18","kind":"party"})", "'kind' is 'party'");
  expect_refused(R"({"service":7,"time":"2026-11-18"})", "'service' must be");
  expect_refused(R"({"service":[["a"]],"time":"2026-11-18"})", "'service' must be");
  expect_refused(R"({"service":"ledger","time":"2026-11-18","version":{}})", "'version' must be");
  expect_refused(R"({"service":"ledger","time":"2026-11-18","verison":"1"})", "'verison'");
  expect_refused(R"({"time":"2026-11-18"})", "says neither");
  expect_refused(R"({"title":")" + std::string(70'000, 'a') + R"(","time":"2026-11-18"})",
                 "65536 bytes");
}

TEST_F(ChangeAppender, AnUnfinishedLineIsEndedFirst) {
  write_text(at("deploys.jsonl"), R"({"time":"2026-)");
  ASSERT_TRUE(append({kDeploy}));
  EXPECT_EQ(text("deploys.jsonl"), std::string("{\"time\":\"2026-\n") + kDeploy + "\n");
}

TEST_F(ChangeAppender, SaysWhatToDoWhereItCannotAppend) {
  const auto lock = FileLock::acquire(at("deploys.jsonl.lock"));
  ASSERT_TRUE(lock);
  const auto busy = append({kDeploy});
  EXPECT_EQ(busy.error().code, ErrorCode::kConflict);
  EXPECT_THAT(busy.error().message, HasSubstr("send it again"));
  config_.logs.clear();
  const auto none = append({kDeploy});
  EXPECT_EQ(none.error().code, ErrorCode::kConflict);
  EXPECT_THAT(none.error().message, HasSubstr("changes.logs in tools.yaml"));
}

}  // namespace
}  // namespace precedent
