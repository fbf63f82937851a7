#include "tools/incident_tools.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "embed/fake_learned_reader.h"
#include "tools/tools_lab.h"

namespace precedent {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class IncidentTools : public testing::Test {
 protected:
  IncidentTools() { lab_.add_shop(); }

  Receipt call(std::string_view tool, const json& args) { return lab_.call(tool, args); }
  static std::vector<std::string> ids(const Receipt& receipt) {
    std::vector<std::string> out;
    const auto* found = std::get_if<IncidentsResult>(&receipt.result);
    if (found != nullptr) {
      for (const IncidentItem& item : found->incidents) out.push_back(item.incident.incident_id);
    }
    return out;
  }
  static const IncidentsResult& result(const Receipt& receipt) {
    return std::get<IncidentsResult>(receipt.result);
  }

  ToolsLab lab_;
};

// --- what a list's records must say

TEST_F(IncidentTools, AListIsRestrictedToWhatItsRecordsSay) {
  const Receipt receipt =
      call("get_recent_incidents", {{"since", "2025-01-01"}, {"saying", {"gateway", "major"}}});
  EXPECT_THAT(ids(receipt), ElementsAre("INC-2026-11-20-001"));
  EXPECT_EQ(result(receipt).total, 1U);
  EXPECT_EQ(result(receipt).note,
            "Each of them says 'gateway'. No incident says 'major', which restricts nothing here.");
}

TEST_F(IncidentTools, AWordThatIsSaidOfOthersIsNotCalledUnsaid) {
  const Receipt receipt =
      call("get_recent_incidents", {{"since", "2025-01-01"}, {"saying", {"gateway", "portal"}}});
  EXPECT_EQ(result(receipt).note,
            "Each of them says 'gateway'. 'portal' restricts nothing here: only stories say it, or "
            "nothing says it beside the rest.");
}

TEST_F(IncidentTools, ALimitIsOfWhatIsLeft) {
  const Receipt receipt =
      call("get_recent_incidents", {{"since", "2025-01-01"}, {"saying", {"slow"}}, {"limit", 1}});
  EXPECT_THAT(ids(receipt), ElementsAre("INC-2025-01-20-007"));
}

TEST_F(IncidentTools, ARestrictionInWordsIsReadAgainstTheColumns) {
  FakeLearnedReader reader;
  reader.say_heads("application: PayU Core", {{"says", "not"}});
  reader.say_heads("opened", {{"says", "least"}});
  reader.say_heads("how many are shown: two oldest", {{"says", "is"}});
  lab_.set_conditions(&reader);
  const json args = {{"since", "2025-01-01"},
                     {"restriction", "the two oldest that were not PayU Core"},
                     {"saying", {"oldest", "not", "PayU"}}};
  const Receipt receipt = call("get_recent_incidents", args);
  EXPECT_THAT(result(receipt).conditions, ElementsAre("application is not PayU Core"));
  EXPECT_EQ(result(receipt).order, "opened, oldest first");
  EXPECT_EQ(ids(receipt).size(), 2U);
  for (const IncidentItem& item : result(receipt).incidents)
    EXPECT_NE(item.incident.impacted_application, "PayU Core");
  EXPECT_THAT(receipt.text, HasSubstr("Restricted to: application is not PayU Core."));
}

TEST_F(IncidentTools, AnExcludedApplicationIsNotWhatIsListed) {
  FakeLearnedReader reader;
  reader.say_heads("application: PayU Core", {{"says", "not"}});
  lab_.set_conditions(&reader);
  const Receipt receipt = call("get_incidents_by_application",
                               {{"app_name", "PayU Core"}, {"restriction", "all but PayU Core"}});
  EXPECT_THAT(result(receipt).matched_names, IsEmpty());
  EXPECT_THAT(ids(receipt), Not(IsEmpty()));
  for (const IncidentItem& item : result(receipt).incidents)
    EXPECT_NE(item.incident.impacted_application, "PayU Core");
}

TEST_F(IncidentTools, AStatusBesideARestrictionIsThatOfTheMomentAskedAbout) {
  Document later = lab_incident("INC-2026-11-19-001", "Reports time out again", "It is slow.",
                                "Settlement & Reporting", "2026-11-19T09:00:00Z");
  later.status = "closed";
  later.resolved_at = parse_time("2026-11-25T12:00:00Z").value();
  later.updated_at = later.resolved_at;
  lab_.add(later);
  FakeLearnedReader reader;
  reader.say_heads("application: Settlement & Reporting", {{"says", "is"}});
  lab_.set_conditions(&reader);
  const Receipt receipt =
      call("get_recent_incidents", {{"since", "2026-11-19"},
                                    {"status", {"investigating"}},
                                    {"restriction", "settlement, investigated"}});
  EXPECT_THAT(ids(receipt), ElementsAre("INC-2026-11-19-001"));
  EXPECT_THAT(result(receipt).conditions,
              ElementsAre("status is investigating", "application is Settlement & Reporting"));
}

TEST_F(IncidentTools, ASeverityIsKnownThoughItsTimeHasNone) {
  Document worse = lab_incident("INC-2025-03-01-001", "All down", "It was down.", "Payment Gateway",
                                "2025-03-01T09:00:00Z");
  worse.severity = "SEV1";
  lab_.add(worse);
  FakeLearnedReader reader;
  reader.say_heads("severity: SEV2", {{"says", "is"}});
  lab_.set_conditions(&reader);
  json args = {{"since", "2026-11-01"}, {"severity", {"SEV1"}}, {"restriction", "any SEV1?"}};
  EXPECT_THAT(ids(call("get_recent_incidents", args)), IsEmpty());
}

TEST_F(IncidentTools, WhatIsOpenIsWhateverHasNotEnded) {
  for (const char* status : {"Open", "Monitoring"}) {
    Document document = lab_incident(fmt::format("INC-2026-11-19-{}", status), "Reports time out",
                                     "It is slow.", "Reports", "2026-11-19T09:00:00Z");
    document.status = status;
    lab_.add(document);
  }
  FakeLearnedReader reader;
  reader.say_heads("status: Open", {{"says", "is"}});
  lab_.set_conditions(&reader);
  json args = {{"since", "2026-11-19"}, {"until", "2026-11-20"}, {"restriction", "open ones?"}};
  EXPECT_THAT(ids(call("get_recent_incidents", args)), ElementsAre("INC-2026-11-19-Open"));
  args["open"] = true;
  EXPECT_THAT(ids(call("get_recent_incidents", args)), SizeIs(2));
}

TEST_F(IncidentTools, AReaderThatFailsLeavesTheWords) {
  FakeLearnedReader reader;
  reader.fail_with(Error{ErrorCode::kUnavailable, "gone"});
  lab_.set_conditions(&reader);
  const Receipt receipt =
      call("get_recent_incidents",
           {{"since", "2025-01-01"}, {"restriction", "of the gateway"}, {"saying", {"gateway"}}});
  EXPECT_THAT(ids(receipt), ElementsAre("INC-2026-11-20-001"));
}

TEST_F(IncidentTools, OpenIncidentsOfASystem) {
  Document open = lab_incident("INC-2026-11-19-001", "Reports time out again", "It is slow.",
                               "Settlement & Reporting", "2026-11-19T09:00:00Z");
  open.status = "watched";
  lab_.add(open);
  Document over = lab_incident("INC-2026-11-19-002", "Reports late", "They were late.",
                               "Settlement & Reporting", "2026-11-19T10:00:00Z");
  over.status = "watched";
  over.resolved_at = parse_time("2026-11-19T12:00:00Z").value();
  lab_.add(over);
  const Receipt receipt = call("get_recent_incidents", {{"since", "2026-11-19"}, {"open", true}});
  EXPECT_THAT(ids(receipt), ElementsAre("INC-2026-11-19-001"));
}

// --- lookup_incident_by_id

TEST_F(IncidentTools, LookupReadsAnySpellingOfAnId) {
  for (const char* id :
       {"INC-2025-01-20-005", "inc-2025-01-20-005", "INC‑2025‑01‑20‑005", "INC–2025–01–20–005",
        "INC−2025−01−20−005", "INC-2025-01-20-005", " “INC-2025-01-20-005”, ",
        "(inc-2025-01-20-005)", "#INC-2025-01-20-005."}) {
    const Receipt receipt = call("lookup_incident_by_id", {{"incident_id", id}});
    EXPECT_EQ(receipt.status, ReceiptStatus::kOk) << id;
    EXPECT_THAT(ids(receipt), ElementsAre("INC-2025-01-20-005")) << id;
  }
}

TEST_F(IncidentTools, LookupSaysWhatItDoes) {
  call("lookup_incident_by_id", {{"incident_id", "inc-2025-01-20-005"}});
  EXPECT_THAT(lab_.statuses(),
              ElementsAre("Searching for INC-2025-01-20-005...", "Found 1 relevant incidents..."));
}

TEST_F(IncidentTools, LookupKeepsTheReceiptsFields) {
  const Receipt receipt = call("lookup_incident_by_id", {{"incident_id", "INC-2025-01-20-005"}});
  EXPECT_EQ(receipt.id, "R1");
  EXPECT_EQ(receipt.tool, "lookup_incident_by_id");
  EXPECT_EQ(receipt.args, R"({"incident_id":"INC-2025-01-20-005"})");
  EXPECT_EQ(format_time(receipt.at), "2026-11-20T12:00:00Z");
  const json incident = to_json(receipt)["result"]["incidents"][0];
  EXPECT_EQ(incident["title"], "HTTP 403 from PayU");
  EXPECT_EQ(incident["impacted_application"], "PayU Core");
  EXPECT_EQ(incident["opened_at"], "2025-01-20T08:00:00Z");
  EXPECT_EQ(incident["relevance"], 1.0);
  EXPECT_THAT(receipt.text, HasSubstr("## Incident INC-2025-01-20-005"));
  EXPECT_THAT(receipt.text, HasSubstr("Expired credentials gave HTTP 403."));
}

TEST_F(IncidentTools, AnAbsentIdIsSaidToBeAbsent) {
  const Receipt receipt = call("lookup_incident_by_id", {{"incident_id", "INC-2024-02-02-001"}});
  EXPECT_EQ(receipt.status, ReceiptStatus::kEmpty);
  EXPECT_THAT(receipt.text, HasSubstr("There is no incident INC-2024-02-02-001"));
  EXPECT_THAT(receipt.text, Not(HasSubstr("Incidents of that day")));
  EXPECT_THAT(lab_.statuses(), ElementsAre("Searching for INC-2024-02-02-001...",
                                           "No incident found for INC-2024-02-02-001"));
}

TEST_F(IncidentTools, AnAbsentIdNamesTheIncidentsOfItsDay) {
  const Receipt receipt = call("lookup_incident_by_id", {{"incident_id", "INC-2025-01-20-999"}});
  EXPECT_THAT(receipt.text,
              HasSubstr("Incidents of that day: INC-2025-01-20-007, INC-2025-01-20-005."));
  EXPECT_THAT(ids(receipt), IsEmpty());
}

TEST_F(IncidentTools, AnotherKindsIdIsSaidToBeOne) {
  const Receipt receipt = call("lookup_incident_by_id", {{"incident_id", "rb-403"}});
  EXPECT_EQ(receipt.status, ReceiptStatus::kEmpty);
  EXPECT_THAT(receipt.text, HasSubstr("RB-403 is a runbook: \"Fix PayU 403 errors\"."));
}

TEST_F(IncidentTools, ABlankIdIsAnError) {
  for (const char* id : {"", "  ", "--", "\"\""}) {
    const Receipt receipt = call("lookup_incident_by_id", {{"incident_id", id}});
    EXPECT_EQ(receipt.status, ReceiptStatus::kError) << id;
    EXPECT_THAT(receipt.text, HasSubstr("blank; give an id such as INC-2025-08-24-001")) << id;
  }
}

// --- search_similar_incidents

TEST_F(IncidentTools, SimilarFindsByWords) {
  const Receipt receipt = call("search_similar_incidents", {{"query", "expired credentials 403"}});
  EXPECT_EQ(ids(receipt).front(), "INC-2025-01-20-005");
  EXPECT_FALSE(result(receipt).fallback);
  EXPECT_FALSE(result(receipt).incidents.front().preview.empty());
  EXPECT_THAT(lab_.statuses(), ElementsAre("Searching for Similar Incidents...",
                                           "Found " + std::to_string(ids(receipt).size()) +
                                               " relevant incidents..."));
}

TEST_F(IncidentTools, SimilarReturnsIncidentsOnlyAndCountsThem) {
  const Receipt all = call("search_similar_incidents", {{"query", "gateway"}, {"limit", 50}});
  EXPECT_LE(ids(all).size(), 5u);
  for (const size_t limit : {1, 2, 3}) {
    EXPECT_LE(ids(call("search_similar_incidents",
                       {{"query", "slow file credentials gateway"}, {"limit", limit}}))
                  .size(),
              limit);
  }
}

TEST_F(IncidentTools, SimilarWidensARestrictionThatFindsNothing) {
  const Receipt receipt =
      call("search_similar_incidents", {{"query", "portal slow incidents since yesterday"}});
  EXPECT_EQ(receipt.status, ReceiptStatus::kOk);
  if (result(receipt).fallback) {
    EXPECT_THAT(lab_.statuses(), testing::Contains("Expanding search..."));
    EXPECT_THAT(receipt.text, HasSubstr("No incident matches the restriction"));
  }
  const Receipt future =
      call("search_similar_incidents", {{"query", "gateway timeouts in January 2020"}});
  EXPECT_TRUE(result(future).fallback);
  EXPECT_THAT(lab_.statuses(), testing::Contains("Expanding search..."));
  EXPECT_THAT(future.text, HasSubstr("'in January 2020'"));
}

TEST_F(IncidentTools, ABlankQueryIsAnError) {
  const Receipt receipt = call("search_similar_incidents", {{"query", " \n"}});
  EXPECT_EQ(receipt.status, ReceiptStatus::kError);
  EXPECT_THAT(receipt.text, HasSubstr("'query' is blank; describe the problem"));
}

TEST(IncidentToolsOnNothing, SaySo) {
  ToolsLab empty;
  for (const auto& [tool, args] : std::vector<std::pair<const char*, json>>{
           {"search_similar_incidents", {{"query", "gateway"}}},
           {"get_incidents_by_application", {{"app_name", "PayU Core"}}},
           {"get_recent_incidents", json::object()},
           {"lookup_incident_by_id", {{"incident_id", "INC-2025-01-20-005"}}},
           {"search_knowledge", {{"query", "gateway"}}},
           {"doc_search", {{"query", "gateway"}}}}) {
    const Receipt receipt = empty.call(tool, args);
    EXPECT_EQ(receipt.status, ReceiptStatus::kEmpty) << tool;
    EXPECT_FALSE(receipt.text.empty()) << tool;
  }
  empty.call("search_similar_incidents", {{"query", "gateway"}});
  EXPECT_THAT(empty.statuses(),
              ElementsAre("Searching for Similar Incidents...", "No similar incidents found"));
}

// --- get_incidents_by_application

TEST_F(IncidentTools, ByApplicationListsNewestFirst) {
  for (const char* name :
       {"Settlement & Reporting", "settlement and reporting", "Settlement-and-Reporting",
        "SETTLEMENT & REPORTING", "settlement", "Reporting"}) {
    const Receipt receipt = call("get_incidents_by_application", {{"app_name", name}});
    EXPECT_EQ(receipt.status, ReceiptStatus::kOk) << name;
    EXPECT_THAT(ids(receipt), ElementsAre("INC-2026-11-18-001", "INC-2026-11-12-001")) << name;
    EXPECT_FALSE(result(receipt).fallback) << name;
    EXPECT_THAT(result(receipt).matched_names, ElementsAre("Settlement & Reporting")) << name;
  }
}

TEST_F(IncidentTools, ByApplicationTakesPartOfAName) {
  EXPECT_THAT(ids(call("get_incidents_by_application", {{"app_name", "PayU"}})),
              ElementsAre("INC-2025-01-20-005"));
  EXPECT_THAT(ids(call("get_incidents_by_application", {{"app_name", "payu-core"}})),
              ElementsAre("INC-2025-01-20-005"));
}

TEST_F(IncidentTools, ByApplicationTakesAService) {
  const Receipt receipt = call("get_incidents_by_application", {{"app_name", "Report-Builder"}});
  EXPECT_THAT(ids(receipt), ElementsAre("INC-2026-11-18-001"));
  EXPECT_FALSE(result(receipt).fallback);
}

TEST_F(IncidentTools, ByApplicationCountsWhatItDoesNotShow) {
  const Receipt receipt =
      call("get_incidents_by_application", {{"app_name", "Settlement & Reporting"}, {"limit", 1}});
  EXPECT_THAT(ids(receipt), ElementsAre("INC-2026-11-18-001"));
  EXPECT_EQ(result(receipt).total, 2u);
  EXPECT_THAT(receipt.text, HasSubstr("1 of 2 incidents shown."));
}

TEST_F(IncidentTools, OfTheSameMomentTheGreaterIdIsNewer) {
  for (int i = 1; i <= 60; ++i) {
    lab_.add(lab_incident("INC-2026-01-01-" + std::to_string(100 + i), "Batch " + std::to_string(i),
                          "It failed.", "Batch", "2026-01-01"));
  }
  EXPECT_THAT(ids(call("get_incidents_by_application", {{"app_name", "Batch"}, {"limit", 2}})),
              ElementsAre("INC-2026-01-01-160", "INC-2026-01-01-159"));
  lab_.set_now("2026-01-02");
  EXPECT_THAT(ids(call("get_recent_incidents", {{"days", 2}, {"limit", 2}})),
              ElementsAre("INC-2026-01-01-160", "INC-2026-01-01-159"));
}

TEST_F(IncidentTools, TheSpellingThatWasAskedForWins) {
  lab_.add(lab_incident("INC-2026-02-01-001", "One", "It failed.", "Blue Network", "2026-02-01"));
  lab_.add(lab_incident("INC-2026-02-02-001", "Two", "It failed.", "Blue network", "2026-02-02"));
  const Receipt exact = call("get_incidents_by_application", {{"app_name", "Blue Network"}});
  EXPECT_THAT(ids(exact), ElementsAre("INC-2026-02-01-001"));
  EXPECT_EQ(result(exact).total, 1u);
  EXPECT_THAT(exact.text, HasSubstr("1 more under the spelling 'Blue network'."));
  EXPECT_THAT(ids(call("get_incidents_by_application", {{"app_name", "blue NETWORK"}})),
              ElementsAre("INC-2026-02-02-001", "INC-2026-02-01-001"));
}

TEST_F(IncidentTools, IncidentsUnderLongerNamesAreTold) {
  lab_.add(lab_incident("INC-2026-02-01-001", "One", "It failed.", "Blue", "2026-02-01"));
  lab_.add(lab_incident("INC-2026-02-02-001", "Two", "It failed.", "Blue Network", "2026-02-02"));
  lab_.add(lab_incident("INC-2025-02-03-001", "Three", "It failed.", "Blue Store", "2025-02-03"));
  const Receipt exact = call("get_incidents_by_application", {{"app_name", "blue"}});
  EXPECT_THAT(ids(exact), ElementsAre("INC-2026-02-01-001"));
  EXPECT_EQ(result(exact).total, 1u);
  EXPECT_EQ(result(exact).note,
            "2 more under longer names:\n"
            "- INC-2026-02-02-001: Two (2026-02-02, Blue Network)\n"
            "- INC-2025-02-03-001: Three (2025-02-03, Blue Store)");
  // Of the time that was asked for.
  EXPECT_EQ(
      result(call("get_incidents_by_application", {{"app_name", "blue"}, {"since", "2026-01-01"}}))
          .note,
      "1 more under a longer name:\n- INC-2026-02-02-001: Two (2026-02-02, Blue Network)");
  EXPECT_THAT(call("search_similar_incidents", {{"query", "failed"}, {"app_name", "Blue"}}).text,
              HasSubstr("2 more under longer names"));
}

TEST_F(IncidentTools, ManyUnderLongerNamesAreCounted) {
  lab_.add(lab_incident("INC-2026-02-01-001", "One", "It failed.", "Blue", "2026-02-01"));
  for (int i = 1; i <= 11; ++i) {
    lab_.add(lab_incident("INC-2026-03-01-" + std::to_string(100 + i), "More", "It failed.",
                          i % 2 == 0 ? "Blue Network" : "Blue Store", "2026-03-01"));
  }
  EXPECT_EQ(result(call("get_incidents_by_application", {{"app_name", "blue"}})).note,
            "11 more under longer names: Blue Store; Blue Network.");
}

TEST_F(IncidentTools, WhereTheNameItselfHasNoneThoseUnderLongerNamesAreListed) {
  lab_.add(lab_incident("INC-2026-02-01-001", "One", "It failed.", "Blue", "2026-02-01"));
  lab_.add(lab_incident("INC-2025-02-02-001", "Two", "It failed.", "Blue Network", "2025-02-02"));
  lab_.add(lab_incident("INC-2024-02-03-001", "Three", "It failed.", "Blue Store", "2024-02-03"));
  const Receipt receipt =
      call("get_incidents_by_application",
           {{"app_name", "Blue"}, {"since", "2025-01-01"}, {"until", "2026-01-01"}});
  EXPECT_EQ(receipt.status, ReceiptStatus::kOk);
  EXPECT_THAT(ids(receipt), ElementsAre("INC-2025-02-02-001"));
  EXPECT_EQ(result(receipt).total, 1u);
  EXPECT_THAT(result(receipt).matched_names, ElementsAre("Blue Network"));
}

TEST_F(IncidentTools, AListMayBeByHowLongTheyLasted) {
  const auto lasting = [&](std::string id, std::string resolved) {
    Document document = lab_incident(id, id, "It failed.", "Blue", id.substr(4, 10) + "T09:00:00Z");
    Incident incident = incident_of(document);
    if (!resolved.empty()) incident.resolved_at = *parse_time(resolved);
    lab_.add(to_document(incident));
  };
  lasting("INC-2026-02-01-001", "2026-02-01T10:00:00Z");
  lasting("INC-2026-02-02-001", "2026-02-02T12:00:00Z");
  lasting("INC-2026-02-03-001", "");
  const auto ranked = [&](std::string_view tool, json args) {
    args["order"] = {"longest"};
    return call(tool, args);
  };
  const Receipt receipt = ranked("get_incidents_by_application", {{"app_name", "Blue"}});
  EXPECT_THAT(ids(receipt), ElementsAre("INC-2026-02-02-001", "INC-2026-02-01-001"));
  EXPECT_EQ(result(receipt).total, 2u);
  EXPECT_EQ(result(receipt).note,
            "Of 3 incidents, these 2 were compared: the others do not say both when they began and "
            "when they ended.");
  EXPECT_THAT(ids(ranked("get_recent_incidents",
                         {{"since", "2026-02-01"}, {"until", "2026-02-04"}, {"limit", 1}})),
              ElementsAre("INC-2026-02-02-001"));
  EXPECT_THAT(
      ids(call("get_incidents_by_application", {{"app_name", "Blue"}, {"order", "shortest"}})),
      ElementsAre("INC-2026-02-01-001", "INC-2026-02-02-001"));
  const Receipt none =
      ranked("get_recent_incidents", {{"since", "2026-02-03"}, {"until", "2026-02-04"}});
  EXPECT_EQ(none.status, ReceiptStatus::kEmpty);
  EXPECT_THAT(none.text, HasSubstr("Of 1 incidents, none can be compared"));
}

TEST_F(IncidentTools, AnUnknownApplicationIsNamedAndNeverPassedOffAsFound) {
  const Receipt receipt = call("get_incidents_by_application", {{"app_name", "Paymnt Gateway"}});
  EXPECT_EQ(receipt.status, ReceiptStatus::kEmpty);
  EXPECT_TRUE(result(receipt).fallback);
  EXPECT_THAT(receipt.text, HasSubstr("No application or service called 'Paymnt Gateway'"));
  EXPECT_THAT(receipt.text, HasSubstr("nearest name: 'Payment Gateway'"));
  EXPECT_THAT(result(receipt).matched_names, IsEmpty());
  EXPECT_THAT(lab_.statuses(), testing::Contains("Expanding search..."));
}

TEST_F(IncidentTools, WhatIsOfferedInsteadIsAFew) {
  for (int i = 1; i <= 20; ++i) {
    lab_.add(lab_incident("INC-2026-01-01-" + std::to_string(100 + i), "Gateway batch failed",
                          "The gateway batch failed.", "Batch", "2026-01-01"));
  }
  EXPECT_EQ(ids(call("get_incidents_by_application", {{"app_name", "Gateway Nine"}, {"limit", 50}}))
                .size(),
            5u);
  EXPECT_EQ(ids(call("search_similar_incidents",
                     {{"query", "gateway failed in January 2020"}, {"limit", 50}}))
                .size(),
            5u);
  EXPECT_GT(
      ids(call("search_similar_incidents", {{"query", "gateway failed"}, {"limit", 50}})).size(),
      5u);
}

TEST_F(IncidentTools, ABlankApplicationIsAnError) {
  for (const char* name : {"", "   "}) {
    EXPECT_THAT(call("get_incidents_by_application", {{"app_name", name}}).text,
                HasSubstr("'app_name' is blank"));
  }
}

TEST_F(IncidentTools, AnApplicationOfSignsAloneIsUnknown) {
  const Receipt receipt = call("get_incidents_by_application", {{"app_name", "&"}});
  EXPECT_EQ(receipt.status, ReceiptStatus::kEmpty) << receipt.text;
}

// --- get_recent_incidents

TEST_F(IncidentTools, RecentIsAfterTheWindowBeginsUntilNow) {
  const auto recent = [&](int days) { return ids(call("get_recent_incidents", {{"days", days}})); };
  EXPECT_THAT(recent(1), ElementsAre("INC-2026-11-20-001"));  // opened at the very second of now
  EXPECT_THAT(recent(7), ElementsAre("INC-2026-11-20-001", "INC-2026-11-18-001"));
  EXPECT_THAT(recent(9),
              ElementsAre("INC-2026-11-20-001", "INC-2026-11-18-001", "INC-2026-11-12-001"));
  lab_.set_now("2026-11-20T11:59:59Z");  // one second before: not yet opened
  EXPECT_THAT(recent(1), IsEmpty());
  lab_.set_now("2026-11-19T09:00:00Z");  // 2026-11-12T09:00:00Z is not after now − 7 days
  EXPECT_THAT(recent(7), ElementsAre("INC-2026-11-18-001"));
  lab_.set_now("2026-11-19T08:59:59Z");
  EXPECT_THAT(recent(7), ElementsAre("INC-2026-11-18-001", "INC-2026-11-12-001"));
}

TEST_F(IncidentTools, AnEmptyWindowNamesTheLatestAndReturnsNothing) {
  lab_.set_now("2026-10-01");
  const Receipt receipt = call("get_recent_incidents", json::object());
  EXPECT_EQ(receipt.status, ReceiptStatus::kEmpty);
  EXPECT_THAT(ids(receipt), IsEmpty());
  EXPECT_THAT(receipt.text, HasSubstr("No incidents were opened in the last 7 days (after "
                                      "2026-09-24T00:00:00Z, up to 2026-10-01T00:00:00Z)."));
  EXPECT_THAT(receipt.text,
              HasSubstr("The latest before that is INC-2025-01-20-007 of 2025-01-20T19:00:00Z."));
  EXPECT_THAT(lab_.statuses(), ElementsAre("Searching for incidents of the last 7 days...",
                                           "No recent incidents found"));
}

TEST_F(IncidentTools, BeforeAllIncidentsThereIsNoLatest) {
  lab_.set_now("2020-01-01");
  EXPECT_THAT(call("get_recent_incidents", {{"days", 36500}}).text, Not(HasSubstr("latest")));
}

// --- since, until, severity, status

TEST_F(IncidentTools, AListHoldsWhatItsRestrictionLeavesAndNothingElse) {
  const auto of = [&](json args) { return ids(call("get_incidents_by_application", args)); };
  EXPECT_THAT(of({{"app_name", "Settlement & Reporting"}, {"until", "2026-11-18"}}),
              ElementsAre("INC-2026-11-12-001"));
  EXPECT_THAT(of({{"app_name", "Settlement & Reporting"}, {"since", "2026-11-12T09:00:01Z"}}),
              ElementsAre("INC-2026-11-18-001"));
  // Of a service, too.
  EXPECT_THAT(of({{"app_name", "api-gateway"}, {"since", "2026-11-20"}}),
              ElementsAre("INC-2026-11-20-001"));
  EXPECT_THAT(of({{"app_name", "api-gateway"}, {"severity", {"SEV1"}}}), IsEmpty());
  EXPECT_THAT(ids(call("get_recent_incidents",
                       {{"since", "2025-01-20"}, {"until", "2025-01-21"}, {"severity", "SEV2"}})),
              ElementsAre("INC-2025-01-20-007", "INC-2025-01-20-005"));
  EXPECT_THAT(ids(call("get_recent_incidents", {{"status", {"Open"}}, {"days", 36500}})),
              IsEmpty());
  EXPECT_THAT(ids(call("search_similar_incidents",
                       {{"query", "slow"}, {"app_name", "Merchant Portal"}, {"limit", 50}})),
              ElementsAre("INC-2025-01-20-007"));
}

TEST_F(IncidentTools, AnEmptyListSaysWhatItWasRestrictedTo) {
  const Receipt receipt =
      call("get_incidents_by_application", {{"app_name", "PayU Core"}, {"since", "2026-01-01"}});
  EXPECT_EQ(receipt.status, ReceiptStatus::kEmpty);
  EXPECT_FALSE(result(receipt).fallback);
  EXPECT_THAT(receipt.text, HasSubstr("The knowledge base has no incident of PayU Core (opened "
                                      "2026-01-01T00:00:00Z or later)."));
  EXPECT_THAT(call("get_recent_incidents", {{"since", "2026-01-01"}, {"until", "2026-02-01"}}).text,
              HasSubstr("The latest before that is INC-2025-01-20-007"));
}

TEST_F(IncidentTools, ARestrictionThatIsNoneIsAnErrorWithItsName) {
  EXPECT_THAT(call("get_recent_incidents", {{"since", "soon"}}).text, HasSubstr("'since'"));
  EXPECT_THAT(call("get_recent_incidents", {{"since", "2026-02-01"}, {"until", "2026-01-01"}}).text,
              HasSubstr("is not after 'since'"));
  EXPECT_THAT(call("search_similar_incidents", {{"query", "x"}, {"app_name", "PayV Core"}}).text,
              HasSubstr("nearest name: 'PayU Core'"));
}

TEST_F(IncidentTools, RecentSpeaksOfOneDayInTheSingular) {
  lab_.set_now("2026-10-01");
  EXPECT_THAT(call("get_recent_incidents", {{"days", 1}}).text, HasSubstr("in the last day ("));
  EXPECT_THAT(lab_.statuses(), testing::Contains("Searching for incidents of the last day..."));
}

TEST_F(IncidentTools, RecentLimitsWhatItShows) {
  const Receipt receipt = call("get_recent_incidents", {{"days", 900}, {"limit", 2}});
  EXPECT_THAT(ids(receipt), ElementsAre("INC-2026-11-20-001", "INC-2026-11-18-001"));
  EXPECT_EQ(result(receipt).total, 5u);
}

TEST_F(IncidentTools, RecentRefusesSillyWindows) {
  for (const json& days : {json(0), json(-1), json(36501), json("week"), json(1.5)}) {
    const Receipt receipt = call("get_recent_incidents", {{"days", days}});
    EXPECT_EQ(receipt.status, ReceiptStatus::kError) << days;
    EXPECT_THAT(receipt.text, HasSubstr("'days'")) << days;
  }
}

}  // namespace
}  // namespace precedent
