// Investigations whose only evidence is what alerts say: where the failure may begin, which kinds
// of fault the knowledge base has for it, and that none of it is ever a verdict.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "files/temporary_folder.h"
#include "graph/memory_checkpointer.h"
#include "investigate/bundle.h"
#include "investigate/case_graph.h"
#include "investigate/evidence/alert_signs.h"
#include "investigate/hypotheses/generators.h"
#include "investigate/report/report.h"
#include "search/search_lab.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

struct Given {
  std::string name;
  LabelSet labels;
  std::string text;
};

IncidentBrief storm(const std::vector<Given>& alerts) {
  json list = json::array();
  for (const Given& each : alerts) {
    json labels = each.labels;
    labels["alertname"] = each.name;
    list.push_back({{"labels", labels},
                    {"annotations", {{"description", each.text}}},
                    {"startsAt", "2026-11-20T10:00:00Z"}});
  }
  return read_brief(json{{"alerts", list}}.dump(), "alerts.json").value();
}

CaseFile read_alone(IncidentBrief brief, KnownOfAlerts known = {}) {
  CaseFile out;
  out.brief = std::move(brief);
  out.known = std::move(known);
  read_alerts_alone(out);
  return out;
}

const std::vector<Given> kCascade = {
    {"HighErrorRate", {{"service", "web"}}, "Web errors cascade from basket failures"},
    {"HighErrorRate", {{"service", "basket"}}, "Basket fails when it calls stock-room"},
    {"NoRequests", {{"service", "mailer"}}, "Mailer gets no requests: basket is blocked"},
    {"HighErrorRate", {{"service", "stock-room"}}, "Stock room answers with errors"},
};

TEST(AlertsAlone, TheFailureBeginsWhereMostOfTheOthersLead) {
  const CaseFile evidence = read_alone(storm(kCascade));
  EXPECT_EQ(evidence.failing, "stock-room");
  EXPECT_THAT(evidence.affected, UnorderedElementsAre("web", "basket", "mailer"));
  const auto path = path_from(evidence, evidence.failing);
  EXPECT_THAT(path, Contains(AllOf(::testing::Field(&PathStep::from, "stock-room"),
                                   ::testing::Field(&PathStep::to, "basket"))));
  EXPECT_THAT(path, Each(::testing::Field(&PathStep::receipt, ""))) << "told is not proved";
  EXPECT_THAT(evidence.receipts, SizeIs(kCascade.size()));
}

TEST(AlertsAlone, WhatIsWrongWithThePodItselfFollowsNoCall) {
  std::vector<Given> alerts = kCascade;
  alerts.push_back({"PodNotReady", {{"pod", "printer-5d8f7c9b6-x2x1p"}}, "Not ready for long"});
  EXPECT_EQ(read_alone(storm(alerts)).failing, "printer");
}

TEST(AlertsAlone, ANameThatIsPartOfAnotherIsReadWhereItStandsAlone) {
  const CaseFile evidence =
      read_alone(storm({{"HighErrorRate", {{"service", "web"}}, "Errors from web-cache"},
                        {"HighErrorRate", {{"service", "web-cache"}}, "Web cache is slow"},
                        {"HighErrorRate", {{"service", "shop"}}, "Shop waits for web"}}));
  EXPECT_NE(evidence.graph.edge("web", "web-cache"), nullptr);
  EXPECT_EQ(evidence.graph.edge("web-cache", "web"), nullptr);
  EXPECT_NE(evidence.graph.edge("shop", "web"), nullptr);
  EXPECT_EQ(evidence.graph.edge("shop", "web-cache"), nullptr);
}

TEST(AlertsAlone, DocumentsTellNamesAndDependenciesThatNoAlertDoes) {
  const IncidentBrief brief =
      storm({{"HighErrorRate", {{"service", "web"}}, "Errors of the label printer"},
             {"HighErrorRate", {{"service", "shop"}}, "Above the threshold"}});
  EXPECT_EQ(read_alone(brief, {.services = {"label-printer", "unheard"}}).failing, "label-printer");
  EXPECT_THAT(read_alone(brief, {.services = {"label-printer", "unheard"}}).known.services,
              ElementsAre("label-printer"));
  EXPECT_EQ(read_alone(brief, {.calls = {{"web", "shop", "web lists shop", "", false}}}).failing,
            "shop");
}

TEST(AlertsAlone, WhatWasDescribedByHandIsAnAlertToo) {
  IncidentBrief brief;
  fill_in(brief, {.service = "label", .description = "labels fail", .since = {}, .until = {}});
  const CaseFile evidence = read_alone(brief);
  EXPECT_EQ(evidence.failing, "label");
  EXPECT_THAT(evidence.receipts, SizeIs(1));
  EXPECT_EQ(read_alone({}).failing, "");
}

TEST(AlertsAlone, PagesThatReadAlikeAndPastIncidentsThatNameOneAreKindsOfFault) {
  SearchLab lab;
  lab.add(lab_document(Kind::kRunbook, "rb-probe", "Broken readiness probe",
                       "# Broken readiness probe\n\n| Source | Schema |\n\n"
                       "The pod is never ready. It gets no traffic.\n\nRestore the probe."));
  lab.add(lab_document(Kind::kRunbook, "rb-flag", "Experiment flag left on",
                       "An experiment was not switched off."));
  lab.add(lab_document(Kind::kArchitecture, "arch", "Pods", "The pod is never ready."));
  for (const char* id : {"inc-1", "inc-2"})
    lab.add(lab_document(Kind::kIncident, id, "Basket failed",
                         "Basket answers with errors.\n\n## Root cause\n\n"
                         "Experiment flag left on"));
  lab.add(lab_document(Kind::kIncident, "inc-3", "Basket was slow",
                       "Basket answers slowly.\n\n## Root cause\n\nA cable was cut. Twice."));
  const TimePoint now = *parse_time("2026-11-20T10:05:00Z");
  const auto of = [&](const std::string& text) {
    const auto found = known_of_alerts(
        lab.search(), storm({{"HighErrorRate", {{"service", "basket"}}, text}}), now);
    EXPECT_TRUE(found) << found.error().text();
    return found.value_or(KnownOfAlerts());
  };
  const KnownOfAlerts probe = of("the pod is never ready");
  const auto page = std::ranges::find(probe.faults, "rb-probe", &KnownFault::id);
  ASSERT_NE(page, probe.faults.end());
  EXPECT_GT(page->fits, 0.5);
  EXPECT_EQ(page->says, "The pod is never ready.");
  EXPECT_EQ(page->alert, "the pod is never ready");
  EXPECT_THAT(probe.faults, Each(::testing::Field(&KnownFault::id, ::testing::Ne("arch"))));

  const KnownOfAlerts basket = of("basket answers with errors");
  EXPECT_EQ(basket.past, 3U);
  const auto flag = std::ranges::find(basket.faults, "rb-flag", &KnownFault::id);
  ASSERT_NE(flag, basket.faults.end());
  EXPECT_THAT(flag->past, UnorderedElementsAre("inc-1", "inc-2"));
  const auto own = std::ranges::find(basket.faults, "inc-3", &KnownFault::id);
  ASSERT_NE(own, basket.faults.end()) << "one that names no page is a kind of its own";
  EXPECT_EQ(own->says, "A cable was cut.");
  EXPECT_GT(flag->share, own->share);
  EXPECT_EQ(flag, basket.faults.begin()) << "what it usually was comes first";
}

class AlertsAloneRun : public ::testing::Test {
 protected:
  AlertsAloneRun() {
    order_.brief = storm(kCascade);
    order_.options.now = *parse_time("2026-11-20T10:05:00Z");
    // As well as anything can fit.
    desk_.of_alerts = [](const IncidentBrief&, TimePoint) {
      return KnownOfAlerts{.services = {},
                           .calls = {},
                           .faults = {{.id = "rb-1",
                                       .title = "Full disk",
                                       .kind = "runbook",
                                       .path = "disk.md",
                                       .says = "The disk is full.",
                                       .alert = "errors",
                                       .fits = 1,
                                       .share = 1,
                                       .past = {"inc-1"},
                                       .receipt = {}}},
                           .past = 1};
    };
  }
  CaseState run(const CaseOrder& order) const {
    NullSink nobody;
    const auto graph = create_case_graph(desk_, nullptr).value();
    return graph.run(case_input(order), {}, nobody).value().state;
  }

  CaseOrder order_;
  CaseDesk desk_;
};

TEST_F(AlertsAloneRun, NothingIsConvictedHoweverWellItFits) {
  const Investigation made = investigation_of(run(order_));
  EXPECT_EQ(made.verdict.outcome, VerdictKind::kInconclusive);
  EXPECT_EQ(made.verdict.summary,
            "stock-room is said to be failing; nothing was measured. No cause is proved.");
  ASSERT_THAT(made.hypotheses, SizeIs(1));
  EXPECT_LT(made.hypotheses[0].confidence, kConvincing);
  EXPECT_EQ(made.hypotheses[0].service, "stock-room");
  ASSERT_TRUE(made.verdict.question);
  EXPECT_EQ(made.verdict.question->question,
            "Can you confirm this: at stock-room, \"The disk is full.\"?");
  EXPECT_THAT(to_markdown(made), HasSubstr("What it may be, none of it proved"));
}

TEST_F(AlertsAloneRun, WhoeverLookedDecides) {
  order_.told = {"yes"};
  EXPECT_EQ(run(order_).verdict.outcome, VerdictKind::kCause);
  EXPECT_EQ(run(order_).verdict.advice, "Follow Full disk (disk.md).");
  order_.told = {"no"};
  const CaseState no = run(order_);
  EXPECT_EQ(no.verdict.outcome, VerdictKind::kInconclusive);
  EXPECT_TRUE(no.hypotheses[0].refuted());
}

TEST_F(AlertsAloneRun, AnAlertThatSaysNotWhereStillHasKindsOfFault) {
  order_.brief = storm({{"HighErrorRate", {}, "Errors everywhere"}});
  const Investigation made = investigation_of(run(order_));
  ASSERT_THAT(made.hypotheses, SizeIs(1));
  EXPECT_EQ(made.hypotheses[0].statement, "what \"Full disk\" describes");
}

TEST_F(AlertsAloneRun, WhatWasMeasuredIsNotOverruled) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "metrics.csv")
      << "timestamp,service,metric,value\n2026-11-20T09:59:00Z,web,http_errors_ratio,0.001\n";
  order_.folder = folder.path().string();
  const CaseState state = run(order_);
  EXPECT_THAT(state.hypotheses, IsEmpty());
  EXPECT_EQ(state.verdict.summary, "No failure shows in what could be read.");
}

TEST_F(AlertsAloneRun, WithoutAFolderTheWorkingDirectoryIsNotRead) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "logs");
  std::ofstream(folder.path() / "logs" / "a.log") << "2026-11-20T09:59:00Z ERROR web panic: x\n";
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  const CaseState state = run(order_);
  fs::current_path(before);
  EXPECT_THAT(state.evidence->logs, IsEmpty());
  EXPECT_THAT(state.evidence->missing, Contains(HasSubstr("nothing was measured")));
}

TEST_F(AlertsAloneRun, WithoutAKnowledgeBaseItIsSaidOnceAndNothingElseIs) {
  desk_.of_alerts = [](const IncidentBrief&, TimePoint) -> Result<KnownOfAlerts> {
    return fail(ErrorCode::kNotFound, "there is none");
  };
  desk_.known = [](TimePoint, Investigation& made) {
    made.evidence.missing.emplace_back("the knowledge base: there is none");
  };
  order_.brief = storm({{"HighErrorRate", {}, "Errors everywhere"}});
  const Investigation made = investigation_of(run(order_));
  EXPECT_EQ(made.verdict.summary,
            "Something is said to be failing; nothing was measured. No cause is proved.");
  EXPECT_EQ(std::ranges::count(made.evidence.missing, "the knowledge base: there is none"), 1);
  EXPECT_THAT(made.hypotheses, IsEmpty());
}

TEST_F(AlertsAloneRun, ItsBundleHoldsOnAnotherMachine) {
  const TemporaryFolder folder;
  const auto key = BundleKey::open_or_make(folder.path() / "bundle.key").value();
  const Investigation made = investigation_of(run(order_));
  const auto text =
      make_bundle({order_.brief, "", order_.options, "precedent test"}, made, key).value();
  const auto check = check_bundle(text, CancelToken());
  ASSERT_TRUE(check) << check.error().text();
  for (const CheckedClaim& claim : check->claims)
    EXPECT_TRUE(claim.holds) << claim.claim << ": " << claim.was << " / " << claim.now;
  EXPECT_GT(check->claims.size(), 10U);
}

}  // namespace
}  // namespace precedent
