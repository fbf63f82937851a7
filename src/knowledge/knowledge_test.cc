// kind, document, incident and filter.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "knowledge/filter.h"
#include "knowledge/incident.h"

namespace precedent {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Kind, EveryNameIsReadBack) {
  std::set<std::string_view> names;
  for (const Kind kind : kAllKinds) {
    EXPECT_EQ(parse_kind(name(kind)), kind);
    names.insert(name(kind));
  }
  EXPECT_EQ(names.size(), kAllKinds.size());
}

TEST(Kind, IsReadInAnyUsualSpelling) {
  const std::pair<std::string_view, Kind> cases[] = {
      {"Post-Mortems", Kind::kPostmortem},
      {"post mortem", Kind::kPostmortem},
      {"POSTMORTEM", Kind::kPostmortem},
      {"known issue", Kind::kKnownIssue},
      {"knownIssues", Kind::kKnownIssue},
      {"known-issues", Kind::kKnownIssue},
      {"architecture decision record", Kind::kAdr},
      {"ADRs", Kind::kAdr},
      {"Runbooks", Kind::kRunbook},
      {"FAQ", Kind::kFaq},
      {"faqs", Kind::kFaq},
      {"docs", Kind::kDoc},
      {"incidents", Kind::kIncident},
  };
  for (const auto& [text, kind] : cases) EXPECT_EQ(parse_kind(text), kind) << text;
  for (const std::string_view text : {"", "s", "run", "outage", "kind", "日本"})
    EXPECT_FALSE(parse_kind(text)) << text;
}

Document sample() {
  Document d;
  d.id = "kb-1";
  d.kind = Kind::kRunbook;
  d.title = "Pool exhausted";
  d.body = "Restart.";
  d.path = "runbooks/pool.md";
  d.services = {"checkout-api"};
  d.tags = {"db"};
  d.attributes = {{"team", "payments"}};
  d.opened_at = TimePoint(std::chrono::seconds(86'400));
  return d;
}

TEST(ContentHash, ChangesWithEveryFieldThatDecides) {
  const std::string before = content_hash(sample());
  EXPECT_EQ(content_hash(sample()), before);
  const std::vector<std::function<void(Document&)>> changes = {
      [](Document& d) { d.id = "kb-2"; },
      [](Document& d) { d.kind = Kind::kDoc; },
      [](Document& d) { d.title += "!"; },
      [](Document& d) { d.body += "!"; },
      [](Document& d) { d.path = "x.md"; },
      [](Document& d) { d.application = "a"; },
      [](Document& d) { d.severity = "SEV1"; },
      [](Document& d) { d.status = "open"; },
      [](Document& d) { d.services.push_back("b"); },
      [](Document& d) { std::swap(d.services, d.tags); },
      [](Document& d) { d.symptoms = {"b"}; },
      [](Document& d) { d.opened_at.reset(); },
      [](Document& d) { std::swap(d.opened_at, d.updated_at); },
      [](Document& d) { d.attributes["team"] = "search"; },
      [](Document& d) { d.attributes["tea"] = "mpayments"; },
      [](Document& d) { d.body_line = 5; },
      [](Document& d) { d.title = "Pool", d.body = " exhaustedRestart."; },
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    Document changed = sample();
    changes[i](changed);
    EXPECT_NE(content_hash(changed), before) << "change " << i;
  }
}

Incident full_incident() {
  Incident i;
  i.incident_id = "INC-2025-01-20-005";
  i.title = "HTTP 403 from PayU";
  i.description = "Payments failed.\n\n## Timeline\n09:12 first alert";
  i.root_cause = "A rotated key.";
  i.action_taken = "Deployed the new key.\n";
  i.mitigation = "\\## not a heading";
  i.impacted_application = "PayU Core";
  i.accountable_party = "Payments";
  i.source_system = "ServiceNow";
  i.status = "Resolved";
  i.severity = "SEV2";
  i.repeat_incident = false;
  i.opened_at = parse_time("2025-01-20T09:12:00Z").value();
  i.updated_at = parse_time("2025-01-21").value();
  i.resolved_at = parse_time("2025-01-20T11:00:00Z").value();
  i.services = {"payu-core"};
  i.tags = {"http", "auth"};
  i.extra = {{"customer", "ACME"}};
  return i;
}

TEST(Incident, IsADocumentWithItsTextsAsSections) {
  const Document d = to_document(full_incident());
  EXPECT_EQ(d.kind, Kind::kIncident);
  EXPECT_EQ(d.id, "INC-2025-01-20-005");
  EXPECT_EQ(d.application, "PayU Core");
  EXPECT_THAT(d.body, HasSubstr("## Description\nPayments failed.\n\n\\## Timeline\n"));
  EXPECT_THAT(d.body, HasSubstr("\n\n## Root cause\nA rotated key.\n\n## Action taken\n"));
  EXPECT_EQ(d.attributes.at("accountable_party"), "Payments");
  EXPECT_EQ(d.attributes.at("repeat_incident"), "false");
  EXPECT_EQ(d.attributes.at("customer"), "ACME");
}

TEST(Incident, AnAbsentTextHasNoSection) {
  Incident i;
  i.incident_id = "X-1";
  i.root_cause = "c";
  const Document d = to_document(i);
  EXPECT_EQ(d.body, "## Root cause\nc");
  EXPECT_THAT(d.attributes, testing::IsEmpty());
  EXPECT_EQ(incident_of(d), i);
}

TEST(Incident, ComesBackAsItWas) {
  EXPECT_EQ(incident_of(to_document(full_incident())), full_incident());
  EXPECT_EQ(incident_of(to_document(Incident{})), Incident{});
}

// Texts made of everything that could be mistaken for the section marks.
TEST(Incident, ComesBackWhateverItsTextsHold) {
  const std::string_view words[] = {
      "## ",  "##", "Description", "Root cause",     "\n", "\n\n", "\\",
      "\\\\", "a",  " ",           "## Mitigation\n"};
  std::mt19937 random(20250120);
  const auto text = [&] {
    std::string out;
    for (size_t n = random() % 8; n > 0; --n) out += words[random() % std::size(words)];
    return out;
  };
  for (int round = 0; round < 20'000; ++round) {
    Incident i;
    i.incident_id = "X-1";
    i.description = text();
    i.root_cause = text();
    i.action_taken = text();
    i.mitigation = text();
    ASSERT_EQ(incident_of(to_document(i)), i) << "round " << round << "\n" << to_document(i).body;
  }
}

TEST(Incident, LastedFromItsFirstMomentToItsLast) {
  Incident i;
  i.incident_id = "INC-2019-07-02-001";
  EXPECT_FALSE(lasted(i));
  i.opened_at = *parse_time("2019-07-02");
  i.resolved_at = *parse_time("2019-07-02T14:09:00Z");
  // Not from midnight on: the day is known, the hour is not.
  EXPECT_FALSE(lasted(i));
  i.extra["start_time"] = "2019-07-02T13:42:00Z";
  EXPECT_EQ(format_time(*began(i)), "2019-07-02T13:42:00Z");
  EXPECT_EQ(lasted(i), std::chrono::minutes(27));
  // A beginning on another day is another thing's.
  i.extra["start_time"] = "2018-07-02T13:42:00Z";
  EXPECT_EQ(began(i), i.opened_at);
  i.resolved_at = *parse_time("2019-07-04");
  EXPECT_EQ(lasted(i), std::chrono::days(2));
  i.resolved_at = *parse_time("2019-07-01");
  EXPECT_FALSE(lasted(i));
}

TEST(Incident, BeganWhenItSaysOrOnTheDateInItsId) {
  Incident i;
  i.incident_id = "INC-2025-01-20-005";
  EXPECT_EQ(opened(i), parse_time("2025-01-20").value());
  i.opened_at = parse_time("2025-01-19T23:50:00Z").value();
  EXPECT_EQ(opened(i), i.opened_at);
  i = {};
  i.incident_id = "PD-1";
  EXPECT_FALSE(opened(i));
}

TEST(Filter, SaysWhatItAsksFor) {
  EXPECT_EQ(to_string(Filter{}), "none");
  EXPECT_TRUE(Filter{}.empty());
  Filter f;
  f.kinds = {Kind::kRunbook, Kind::kKnownIssue};
  f.services = {"checkout-api"};
  f.opened.from = parse_time("2025-01-01").value();
  EXPECT_FALSE(f.empty());
  EXPECT_EQ(to_string(f),
            "kind=runbook|known_issue service=checkout-api opened=[2025-01-01T00:00:00Z,)");
  Filter all;
  all.tags = {"t"};
  all.applications = {"PayU Core"};
  all.ids = {"A-1", "B-2"};
  all.severities = {"SEV1"};
  all.statuses = {"open"};
  all.opened.to = parse_time("2025-02-01").value();
  EXPECT_EQ(to_string(all),
            "tag=t application=PayU Core id=A-1|B-2 severity=SEV1 status=open "
            "opened=[,2025-02-01T00:00:00Z)");
}

}  // namespace
}  // namespace precedent
