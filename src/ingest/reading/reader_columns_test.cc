// What the columns of a whole file say: which a --map names, and how its dates are written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ingest/reading/reader_lab.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST_F(ReaderTest, AColumnThatNoFileHasStopsBeforeAnythingIsRead) {
  options_.map = {"opened_at=Opend"};
  options_.paths = {put("a.csv", "id,title,Opened\nA-1,t,2025-01-20\n"),
                    put("b.jsonl", "{\"id\":\"B-1\",\"title\":\"t\",\"when\":\"x\"}\n")};
  const auto summary = read_documents(options_, out_);
  ASSERT_FALSE(summary);
  EXPECT_EQ(summary.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(summary.error().message,
              HasSubstr("no column 'Opend'; the columns are id, title, Opened, when"));
  EXPECT_THAT(out_.ids, IsEmpty());
}

TEST_F(ReaderTest, AFileWithoutAMappedColumnIsReportedAndTheOthersLoad) {
  options_.map = {"opened_at=Raised"};
  const ReadSummary summary = read({put("a.csv", "id,title,Raised\nA-1,t,2025-01-20\n"),
                                    put("b.csv", "id,title,Opened\nB-1,t,2025-01-20\n"),
                                    put("c.csv", "id,title\n"), put("d.md", "# D")});
  EXPECT_THAT(out_.ids, ElementsAre("A-1", testing::StartsWith("kb-")));
  EXPECT_THAT(out_.bad_records,
              ElementsAre(HasSubstr("b.csv: --map: the file has no column 'Raised'; its columns "
                                    "are id, title, Opened")));
  EXPECT_THAT(summary.unread, SizeIs(1));
}

TEST_F(ReaderTest, DayOrMonthFirstIsDecidedByTheColumn) {
  const auto read_column = [&](const std::string& name, std::string_view dates) {
    std::string text = "id,title,opened\n";
    int number = 0;
    std::string_view rest = dates;
    while (!rest.empty()) {
      const std::string_view date = rest.substr(0, rest.find(' '));
      text += name + "-" + std::to_string(++number) + ",t," + std::string(date) + "\n";
      rest.remove_prefix(std::min(rest.size(), date.size() + 1));
    }
    const ReadSummary summary = read({put(name + ".csv", text)});
    std::string all;
    for (const Document& d : out_.documents)
      all += (d.opened_at ? format_date(*d.opened_at) : d.attributes.at("opened")) + " ";
    for (const std::string& warning : summary.warnings) all += "| " + warning;
    out_ = {};
    return all;
  };
  EXPECT_THAT(read_column("A", "03/04/2026 17/02/2026"),
              testing::AllOf(testing::StartsWith("2026-04-03 2026-02-17 "),
                             HasSubstr("'opened' is read with the day first, as in 17/02/2026")));
  EXPECT_THAT(read_column("B", "03/04/2026 02/17/2026"),
              testing::AllOf(testing::StartsWith("2026-03-04 2026-02-17 "),
                             HasSubstr("with the month first")));
  EXPECT_THAT(read_column("C", "03/04/2026 05/05/2026"),
              testing::AllOf(testing::StartsWith("03/04/2026 2026-05-05 "),
                             HasSubstr("nothing in the file tells whether day or month"),
                             HasSubstr("C.csv:2: 'opened': '03/04/2026' is not a date")));
  EXPECT_THAT(read_column("D", "03/04/2026 17/02/2026 02/17/2026"),
              testing::StartsWith("03/04/2026 2026-02-17 2026-02-17 "));
  EXPECT_EQ(read_column("E", "17/02/2026 2026-03-04"), "2026-02-17 2026-03-04 ");
}

TEST_F(ReaderTest, AnotherColumnOfTheFileDecidesWhereOneDoesNot) {
  const ReadSummary summary =
      read({put("a.csv", "id,title,opened,closed\nA-1,t,03/04/2026,17/04/2026\n")});
  EXPECT_EQ(format_date(*out_.documents.at(0).opened_at), "2026-04-03");
  EXPECT_THAT(summary.warnings, ElementsAre(HasSubstr("as the other dates of the file")));
}

TEST_F(ReaderTest, ADateThatCannotBeReadIsSaidOnceForItsColumn) {
  const ReadSummary summary =
      read({put("a.csv", "id,title,opened\nA-1,t,soon\nA-2,t,later\nA-3,t,2025-01-20\n"),
            put("b.md", "---\ndate: soon\n---\n# B\nx")});
  EXPECT_THAT(out_.ids, SizeIs(4));
  EXPECT_THAT(out_.bad_records, IsEmpty());
  EXPECT_THAT(summary.warnings,
              ElementsAre(testing::AllOf(HasSubstr("a.csv:2: 'opened': 'soon' is not a date"),
                                         HasSubstr("(1 more of this column)")),
                          HasSubstr("b.md:2: 'date'")));
  EXPECT_THAT(summary.unread, IsEmpty());
}

TEST_F(ReaderTest, TellsWhatEachColumnWasTakenFor) {
  options_.map = {"opened_at=Raised"};
  read({put("a.csv",
            "Nr,Betreff,Raised,severity,Raum\n"
            "P-1,Press four printed black pages,03/02/2026,SEV2,\n"
            "P-2,Press five leaked a lot of ink,14/02/2026,SEV3,12\n"
            "P-3,Nobody could print any letters,15/02/2026,SEV3,12\n")});
  ASSERT_THAT(out_.files, SizeIs(1));
  EXPECT_EQ(out_.files[0].records, 3U);
  std::vector<std::string> told;
  using How = ColumnUse::How;
  for (const ColumnUse& use : out_.files[0].columns)
    told.push_back(use.column + "=" + std::string(use.field) + " " +
                   (use.how == How::kMapped    ? "mapped"
                    : use.how == How::kGuessed ? "guessed"
                    : use.how == How::kName    ? "name"
                                               : "kept") +
                   " " + use.example);
  EXPECT_THAT(told, ElementsAre("Nr=incident_id guessed P-1",
                                "Betreff=title guessed Press four printed black pages",
                                "Raised=opened_at mapped 03/02/2026", "severity=severity name SEV2",
                                "Raum= kept 12"));
  ASSERT_THAT(out_.notes, SizeIs(1));
  EXPECT_EQ(out_.notes[0].what, ReadNote::What::kDateOrder);
  EXPECT_EQ(out_.notes[0].field, "Raised");
  EXPECT_THAT(out_.notes[0].message, HasSubstr("day first"));
}

TEST_F(ReaderTest, AFileThatPassesThroughIsKnownByAnotherPath) {
  const std::string stored = put("tmp/1.md", "# Ink\n\nShake the can.\n");
  options_.known_as = {{stored, "uploads/ink.md"}};
  options_.known_source = "uploads:ink.md";
  read({stored});
  ASSERT_THAT(out_.documents, SizeIs(1));
  EXPECT_EQ(out_.documents[0].path, "uploads/ink.md");
  EXPECT_EQ(out_.documents[0].source, "uploads:ink.md");
  const std::string again = put("tmp/2.md", "# Ink\n\nWarm the can.\n");
  options_.known_as = {{again, "uploads/ink.md"}};
  out_.bytes = 0;
  read({again});
  EXPECT_EQ(out_.ids.at(1), out_.ids.at(0));
}

TEST_F(ReaderTest, AMappingMayBeOfOneFileOfSeveral) {
  options_.map = {"opened_at=Raised"};
  options_.map_where_found = true;
  read({put("a.csv", "id,title,Raised\nA-1,t,2025-01-20\n"),
        put("b.csv", "id,title,Opened\nB-1,t,2025-01-21\n")});
  EXPECT_THAT(out_.ids, ElementsAre("A-1", "B-1"));
  EXPECT_EQ(format_date(*out_.documents.at(1).opened_at), "2025-01-21");
  EXPECT_THAT(out_.bad_records, IsEmpty());
}

}  // namespace
}  // namespace precedent
