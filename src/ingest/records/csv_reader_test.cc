#include "ingest/records/csv_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ingest/records/reading_test_util.h"

namespace precedent {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Read read(std::string_view text, char delimiter = 0, size_t max_bytes = 1 << 20,
          bool through_file = false) {
  return read_text(
      text,
      [&](ByteSource& in, const RecordSink& sink, const BadRecordSink& bad) {
        return read_csv(in, {"t.csv", max_bytes, delimiter}, sink, bad);
      },
      through_file);
}

TEST(CsvReader, ReadsRows) {
  const std::pair<std::string_view, std::vector<std::string>> cases[] = {
      {"id,title\n1,a\n2,b\n", {"2: id=1 title=a", "3: id=2 title=b"}},
      {"id,title\n1,a", {"2: id=1 title=a"}},
      {"id,title\r\n1,a\r\n", {"2: id=1 title=a"}},
      {"\xEF\xBB\xBFid,title\n1,a\n", {"2: id=1 title=a"}},
      {"\n\nid,title\n\n1,a\n,\n\n", {"5: id=1 title=a"}},
      {"id,title\n1,\"a, b\"\n", {"2: id=1 title=a, b"}},
      {"id,title\n1,\"say \"\"hi\"\"\"\n", {"2: id=1 title=say \"hi\""}},
      {"id,title\n1,\"two\nlines\"\n2,b\n", {"2: id=1 title=two\nlines", "4: id=2 title=b"}},
      {"id,title\n1,\"a\"\r\n", {"2: id=1 title=a"}},
      {"id,title\n1,\"\"\n", {"2: id=1 title="}},
      {"\"id\",\"the, title\"\n1,a\n", {"2: id=1 the, title=a"}},
      {"id,title\n1,5\" disk\n", {"2: id=1 title=5\" disk"}},
      {"id,title\n1,a,,\n", {"2: id=1 title=a"}},
      {" id , title \n1, a \n", {"2: id=1 title= a "}},
      {"id,id,,x\n1,2,3,4\n", {"2: id=1 id (column 2)=2 column 3=3 x=4"}},
      {"id\ttitle\n1\ta, b\n", {"2: id=1 title=a, b"}},
      {"id;title\n1;a, b\n", {"2: id=1 title=a, b"}},
      {"id|title|c\n1|a;b|,\n", {"2: id=1 title=a;b c=,"}},
      {"sep=;\nid;a,b,c\n1;x\n", {"3: id=1 a,b,c=x"}},
      {"\"a,b,c\";id;x\n1;2;3\n", {"2: a,b,c=1 id=2 x=3"}},
      {"id\n1\n", {"2: id=1"}},
  };
  for (const auto& [text, expected] : cases) {
    for (const bool through_file : {false, true}) {
      const Read out = read(text, 0, 1 << 20, through_file);
      EXPECT_EQ(out.records, expected) << text;
      EXPECT_THAT(out.bad, IsEmpty()) << text;
    }
  }
}

TEST(CsvReader, TheFileNameMayDecideTheDelimiter) {
  EXPECT_THAT(read("id\ta,b,c\n1\tx\n", '\t').records, ElementsAre("2: id=1 a,b,c=x"));
}

// Good rows 1 and 3 around a bad one.
TEST(CsvReader, ReportsABadRowAndGoesOn) {
  struct Case {
    std::string text;
    std::string_view bad;
  };
  const Case cases[] = {
      {"id,t\n1,a\n2\n3,c\n", "3: the row has 1 fields, the header 2"},
      {"id,t\n1,a\n2,b,x\n3,c\n", "3: the row has 3 fields, the header 2"},
      {"id,t\n1,a\n2,\"b\n3,c\n", "3: a quoted field that begins on line 3 is never closed"},
      {"id,t\n1,a\n2,\"b\"x\n3,c\n", "3: a quoted field is followed by text at column 6"},
      {"id,t\n1,a\n2,\"b\n3,\"c\"\n", "3: a quoted field is followed by text"},
      {"id,t\n1,a\n2,caf\xE9\n3,c\n", "3: 't' not UTF-8 at byte 14 (0xE9)"},
      {"id,t\n1,a\n2,\"caf\xE9\"\n3,c\n", "3: 't' not UTF-8 at byte 15 (0xE9)"},
      {"id,t\n1,a\n2,b\0x\n3,c\n"s, "3: 't' the text holds a NUL"},
      {"id,t\n1,a\n2," + std::string(2000, 'x') + "\n3,c\n",
       "3: the record is larger than 1000 bytes"},
      {"id,t\n1,a\n2,\"" + std::string(2000, '\n') + "\"\n3,c\n",
       "3: the record is larger than 1000 bytes"},
  };
  for (const Case& c : cases) {
    for (const bool through_file : {false, true}) {
      const Read out = read(c.text, ',', 1000, through_file);
      ASSERT_THAT(out.bad, ElementsAre(HasSubstr(c.bad))) << c.text;
      ASSERT_THAT(out.records, SizeIs(2)) << c.text;
      EXPECT_THAT(out.records[0], HasSubstr("id=1 t=a"));
      EXPECT_THAT(out.records[1], HasSubstr("id=3 t=c"));
    }
  }
}

TEST(CsvReader, AQuoteThatIsNeverClosedCostsOneRowOfManyBlocks) {
  std::string text = "id,t\n1,a\n2,\"b\n";
  for (int i = 3; i < 30'000; ++i) text += fmt::format("{},some text\n", i);
  const Read out = read(text, 0, 16 << 20, true);
  EXPECT_THAT(out.bad, SizeIs(1));
  EXPECT_THAT(out.records, SizeIs(29'998));
}

TEST(CsvReader, AHeaderIsNeeded) {
  EXPECT_THAT(read("\"id,title\n1,a\n").bad, ElementsAre(HasSubstr("header row cannot be read")));
  EXPECT_THAT(read("id,\xE9\n1,a\n").bad, ElementsAre(HasSubstr("header row cannot be read")));
  EXPECT_THAT(read("id" + std::string(5000, ',') + "\n1,2\n").bad,
              ElementsAre(HasSubstr("more than 2000 columns")));
  EXPECT_THAT(read(",\n,\n").bad, ElementsAre(HasSubstr("no header row")));
  EXPECT_THAT(read("id,title\n").records, IsEmpty());
  EXPECT_THAT(read("id,title\n").bad, IsEmpty());
}

}  // namespace
}  // namespace precedent
