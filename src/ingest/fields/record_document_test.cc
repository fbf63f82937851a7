// Records to documents: list_items, the field map, and what makes a record good or bad.
#include "ingest/fields/record_document.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/strings.h"
#include "ingest/records/json_reader.h"
#include "knowledge/incident.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

// The one record of a JSON text.
Record record_of(std::string_view json) {
  Record record;
  ByteSource in = ByteSource::of(json);
  const auto read = read_json(
      in, {"t.json", 1 << 20, false},
      [&](Record&& r) -> Result<void> {
        record = std::move(r);
        return {};
      },
      [](BadRecord&& bad) { ADD_FAILURE() << bad.text(); });
  EXPECT_TRUE(read.has_value());
  return record;
}

std::expected<Document, BadRecord> convert(std::string_view json, std::vector<std::string> map = {},
                                           std::optional<Kind> kind = std::nullopt) {
  FieldMap fields = FieldMap::create(map).value();
  return document_of(record_of(json), fields, kind);
}

Incident incident(std::string_view json, std::vector<std::string> map = {}) {
  const auto document = convert(json, std::move(map));
  EXPECT_TRUE(document.has_value()) << json << ": " << (document ? "" : document.error().text());
  return document ? incident_of(*document) : Incident{};
}

std::string bad(std::string_view json, std::optional<Kind> kind = std::nullopt) {
  const auto document = convert(json, {}, kind);
  return document ? "loaded" : document.error().text();
}

// What is said of the fields of a record that loads.
std::string unread(std::string_view json) {
  std::string said;
  RecordContext context;
  context.unread_field = [&](BadRecord&& field) { said += field.text() + "\n"; };
  const auto document =
      document_of(record_of(json), FieldMap::create({}).value(), std::nullopt, context);
  return document ? said : "bad: " + document.error().text();
}

TEST(ListItems, ReadsEveryUsualForm) {
  using Type = Value::Type;
  const std::pair<Value, std::vector<std::string>> cases[] = {
      {{Type::kText, "a, b;c\nd"}, {"a", "b", "c", "d"}},
      {{Type::kText, " a ,, a "}, {"a"}},
      {{Type::kText, "[\"a\",\"b, c\",1]"}, {"a", "b, c", "1"}},
      {{Type::kText, "[draft] a"}, {"[draft] a"}},
      {{Type::kList, "[\"a\",null,2,true,{\"name\":\"x\"},{\"id\":1},[3]]"},
       {"a", "2", "true", "x", "{\"id\":1}", "[3]"}},
      {{Type::kList, "[]"}, {}},
      {{Type::kNumber, "7"}, {"7"}},
      {{Type::kNull, ""}, {}},
  };
  for (const auto& [value, expected] : cases) EXPECT_EQ(list_items(value), expected) << value.text;
}

TEST(ListItems, HostileTextsCostLittle) {
  std::string nested = "[";
  for (int i = 0; i < 200'000; ++i) nested += "1,[";
  EXPECT_FALSE(list_items({Value::Type::kText, nested}).empty());
  std::string many;
  for (int i = 0; i < 200'000; ++i) many += fmt::format("{},", i);
  EXPECT_EQ(list_items({Value::Type::kText, many}).size(), 200'000u);
}

TEST(ParseBool, ReadsEveryUsualSpelling) {
  for (const std::string_view yes : {"true", "TRUE", "Yes", "y", "1", "on", "x", " X ", "t", "✓"})
    EXPECT_EQ(parse_bool(yes), true) << yes;
  for (const std::string_view no : {"false", "No", "n", "0", "OFF", "f"})
    EXPECT_EQ(parse_bool(no), false) << no;
  for (const std::string_view other : {"", "maybe", "2", "yes!", "ja"})
    EXPECT_FALSE(parse_bool(other)) << other;
}

TEST(FoldName, ForgetsCaseAndSigns) {
  for (const std::string_view name :
       {"root_cause", "rootCause", "Root Cause", "ROOT-CAUSE", "root.cause", " rootcause "}) {
    EXPECT_EQ(bare_name(name), "rootcause");
  }
  EXPECT_EQ(bare_name("Größe 2"), "größe2");
}

// Every alias of the documentation, alone beside an id and a title.
TEST(FieldMap, KnowsTheUsualAliases) {
  const std::pair<std::string_view, std::vector<std::string_view>> texts[] = {
      {"description", {"details", "text", "body", "content", "summary", "Long Description"}},
      {"root_cause", {"cause", "rootCause", "RCA"}},
      {"action_taken",
       {"resolution", "actions", "action", "fix", "resolution_notes", "remediation"}},
      {"mitigation", {"workaround"}},
      {"impacted_application",
       {"service", "application", "system", "app", "affected_service", "component"}},
      {"accountable_party", {"owner", "assignee", "team", "assigned_to"}},
      {"source_system", {"source"}},
      {"status", {"state"}},
      {"severity", {"priority", "sev", "impact_level", "urgency"}},
      {"title", {"summary", "incident_title", "name", "subject", "short_description", "headline"}},
      {"incident_id",
       {"id", "incident", "number", "ticket", "ticket_id", "key", "incident_number"}},
      {"opened_at",
       {"date", "created_at", "started_at", "start_time", "created", "opened", "occurred_at",
        "detected_at", "timestamp", "begin"}},
      {"updated_at", {"last_updated", "modified"}},
      {"resolved_at", {"closed_at", "end_time", "ended_at", "resolved"}},
      {"repeat_incident", {"repeat", "recurring", "is_repeat"}},
      {"services", {"affected services"}},
      {"tags", {"labels"}},
  };
  for (const auto& [canonical, names] : texts) {
    for (const std::string_view alias : names) {
      FieldMap fields = FieldMap::create({}).value();
      const Record record{
          {{std::string(alias),
            {Value::Type::kText, canonical == "repeat_incident" ? "yes" : "2025-01-01"}}},
          "t",
          1};
      const MappedRecord mapped = fields.map(record);
      const Field* found = mapped.find(canonical);
      // `summary` is a title before it is a description.
      if (alias == "summary" && canonical == "description") found = mapped.find("title");
      EXPECT_NE(found, nullptr) << alias << " for " << canonical;
      EXPECT_THAT(mapped.rest, IsEmpty());
    }
  }
}

// The table of docs/ingest.md, read from the file: what it promises is what the code does.
TEST(FieldMap, DoesWhatItsDocumentationSays) {
  std::ifstream file("docs/ingest.md");
  ASSERT_TRUE(file.good()) << "run in the project's folder";
  size_t rows = 0;
  for (std::string line; std::getline(file, line) && line != "## Other kinds in JSON and CSV";) {
    if (!line.starts_with("| `") || line.starts_with("| `.")) continue;
    const auto cells = split(line, '|');
    const std::string_view canonical = split(cells.at(1), '`').at(1);
    ++rows;
    for (const std::string_view alias : split(cells.at(2), ',')) {
      FieldMap fields = FieldMap::create({}).value();
      const std::string_view value = canonical == "repeat_incident" ? "yes" : "2025-01-01";
      const Record record{
          {{std::string(trim(alias)), {Value::Type::kText, std::string(value)}}}, "t", 1};
      const MappedRecord mapped = fields.map(record);
      // Names that serve two fields serve the title first.
      const bool shared = canonical == "description" && mapped.find("title") != nullptr;
      EXPECT_NE(mapped.find(shared ? "title" : canonical), nullptr)
          << alias << " for " << canonical;
    }
  }
  EXPECT_EQ(rows, canonical_fields().size());
}

TEST(FieldMap, TheCanonicalNameBeatsAliasesAndEarlierAliasesBeatLater) {
  const Incident i = incident(
      R"({"id":"X-9","incident_id":"INC-1","summary":"s","title":"t","text":"x","details":"d","name":"n",
                                 "start_time":"2025-01-02","date":"2025-01-01","body":"b"})");
  EXPECT_EQ(i.incident_id, "INC-1");
  EXPECT_EQ(i.title, "t");
  EXPECT_EQ(i.description, "d");
  EXPECT_EQ(format_date(*i.opened_at), "2025-01-01");
  EXPECT_THAT(i.extra, UnorderedElementsAre(Pair("id", "X-9"), Pair("summary", "s"),
                                            Pair("text", "x"), Pair("name", "n"),
                                            Pair("start_time", "2025-01-02"), Pair("body", "b")));
}

TEST(FieldMap, SummaryServesWhereItIsNeededAndIsNeverLost) {
  const Incident title = incident(R"({"id":"A-1","summary":"s","description":"d"})");
  EXPECT_EQ(title.title, "s");
  EXPECT_THAT(title.extra, IsEmpty());
  const Incident description = incident(R"({"id":"A-1","title":"t","summary":"s"})");
  EXPECT_EQ(description.description, "s");
  EXPECT_THAT(description.extra, IsEmpty());
  const Incident neither = incident(R"({"id":"A-1","title":"t","description":"d","summary":"s"})");
  EXPECT_THAT(neither.extra, ElementsAre(Pair("summary", "s")));
}

TEST(FieldMap, ABlankFieldIsNoCandidate) {
  const Incident i = incident(
      R"({"incident_id":" ","id":"A-1","title":"","name":"n","description":null,"text":"x","tags":[],"team":{}})");
  EXPECT_EQ(i.incident_id, "A-1");
  EXPECT_EQ(i.title, "n");
  EXPECT_EQ(i.description, "x");
  EXPECT_THAT(i.extra, IsEmpty());
}

TEST(FieldMap, AnAliasOfAnotherShapeIsKeptInsteadOfRefused) {
  const Incident i = incident(
      R"({"id":"A-1","title":"t","text":"x","resolved":true,"service":{"id":7},"recurring":"third time"})");
  EXPECT_FALSE(i.resolved_at);
  EXPECT_FALSE(i.repeat_incident);
  EXPECT_THAT(i.extra, UnorderedElementsAre(Pair("resolved", "true"), Pair("service", "{\"id\":7}"),
                                            Pair("recurring", "third time")));
}

TEST(FieldMap, TheOperatorsWordIsLast) {
  const Incident i =
      incident(R"({"incident_id":"INC-1","title":"t","Kurztext":"k","description":"d"})",
               {"title=kurztext"});
  EXPECT_EQ(i.title, "k");
  EXPECT_THAT(i.extra, ElementsAre(Pair("title", "t")));
}

TEST(FieldMap, AWrongMapIsRefusedAndAMissingColumnNamed) {
  for (const std::string text : {"title", "title=", "=x", "nonsense=x"}) {
    const auto map = FieldMap::create(std::vector{text});
    ASSERT_FALSE(map.has_value()) << text;
    EXPECT_THAT(map.error().message, HasSubstr("--map " + text));
  }
  EXPECT_THAT(FieldMap::create(std::vector<std::string>{"nonsense=x"}).error().message,
              HasSubstr("incident_id, title"));
  EXPECT_FALSE(FieldMap::create(std::vector<std::string>{"title=a", "Title=b"}).has_value());
  const FieldMap map =
      FieldMap::create(std::vector<std::string>{"title=Head Line", "severity=Sev"}).value();
  EXPECT_THAT(map.missing_from(std::vector<std::string>{"head-line"}), ElementsAre("Sev"));
}

TEST(DocumentOf, AnIncidentHasAllItsFields) {
  const Incident i = incident(
      R"({"incident_id":"inc‑2025‑01‑20‑005","title":" HTTP  403\n","description":"d\r\nline","action_taken":["a","b"],
      "opened_at":1737364320,"updated_at":"2025-01-21","resolved_at":"20 Jan 2025 11:00","impacted_application":"PayU Core","root_cause":"r",
      "mitigation":"m","accountable_party":"Payments","source_system":"SN","repeat_incident":"Y","status":"Resolved","severity":2,
      "services":"a, b","tags":["x"],"company":"ACME","stats":{"ttr":"1h"},"keywords":["k"]})");
  EXPECT_EQ(i.incident_id, "INC-2025-01-20-005");
  EXPECT_EQ(i.title, "HTTP 403");
  EXPECT_EQ(i.description, "d\nline");
  EXPECT_EQ(i.action_taken, "- a\n- b");
  EXPECT_EQ(format_time(*i.opened_at), "2025-01-20T09:12:00Z");
  EXPECT_EQ(format_time(*i.resolved_at), "2025-01-20T11:00:00Z");
  EXPECT_EQ(i.impacted_application, "PayU Core");
  EXPECT_EQ(i.severity, "2");
  EXPECT_EQ(i.repeat_incident, true);
  EXPECT_THAT(i.services, ElementsAre("a", "b"));
  EXPECT_THAT(i.tags, ElementsAre("x"));
  EXPECT_THAT(i.extra,
              UnorderedElementsAre(Pair("company", "ACME"), Pair("stats", "{\"ttr\":\"1h\"}"),
                                   Pair("keywords", "[\"k\"]")));
}

TEST(DocumentOf, AnIncidentWithoutADateHasThatOfItsId) {
  const auto d = convert(R"({"id":"INC-2025-01-20-005","title":"t","text":"x"})");
  EXPECT_EQ(d->opened_at, parse_time("2025-01-20").value());
  EXPECT_EQ(d->body_line, 0u);
  EXPECT_EQ(d->path, "t.json");
  EXPECT_FALSE(convert(R"({"id":"PD-1","title":"t","text":"x"})")->opened_at);
}

TEST(DocumentOf, ABadRecordNamesItsFieldAndTheRemedy) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({"title":"t","description":"d"})",
       "t.json:1: 'incident_id': is missing or blank; every incident needs an id; --map "
       "incident_id=COLUMN names its column, which is one of: title, description"},
      {R"({"id":"---","title":"t","description":"d"})", "'incident_id': is missing"},
      {R"({"id":"A-1","text":"d"})", "loaded"},
      {R"({"id":"A-1"})", "'title': is missing or blank; an incident needs a title or a text"},
      {R"({"id":"A-1","title":"","severity":"SEV1"})", "'title': is missing or blank"},
      {R"({"id":"A-1","title":"t"})", "loaded"},
      {R"({"id":"A-1","title":"t","description":""})", "loaded"},
      {R"({"id":"A-1","title":"t","description":"","root_cause":"r"})", "loaded"},
      {R"({"id":"A-1","title":"t","action_taken":"r"})", "loaded"},
      {R"({"id":"A-1","title":"t","workaround":"r"})", "loaded"},
      {R"({"incident_id":true,"title":"t","description":"d"})",
       "'incident_id': is true, expected text"},
  };
  EXPECT_THAT(bad("{\"id\":\"" + std::string(501, 'x') + "\",\"title\":\"t\",\"text\":\"x\"}"),
              HasSubstr("'id': is longer than 500"));
  for (const auto& [json, message] : cases) EXPECT_THAT(bad(json), HasSubstr(message)) << json;
}

TEST(DocumentOf, WhatCannotBeReadCostsItsFieldAndNotTheRecord) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({"id":"A-1","title":{"a":1},"description":"d"})",
       "t.json:1: 'title': is an object, expected text"},
      {R"({"id":"A-1","title":["a"],"description":"d"})", "'title': is a list, expected text"},
      {R"({"id":"A-1","title":"t","description":{"a":1}})", "'description': is an object"},
      {R"({"id":"A-1","title":"t","opened_at":"2025-13-01"})",
       "'opened_at': '2025-13-01' is not a date: there is no such day"},
      {R"({"id":"A-1","title":"t","date":"soon"})", "'date': 'soon' is not a date"},
      {R"({"id":"A-1","title":"t","opened_at":["2025"]})", "'opened_at': is not a date"},
      {R"({"id":"A-1","title":"t","resolved_at":"n/a"})", ""},
      {R"({"id":"A-1","title":"t","repeat_incident":"N/A"})", ""},
      {R"({"id":"A-1","title":"t","repeat_incident":"maybe"})",
       "'repeat_incident': 'maybe' is neither yes nor no"},
      {R"({"id":"A-1","title":"t","services":{"a":1}})", "'services': is an object"},
  };
  for (const auto& [json, message] : cases) {
    EXPECT_THAT(unread(json), HasSubstr(message)) << json;
    EXPECT_EQ(unread(json).empty(), message.empty()) << json;
  }
  const auto d =
      convert(R"({"id":"INC-2025-01-20-005","title":"t","opened_at":"around noon","repeat":"no",)"
              R"("repeat_incident":"maybe"})");
  ASSERT_TRUE(d.has_value());
  EXPECT_EQ(d->opened_at, parse_time("2025-01-20").value()) << "that of the id";
  EXPECT_EQ(d->attributes.at("opened_at"), "around noon");
  EXPECT_EQ(d->attributes.at("repeat_incident as written"), "maybe");
  EXPECT_FALSE(incident_of(*d).repeat_incident);
}

TEST(DocumentOf, ATextWithoutATitleIsCalledByItsFirstSentence) {
  EXPECT_EQ(incident(R"({"id":"A-1","text":"The pool ran dry. Then it rained."})").title,
            "The pool ran dry");
  EXPECT_EQ(incident(R"({"id":"A-1","root_cause":"- leak\n- rain"})").title, "leak");
  const std::string title =
      incident("{\"id\":\"A-1\",\"text\":\"" + std::string(300, 'x') + "\"}").title;
  EXPECT_EQ(title, std::string(120, 'x') + "…");
}

TEST(DocumentOf, TheOrderOfDayAndMonthIsThatOfTheColumn) {
  RecordContext context;
  context.date_order = [](const std::string& column) {
    return column == "opened" ? DateOrder::kDayFirst : DateOrder::kMonthFirst;
  };
  const auto d = document_of(
      record_of(R"({"id":"A-1","title":"t","opened":"03/04/2026","closed":"03/04/2026"})"),
      FieldMap::create({}).value(), std::nullopt, context);
  EXPECT_EQ(d->opened_at, parse_time("2026-04-03").value());
  EXPECT_EQ(d->resolved_at, parse_time("2026-03-04").value());
}

TEST(DocumentOf, AnotherKindNeedsOnlyATitleOrAText) {
  const auto d = convert(
      R"({"id":"alerts/Down.md","type":"runbook","title":"Down","text":"# Down\n","services":["a"],"team":"x"})");
  ASSERT_TRUE(d.has_value());
  EXPECT_EQ(d->kind, Kind::kRunbook);
  EXPECT_EQ(d->id, "alerts/Down.md") << "kept as written";
  EXPECT_EQ(d->body, "# Down\n");
  EXPECT_THAT(d->services, ElementsAre("a"));
  EXPECT_THAT(d->attributes, ElementsAre(Pair("team", "x")));
  EXPECT_EQ(bad(R"({"id":"1","title":"t","text":""})", Kind::kDoc), "loaded");
  EXPECT_EQ(convert(R"({"id":"1","text":"first\nsecond"})", {}, Kind::kDoc)->title, "first");
  EXPECT_THAT(bad(R"({"id":"1","title":"","text":""})", Kind::kDoc),
              HasSubstr("needs a title or a text"));
  EXPECT_EQ(convert(R"({"title":"t"})", {}, Kind::kDoc)->id, "") << "the caller knows it";
}

TEST(DocumentOf, APostmortemRefersToAnIncidentByItsId) {
  const auto d = convert(
      R"({"id":"pm-7","type":"postmortem","incidentId":"INC-1","title":"t","body":"b","rootCause":"r"})");
  EXPECT_EQ(d->id, "pm-7");
  EXPECT_THAT(d->attributes, ElementsAre(Pair("incidentId", "INC-1"), Pair("rootCause", "r")));
  EXPECT_EQ(convert(R"({"type":"postmortem","incidentId":"INC-1","title":"t"})")->id, "");
}

TEST(DocumentOf, TheTypeOfAnIncidentIsNoKind) {
  const auto d =
      convert(R"({"incident_id":"INC-1","type":"Environment","title":"t","description":"d"})");
  EXPECT_EQ(d->kind, Kind::kIncident);
  EXPECT_THAT(d->attributes, ElementsAre(Pair("type", "Environment")));
  EXPECT_EQ(convert(R"({"id":"1","type":"Outage","title":"t","text":"d"})")->kind, Kind::kIncident);
  EXPECT_THAT(convert(R"({"id":"1","type":"incident","title":"t","text":"d"})")->attributes,
              IsEmpty());
  EXPECT_EQ(convert(R"({"id":"1","type":"runbook","title":"t","text":"d"})", {}, Kind::kFaq)->kind,
            Kind::kFaq);
}

}  // namespace
}  // namespace precedent
