#include "tools/record_conditions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "embed/fake_learned_reader.h"

namespace precedent {
namespace {

using testing::ElementsAre;

IncidentItem item(std::string id, std::string status, Attributes extra) {
  IncidentItem out;
  out.incident.incident_id = std::move(id);
  out.incident.status = std::move(status);
  out.incident.opened_at = parse_time("2026-03-01").value();
  out.incident.extra = std::move(extra);
  return out;
}

std::vector<IncidentItem> lifts() {
  return {item("L-1", "closed",
               {{"sector", "North Ridge"},
                {"guests_told", "no"},
                {"out_min", "30"},
                {"guests_hit", "4"}}),
          item("L-2", "closed",
               {{"sector", "South Bowl"},
                {"guests_told", "yes"},
                {"out_min", "300"},
                {"guests_hit", "9"}}),
          item("L-3", "open",
               {{"sector", "North Ridge"},
                {"guests_told", "yes"},
                {"out_min", "90"},
                {"guests_hit", "2"}}),
          item("L-4", "open", {{"sector", "Valley"}, {"guests_told", ""}, {"out_min", ""}})};
}

// `says`: what is said of each text that is asked about; of the others nothing.
RecordConditions read(const std::string& question, const std::map<std::string, std::string>& says) {
  FakeLearnedReader reader;
  for (const auto& [text, label] : says) reader.say_heads(text, {{"says", label}});
  const auto read = read_conditions(question, lifts(), reader);
  EXPECT_TRUE(read) << read.error().text();
  return read.value_or(RecordConditions());
}

std::vector<std::string> kept(const RecordConditions& conditions) {
  std::vector<IncidentItem> items = lifts();
  conditions.keep(items);
  conditions.sort(items);
  std::vector<std::string> ids;
  for (const IncidentItem& each : items) ids.push_back(each.incident.incident_id);
  return ids;
}

// Keeps what stood before each text.
class Listening final : public LearnedReader {
 public:
  Result<AdaptedReading> read(std::string_view text,
                              std::span<const PastTurn> past) const override {
    heard[std::string(text)] = std::string(past.front().question);
    return fake_.read(text, past);
  }
  mutable std::map<std::string, std::string> heard;

 private:
  FakeLearnedReader fake_;
};

TEST(RecordConditions, EachCandidateStandsBesideTheQuestionThatMarksIt) {
  const Listening reader;
  const std::string question = "guests told? closed over 2 hours, but not in the Valley please";
  ASSERT_TRUE(read_conditions(question, lifts(), reader));
  EXPECT_EQ(reader.heard.at("sector: Valley"),
            "guests told? closed over 2 hours, but not in the <Valley> please");
  EXPECT_EQ(reader.heard.at("guests told: yes"),
            "<guests told>? closed over 2 hours, but not in the Valley please");
  EXPECT_EQ(reader.heard.at("out min: 2 hours"),
            "guests told? closed over <2 hours>, but not in the Valley please");
  EXPECT_EQ(reader.heard.at("opened"), question);
}

// Says of each status that it is rather wanted than not.
class Doubting final : public LearnedReader {
 public:
  Result<AdaptedReading> read(std::string_view text, std::span<const PastTurn>) const override {
    const bool wanted = text.starts_with("status: ");
    AdaptedReading out;
    out.heads.push_back({"says", {{wanted ? "is" : "none", 0.6F}}, false});
    return out;
  }
};

TEST(RecordConditions, AValueThatNoWordComesNearToNeedsMoreThanADoubt) {
  const Doubting reader;
  EXPECT_TRUE(read_conditions("incidents in november", lifts(), reader)->empty());
  EXPECT_THAT(read_conditions("closed in november", lifts(), reader)->said(),
              ElementsAre("status is closed"));
}

TEST(RecordConditions, WhatNamesACandidateIsMarkedInTheQuestion) {
  EXPECT_EQ(mark_names("SEV2 everywhere but Valley Base", "valley base"),
            "SEV2 everywhere but <Valley Base>");
  EXPECT_EQ(mark_names("valley-base, not the recived base?", "Received Valley Base"),
            "<valley-base>, not the <recived base>?");
  EXPECT_EQ(mark_names("nothing", "Valley"), "nothing");
  EXPECT_EQ(mark_names("", "Valley"), "");
  EXPECT_EQ(mark_text("top 5 over 90 minutes", "90 minutes"), "top 5 over <90 minutes>");
  EXPECT_EQ(mark_text("top 5", "90 minutes"), "top 5");
}

TEST(RecordConditions, NumbersOfAQuestionAreNoDatesIdsOrVersions) {
  EXPECT_THAT(asked_numbers("at most 5 SEV1 of 2026-03-01, 12:30, v2.14 and CR-04"),
              ElementsAre(AskedNumber{5, "5"}));
  EXPECT_THAT(asked_numbers("longer than 2 hours or 90min, 1,500 guests; error 502."),
              ElementsAre(AskedNumber{2, "2 hours"}, AskedNumber{90, "90min"},
                          AskedNumber{1500, "1,500 guests"}, AskedNumber{502, "502"}));
  EXPECT_THAT(asked_numbers("the three latest"), ElementsAre(AskedNumber{3, "three latest"}));
  EXPECT_THAT(asked_numbers("not the wontfix one"), ElementsAre(AskedNumber{1, "one"}));
  EXPECT_THAT(asked_numbers("at most 5"), ElementsAre(AskedNumber{5, "5"}));
  EXPECT_THAT(asked_numbers("over an hour, half a day, a quarter of an hour, an hourly"),
              ElementsAre(AskedNumber{1, "an hour"}, AskedNumber{0.5, "half a day"},
                          AskedNumber{0.25, "quarter of an hour"}));
}

TEST(RecordConditions, NumbersAreReadWhereverAQuestionEnds) {
  const std::string text = "3, 1,500.5 h or ten min; v2.1 #4 12:30 é7 one";
  for (size_t end = 0; end <= text.size(); ++end)
    for (const AskedNumber& number : asked_numbers(text.substr(0, end)))
      EXPECT_NE(text.find(number.written), std::string::npos) << text.substr(0, end);
}

TEST(RecordConditions, AValueOfAnyColumnIsOne) {
  const auto conditions = read("what broke on the north ridge", {{"sector: North Ridge", "is"}});
  EXPECT_THAT(conditions.said(), ElementsAre("sector is North Ridge"));
  EXPECT_THAT(kept(conditions), ElementsAre("L-1", "L-3"));
  EXPECT_TRUE(conditions.understands("ridge"));
  EXPECT_FALSE(conditions.understands("broke"));
}

TEST(RecordConditions, AValueThatIsNotMeantLeavesTheOthers) {
  const auto conditions = read("all but the valley", {{"sector: Valley", "not"}});
  EXPECT_THAT(kept(conditions), ElementsAre("L-1", "L-2", "L-3"));
  EXPECT_TRUE(conditions.excludes("sector", "valley"));
}

TEST(RecordConditions, OfTwoValuesOfAColumnEitherWillDo) {
  const auto conditions =
      read("north ridge and valley", {{"sector: North Ridge", "is"}, {"sector: Valley", "is"}});
  EXPECT_THAT(kept(conditions), ElementsAre("L-1", "L-3", "L-4"));
}

TEST(RecordConditions, YesAndNoAreReadWithoutTheirWords) {
  EXPECT_THAT(kept(read("kept in the dark", {{"guests told: yes", "not"}})), ElementsAre("L-1"));
  EXPECT_THAT(kept(read("they knew", {{"guests told: yes", "is"}})), ElementsAre("L-2", "L-3"));
}

TEST(RecordConditions, ATimeIsComparedInTheUnitOfItsColumn) {
  const auto conditions = read("out for over an hour, 1 hour", {{"out min: 1 hour", "more"}});
  EXPECT_THAT(conditions.said(), ElementsAre("out min is more than 1 hour"));
  EXPECT_THAT(kept(conditions), ElementsAre("L-2", "L-3"));
}

TEST(RecordConditions, AnEmptyCellCanBeAskedFor) {
  EXPECT_THAT(kept(read("not known", {{"guests told", "empty"}})), ElementsAre("L-4"));
}

TEST(RecordConditions, AnOrderAndHowManyAreConditionsOfTheList) {
  const auto conditions =
      read("the two worst", {{"out min", "most"}, {"how many are shown: two worst", "is"}});
  EXPECT_EQ(conditions.limit, 2U);
  EXPECT_EQ(conditions.order, "out min, highest first");
  EXPECT_THAT(kept(conditions), ElementsAre("L-2", "L-3", "L-1", "L-4"));
}

TEST(RecordConditions, WhatNamesAColumnWholeIsNoPartOfAnother) {
  const auto conditions =
      read("north ridge, guests told", {{"sector: North Ridge", "is"}, {"guests told: yes", "is"}});
  EXPECT_TRUE(conditions.explains("North Gate Cameras", "north ridge, guests told"));
  EXPECT_FALSE(conditions.explains("Ridge Radio", "ridge radio on the north ridge"));
  EXPECT_FALSE(conditions.explains("Valley Lift", "north ridge, guests told"));
}

TEST(RecordConditions, AllValuesOfAColumnRestrictNothing) {
  EXPECT_TRUE(read("anything", {{"status: open", "is"}, {"status: closed", "is"}}).empty());
}

TEST(RecordConditions, ANumberIsOfTheColumnThatHasItsWord) {
  // Nobody waits "3 sectors" long.
  const auto conditions = read("more than 30 min, 3 guests told",
                               {{"out min: 30 min", "more"}, {"out min: 3 guests", "more"}});
  EXPECT_THAT(conditions.said(), ElementsAre("out min is more than 30 min"));
}

TEST(RecordConditions, WhatIsNoneRestrictsNothing) {
  EXPECT_TRUE(read("what broke on the north ridge", {}).empty());
  FakeLearnedReader reader;
  EXPECT_TRUE(read_conditions(std::string(5000, 'x'), lifts(), reader)->empty());
  reader.fail_with(Error{ErrorCode::kUnavailable, "gone"});
  EXPECT_FALSE(read_conditions("north ridge", lifts(), reader));
}

}  // namespace
}  // namespace precedent
