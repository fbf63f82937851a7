// What the columns of a whole file say: which a --map names, and how its dates are written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ingest/reader_lab.h"

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

}  // namespace
}  // namespace precedent
