#include "graph/state_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph_lab.h"

namespace precedent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct SchemaTest : ::testing::Test {
  LabFields fields;
  TypedState<LabState> state{std::make_shared<const StateSchema<LabState>>(fields.schema)};

  void apply(const Update& update) {
    for (const Write& write : update.writes) {
      const auto applied = state.apply(write);
      ASSERT_TRUE(applied) << applied.error().text();
    }
  }
  const LabState& value() const { return TypedState<LabState>::of(state); }
};

TEST_F(SchemaTest, AnAppendKeepsTheOrderAndReplacesAnItemOfTheSameIdInPlace) {
  apply(Update().add(fields.notes, {"a", "one"}).add(fields.notes, {"b", "two"}));
  apply(Update().add(fields.notes, {"a", "corrected"}).add(fields.notes, {"c", "three"}));
  EXPECT_EQ(texts_of(value()), "corrected two three");
}

TEST_F(SchemaTest, ItemsWithoutAnIdGetOneByTheirPlaceAndAreNeverMerged) {
  apply(Update()
            .add(fields.notes, {"m2", "mine"})
            .add(fields.notes, {"", "x"})
            .add(fields.notes, {"", "x"}));
  std::vector<std::string> ids;
  for (const Note& note : value().notes) ids.push_back(note.id);
  EXPECT_THAT(ids, ElementsAre("m2", "m3", "m4"));
}

TEST_F(SchemaTest, OverwriteKeepsTheLastAndMergeReduces) {
  apply(Update().add(fields.title, std::string("old")).add(fields.count, int64_t{2}));
  apply(Update().add(fields.title, std::string("new")).add(fields.count, int64_t{40}));
  EXPECT_EQ(value().title, "new");
  EXPECT_EQ(value().count, 42);
}

TEST_F(SchemaTest, ASnapshotMakesTheSameStateOutOfAnInitialOne) {
  apply(fields.say("one").add(fields.count, int64_t{-7}).add(fields.title, std::string("t")));
  TypedState<LabState> other(std::make_shared<const StateSchema<LabState>>(fields.schema));
  for (const Write& write : state.snapshot()) ASSERT_TRUE(other.apply(write));
  EXPECT_EQ(TypedState<LabState>::of(other), value());
}

TEST_F(SchemaTest, ACopySharesItsItemsAndGoesItsOwnWay) {
  apply(fields.say("one"));
  const auto copy = state.clone();
  apply(fields.say("two"));
  const LabState& copied = TypedState<LabState>::of(*copy);
  EXPECT_EQ(texts_of(copied), "one");
  EXPECT_EQ(copied.notes.shared()[0], value().notes.shared()[0]);
}

TEST_F(SchemaTest, ADamagedValueAndAnUnknownFieldAreErrorsThatChangeNothing) {
  apply(fields.say("one"));
  const LabState before = value();
  const auto damaged = state.apply({1, "\x05"});
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(damaged.error().text(), HasSubstr("notes"));
  const auto unknown = state.apply({9, ""});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(unknown.error().text(), HasSubstr("field 9"));
  EXPECT_EQ(value(), before);
}

TEST_F(SchemaTest, WritesAndStatesAreShownAsJson) {
  const Update update = fields.say("one").add(fields.title, std::string("bad \xff utf8"));
  EXPECT_EQ(state.json_of(update.writes), R"({"notes":[{"id":"","text":"one"}],"title":"bad )"
                                          "\xef\xbf\xbd"
                                          R"( utf8"})");
  apply(fields.say("one"));
  EXPECT_EQ(state.json(), R"({"count":0,"notes":[{"id":"m1","text":"one"}],"title":""})");
}

TEST_F(SchemaTest, TwoFieldsMayShareNeitherTagNorName) {
  fields.schema.overwrite(2, "other", &LabState::title);
  const auto checked = fields.schema.check();
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("'title' (2) and 'other' (2)"));
}

TEST(SharedList, FindsItsItemsAlsoWhenItIsLong) {
  SharedList<Note> list;
  constexpr int kItems = 3000;
  for (int i = 0; i < kItems; ++i) list.put({std::to_string(i), "old"});
  for (int i = 0; i < kItems; i += 7) list.put({std::to_string(i), "new"});
  ASSERT_EQ(list.size(), static_cast<size_t>(kItems));
  for (int i = 0; i < kItems; ++i) {
    const Note* note = list.find(std::to_string(i));
    ASSERT_NE(note, nullptr);
    EXPECT_EQ(note->text, i % 7 == 0 ? "new" : "old");
    EXPECT_EQ(list[static_cast<size_t>(i)].id, std::to_string(i));
  }
  EXPECT_EQ(list.find("none"), nullptr);
  EXPECT_EQ(SharedList<Note>().find("none"), nullptr);
}

template <typename T>
void expect_round_trip(const T& value) {
  const auto back = decode_value<T>(encode_value(value));
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, value);
}

TEST(FieldCodec, ValuesComeBackAsTheyWere) {
  expect_round_trip(std::string("a\0b", 3));
  expect_round_trip(true);
  expect_round_trip(int64_t{INT64_MIN});
  expect_round_trip(-1.5e300);
  expect_round_trip(std::optional<std::string>());
  expect_round_trip(std::optional<std::string>(""));
  expect_round_trip(std::vector<std::string>{"", "x"});
  expect_round_trip(std::map<std::string, std::vector<int64_t>>{{"a", {1, 2}}, {"b", {}}});
}

TEST(FieldCodec, ACountThatLiesEndsWithTheBytes) {
  EXPECT_FALSE(decode_value<std::vector<std::string>>("\xff\xff\xff\xff\xff\xff\xff\xff\x7f"));
  EXPECT_FALSE(decode_value<std::string>(encode_value(std::string("x")) + "more"));
}

}  // namespace
}  // namespace precedent
