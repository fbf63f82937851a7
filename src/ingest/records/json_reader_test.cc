#include "ingest/records/json_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ingest/records/reading_test_util.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Read read(std::string_view text, bool named_lines = false, size_t max_bytes = 1 << 20,
          bool through_file = false) {
  return read_text(
      text,
      [&](ByteSource& in, const RecordSink& sink, const BadRecordSink& bad) {
        return read_json(in, {"t.json", max_bytes, named_lines}, sink, bad);
      },
      through_file);
}

TEST(JsonReader, TellsTheShapesApartByContent) {
  const std::vector<std::string> two = {"id=1", "id=2"};
  const std::string_view shapes[] = {
      "{\"id\":\"1\"}\n{\"id\":\"2\"}\n",
      "{\"id\":\"1\"}\r\n\r\n{\"id\":\"2\"}",
      "\xEF\xBB\xBF{\"id\":\"1\"}\n{\"id\":\"2\"}",
      "[{\"id\":\"1\"},{\"id\":\"2\"}]",
      "  [\n  {\"id\": \"1\"},\n  {\"id\": \"2\"}\n]\n",
      "{\"incidents\":[{\"id\":\"1\"},{\"id\":\"2\"}]}",
      "{\n \"total\": 2,\n \"Records\": [\n {\"id\":\"1\"},\n {\"id\":\"2\"}\n ],\n \"next\": "
      "null\n}",
      "{\"meta\":{\"a\":[1,{\"b\":2}]},\"data\":{\"items\":[{\"id\":\"1\"},{\"id\":\"2\"}]}}",
      "{\n  \"id\": \"1\"\n}\n{\n  \"id\": \"2\"\n}\n",
      "{\"id\":\"1\"} {\"id\":\"2\"}",
  };
  for (const std::string_view shape : shapes) {
    for (const bool named_lines : {false, true}) {
      if (named_lines && shape.find("} {") != std::string_view::npos)
        continue;  // no JSON lines by any reading
      for (const bool through_file : {false, true}) {
        const Read out = read(shape, named_lines, 1 << 20, through_file);
        EXPECT_THAT(out.bad, IsEmpty()) << shape;
        ASSERT_THAT(out.records, SizeIs(2)) << shape;
        for (size_t i = 0; i < 2; ++i) EXPECT_THAT(out.records[i], HasSubstr(two[i])) << shape;
      }
    }
  }
}

TEST(JsonReader, OneObjectIsOneRecordAndAnEmptyListIsNone) {
  EXPECT_THAT(read("{\"id\":\"1\"}").records, ElementsAre("1: id=1"));
  EXPECT_THAT(read("{\"id\":\"1\",\"items\":[{\"a\":1}]}").records,
              ElementsAre("1: id=1 items=l:[{\"a\":1}]"))
      << "an object that has named itself wraps nothing";
  for (const std::string_view text : {"[]", " [ ] ", "{\"incidents\":[]}"}) {
    EXPECT_THAT(read(text).records, IsEmpty()) << text;
    EXPECT_THAT(read(text).bad, IsEmpty()) << text;
  }
}

TEST(JsonReader, KeepsTypesAndOrderAndCompactsWhatIsNested) {
  const Read out =
      read(R"({"b":"x","a":1,"f":1.50,"big":123456789012345678901,"neg":-3,"t":true,"n":null,
                           "l":[1,"a\"b",{"k":[]},null,[2,3]],"o":{"x":{"y":"\u00e9\n"},"z":false},"e":{}})");
  EXPECT_THAT(
      out.records,
      ElementsAre("1: b=x a=n:1 f=n:1.50 big=n:123456789012345678901 neg=n:-3 t=b:true n=null "
                  "l=l:[1,\"a\\\"b\",{\"k\":[]},null,[2,3]] "
                  "o=o:{\"x\":{\"y\":\"é\\n\"},\"z\":false} e=o:{}"));
}

TEST(JsonReader, ARepeatedNameKeepsItsLastValue) {
  EXPECT_THAT(read(R"({"a":"1","b":"2","a":"3"})").records, ElementsAre("1: a=3 b=2"));
}

// Each text holds good records with ids 1 and 3 and one bad thing between them.
TEST(JsonReader, ReportsABrokenRecordAndGoesOn) {
  struct Case {
    std::string_view text;
    size_t line;
    std::string_view message;
  };
  const Case cases[] = {
      {"{\"id\":\"1\"}\n{\"id\":tru}\n{\"id\":\"3\"}", 2, "broken JSON at column 10"},
      {"{\"id\":\"1\"}\n{\"id\":\"2\n{\"id\":\"3\"}", 2, "broken JSON at column"},
      {"{\"id\":\"1\"}\n{\"id\":\"2\"\n{\"id\":\"3\"}", 2, "broken JSON at column"},
      {"{\"id\":\"1\"}\n{\"id\":\"2\"}}\n{\"id\":\"3\"}", 2, "broken JSON at column 11"},
      {"{\"id\":\"1\"}\nnonsense\n{\"id\":\"3\"}", 2, "not a JSON object"},
      {"{\"id\":\"1\"}\n[1,2]\n{\"id\":\"3\"}", 2, "not a JSON object"},
      {"{\"id\":\"1\"}\n{\"id\":\"\xE9\"}\n{\"id\":\"3\"}", 2,
       "not UTF-8 at byte 18 (0xE9); convert"},
      {"{\"id\":\"1\"}\n{\"id\":\"a\\u0000\"}\n{\"id\":\"3\"}", 2, "'id' the text holds a NUL"},
      {"{\"id\":\"1\"}\n{\"id\":\"\\ud800\"}\n{\"id\":\"3\"}", 2, "surrogate"},
      {"{\"id\":\"1\"}\n{\"id\":1e999}\n{\"id\":\"3\"}", 2, "number overflow"},
      {"{\"id\":\n{\"id\":\"1\"}\n{\"id\":\"3\"}", 1, "broken JSON"},
      {"[{\"id\":\"1\"},{\"id\":tru},{\"id\":\"3\"}]", 1, "broken JSON at line 1 column 22"},
      {"[{\"id\":\"1\"},5,{\"id\":\"3\"}]", 1, "expected an object at column 13"},
      {"[{\"id\":\"1\"},\"a,]}\",{\"id\":\"3\"}]", 1, "expected an object at column 13"},
      {"[{\"id\":\"1\"},[{}],{\"id\":\"3\"}]", 1, "expected an object at column 13"},
      {"[\n  {\"id\": \"1\"},\n  {\"id\": \"2},\n  {\"id\": \"3\"}\n]", 3, "broken JSON at line"},
      {"[\n  {\"id\": \"1\"},\n  {\"id\": \"2\",\n  {\"id\": \"3\"}\n]", 3,
       "broken JSON at line 4 column 3"},
      {"[\n  {\n    \"id\": \"1\"\n  },\n  {\n    \"id\": SEV1,\n    \"l\": [\n      {\"a\": 1}\n  "
       "  ]\n  },\n  {\n"
       "    \"id\": \"3\"\n  }\n]",
       5, "broken JSON at line 6 column 11"},
      {"[\n  {\n    \"id\": \"1\"\n  },\n  {\n    \"id\": \"caf\xE9\"\n  },\n  {\n    \"id\": "
       "\"3\"\n  }\n]",
       5, "not UTF-8 near byte 44;"},
      {"{\"incidents\":[\n{\"id\":\"1\"},\n{\"id\":},\n{\"id\":\"3\"}\n]}", 3, "broken JSON"},
  };
  for (const Case& c : cases) {
    for (const bool through_file : {false, true}) {
      const Read out = read(c.text, false, 1 << 20, through_file);
      ASSERT_THAT(out.bad, SizeIs(1))
          << c.text << "\n"
          << testing::PrintToString(out.bad) << testing::PrintToString(out.records);
      EXPECT_THAT(out.bad[0], testing::StartsWith(fmt::format("{}: ", c.line))) << c.text;
      EXPECT_THAT(out.bad[0], HasSubstr(c.message)) << c.text;
      if (c.text.starts_with("{\"id\":\n")) continue;
      ASSERT_THAT(out.records, SizeIs(2)) << c.text;
      EXPECT_THAT(out.records[0], HasSubstr("id=1"));
      EXPECT_THAT(out.records[1], HasSubstr("id=3"));
    }
  }
}

TEST(JsonReader, AFileThatIsCutOffKeepsWhatCameBefore) {
  const Read list = read("[{\"id\":\"1\"},{\"id\":\"2\",\"t");
  EXPECT_THAT(list.records, ElementsAre("1: id=1"));
  ASSERT_THAT(list.bad, SizeIs(2));
  EXPECT_THAT(list.bad[1], HasSubstr("the list is never closed"));
  const Read lines = read("{\"id\":\"1\"}\n{\"id\":\"2\",\"t");
  EXPECT_THAT(lines.records, ElementsAre("1: id=1"));
  EXPECT_THAT(lines.bad, SizeIs(1));
}

TEST(JsonReader, ABracketThatClosesNothingDoesNotStopTheReading) {
  for (const std::string_view text : {"]", "}", "[]]", "{\"id\":\"1\"}]}", "[[", "[}", "[]\"",
                                      "null", "[{\"id\":\"1\"}]]{\"id\":\"2\"}"}) {
    const Read out = read(text);
    EXPECT_THAT(out.bad, testing::Not(IsEmpty())) << text;
  }
  EXPECT_THAT(read("[{\"id\":\"1\"}]]{\"id\":\"2\"}").records, SizeIs(2));
}

TEST(JsonReader, ARecordAboveTheLimitIsPassedOver) {
  const std::string huge = "{\"id\":\"2\",\"text\":\"" + std::string(5000, 'x') + "{[\\\"\"}";
  for (const std::string& text : {"{\"id\":\"1\"}\n" + huge + "\n{\"id\":\"3\"}\n",
                                  "[{\"id\":\"1\"}," + huge + ",{\"id\":\"3\"}]",
                                  "[\n{\"id\":\"1\"},\n" + huge + ",\n{\"id\":\"3\"}\n]"}) {
    for (const bool through_file : {false, true}) {
      const Read out = read(text, false, 1000, through_file);
      ASSERT_THAT(out.bad, SizeIs(1));
      EXPECT_THAT(out.bad[0], HasSubstr("larger than 1000 bytes"));
      ASSERT_THAT(out.records, SizeIs(2)) << text.substr(0, 40);
      EXPECT_THAT(out.records[1], HasSubstr("id=3"));
    }
  }
}

// The source is made as it is read: no buffer of ours may grow with the line.
TEST(JsonReader, ALineLargerThanTheBlocksItIsReadInIsRead) {
  const std::string line = "{\"id\":\"1\",\"text\":\"" + std::string(300'000, 'x') + "\"}\n";
  const Read out = read(line + line, false, 1 << 20, true);
  EXPECT_THAT(out.records, SizeIs(2));
  EXPECT_THAT(out.bad, IsEmpty());
}

TEST(JsonReader, HostileNestingIsRefused) {
  for (const std::string& open : {std::string("["), std::string("{\"a\":")}) {
    std::string deep = "{\"id\":\"2\",\"a\":";
    for (int i = 0; i < 100'000; ++i) deep += open;
    const Read lines = read("{\"id\":\"1\"}\n" + deep + "\n{\"id\":\"3\"}");
    EXPECT_THAT(lines.records, SizeIs(2));
    ASSERT_THAT(lines.bad, SizeIs(1));
    EXPECT_THAT(lines.bad[0], HasSubstr("nested deeper than 64"));
    EXPECT_THAT(read("[" + deep).bad[0], HasSubstr("nested deeper than 64"));
  }
}

TEST(JsonReader, AnObjectOfTooManyFieldsIsNoRecord) {
  std::string text = "{";
  for (size_t i = 0; i <= kMaxFields; ++i) text += fmt::format("\"k{}\":1,", i);
  const Read out = read(text + "\"z\":1}\n{\"id\":\"3\"}\n");
  EXPECT_THAT(out.records, ElementsAre("2: id=3"));
  EXPECT_THAT(out.bad, ElementsAre(HasSubstr("more than 2000 fields")));
}

TEST(JsonReader, FilesThatAreNoTextSayWhatToDo) {
  using namespace std::string_literals;
  const std::pair<std::string, std::string_view> cases[] = {
      {"", "the file is empty"},
      {" \n\r\n", "the file is empty"},
      {"\xEF\xBB\xBF", "the file is empty"},
      {"\xFF\xFE{\0}\0"s, "UTF-16"},
      {"\xFE\xFF\0{\0}"s, "UTF-16"},
      {"{\0\"\0"s, "iconv -f UTF-16"},
      {"\0{\0\""s, "UTF-16"},
      {"\x1F\x8B\x08", "compressed"},
  };
  for (const auto& [text, message] : cases)
    EXPECT_THAT(read(text).bad, ElementsAre(HasSubstr(message)));
}

TEST(JsonReader, TheSinkStopsTheReading) {
  ByteSource in = ByteSource::of("{\"id\":1}\n{\"id\":2}\n");
  int seen = 0;
  const auto result = read_json(
      in, {"t", 100, true},
      [&](Record&&) -> Result<void> {
        ++seen;
        return fail(ErrorCode::kCancelled, "enough");
      },
      [](BadRecord&&) {});
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(seen, 1);
}

}  // namespace
}  // namespace precedent
