#include "ingest/fields/record_mapping.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ingest/fields/time_format.h"
#include "ingest/records/reading_test_util.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::shared_ptr<const RecordMapping> mapping(const std::string& yaml) {
  auto read = RecordMapping::parse(yaml, "m.yaml");
  EXPECT_TRUE(read) << read.error().text();
  return read ? std::make_shared<const RecordMapping>(std::move(*read)) : nullptr;
}

Record record(std::vector<std::pair<std::string, std::string>> fields) {
  Record made{{}, "a.csv", 2, 0};
  for (auto& [name, text] : fields) made.set(name, {Value::Type::kText, text});
  return made;
}

Result<std::string> time_of(std::string_view text, const std::string& format,
                            std::string_view zone) {
  return time_in_format(text, {&format, 1}, zone);
}

class RecordMappingTest : public testing::Test {
 protected:
  Record map(RecordMapper& mapper, Record&& from) {
    auto mapped = mapper.map(std::move(from), [&](RecordMapper::Note what, BadRecord&& field) {
      notes_.emplace_back(what, field.field + ": " + field.message);
    });
    EXPECT_TRUE(mapped) << mapped.error().text();
    return mapped ? *mapped : Record{};
  }
  static std::string text(const Record& record, const char* field) {
    const Value* value = record.find(field);
    return value == nullptr ? "(none)" : value->text;
  }
  std::vector<std::pair<RecordMapper::Note, std::string>> notes_;
};

TEST_F(RecordMappingTest, AColumnSeveralColumnsAndAConstantBecomeFields) {
  RecordMapper mapper(
      mapping("fields:\n"
              "  title: Summary\n"
              "  description: [Summary, Details]\n"
              "  source_system: {constant: Desk}\n"
              "ignore: [Internal Notes]\n"));
  const Record mapped = map(mapper, record({{"summary", "Late"},
                                            {"Details", "Very late"},
                                            {"Internal Notes", "x"},
                                            {"Floor", "3"}}));
  EXPECT_EQ(text(mapped, "title"), "Late");
  EXPECT_EQ(text(mapped, "description"), "Late\n\nVery late");
  EXPECT_EQ(text(mapped, "source_system"), "Desk");
  EXPECT_EQ(text(mapped, "Internal Notes"), "(none)");
  EXPECT_EQ(text(mapped, "Floor"), "3") << "kept under its own name";
  EXPECT_EQ(text(mapped, "summary"), "(none)");
}

TEST_F(RecordMappingTest, ValuesAreTranslatedAndOthersStayAndAreTold) {
  RecordMapper mapper(mapping("fields: {severity: {column: P, values: {P1: SEV1}}}"));
  EXPECT_EQ(text(map(mapper, record({{"P", " p1 "}})), "severity"), "SEV1");
  EXPECT_TRUE(notes_.empty());
  EXPECT_EQ(text(map(mapper, record({{"P", "P9"}})), "severity"), "P9");
  ASSERT_EQ(notes_.size(), 1u);
  EXPECT_EQ(notes_[0].first, RecordMapper::Note::kUnknownValue);
  EXPECT_THAT(notes_[0].second, HasSubstr("'P9' is not among the values"));
}

TEST_F(RecordMappingTest, TimesFollowTheirFormatInTheirZone) {
  RecordMapper mapper(
      mapping("fields:\n  opened_at: {column: Opened, format: \"%d/%m/%Y %H:%M\", "
              "zone: Europe/Berlin}\n"));
  EXPECT_EQ(text(map(mapper, record({{"Opened", "03/04/2025 12:00"}})), "opened_at"),
            "2025-04-03T10:00:00Z");
  EXPECT_EQ(text(map(mapper, record({{"Opened", "03/12/2025 12:00"}})), "opened_at"),
            "2025-12-03T11:00:00Z");
  const Record odd = map(mapper, record({{"Opened", "2025-04-03"}}));
  EXPECT_EQ(text(odd, "opened_at"), "(none)");
  EXPECT_EQ(text(odd, "Opened as written"), "2025-04-03") << "its text is kept";
  EXPECT_EQ(text(odd, "Opened"), "(none)") << "where it would be read by name";
  ASSERT_EQ(notes_.size(), 1u);
  EXPECT_EQ(notes_[0].first, RecordMapper::Note::kUnreadTime);
}

TEST_F(RecordMappingTest, TimesMayFollowSeveralFormats) {
  RecordMapper mapper(
      mapping("fields: {opened_at: {column: Opened, format: [\"%d/%m/%Y\", \"%d %b %Y\"]}}"));
  EXPECT_EQ(text(map(mapper, record({{"Opened", "03/04/2025"}})), "opened_at"),
            "2025-04-03T00:00:00Z");
  EXPECT_EQ(text(map(mapper, record({{"Opened", "3 Apr 2025"}})), "opened_at"),
            "2025-04-03T00:00:00Z");
  map(mapper, record({{"Opened", "Easter"}}));
  ASSERT_EQ(notes_.size(), 1u);
  EXPECT_THAT(notes_[0].second, HasSubstr("'Easter' does not follow the format %d/%m/%Y or %d %b"));
}

TEST_F(RecordMappingTest, AnOffsetAndAnHourThatComesTwice) {
  EXPECT_EQ(*time_of("1.7.2025 09:30", "%d.%m.%Y %H:%M", "+05:30"), "2025-07-01T04:00:00Z");
  EXPECT_EQ(*time_of("2025-07-01 09:30 +0200", "%F %H:%M %z", ""), "2025-07-01T07:30:00Z");
  EXPECT_EQ(*time_of("2025-10-26 02:30", "%F %H:%M", "Europe/Berlin"), "2025-10-26T00:30:00Z");
  EXPECT_EQ(*time_of("2025-03-30 02:30", "%F %H:%M", "Europe/Berlin"), "2025-03-30T01:00:00Z");
  for (const char* text : {"", "yesterday", "2025-13-01 00:00", "2025-01-01 00:00 and more"})
    EXPECT_FALSE(time_of(text, "%F %H:%M", "UTC")) << text;
}

TEST_F(RecordMappingTest, IdsAreMadeOfTheDayAndANumber) {
  RecordMapper mapper(
      mapping("fields:\n  incident_id: {template: \"INC-{opened:%Y-%m-%d}-{n:03}\"}\n"
              "  opened_at: When\n"));
  EXPECT_EQ(text(map(mapper, record({{"When", "2025-01-20 10:00"}})), "incident_id"),
            "INC-2025-01-20-001");
  EXPECT_EQ(text(map(mapper, record({{"When", "2025-01-20 11:00"}})), "incident_id"),
            "INC-2025-01-20-002");
  EXPECT_EQ(text(map(mapper, record({{"When", "2025-01-21"}})), "incident_id"),
            "INC-2025-01-21-001");
  const auto without = mapper.map(record({{"Other", "x"}}), [](auto, auto&&) {});
  ASSERT_FALSE(without);
  EXPECT_THAT(without.error().text(), HasSubstr("a.csv:2: 'incident_id': the id is made of "
                                                "opened_at"));
  RecordMapper of_column(mapping("fields: {incident_id: {template: \"OPS-{Ticket}\"}}"));
  EXPECT_EQ(text(map(of_column, record({{"ticket", " 17 "}})), "incident_id"), "OPS-17");
}

TEST_F(RecordMappingTest, TheLimitsAreShares) {
  const auto read = mapping("limits: {max_bad: 1%, max_vanished: 0.2}");
  EXPECT_DOUBLE_EQ(read->max_bad(), 0.01);
  EXPECT_DOUBLE_EQ(read->max_vanished(), 0.2);
  EXPECT_DOUBLE_EQ(mapping("unknown: keep")->max_bad(), 1);
}

TEST_F(RecordMappingTest, WhatIsWrongIsNamedWithFileLineAndKey) {
  const auto error = [](const std::string& yaml) {
    const auto read = RecordMapping::parse(yaml, "m.yaml");
    return read ? "" : read.error().text();
  };
  EXPECT_THAT(error("fields:\n  titel: A\n"), HasSubstr("m.yaml:2: fields.titel: is no field"));
  EXPECT_THAT(error("fields: {title: {column: A, constant: B}}"), HasSubstr("needs one of"));
  EXPECT_THAT(error("fields: {title: {column: A, format: \"%F\"}}"), HasSubstr("is no time"));
  EXPECT_THAT(error("fields: {opened_at: {column: A, format: \"%F\", zone: Mars/Crater}}"),
              HasSubstr("Mars/Crater"));
  EXPECT_THAT(error("fields: {incident_id: {template: fixed}}"), HasSubstr("has no {n}"));
  EXPECT_THAT(error("fields: {incident_id: {template: \"A-{n:03\"}}"),
              HasSubstr("has '{n:03' that is not closed; write {n:03}"));
  EXPECT_THAT(error("fields: {incident_id: {template: \"A-{n{Foo}\"}}"), HasSubstr("'{n'"));
  EXPECT_THAT(error("fields: {opened_at: {column: A, format: [\"%F\", YYYY]}}"),
              HasSubstr("fields.opened_at.format: has 'YYYY' without a %"));
  EXPECT_THAT(error("fields: {source_system: {constant: \"\"}}"),
              HasSubstr("fields.source_system.constant: is empty"));
  EXPECT_THAT(error("fields:\n  title: A\n  title: B\n"),
              HasSubstr("m.yaml:3: fields.title is there twice; keep one"));
  EXPECT_THAT(error("fields: {severity: {column: A, values: {P1: B, P1: C}}}"),
              HasSubstr("fields.severity.values.P1 is there twice"));
  EXPECT_THAT(error("limits: {max_bad: much}"),
              HasSubstr("is no share; write it as 1% or as 0.01"));
  EXPECT_THAT(error("limits: {max_bad: 1}"), HasSubstr("is 1 without a %; write 1% or 0.01"));
  EXPECT_THAT(error("limits: {max_vanished: 20}"), HasSubstr("write 20% or 0.2"));
  EXPECT_THAT(error("limits: {max_vanished: 120%}"), HasSubstr("is no share"));
  EXPECT_THAT(error("unknown: perhaps"), HasSubstr("keep, drop or refuse"));
  EXPECT_THAT(error("fields: ["), HasSubstr("m.yaml:"));
  EXPECT_THAT(error("fields: Summary"), HasSubstr("m.yaml:1: fields: is no mapping; write each"));
  EXPECT_THAT(error("fields: {severity: {column: A, values: [P1]}}"),
              HasSubstr("fields.severity.values: is no mapping"));
  EXPECT_THAT(error("fields: {opened_at: {column: A, format: \"%F %Q\"}}"),
              HasSubstr("fields.opened_at.format: has '%Q', which strptime does not know"));
  EXPECT_THAT(error("fields: {opened_at: {column: A, format: \"%Ey-%\"}}"), HasSubstr("has '%',"));
  EXPECT_EQ(error("fields: {opened_at: {column: A, format: \"%Ey%% %Ez\"}}"), "");
  EXPECT_THAT(error("fields: {incident_id: {template: \"A-{opened:%K}-{n}\"}}"),
              HasSubstr("fields.incident_id.template: has '%K'"));
  EXPECT_THAT(error("fields: {opened_at: {column: A, format: \"%F\", zone: \"+25:00\"}}"),
              HasSubstr("is '+25:00'; write UTC"));
}

TEST_F(RecordMappingTest, KnowsWhichOfItsColumnsAreMissing) {
  const auto read = mapping("fields: {title: [A, B], severity: C}\nignore: [D]");
  const std::vector<std::string> columns = {"a", "C", "D"};
  EXPECT_THAT(read->missing_from(columns), ElementsAre(NamedColumn{"B", "m.yaml:1: fields.title"}));
  const auto more =
      mapping("fields: {incident_id: {template: \"{opened:%F}-{Foo}-{n}\"}}\nignore: [E]");
  EXPECT_THAT(more->missing_from(columns),
              ElementsAre(NamedColumn{"Foo", "m.yaml:1: fields.incident_id"},
                          NamedColumn{"E", "m.yaml:2: ignore", true}));
  EXPECT_EQ(read->field_of("c"), "severity");
  EXPECT_TRUE(read->ignores("d"));
}

}  // namespace
}  // namespace precedent
