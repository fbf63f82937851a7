// Versions of the incident data, over SQLite and over PostgreSQL.
#include "store/dataset_versions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/store_lab.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using enum VersionState;

constexpr auto kAll = [](const std::string&, const std::string&) { return true; };

TimePoint at(int64_t seconds) { return TimePoint(std::chrono::seconds(seconds)); }

Document incident(const std::string& id, const std::string& title) {
  Document document;
  document.id = id;
  document.kind = Kind::kIncident;
  document.title = title;
  document.body = "What \"happened\".";
  document.source = kVersionSource;
  document.path = "/exports/july.csv";
  document.services = {"payments", "ledger"};
  document.severity = "SEV1";
  document.opened_at = at(1000);
  document.attributes = {{"root_cause", "a\nb"}};
  document.body_line = 0;
  return document;
}

class DatasetVersionsTest : public StoreContract {
 protected:
  uint64_t ready(const std::vector<Document>& records) {
    const auto version = versions_.create({.name = "july", .created_by = "mia"}, at(1));
    EXPECT_TRUE(version) << version.error().text();
    const uint64_t number = version->number;
    EXPECT_TRUE(versions_.validated(number, records, {records.size(), 0, 0}, "{}", at(2)));
    EXPECT_TRUE(versions_.move(number, kIngesting, at(3)));
    EXPECT_TRUE(versions_.move(number, kReady, at(4)));
    return number;
  }
  Result<Committed> activate(uint64_t number) { return switch_to({number, at(5), "mia"}); }
  Result<Committed> go_back_to(uint64_t number) {
    return switch_to({.number = number, .at = at(6), .by = "ana", .back = true});
  }
  Result<Committed> switch_to(const VersionActivation& activation) {
    StoreUpdate update;
    update.activation = activation;
    return store_.apply(update);
  }
  uint64_t back() {
    const auto to = versions_.to_go_back_to();
    EXPECT_TRUE(to) << to.error().text();
    return *to ? (*to)->number : 0;
  }
  VersionState state(uint64_t number) { return versions_.find(number)->state; }

  KnowledgeStore store_ = open();
  DatasetVersions versions_{store_};
};
OVER_EVERY_STORE(DatasetVersionsTest);

TEST_P(DatasetVersionsTest, AVersionKeepsWhatItWasMadeOf) {
  const auto made = versions_.create({.name = "july",
                                      .mapping = "fields: {}",
                                      .mapping_path = "m.yaml",
                                      .sources = {{"/exports/july.csv", 12, "abc"}},
                                      .created_by = "mia",
                                      .notes = "from the old tool"},
                                     at(7));
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(made->number, 1u);
  const auto found = versions_.find(1);
  EXPECT_EQ(found->sources, made->sources);
  EXPECT_EQ(found->mapping, "fields: {}");
  EXPECT_EQ(found->notes, "from the old tool");
  EXPECT_EQ(found->created_at, at(7));
  EXPECT_THAT(versions_.find(2).error().message,
              HasSubstr("there is no version 2; the newest is 1"));
}

TEST_P(DatasetVersionsTest, RecordsComeBackAsTheyWentIn) {
  const uint64_t number = ready({incident("INC-1", "One"), incident("INC-2", "Two")});
  std::vector<Document> records;
  ASSERT_TRUE(versions_.visit(number, kAll, [&](Document&& record) -> Result<void> {
    records.push_back(std::move(record));
    return {};
  }));
  EXPECT_THAT(records, ElementsAre(incident("INC-1", "One"), incident("INC-2", "Two")));
  EXPECT_THAT(*versions_.hashes(number),
              ElementsAre(Pair("INC-1", record_hash(incident("INC-1", "One"))),
                          Pair("INC-2", record_hash(incident("INC-2", "Two")))));
}

TEST_P(DatasetVersionsTest, ARecordIsTheSameInAnotherFileAndEachVersionKnowsItsOwn) {
  Document later = incident("INC-1", "One");
  later.path = "/exports/august.csv";
  const uint64_t july = ready({incident("INC-1", "One")}), august = ready({later});
  EXPECT_EQ(*versions_.hashes(july), *versions_.hashes(august));
  for (const auto& [number, path] :
       {std::pair(july, "/exports/july.csv"), std::pair(august, "/exports/august.csv")})
    ASSERT_TRUE(versions_.visit(number, kAll, [&](Document&& record) -> Result<void> {
      EXPECT_EQ(record.path, path);
      return {};
    }));
}

TEST_P(DatasetVersionsTest, AnActivationSaysInWhichFileWhatIsUnchangedStandsNow) {
  Document later = incident("INC-1", "One"), other = incident("INC-2", "Of another source");
  later.path = "/exports/august.csv";
  other.source = "/notes";
  const uint64_t july = ready({incident("INC-1", "One")}), august = ready({later});
  const auto new_document = [](const Document& document) {
    return NewDocument{document, record_hash(document), {}, {}, ""};
  };
  StoreUpdate first{.put = {new_document(incident("INC-1", "One")), new_document(other)}};
  first.activation = {july, at(5)};
  ASSERT_TRUE(store_.apply(first));
  ASSERT_TRUE(activate(august));
  EXPECT_EQ((*store_.find("INC-1"))->path, "/exports/august.csv");
  EXPECT_EQ((*store_.find("INC-2"))->path, other.path);
  ASSERT_TRUE(activate(july));
  EXPECT_EQ((*store_.find("INC-1"))->path, "/exports/july.csv");
}

TEST_P(DatasetVersionsTest, RecordsAreReadThatAreWanted) {
  const uint64_t number = ready({incident("INC-1", "One"), incident("INC-2", "Two")});
  std::vector<std::string> read;
  const auto second = [](const std::string& id, const std::string& hash) {
    return id == "INC-2" && hash == record_hash(incident("INC-2", "Two"));
  };
  ASSERT_TRUE(versions_.visit(number, second, [&](Document&& record) -> Result<void> {
    read.push_back(record.id);
    return {};
  }));
  EXPECT_THAT(read, ElementsAre("INC-2"));
}

TEST_P(DatasetVersionsTest, ADifferenceIsInWhatRecordsSay) {
  const uint64_t july =
      ready({incident("INC-1", "One"), incident("INC-2", "Two"), incident("INC-3", "Three")});
  Document moved = incident("INC-1", "One"), reworded = incident("INC-2", "Two, in other words");
  for (Document* each : {&moved, &reworded}) each->path = "/exports/august.csv";
  moved.body_line = 7;
  const uint64_t august = ready({moved, reworded, incident("INC-4", "Four")});
  const auto difference = versions_.difference(july, august);
  ASSERT_TRUE(difference) << difference.error().text();
  EXPECT_THAT(difference->added, ElementsAre("INC-4"));
  EXPECT_THAT(difference->changed, ElementsAre("INC-2"));
  EXPECT_THAT(difference->vanished, ElementsAre("INC-3"));
}

TEST_P(DatasetVersionsTest, OneVersionIsActiveAndTheOneBeforeCanComeBack) {
  const uint64_t first = ready({incident("INC-1", "One")});
  const uint64_t second = ready({incident("INC-1", "Another")});
  ASSERT_TRUE(activate(first));
  ASSERT_TRUE(activate(second));
  EXPECT_EQ(state(first), kSuperseded);
  EXPECT_EQ(state(second), kActive);
  EXPECT_EQ(back(), first);
  ASSERT_TRUE(activate(first));
  EXPECT_EQ((*versions_.active())->number, first);
  EXPECT_EQ(back(), second) << "both were activated by name";
  EXPECT_TRUE(activate(first)) << "again";
}

TEST_P(DatasetVersionsTest, ARollbackEndsWhereItEndedAndPassesOverWhatItLeft) {
  std::vector<uint64_t> made;
  for (int i = 0; i < 4; ++i) {
    made.push_back(ready({incident("INC-1", std::to_string(i))}));
    if (i < 3) {
      ASSERT_TRUE(activate(made[i]));
    }
  }
  ASSERT_EQ(back(), made[1]);
  ASSERT_TRUE(go_back_to(made[1]));
  EXPECT_EQ(back(), made[1]) << "done again, it stays";
  ASSERT_TRUE(activate(made[3]));
  EXPECT_EQ(back(), made[1]) << "not the one that was left";
  ASSERT_TRUE(go_back_to(made[0]));
  EXPECT_EQ(back(), made[0]);
  ASSERT_TRUE(activate(made[2]));
  EXPECT_EQ(back(), made[0]) << "what a rollback skipped is out, too";
  ASSERT_TRUE(activate(made[3]));
  EXPECT_EQ(back(), made[2]) << "activated by name, it counts again";
}

TEST_P(DatasetVersionsTest, ARollbackMayGoToWhatAnotherLeft) {
  const uint64_t first = ready({incident("INC-1", "One")});
  const uint64_t second = ready({incident("INC-1", "Another")});
  for (const uint64_t number : {first, second}) ASSERT_TRUE(activate(number));
  ASSERT_TRUE(go_back_to(first));
  ASSERT_TRUE(go_back_to(second));
  EXPECT_EQ((*versions_.active())->number, second);
  EXPECT_EQ(back(), second);
}

TEST_P(DatasetVersionsTest, EveryActivationIsWrittenDownOnce) {
  const uint64_t first = ready({incident("INC-1", "One")});
  const uint64_t second = ready({incident("INC-1", "Another")});
  ASSERT_TRUE(activate(first));
  ASSERT_TRUE(activate(first));
  ASSERT_TRUE(switch_to({second, at(5), "cem", false, true, "a harbour was sold"}));
  ASSERT_TRUE(go_back_to(first));
  const auto told = [](const DatasetVersion& version) {
    std::vector<std::tuple<std::string, bool, bool, std::string>> all;
    for (const auto& [number, made_at, by, back, forced, why] : version.activations)
      all.emplace_back(by, back, forced, why);
    return all;
  };
  EXPECT_THAT(told(*versions_.find(first)),
              ElementsAre(std::tuple("mia", false, false, ""), std::tuple("ana", true, false, "")));
  const auto listed = versions_.list();
  EXPECT_THAT(told(listed->at(1)),
              ElementsAre(std::tuple("cem", false, true, "a harbour was sold")));
  EXPECT_EQ(listed->at(0).forced(), nullptr);
  EXPECT_EQ(listed->at(1).forced()->by, "cem");
  EXPECT_EQ(versions_.find(first)->activations.back().at, at(6));
}

TEST_P(DatasetVersionsTest, WhatIsNotReadyCannotBeActivatedAndNothingElseHappens) {
  const auto draft = versions_.create({.name = "draft"}, at(1));
  StoreUpdate update;
  update.activation = {draft->number, at(2)};
  update.put.push_back({incident("INC-9", "Nine"), "hash", {}, {}, ""});
  const auto refused = store_.apply(update);
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  EXPECT_FALSE(*store_.find("INC-9"));
  EXPECT_EQ(*store_.version(), 0u);
}

TEST_P(DatasetVersionsTest, AStepThatIsNotPossibleSaysWhatIs) {
  const uint64_t number = versions_.create({.name = "draft"}, at(1))->number;
  const auto refused = versions_.move(number, kReady, at(2));
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  EXPECT_THAT(refused.error().message, HasSubstr("`precedent dataset validate 1`"));
  EXPECT_EQ(state(number), kDraft);
  ASSERT_TRUE(versions_.validated(number, {}, {0, 3, 0}, "{}", at(3)));
  EXPECT_EQ(state(number), kFailed) << "none of its records can be used";
}

TEST_P(DatasetVersionsTest, TheOldestAreDiscardedAndOnlyTheirOwnRecordsGo) {
  std::vector<uint64_t> numbers;
  for (int i = 0; i < 4; ++i) {
    numbers.push_back(ready({incident("INC-1", "The same"), incident("INC-2", std::to_string(i))}));
    ASSERT_TRUE(activate(numbers.back()));
  }
  EXPECT_THAT(*versions_.keep(1, at(9)), ElementsAre(numbers[1], numbers[0]));
  EXPECT_EQ(state(numbers[0]), kDiscarded);
  EXPECT_TRUE(versions_.hashes(numbers[0])->empty());
  EXPECT_EQ(versions_.hashes(numbers[2])->size(), 2u);
  EXPECT_EQ(versions_.move(numbers[3], kDiscarded, at(9)).error().code, ErrorCode::kConflict)
      << "the active one stays";
}

}  // namespace
}  // namespace precedent
