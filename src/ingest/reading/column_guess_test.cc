#include "ingest/fields/column_guess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ingest/reading/reader_lab.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Guesses = std::vector<std::pair<std::string_view, std::string>>;

// Of a table, its first row the names.
Guesses guessed(const std::vector<std::vector<std::string>>& table,
                const std::vector<std::string_view>& known = {}) {
  ColumnProfiles profiles;
  for (size_t row = 1; row < table.size(); ++row)
    for (size_t i = 0; i < table[row].size(); ++i)
      profiles[table[0][i]].see({Value::Type::kText, table[row][i]});
  return guess_columns(table[0], profiles, table.size() - 1, known, {});
}

const std::vector<std::vector<std::string>> kForeign = {
    {"Vorgang", "Beginn", "Ende", "Anlage", "Kurz", "Bericht"},
    {"S-0912", "03.04.2026 02:10", "03.04.2026 04:00", "Pumpe 4", "Pumpe 4 steht nach Blitzschlag",
     "Um zwei Uhr fiel die Pumpe aus; der Schutzschalter wurde von Hand eingelegt, danach lief "
     "sie."},
    {"S-0913", "17.04.2026 11:40", "", "Pumpe 2", "Durchfluss der Leitung Nord zu klein",
     "Der Messwert war seit dem Morgen falsch, der Sensor wurde getauscht und neu eingestellt."},
    {"S-0914", "21.04.2026 09:00", "21.04.2026 09:30", "Pumpe 4", "Kein Signal von der Leitstelle",
     "Die Funkstrecke war gestört, weil ein Kran davor stand; er wurde weggefahren."},
};

TEST(ColumnGuess, GoesByWhatStandsInAColumn) {
  EXPECT_EQ(guessed(kForeign), (Guesses{{"incident_id", "Vorgang"},
                                        {"opened_at", "Beginn"},
                                        {"title", "Kurz"},
                                        {"description", "Bericht"}}));
}

TEST(ColumnGuess, WhatAColumnHasByNameIsNotGuessed) {
  EXPECT_EQ(guessed(kForeign, {"incident_id", "opened_at", "title", "description"}), Guesses());
  EXPECT_EQ(guessed(kForeign, {"incident_id", "description", "title"}),
            (Guesses{{"opened_at", "Beginn"}}));
}

TEST(ColumnGuess, AnIdIsOneWordAndNeverTwiceTheSame) {
  EXPECT_EQ(guessed({{"a", "b"}, {"x1", "n 1"}, {"x1", "n 2"}, {"x2", "n 3"}}), Guesses());
  EXPECT_EQ(guessed({{"a"}, {"x1"}, {"x2"}}), Guesses()) << "two records may be alike by chance";
}

TEST_F(ReaderTest, AGuessIsTold) {
  const ReadSummary summary = read({put(
      "a.csv",
      "Vorgang,Beginn,Kurz\nS-1,2026-04-03,Pumpe 4 steht nach Blitz\n"
      "S-2,2026-04-04,Durchfluss Nord zu klein\nS-3,2026-04-05,Kein Signal der Leitstelle\n")});
  EXPECT_THAT(out_.ids, ElementsAre("S-1", "S-2", "S-3"));
  EXPECT_THAT(out_.bad_records, IsEmpty());
  EXPECT_THAT(
      summary.warnings,
      testing::Contains(HasSubstr("'Vorgang' is taken for incident_id, by what stands in it; --map "
                                  "incident_id=COLUMN says otherwise")));
  EXPECT_EQ(out_.documents.at(1).title, "Durchfluss Nord zu klein");
  EXPECT_EQ(format_date(*out_.documents.at(1).opened_at), "2026-04-04");
}

TEST_F(ReaderTest, WhatStandsInBracketsIsNoPartOfAName) {
  read(
      {put("a.csv", "Ticket No,Opened (local),Prio,What happened\nT-1,2026-04-03,P2,It broke.\n")});
  EXPECT_THAT(out_.ids, ElementsAre("T-1"));
  EXPECT_EQ(out_.documents.at(0).severity, "P2");
  EXPECT_EQ(format_date(*out_.documents.at(0).opened_at), "2026-04-03");
}

}  // namespace
}  // namespace precedent
