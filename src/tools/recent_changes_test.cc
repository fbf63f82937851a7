#include "tools/recent_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "changes/change_sources.h"
#include "changes/changes_lab.h"
#include "changes/fixed_changes.h"
#include "tools/tools_lab.h"

namespace precedent {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Change commit(std::string id, std::string_view at, std::string title,
              std::vector<std::string> files) {
  Change change;
  change.id = change.commit = std::move(id);
  change.at = moment(at);
  change.title = std::move(title);
  change.services = {"search-service"};
  change.files_total = files.size();
  change.files = std::move(files);
  change.author = "Clara Neumann";
  return change;
}

class RecentChangesTest : public testing::Test {
 protected:
  RecentChangesTest() {
    Change recorded = deploy("search-service", "2.31.0", "2026-11-17T15:40:00Z");
    recorded.path = "logs/deploys.jsonl";
    recorded.line = 61;
    recorded.from = "2.30.4";
    sources_.add(std::make_unique<FixedChanges>(
        "deploys.jsonl",
        std::vector{recorded, deploy("checkout-api", "7.8.0", "2026-11-05T09:00:00Z")}));
    sources_.add(std::make_unique<FixedChanges>(
        "git:shop",
        std::vector{commit("0123456789abcdef0123456789abcdef01234567", "2026-11-16T10:00:00Z",
                           "Cache whole result pages", {"a", "b", "c", "d", "e", "f", "g"})}));
    sources_.add(std::make_unique<FixedChanges>("flags.jsonl", std::vector<Change>{}));
    lab_.add_shop();
    lab_.set_changes(&sources_);
  }

  Receipt call(const json& args) { return lab_.call("recent_changes", args); }
  static std::vector<std::string> ids(const Receipt& receipt) {
    std::vector<std::string> ids;
    if (const auto* result = std::get_if<ChangesResult>(&receipt.result)) {
      for (const Change& change : result->changes) ids.push_back(change.id);
    }
    return ids;
  }

  ChangeSources sources_;
  ToolsLab lab_;
};

TEST_F(RecentChangesTest, OfOnePersonByTheFirstName) {
  EXPECT_THAT(ids(call({{"author", "clara"}})),
              ElementsAre("0123456789abcdef0123456789abcdef01234567"));
  EXPECT_THAT(call({{"author", "Agathe"}}).text,
              HasSubstr("Not found: a change by 'Agathe' in any change source within a year."));
}

TEST_F(RecentChangesTest, ListsAWeekNewestFirstAndWhoWasAsked) {
  const Receipt receipt = call(json::object());
  EXPECT_EQ(receipt.status, ReceiptStatus::kOk);
  EXPECT_THAT(ids(receipt),
              ElementsAre("search-service@2.31.0", "0123456789abcdef0123456789abcdef01234567"));
  EXPECT_THAT(
      receipt.text,
      AllOf(HasSubstr("deploy [search-service@2.31.0] Deploy of search-service 2.31.0; "
                      "services: search-service; was 2.30.4"),
            HasSubstr("commit [0123456789] Cache whole result pages"),
            HasSubstr("files: a, b, c, d, e and 2 more"),
            HasSubstr("Last deploy: search-service 2.31.0, 2026-11-17T15:40:00Z (a recorded "
                      "deploy: logs/deploys.jsonl:61)"),
            HasSubstr("Asked: deploys.jsonl: 1; git:shop: 1; flags.jsonl: nothing in this "
                      "window")));
}

TEST_F(RecentChangesTest, AServiceThatIsOldHasNothingButItsLastDeploy) {
  const Receipt receipt = call({{"service", "CHECKOUT-API"}});
  EXPECT_EQ(receipt.status, ReceiptStatus::kEmpty);
  EXPECT_THAT(receipt.text,
              AllOf(HasSubstr("No changes found."), HasSubstr("Last deploy: checkout-api 7.8.0")));
}

TEST_F(RecentChangesTest, WindowsKindsAndLimitsRestrict) {
  EXPECT_THAT(ids(call({{"window", "since=last-deploy"}, {"service", "search-service"}})),
              ElementsAre("search-service@2.31.0"));
  EXPECT_THAT(ids(call({{"around", "2026-11-16T12:00:00Z"}, {"window", "3h"}})),
              ElementsAre("0123456789abcdef0123456789abcdef01234567"));
  EXPECT_THAT(ids(call({{"kinds", {"deploy"}}, {"window", "30d"}})),
              ElementsAre("search-service@2.31.0", "checkout-api@7.8.0"));
  const Receipt one = call({{"limit", 1}});
  EXPECT_EQ(ids(one).size(), 1u);
  EXPECT_THAT(one.text, HasSubstr("Older ones are left out"));
}

TEST_F(RecentChangesTest, AroundAMomentTheLastDeployIsThatBeforeItsEnd) {
  const Receipt receipt = call({{"around", "2026-11-10T12:00:00Z"}});
  EXPECT_THAT(receipt.text,
              AllOf(HasSubstr("Last deploy: checkout-api 7.8.0"), Not(HasSubstr("2.31.0"))));
}

TEST_F(RecentChangesTest, AnUnknownServiceIsToldTheNearest) {
  EXPECT_THAT(call({{"service", "serch-service"}}).text,
              HasSubstr("Not found: the service 'serch-service' in any change source; did you mean "
                        "'search-service'?"));
}

TEST_F(RecentChangesTest, ASourceThatCannotBeReadIsNamedBesideWhatWasFound) {
  sources_.add(std::make_unique<BrokenChanges>());
  const Receipt receipt = call({{"service", "nobody"}});
  EXPECT_EQ(receipt.status, ReceiptStatus::kEmpty);
  EXPECT_THAT(
      receipt.text,
      AllOf(HasSubstr("broken could not be read: the disk is gone; mount it."),
            HasSubstr("Not found: the service 'nobody' in any change source that could be read")));
  EXPECT_EQ(call(json::object()).status, ReceiptStatus::kOk);
}

TEST_F(RecentChangesTest, WhereNoSourceCanBeReadTheCallFails) {
  ChangeSources broken;
  broken.add(std::make_unique<BrokenChanges>());
  lab_.set_changes(&broken);
  for (const json& args : {json::object(), json{{"window", "since=last-deploy"}}}) {
    const Receipt receipt = call(args);
    EXPECT_EQ(receipt.status, ReceiptStatus::kError);
    EXPECT_THAT(receipt.text, HasSubstr("broken could not be read: the disk is gone; mount it"));
  }
}

TEST_F(RecentChangesTest, TheEnvironmentThatIsAskedForIsThatOfTheLastDeployToo) {
  const auto in = [](const char* environment, std::string version, const char* at) {
    Change change = deploy("search-service", std::move(version), at);
    change.environment = environment;
    return change;
  };
  ChangeSources sources("production");
  sources.add(std::make_unique<FixedChanges>(
      "log", std::vector{in("production", "2.31.0", "2026-11-17T15:40:00Z"),
                         in("staging", "2.32.0", "2026-11-16T15:40:00Z")}));
  lab_.set_changes(&sources);
  EXPECT_THAT(call(json::object()).text, HasSubstr("Last deploy: search-service 2.31.0"));
  const Receipt staging = call({{"environment", "Staging"}});
  EXPECT_THAT(staging.text,
              AllOf(HasSubstr("Last deploy: search-service 2.32.0"), Not(HasSubstr("2.31.0")),
                    Not(HasSubstr("in any change source"))));
  EXPECT_THAT(call({{"environment", "staging"}, {"window", "since=last-deploy"}}).text,
              HasSubstr("from 2026-11-16T15:40:00Z"));
  EXPECT_THAT(call({{"environment", "prod"}}).text, HasSubstr("search-service 2.31.0"));
  EXPECT_THAT(
      call({{"environment", "produ"}}).text,
      HasSubstr(
          "Not found: the environment 'produ' in any change source; did you mean 'production'?"));
  EXPECT_THAT(call({{"environment", "eu-7"}}).text,
              HasSubstr("the environments are: production, staging."));
  lab_.set_changes(&sources_);  // whose records name none
  EXPECT_THAT(call({{"environment", "prod"}}).text, Not(HasSubstr("the environment")));
}

TEST_F(RecentChangesTest, BadArgumentsSayWhatToWrite) {
  EXPECT_THAT(call({{"window", "lately"}}).text, HasSubstr("write 24h, 7d"));
  EXPECT_THAT(call({{"around", "noon"}}).text, HasSubstr("'around': "));
  EXPECT_THAT(call({{"around", "2026-11-17"}, {"window", "last-deploy"}}).text,
              HasSubstr("it is a duration like 2h"));
  EXPECT_THAT(call({{"kinds", {"party"}}}).text, HasSubstr("'party' in 'kinds' is no kind"));
}

TEST_F(RecentChangesTest, WithoutSourcesTheReceiptSaysHowToConfigureThem) {
  lab_.set_changes(nullptr);
  const Receipt receipt = call(json::object());
  EXPECT_EQ(receipt.status, ReceiptStatus::kError);
  EXPECT_THAT(receipt.text, AllOf(HasSubstr("no change source is configured"),
                                  HasSubstr("'changes' in tools.yaml")));
}

TEST_F(RecentChangesTest, SourcesAndJsonHoldWhatIsCited) {
  const Receipt receipt = call(json::object());
  const std::vector<Source> sources = sources_of(receipt);
  ASSERT_EQ(sources.size(), 2u);  // the last deploy is one of the two
  EXPECT_EQ(sources[0], (Source{"search-service@2.31.0",
                                "Deploy of search-service 2.31.0",
                                "deploy",
                                "logs/deploys.jsonl",
                                {61, 61},
                                "R1"}));
  EXPECT_EQ(sources[1].path, "git:shop");
  const json result = to_json(receipt)["result"];
  EXPECT_EQ(result["changes"][0]["time"], "2026-11-17T15:40:00Z");
  EXPECT_EQ(result["changes"][1]["filesTotal"], 7);
  EXPECT_EQ(result["lastDeploy"]["knownFrom"], "a recorded deploy");
  EXPECT_EQ(result["asked"][2], (json{{"name", "flags.jsonl"}, {"found", 0}}));
  EXPECT_EQ(result["more"], false);
}

}  // namespace
}  // namespace precedent
