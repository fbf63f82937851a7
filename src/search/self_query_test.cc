#include "search/self_query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

const TimePoint kNow = parse_time("2026-11-20T09:30:00Z").value();

Catalogue catalogue() {
  return {.applications = {"PayU Core", "Settlement & Reporting", "Search", "Fraud Scoring",
                           "Merchant Portal", "Merchant Ledger"},
          .services = {"checkout-api", "payment-service", "search", "ledger", "api gateway"},
          .severities = {"SEV1", "SEV2", "high", "critical"},
          .statuses = {"Resolved", "Closed", "Investigating", "Monitoring"}};
}

SelfQuery read(std::string_view question) { return read_self_query(question, catalogue(), kNow); }

// "Settlement & Reporting*": a star for scope, a question mark for half a name.
std::vector<std::string> names(std::string_view question) {
  std::vector<std::string> out;
  for (const NameMention& mention : find_names(question, catalogue())) {
    if (mention.field == NameMention::Field::kService) continue;
    out.push_back(mention.name + (mention.whole ? "" : "?") + (mention.scope ? "*" : ""));
  }
  return out;
}

std::vector<std::string> services(std::string_view question) {
  std::vector<std::string> out;
  for (const NameMention& mention : find_names(question, catalogue())) {
    if (mention.field == NameMention::Field::kService)
      out.push_back(mention.name + (mention.scope ? "*" : ""));
  }
  return out;
}

TEST(SelfQuery, NamesAreThoseOfTheCatalogue) {
  EXPECT_THAT(names("what broke in Billing Engine?"), IsEmpty());
  EXPECT_THAT(names("what broke in PayU Core?"), ElementsAre("PayU Core*"));
  EXPECT_THAT(names("payu core incidents"), ElementsAre("PayU Core*"));
}

TEST(SelfQuery, AmpersandAndHyphensFold) {
  for (const char* question :
       {"incidents in Settlement & Reporting", "incidents in settlement and reporting",
        "incidents in SETTLEMENT-AND-REPORTING", "incidents in Settlement&Reporting"}) {
    EXPECT_THAT(names(question), ElementsAre("Settlement & Reporting*")) << question;
  }
  EXPECT_THAT(services("errors in checkout api"), ElementsAre("checkout-api*"));
  EXPECT_THAT(services("errors in api-gateway"), ElementsAre("api gateway*"));
}

TEST(SelfQuery, AMentionIsNoScope) {
  EXPECT_THAT(names("Does PayU Core use Redis?"), ElementsAre("PayU Core"));
  EXPECT_TRUE(read("Does PayU Core use Redis?").filter.applications.empty());
}

TEST(SelfQuery, ScopeRestrictsTheFilter) {
  for (const char* question :
       {"What incidents affected the Settlement & Reporting system?",
        "incidents for Settlement & Reporting", "Settlement & Reporting outages",
        "problems with our Settlement & Reporting"}) {
    EXPECT_THAT(read(question).filter.applications, ElementsAre("Settlement & Reporting"))
        << question;
  }
}

TEST(SelfQuery, APlainWordIsANameOnlyAsItIsWritten) {
  EXPECT_THAT(names("incidents in Search"), ElementsAre("Search*"));
  EXPECT_THAT(names("incidents in search of a cause"), IsEmpty());
}

TEST(SelfQuery, TheFirstWordMayStandForAName) {
  EXPECT_THAT(names("How do I fix HTTP 403 errors in PayU?"), ElementsAre("PayU Core?"));
  EXPECT_THAT(names("403 in payu"), ElementsAre("PayU Core?"));
  EXPECT_THAT(names("errors in Fraud checks"), ElementsAre("Fraud Scoring?"));
  // Two names begin so.
  EXPECT_THAT(names("errors in Merchant checks"), IsEmpty());
}

TEST(SelfQuery, HalfANameIsScopeOnlyBeforeIncidents) {
  EXPECT_TRUE(read("incidents in PayU").filter.applications.empty());
  EXPECT_TRUE(read("errors in Merchant checks").filter.applications.empty());
  // All whose name begins so.
  EXPECT_THAT(read("merchant incidents in 2025").filter.applications,
              UnorderedElementsAre("Merchant Portal", "Merchant Ledger"));
  EXPECT_TRUE(read("merchant incidents in 2025").lists);
}

TEST(SelfQuery, LongTextsMentionAndNeverRestrict) {
  std::string text = "the pager said that there were errors in PayU Core";
  EXPECT_THAT(names(text), ElementsAre("PayU Core*"));
  for (int i = 0; i < 20; ++i) text += " and more words";
  EXPECT_THAT(names(text), ElementsAre("PayU Core"));
}

TEST(SelfQuery, NamesSayWhereTheyStand) {
  const std::string question = "Überall Fehler in PayU Core!";
  const auto found = find_names(question, catalogue());
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(question.substr(found[0].begin, found[0].end - found[0].begin), "PayU Core");
}

TEST(SelfQuery, Severities) {
  struct Case {
    const char* question;
    std::vector<std::string> expected;
  };
  for (const Case& c :
       {Case{"SEV1 incidents", {"SEV1"}}, Case{"sev-1 incidents", {"SEV1"}},
        Case{"all SEV 2 outages", {"SEV2"}}, Case{"sev1 and sev2", {"SEV1", "SEV2"}},
        Case{"critical incidents", {"critical"}}, Case{"high severity incidents", {"high"}},
        Case{"high latency in search", {}}, Case{"is this critical?", {}},
        Case{"SEV3 incidents", {}}}) {
    EXPECT_EQ(read(c.question).filter.severities, c.expected) << c.question;
  }
}

TEST(SelfQuery, Statuses) {
  struct Case {
    const char* question;
    std::vector<std::string> expected;
  };
  for (const Case& c :
       {Case{"resolved incidents", {"Resolved", "Closed"}},
        Case{"open incidents", {"Investigating", "Monitoring"}},
        Case{"which incidents are still ongoing", {"Investigating", "Monitoring"}},
        Case{"incidents with status monitoring", {"Monitoring"}}, Case{"how was it resolved?", {}},
        Case{"which incidents are not resolved?", {"Investigating", "Monitoring"}},
        Case{"incidents that are not yet closed", {"Investigating", "Monitoring"}},
        Case{"open a file descriptor leak", {}}}) {
    EXPECT_EQ(read(c.question).filter.statuses, c.expected) << c.question;
  }
}

TEST(SelfQuery, OfRecordsWhateverRestrictsThemCounts) {
  const auto of_records = [](std::string_view question) {
    Catalogue known = catalogue();
    known.severities = {"A", "B", "1", "2", "high"};
    return read_self_query(question, known, kNow, true);
  };
  EXPECT_THAT(of_records("tickets of class B, please").filter.severities, ElementsAre("B"));
  EXPECT_THAT(of_records("which A incident was a bad one").filter.severities, ElementsAre("A"));
  EXPECT_THAT(of_records("a list, the two newest").filter.severities, IsEmpty());
  EXPECT_THAT(of_records("prio 1 in 2025").filter.severities, ElementsAre("1"));
  EXPECT_THAT(of_records("the newest 2 of the crane").filter.severities, IsEmpty());
  EXPECT_EQ(of_records("the newest 2 of the crane").count, 2);
  EXPECT_TRUE(of_records("tickets still open").open);
  EXPECT_FALSE(of_records("who fixed most of them").open);
  EXPECT_THAT(of_records("who fixed most of them").filter.statuses, IsEmpty());
  EXPECT_EQ(of_records("faults of 2025").filter.opened.from, parse_time("2025-01-01").value());
  EXPECT_THAT(of_records("outages of PS-09 / gate house").rest,
              ElementsAre("PS-09", "gate", "house"));
}

TEST(SelfQuery, IdsAreNormalisedAndInOrder) {
  EXPECT_THAT(read("compare inc‑2025‑08‑24‑001 with INC-2025-01-20-005").ids,
              ElementsAre("INC-2025-08-24-001", "INC-2025-01-20-005"));
}

TEST(SelfQuery, DatesBoundTheFilter) {
  const Filter filter = read("SEV1 timeouts in Settlement & Reporting since March").filter;
  EXPECT_EQ(filter.opened.from, parse_time("2026-03-01").value());
  EXPECT_EQ(filter.opened.to, std::nullopt);
  EXPECT_THAT(filter.severities, ElementsAre("SEV1"));
  EXPECT_THAT(filter.applications, ElementsAre("Settlement & Reporting"));
}

TEST(SelfQuery, ExplainsWhatItRead) {
  EXPECT_THAT(read("sev1 incidents in PayU Core since yesterday").cues,
              testing::UnorderedElementsAre("application=PayU Core: 'PayU Core'",
                                            "opened: 'since yesterday'", "severity=SEV1: 'sev1'"));
}

TEST(SelfQuery, OfNothingIsNothing) {
  const SelfQuery empty = read("");
  EXPECT_TRUE(empty.filter.empty());
  EXPECT_THAT(empty.names, IsEmpty());
  EXPECT_TRUE(read_self_query("SEV1 incidents in PayU", {}, kNow).filter.empty());
}

TEST(NameKey, FoldsAsPeopleWrite) {
  for (const char* name :
       {"Settlement & Reporting", "settlement and reporting", "Settlement-and-Reporting",
        "SETTLEMENT_AND_REPORTING", " Settlement  &\tReporting ", "Settlement‑&‑Reporting"}) {
    EXPECT_EQ(name_key(name), "settlement and reporting") << name;
  }
  EXPECT_EQ(name_key(""), "");
  EXPECT_EQ(name_key("&"), "and");
}

TEST(KnownName, IsInTheSpellingOfTheCatalogue) {
  const std::vector<std::string> known = {"checkout-api", "PayU Core"};
  EXPECT_EQ(known_name("Checkout API", known), "checkout-api");
  EXPECT_EQ(known_name("payu_core", known), "PayU Core");
  EXPECT_EQ(known_name("ledger", known), "ledger");
  EXPECT_EQ(known_name("", known), "");
}

TEST(ClosedStatus, IsWhatLeavesNothingToDo) {
  for (const char* status : {"Resolved", "closed", "Done", "FIXED", "mitigated"})
    EXPECT_TRUE(is_closed_status(status)) << status;
  for (const char* status : {"Open", "Investigating", "In progress", "", "reopened"})
    EXPECT_FALSE(is_closed_status(status)) << status;
}

}  // namespace
}  // namespace precedent
