// What is asked of metrics, changes and code, and what a second look adds.
#include "agent/plan/plan_live.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/understand/freeze.h"
#include "changes/changes_lab.h"
#include "search/search_lab.h"
#include "telemetry/snapshot/fake_metrics_source.h"
#include "telemetry/snapshot/telemetry_lab.h"
#include "tools/all_tools.h"

namespace precedent {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const TimePoint kNow = *parse_time("2026-11-20T12:00:00Z");

class PlanLiveTest : public ::testing::Test {
 protected:
  PlanLiveTest() : lab_(false) {
    lab_.add(lab_document(Kind::kCode, "shop:search.py", "search.py", "def search(): pass"));
    for (const char* name :
         {"p95_latency", "p99_latency", "error_rate", "throughput", "saturation"})
      config_.names.push_back({.name = name});
    config_.names.push_back({.name = "hit_ratio", .metrics = {"search_cache_hit_ratio"}});
    config_.names.push_back({.name = "cart_size", .metrics = {"cart_items_total"}});
    for (const char* tool : {"metrics_query", "repo_search", "recent_changes"})
      demands_.push_back({tool, "the_rule", "", true});
  }

  Reading reading(std::string_view question, std::string_view service = "") {
    OpenIntent intent;
    intent.type = QuestionType::kDebugIncident;
    intent.question = question;
    intent.signals = read_signals(question);
    intent.subjects = find_subjects(question, {}, {}, {});
    intent.times = find_time_hints(question, kNow);
    intent.qualifiers = read_qualifiers(std::string(question), intent.times, kNow);
    intent.deploy = find_deploy_hint(question, kNow);
    intent.service = service;
    intent.now = kNow;
    Reading reading;
    reading.intent = freeze(std::move(intent));
    reading.demands = demands_;
    return reading;
  }
  Sources sources() {
    Sources sources{.search = lab_.search(), .store = store_, .tools = tools_};
    sources.live.metrics_config = &config_;
    return sources;
  }
  static std::vector<std::string> queries(const std::vector<PlannedCall>& calls,
                                          std::string_view tool = "metrics_query") {
    std::vector<std::string> found;
    for (const PlannedCall& call : calls)
      if (call.tool() == tool) found.push_back(to_json(call.arguments).value("query", ""));
    return found;
  }
  std::vector<std::string> metrics(std::string_view question, std::string_view service = "") {
    return queries(plan_live(reading(question, service), sources(), policy_));
  }
  static Receipt receipt(std::string tool, json args, ReceiptStatus status,
                         ToolResult result = {}) {
    Receipt receipt;
    receipt.tool = std::move(tool);
    receipt.args = args.dump();
    receipt.status = status;
    receipt.result = std::move(result);
    return receipt;
  }

  SearchLab lab_;
  KnowledgeStore store_ =
      KnowledgeStore::open(":memory:", KnowledgeStore::Access::kReadWrite).value();
  const Toolset tools_ = all_tools();
  Policy policy_ = read_policy(default_policy(), "config/policy.yaml").value();
  MetricsConfig config_;
  std::vector<Demand> demands_;
};

TEST_F(PlanLiveTest, TheOpenIncidentsOfTheSystemAreAskedFor) {
  const auto asked = [&](std::string_view question, std::string_view service = "shop") {
    std::vector<json> args;
    for (const PlannedCall& call : plan_live(reading(question, service), sources(), policy_))
      if (call.tool() == "get_incidents_by_application") args.push_back(to_json(call.arguments));
    return args;
  };
  const auto add = [&](std::string id, std::string status) {
    Document incident = lab_incident(std::move(id), "Shop is slow", "Orders hang", "Shop");
    incident.status = std::move(status);
    lab_.add(incident);
  };
  add("INC-1", "Closed");
  EXPECT_THAT(asked("is shop ok?"), IsEmpty());
  add("INC-2", "Investigating");
  EXPECT_THAT(
      asked("is shop ok?"),
      ElementsAre(
          json{{"app_name", "shop"}, {"status", {"Investigating"}}, {"open", true}, {"limit", 3}}));
  EXPECT_THAT(asked("is anything slow?", ""), IsEmpty());
  EXPECT_THAT(asked("was shop slow on 2026-11-18?"), IsEmpty());
}

TEST_F(PlanLiveTest, WordsDecideWhichMetrics) {
  const std::string end = " window=24h filter=endpoint=/api/x";
  EXPECT_THAT(metrics("/api/x is slow"), Contains("metric=p95_latency" + end));
  EXPECT_THAT(metrics("/api/x is slow"), Not(Contains("metric=error_rate" + end)));
  EXPECT_THAT(metrics("p99 of /api/x"), AllOf(Contains("metric=p99_latency" + end),
                                              Not(Contains("metric=p95_latency" + end))));
  EXPECT_THAT(metrics("503s on /api/x"), Contains("metric=error_rate" + end));
  EXPECT_THAT(metrics("rps of /api/x"), Contains("metric=throughput" + end));
  EXPECT_THAT(metrics("CPU of /api/x"), Contains("metric=saturation" + end));
  // Nothing is said of how: what is usually looked at first.
  EXPECT_THAT(metrics("/api/x is odd"),
              AllOf(Contains("metric=p95_latency" + end), Contains("metric=error_rate" + end)));
  for (const char* own :
       {"how high was the mail_queue_depth on /api/x", "is jobs_lag of /api/x fine"})
    EXPECT_THAT(metrics(own),
                Contains(HasSubstr(own[0] == 'h' ? "=mail_queue_depth " : "=jobs_lag ")));
  EXPECT_THAT(metrics("why does jobs_failed_total of /api/x grow"),
              Contains("metric=jobs_failed_total" + end));
}

TEST_F(PlanLiveTest, TheWindowFollowsTheTimesOfTheQuestion) {
  EXPECT_THAT(metrics("/api/x is slow"), Contains(HasSubstr(" window=24h ")));
  EXPECT_THAT(metrics("/api/x is slow since 2026-11-18 10:00"),
              Contains(HasSubstr(" since=2026-11-18T10:00:00Z filter")));
  EXPECT_THAT(metrics("/api/x was slow on 2026-11-18"),
              Contains(HasSubstr(" since=2026-11-18T00:00:00Z until=2026-11-19T00:00:00Z ")));
}

TEST_F(PlanLiveTest, ADatedQuestionLooksAtItsDateEverywhere) {
  Reading asked = reading("why did the shop fail on 2026-10-18?", "shop");
  const std::string window = "since=2026-10-18T00:00:00Z until=2026-10-19T00:00:00Z";
  for (const PlannedCall& call : whole_plan(asked, sources(), policy_)) {
    if (call.tool() == "metrics_query") {
      EXPECT_THAT(to_json(call.arguments).value("query", ""), HasSubstr(window));
    }
    if (call.tool() == "recent_changes") {
      EXPECT_EQ(to_json(call.arguments).value("window", ""),
                "2026-10-11T00:00:00Z/2026-10-19T00:00:00Z");
    }
  }
  // A second look is at the same time.
  asked.receipts = {receipt("recent_changes", {{"service", "shop"}}, ReceiptStatus::kEmpty)};
  const auto again = plan_again(asked, sources(), policy_);
  ASSERT_EQ(again.back().tool(), "recent_changes");
  EXPECT_EQ(to_json(again.back().arguments),
            (json{{"window", "2026-10-11T00:00:00Z/2026-10-19T00:00:00Z"}}));
  // Only its end is known.
  EXPECT_THAT(metrics("/api/x was slow before 2026-11-18"),
              Contains(HasSubstr(" since=2026-11-17T00:00:00Z until=2026-11-18T00:00:00Z ")));
  Reading alerts = reading("which alerts were firing on 2026-10-18?");
  alerts.intent.type = QuestionType::kKnowledge;
  EXPECT_THAT(queries(plan_live(alerts, sources(), policy_)), ElementsAre("alert=* " + window));
}

TEST_F(PlanLiveTest, TheWindowBeginsAtTheDeployThatIsMeant) {
  Reading asked = reading("/api/x is slow since the last deploy");
  ASSERT_TRUE(asked.intent.deploy);
  asked.intent.deploy->deploy = LastDeploy{deploy("x", "1", "2026-11-17T15:40:00Z")};
  EXPECT_THAT(queries(plan_live(asked, sources(), policy_)),
              Contains(HasSubstr(" since=2026-11-17T15:40")));
  // The hours before show what it did to the metric.
  asked.intent.deploy->deploy = LastDeploy{deploy("x", "1", "2026-11-20T11:00:00Z")};
  EXPECT_THAT(queries(plan_live(asked, sources(), policy_)), Contains(HasSubstr(" window=24h")));
  // No source knows it: since the day that the question names, not on it.
  EXPECT_THAT(metrics("/api/x is slow since yesterday's deploy"),
              Contains(HasSubstr(" since=2026-11-19T00:00:00Z filter")));
}

TEST_F(PlanLiveTest, AQuestionAfterChangesAsksTheirRecordForItsTimeAndKind) {
  const auto asked = [&](std::string_view question, std::string_view service) {
    Reading read = reading(question, service);
    read.intent.type = QuestionType::kKnowledge;
    read.intent.signals = read_signals(question, !read.intent.times.empty());
    read.demands = {{"recent_changes", "the_rule", "", true}};
    const auto calls = whole_plan(read, sources(), policy_);
    EXPECT_THAT(calls, SizeIs(1)) << question;
    return calls.empty() ? json() : to_json(calls.front().arguments);
  };
  EXPECT_EQ(asked("what changed in shop since 2026-11-18?", "shop"),
            (json{{"service", "shop"}, {"window", "since=2026-11-18T00:00:00Z"}}));
  EXPECT_EQ(asked("which flags were flipped on 2026-11-18?", ""),
            (json{{"kinds", {"flag", "config"}},
                  {"window", "2026-11-18T00:00:00Z/2026-11-19T00:00:00Z"}}));
  EXPECT_EQ(asked("what was deployed to shop lately?", "shop").at("kinds").at(1), "deploy");
}

TEST_F(PlanLiveTest, ADeployToAnEnvironmentIsNoTag) {
  for (const PlannedCall& call :
       plan_live(reading("what was deployed to staging?"), sources(), policy_)) {
    if (call.tool() != "recent_changes") continue;
    EXPECT_EQ(to_json(call.arguments),
              (json{{"environment", "staging"}, {"kinds", {"deploy", "rollback", "version"}}}));
    return;
  }
  FAIL() << "the record of changes was not asked";
}

TEST_F(PlanLiveTest, AlertsAndChangesOfOneQuestionAreBothAskedAndNothingElse) {
  Reading read = reading("which alerts are firing, and what was deployed lately?");
  read.intent.type = QuestionType::kKnowledge;
  read.intent.questions.resize(2);
  ASSERT_TRUE(read.intent.signals.firing && read.intent.signals.changes);
  read.demands = {{"metrics_query", "the_rule", "", true},
                  {"recent_changes", "the_rule", "", true}};
  std::vector<std::string> tools;
  for (const PlannedCall& call : whole_plan(read, sources(), policy_)) tools.push_back(call.tool());
  EXPECT_THAT(tools, testing::UnorderedElementsAre("metrics_query", "recent_changes"));
}

TEST_F(PlanLiveTest, WhatChangedInSomethingElseIsLookedUpInDocumentsToo) {
  Reading read = reading("what changed in the refund policy since 2026-11-01?");
  read.intent.type = QuestionType::kKnowledge;
  read.intent.signals.changes = true;
  read.demands = {{"recent_changes", "the_rule", "", true}};
  std::vector<std::string> tools;
  for (const PlannedCall& call : whole_plan(read, sources(), policy_)) tools.push_back(call.tool());
  EXPECT_THAT(tools, AllOf(Contains("recent_changes"), Contains("doc_search")));
}

TEST_F(PlanLiveTest, NothingChangedInThatTimeIsAskedFurtherBack) {
  Reading read = reading("what changed in shop since 2026-11-18?", "shop");
  read.intent.type = QuestionType::kKnowledge;
  read.intent.signals.changes = true;
  read.receipts = {receipt("recent_changes", {{"service", "shop"}}, ReceiptStatus::kEmpty)};
  const auto calls = plan_again(read, sources(), policy_);
  ASSERT_THAT(calls, SizeIs(1));
  EXPECT_EQ(to_json(calls[0].arguments),
            (json{{"service", "shop"},
                  {"window", "2026-08-20T00:00:00Z/2026-11-18T00:00:00Z"},
                  {"limit", 3}}));
}

TEST_F(PlanLiveTest, OfAMetricOfSeveralSystemsTheOwnPartIsAskedForAgain) {
  const auto again = [&](std::vector<LabelSet> series, json query) {
    MetricsResult result;
    result.metric = "saturation";
    result.summary = WindowSummary{.points = 1};
    for (LabelSet& labels : series) result.top.push_back({.labels = std::move(labels)});
    Reading read = reading("is shop-api healthy?", "shop-api");
    read.receipts = {receipt("metrics_query", {{"query", std::move(query)}}, ReceiptStatus::kOk,
                             std::move(result))};
    return queries(plan_again(read, sources(), policy_));
  };
  EXPECT_THAT(again({{{"db", "mail-db"}}, {{"db", "shop-db"}}}, "metric=saturation window=24h"),
              ElementsAre("metric=saturation window=24h filter=db=shop-db"));
  EXPECT_THAT(again({{{"db", "shop-db"}}}, "metric=saturation window=24h"), IsEmpty());
  EXPECT_THAT(again({{{"db", "mail-db"}}}, "metric=saturation window=24h"), IsEmpty());
  EXPECT_THAT(again({{{"db", "mail-db"}}, {{"db", "shop-db"}}},
                    "metric=saturation window=24h filter=db=mail-db"),
              IsEmpty());
}

TEST_F(PlanLiveTest, AMetricThatTheRunbookNamesIsLookedAt) {
  const FakeMetricsSource metrics{lab_data()};
  Document runbook;
  runbook.id = "kb-1";
  runbook.kind = Kind::kRunbook;
  runbook.body = "Look at `memory_bytes`, at no_such_metric and at cache_hit_ratio.";
  ASSERT_TRUE(store_.apply({.put = {{.document = runbook}}}));
  Sources live = sources();
  live.live.metrics = &metrics;
  config_.names.push_back({.name = "memory", .metrics = {"memory_bytes"}});
  Reading read = reading("why is search slow?", "search");
  read.intent.now = std::chrono::floor<std::chrono::seconds>(lab_end());
  const auto again = [&] { return queries(plan_again(read, live, policy_)); };
  EXPECT_THAT(again(), IsEmpty());
  read.receipts = {receipt("search_knowledge", json::object(), ReceiptStatus::kOk,
                           KnowledgeResult{.items = {{.id = "kb-1", .kind = Kind::kRunbook}}})};
  EXPECT_THAT(again(), ElementsAre("metric=memory window=24h filter=service=search",
                                   "metric=cache_hit_ratio window=24h filter=service=search"));
  read.receipts.push_back(receipt("metrics_query", json::object(), ReceiptStatus::kOk,
                                  MetricsResult{.metric = "memory"}));
  EXPECT_THAT(again(), ElementsAre("metric=cache_hit_ratio window=24h filter=service=search"));
  // Whose the runbook is, nobody knows.
  read.intent.service.clear();
  read.intent.subjects.clear();
  EXPECT_THAT(again(), IsEmpty());
}

TEST_F(PlanLiveTest, TheFilterIsTheEndpointElseTheService) {
  EXPECT_THAT(metrics("/api/x is slow", "shop"),
              Contains("metric=p95_latency window=24h filter=endpoint=/api/x"));
  EXPECT_THAT(metrics("it is slow", "shop"),
              Contains("metric=p95_latency window=24h filter=service=shop"));
  EXPECT_THAT(metrics("it is slow", "the shop"),
              Contains("metric=p95_latency window=24h filter=\"service=the shop\""));
  EXPECT_THAT(metrics("it is slow"), Contains("metric=p95_latency window=24h"));
}

TEST_F(PlanLiveTest, MetricsThatShareAWordWithTheSystemGoWithIt) {
  const auto asked = metrics("/api/search is slow", "search-service");
  EXPECT_THAT(asked, Contains("metric=hit_ratio window=24h"));
  EXPECT_THAT(asked, Contains("metric=saturation window=24h"));
  EXPECT_THAT(asked, Each(Not(HasSubstr("cart_size"))));
  // "service" and "api" tell nothing apart.
  EXPECT_THAT(metrics("it is slow", "api-service"),
              ElementsAre(HasSubstr("p95_latency"), HasSubstr("saturation")));
}

TEST_F(PlanLiveTest, CodeAndChangesAreThoseOfTheService) {
  const auto calls =
      plan_live(reading("/api/search is slow", "search-service"), sources(), policy_);
  EXPECT_THAT(queries(calls, "repo_search"), ElementsAre("/api/search search-service"));
  ASSERT_EQ(calls.back().tool(), "recent_changes");
  EXPECT_EQ(to_json(calls.back().arguments), (json{{"service", "search-service"}}));
  for (const PlannedCall& call : calls) {
    EXPECT_EQ(call.rule, "the_rule");
    EXPECT_FALSE(call.purpose.empty());
  }
  Reading code = reading("where is the retry policy set?");
  code.intent.type = QuestionType::kExplainCode;
  EXPECT_THAT(queries(plan_live(code, sources(), policy_), "repo_search"),
              ElementsAre("where is the retry policy set?"));
}

TEST_F(PlanLiveTest, WhatIsOnlyPreferredAsksNothing) {
  for (Demand& demand : demands_) demand.must = false;
  EXPECT_THAT(plan_live(reading("/api/x is slow"), sources(), policy_), IsEmpty());
  EXPECT_THAT(plan_again(reading("/api/x is slow"), sources(), policy_), IsEmpty());
}

TEST_F(PlanLiveTest, ACodeSearchNeedsCode) {
  SearchLab empty(false);
  const Sources none{
      .search = empty.search(), .store = store_, .tools = tools_, .live = sources().live};
  EXPECT_THAT(queries(plan_live(reading("/api/x is slow"), none, policy_), "repo_search"),
              IsEmpty());
  EXPECT_THAT(not_configured(demands_[1]), HasSubstr("precedent ingest --repo PATH"));
}

TEST_F(PlanLiveTest, ThePolicyBoundsThePlan) {
  const Reading asked = reading("/api/search is slow", "search-service");
  const size_t whole = whole_plan(asked, sources(), policy_).size();
  ASSERT_GT(whole, 3u);
  policy_.max_calls = 3;
  EXPECT_THAT(whole_plan(asked, sources(), policy_), SizeIs(3));
}

Change commit(std::string id, std::string title, std::vector<std::string> files) {
  Change change;
  change.id = std::move(id);
  change.title = std::move(title);
  change.files = std::move(files);
  change.at = kNow;
  return change;
}

TEST_F(PlanLiveTest, ASecondLookIsAtTheCodeThatCommitsTouched) {
  ChangesResult result;
  result.changes = {commit("aaaaaaaaaaaaaaaa", "Shrink the cache", {"a.py", "cache.py"}),
                    commit("bbbbbbbbbbbbbbbb", "Cache by user", {"cache.py", "z.py"}),
                    deploy("shop", "2", "2026-11-20T11:00:00Z"), commit("cccc", "Nothing", {})};
  Reading asked = reading("/api/x is slow", "shop");
  asked.receipts = {receipt("recent_changes", {{"service", "shop"}}, ReceiptStatus::kOk, result)};
  const auto calls = plan_again(asked, sources(), policy_);
  ASSERT_EQ(calls.size(), 2u);
  // The file that several touched.
  EXPECT_EQ(to_json(calls[0].arguments),
            (json{{"query", "Shrink the cache"}, {"path", "cache.py"}, {"limit", 2}}));
  EXPECT_EQ(to_json(calls[1].arguments),
            (json{{"query", "Cache by user"}, {"path", "cache.py"}, {"limit", 2}}));
  EXPECT_EQ(calls[0].rule, "second_look");
  asked.receipts.push_back(receipt("repo_search", to_json(calls[0].arguments), ReceiptStatus::kOk));
  EXPECT_THAT(plan_again(asked, sources(), policy_), SizeIs(1));
}

TEST_F(PlanLiveTest, WhereNothingOfItWasChangedBeforeItBeganOthersAreLookedAt) {
  Reading asked = reading("why is shop slow?", "shop");
  MetricsResult slow;
  slow.metric = "p95_latency";
  slow.from = kNow - std::chrono::hours(24);
  slow.to = kNow;
  slow.summary = WindowSummary{};
  slow.changes = {{.at = kNow - std::chrono::hours(3), .before = 1, .after = 9}};
  ChangesResult old;
  old.changes = {deploy("shop", "2", "2026-11-19T11:00:00Z")};
  asked.receipts = {receipt("metrics_query", {{"query", "metric=p95_latency filter=service=shop"}},
                            ReceiptStatus::kOk, slow),
                    receipt("recent_changes", {{"service", "shop"}}, ReceiptStatus::kOk, old)};
  const auto elsewhere = [&] {
    const auto calls = plan_again(asked, sources(), policy_);
    return std::ranges::count_if(calls, [](const PlannedCall& call) {
      return call.tool() == "recent_changes" &&
             to_json(call.arguments) ==
                 json{{"window", "2026-11-20T08:00:00Z/2026-11-20T09:00:00Z"}};
    });
  };
  EXPECT_EQ(elsewhere(), 1);
  // Its own deploy came before it began.
  ChangesResult own;
  own.changes = {deploy("shop", "3", "2026-11-20T08:30:00Z")};
  asked.receipts.back() = receipt("recent_changes", {{"service", "shop"}}, ReceiptStatus::kOk, own);
  EXPECT_EQ(elsewhere(), 0);
}

TEST_F(PlanLiveTest, WhatFoundNothingIsAskedOnceMoreInOtherWords) {
  Reading asked = reading("/api/x is slow", "shop");
  MetricsResult nothing;
  nothing.metric = "p95_latency";
  asked.receipts = {receipt("metrics_query", {{"query", "1"}}, ReceiptStatus::kEmpty, nothing),
                    receipt("repo_search", {{"query", "/api/x shop"}}, ReceiptStatus::kEmpty),
                    receipt("repo_search", {{"query", "another"}}, ReceiptStatus::kError),
                    receipt("recent_changes", {{"service", "shop"}}, ReceiptStatus::kEmpty)};
  const auto calls = plan_again(asked, sources(), policy_);
  EXPECT_THAT(queries(calls), ElementsAre("metric=p95_latency window=24h filter=service=shop"));
  // Once, though two searches found nothing.
  EXPECT_THAT(queries(calls, "repo_search"), ElementsAre("shop"));
  ASSERT_EQ(calls.back().tool(), "recent_changes");
  EXPECT_EQ(to_json(calls.back().arguments), json::object());
  // Nothing that was called before, and nothing beyond what the policy allows.
  for (const PlannedCall& call : calls)
    asked.receipts.push_back(receipt(call.tool(), to_json(call.arguments), ReceiptStatus::kOk));
  EXPECT_THAT(plan_again(asked, sources(), policy_), IsEmpty());
  asked.receipts.resize(4);
  policy_.max_calls = 5;
  EXPECT_THAT(plan_again(asked, sources(), policy_), SizeIs(1));
}

TEST_F(PlanLiveTest, WhatSucceededIsNotAskedAgain) {
  Reading asked = reading("/api/x is slow", "shop");
  MetricsResult found;
  found.metric = "p95_latency";
  found.summary = WindowSummary{};
  asked.receipts = {receipt("metrics_query", {{"query", "1"}}, ReceiptStatus::kOk, found),
                    receipt("repo_search", {{"query", "x"}}, ReceiptStatus::kOk)};
  EXPECT_THAT(plan_again(asked, sources(), policy_), IsEmpty());
}

}  // namespace
}  // namespace precedent
