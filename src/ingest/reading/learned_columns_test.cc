// Columns by what they mean, with the encoder's weights. The counts are over eval/columns_blind,
// exports by an author who saw neither the data that was learned from nor code.
#include "ingest/fields/learned_columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "embed/minilm.h"
#include "ingest/reading/reader_lab.h"

namespace precedent {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Key;
using testing::Not;
using testing::Pair;

class LearnedColumnsTest : public ReaderTest {
 protected:
  // Field → column, as a reader takes them.
  std::map<std::string, std::string> columns_of(const std::string& path) {
    options_.embedder = encoder_.get();
    out_ = Collector();
    read({path});
    std::map<std::string, std::string> found;
    for (const ColumnUse& use : out_.files.at(0).columns)
      if (!use.field.empty()) found.emplace(use.field, use.column);
    return found;
  }
  const std::unique_ptr<MiniLmEmbedder> encoder_ =
      MiniLmEmbedder::open(default_model_folder(), {.threads = 1}).value();
};

constexpr std::string_view kLamps =
    "Nr,Went dark,Lit again,Rig,Headline,So why,Got it back by,Boats waiting\n"
    "L-1,2026-04-03 08:10,2026-04-03 09:00,Tower B,No light on tower B,fuse blown by damp,"
    "\"fuse changed, box sealed\",4\n"
    "L-2,2026-05-01 22:15,2026-05-02 01:40,Pier lamp,Pier lamp flickers,loose neutral,"
    "clamp tightened,0\n"
    "L-3,2026-06-11 03:00,2026-06-11 03:30,Tower A,Tower A on battery,mains off in the village,"
    "waited for the mains,11\n";

TEST_F(LearnedColumnsTest, ReadsWhatNoListOfNamesHolds) {
  const auto found = columns_of(put("lamps.csv", kLamps));
  EXPECT_THAT(found, Contains(Pair("root_cause", "So why")));
  EXPECT_THAT(found, Contains(Pair("action_taken", "Got it back by")));
  EXPECT_THAT(found, Contains(Pair("impacted_application", "Rig")));
  EXPECT_THAT(found, Contains(Pair("opened_at", "Went dark")));
  EXPECT_THAT(found, Contains(Pair("resolved_at", "Lit again")));
  for (const auto& [field, column] : found) EXPECT_NE(column, "Boats waiting") << field;
  EXPECT_THAT(out_.documents.at(0).body, HasSubstr("fuse blown by damp"));
}

TEST_F(LearnedColumnsTest, WithoutWeightsNamesAndValuesDecide) {
  read({put("lamps.csv", kLamps)});
  for (const ColumnUse& use : out_.files.at(0).columns) EXPECT_NE(use.field, "root_cause");
}

TEST_F(LearnedColumnsTest, TimesAreTimesAndNoIdComesTwice) {
  const auto found =
      columns_of(put("a.csv",
                     "Case ref,Opened,Problem in one line\nA,soon,Pump 4 stands still\n"
                     "A,later,Flow too small in the north\nB,never,No signal from the centre\n"));
  EXPECT_THAT(found, Not(Contains(Key("incident_id"))));
}

TEST_F(LearnedColumnsTest, TellsTheColumnsOfExportsThatNobodySaw) {
  size_t right = 0, wrong = 0, all = 0;
  std::ifstream gold("eval/columns_blind/gold.jsonl");
  for (std::string line; std::getline(gold, line);) {
    const auto row = nlohmann::json::parse(line);
    const std::map<std::string, std::string> wanted = row["columns"];
    for (const auto& [column, field] : wanted)
      if (field != "other") ++all;
    for (const auto& [field, column] :
         columns_of("eval/columns_blind/" + row["file"].get<std::string>()))
      ++(wanted.at(column) == field ? right : wrong);
  }
  EXPECT_EQ(all, 203u);
  // Most of what is missing are times that say no year.
  EXPECT_GE(right, 155u);
  EXPECT_LE(wrong, 14u);
  std::printf("%zu of %zu right, %zu wrong\n", right, all, wrong);
}

TEST(LearnedColumns, ADamagedModelIsNamed) {
  const auto error = [](std::string_view bytes) {
    const auto parsed = LearnedColumns::parse(std::as_bytes(std::span(bytes)), "columns.st");
    return parsed ? "" : parsed.error().text();
  };
  EXPECT_THAT(error("no such file"), HasSubstr("columns.st"));
  const std::string header =
      R"({"__metadata__":{"format":"precedent-columns/1","fields":"[\"colour\"]"}})";
  std::string file(8, '\0');
  file[0] = static_cast<char>(header.size());
  EXPECT_THAT(error(file + header), HasSubstr("there is no field 'colour'"));
}

}  // namespace
}  // namespace precedent
