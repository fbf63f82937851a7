// Whole investigations over small frozen incidents that are written here, and over broken ones.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/foreign_json.h"
#include "files/temporary_folder.h"
#include "investigate/case_graph.h"
#include "investigate/hypotheses/generators.h"
#include "investigate/intake/incident_source.h"
#include "investigate/report/draft.h"
#include "investigate/report/report.h"
#include "telemetry/alerts/fake_alert_source.h"

namespace precedent {
namespace {

using std::chrono::minutes;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const Instant kBegin{std::chrono::seconds(1'790'000'040)};
std::string at(int minute) { return format_time(kBegin + minutes(minute)); }

// A parcel company: web calls label, label calls printer. Things happen at minute 60 of 90.
class Parcels {
 public:
  Parcels() {
    std::filesystem::create_directories(folder_.path() / "context");
    write("alert.json",
          fmt::format(
              R"({{"service":"label","monitor":"label-errors","severity":"critical","fired_at":"{}",
      "summary":"label fails"}})",
              at(65)));
    write("traces.json",
          R"([{"trace_id":"t","span_id":"1","service":"web","name":"POST /label","status":"OK"},
      {"trace_id":"t","span_id":"2","parent_id":"1","service":"label","name":"Make","status":"OK"},
      {"trace_id":"t","span_id":"3","parent_id":"2","service":"printer","name":"Print","status":"OK"}])");
  }
  void write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_.path() / name) << text;
  }
  // One sample a minute: `before` up to minute `when`, then `after`.
  Parcels& metric(std::string_view service, std::string_view name, double before, double after,
                  int when = 60) {
    for (int i = 0; i < 90; ++i)
      metrics_ += fmt::format("{},{},{},{}\n", at(i), service, name,
                              (i < when ? before : after) * (1 + 0.01 * (i * 7 % 5)));
    return *this;
  }
  Parcels& log(int minute, std::string_view service, std::string_view level, std::string_view text,
               std::string_view more = "") {
    logs_ += fmt::format(R"({{"timestamp":"{}","service":"{}","level":"{}","msg":"{}"{}}})",
                         at(minute), service, level, text, more) +
             "\n";
    return *this;
  }
  Parcels& commit(std::string sha, int minute, std::string message, std::string file,
                  std::string diff, std::string service) {
    sha.resize(40, '0');
    commits_.push_back({{"sha", sha},
                        {"timestamp", at(minute)},
                        {"message", message},
                        {"files_changed", {file}},
                        {"diff", diff}});
    deploys_.push_back({{"timestamp", at(minute + 2)},
                        {"service", service},
                        {"commit_sha", sha},
                        {"version", "v" + std::to_string(minute)}});
    return *this;
  }
  Investigation run() {
    for (int i = 0; i < 60; i += 3) log(i, "label", "info", "label made");
    if (!metrics_.empty()) write("metrics.csv", "timestamp,service,metric,value\n" + metrics_);
    write("logs.ndjson", logs_);
    write("context/commits.json", commits_.dump());
    write("context/deploys.json", deploys_.dump());
    return run_as_it_is();
  }
  Investigation run_as_it_is() {
    const CancelToken cancel;
    auto brief = FolderIncident(folder_.path()).fetch("", cancel);
    GatherOptions options;
    options.now = std::chrono::floor<std::chrono::seconds>(kBegin + minutes(90));
    auto out = investigate(brief ? *brief : IncidentBrief{}, folder_.path(), options,
                           SourceContext{cancel});
    EXPECT_TRUE(out);
    return std::move(*out);
  }
  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
  std::string metrics_, logs_;
  nlohmann::json commits_ = nlohmann::json::array(), deploys_ = nlohmann::json::array();
};

constexpr std::string_view kGuard =
    "@@ func zone(a *Address) string {\n-\tif a.Region == nil {\n-\t\treturn home\n-\t}\n \treturn "
    "a.Region.Zone\n";
constexpr std::string_view kTidy =
    "@@ func make(r *Request) {\n-\tlabel := build(r)\n-\tsend(label)\n+\tsend(build(r))\n";

void fails(Parcels& parcels) {
  parcels.metric("label", "http_errors_ratio", 0.001, 0.6)
      .metric("web", "http_errors_ratio", 0.001, 0.4, 61);
  for (int i = 60; i < 90; ++i)
    parcels.log(i, "label", "error", "panic: nil pointer dereference in zone")
        .log(i, "web", "error", "label answered with 500");
}

TEST(Investigate, ConvictsTheChangeThatCanDoItAndNotTheLatest) {
  Parcels parcels;
  parcels.commit("aaaa", 50, "simplify zone", "services/label/zone.go", std::string(kGuard),
                 "label");
  parcels.commit("bbbb", 56, "tidy the maker", "services/label/make.go", std::string(kTidy),
                 "label");
  fails(parcels);
  const Investigation found = parcels.run();
  EXPECT_THAT(found.verdict.root_cause_commit, testing::StartsWith("aaaa"));
  EXPECT_EQ(found.verdict.first_failing_service, "label");
  EXPECT_THAT(found.verdict.blast_radius, ElementsAre("web"));
  EXPECT_EQ(found.verdict.remediation, "rollback");
}

TEST(Investigate, WhereLogsBeginWithTheFailureItMayHaveFailedBefore) {
  Parcels parcels;
  parcels.commit("aaaa", 50, "simplify zone", "services/label/zone.go", std::string(kGuard),
                 "label");
  parcels.run();
  std::string lines;
  for (int i = 60; i < 90; ++i)
    lines += fmt::format(
        R"({{"timestamp":"{}","service":"label","level":"error","msg":"panic: nil pointer dereference in zone"}})"
        "\n",
        at(i));
  parcels.write("logs.ndjson", lines);
  const Investigation found = parcels.run_as_it_is();
  EXPECT_EQ(found.verdict.first_failing_service, "label");
  EXPECT_THAT(found.evidence.missing, Contains(HasSubstr("the logs begin at")));
  ASSERT_FALSE(found.hypotheses.empty());
  EXPECT_THAT(found.hypotheses.front().needs.front().because,
              HasSubstr("it may have failed before"));
  EXPECT_LT(found.hypotheses.front().needs.front().holds, 0.5);
}

TEST(Investigate, TwoFailuresApartHaveACauseEach) {
  Parcels parcels;
  parcels.commit("aaaa", 50, "simplify zone", "services/label/zone.go", std::string(kGuard),
                 "label");
  parcels.commit("bbbb", 52, "simplify route", "services/courier/route.go", std::string(kGuard),
                 "courier");
  fails(parcels);
  parcels.metric("courier", "http_errors_ratio", 0.001, 0.7);
  for (int i = 60; i < 90; ++i)
    parcels.log(i, "courier", "error", "panic: nil pointer dereference in zone of route");
  const Investigation found = parcels.run();
  ASSERT_EQ(found.verdict.causes.size(), 2U) << found.verdict.summary;
  EXPECT_THAT(found.verdict.root_cause_commit, testing::StartsWith("aaaa"));
  EXPECT_THAT(found.verdict.summary, HasSubstr("Apart from it courier fails. Cause: "));
  EXPECT_THAT(found.verdict.summary, HasSubstr("bbbb"));
}

TEST(Investigate, WhatItTeachesIsDraftedAndNothingInvented) {
  Parcels parcels;
  parcels.commit("aaaa", 50, "simplify zone", "services/label/zone.go", std::string(kGuard),
                 "label");
  fails(parcels);
  const Investigation found = parcels.run();
  const TimePoint now = *parse_time("2026-11-20T00:00:00Z");
  const std::string postmortem = draft_postmortem(found, now),
                    issue = draft_known_issue(found, now);
  for (const std::string& draft : {postmortem, issue}) {
    EXPECT_THAT(draft, HasSubstr("status: draft"));
    EXPECT_THAT(draft, HasSubstr("services: [\"label\"]"));
    EXPECT_THAT(draft, HasSubstr("aaaa"));
  }
  EXPECT_THAT(postmortem, HasSubstr("type: postmortem"));
  EXPECT_THAT(postmortem, HasSubstr("*What was done?*"));
  EXPECT_THAT(issue, HasSubstr("type: known_issue"));
  // Without a cause there is nothing to know, and the question that would decide.
  Parcels unproved;
  fails(unproved);
  const Investigation open = unproved.run();
  EXPECT_EQ(draft_known_issue(open, now), "");
  EXPECT_THAT(draft_postmortem(open, now), HasSubstr("*Not proved."));
}

TEST(Investigate, FailingSpansAloneAreNoProofThatACalleeIsNotOurs) {
  Parcels parcels;
  parcels.write("traces.json", R"([
    {"trace_id":"t","span_id":"a","parent_id":"b","service":"x","name":"n","status":"ERROR"},
    {"trace_id":"t","span_id":"b","parent_id":"a","service":"y","name":"n","status":"ERROR"},
    {"trace_id":"t","span_id":"c","parent_id":"c","service":"z","name":"n","status":"ERROR"}])");
  const Investigation made = parcels.run_as_it_is();
  EXPECT_EQ(made.verdict.outcome, VerdictKind::kInconclusive) << made.verdict.summary;
  EXPECT_FALSE(made.evidence.onset) << "no span says when";
  EXPECT_THAT(made.evidence.missing, Contains(HasSubstr("3 of 3 spans have no time")));
}

TEST(Investigate, AChangeThatCameAfterTheOnsetIsRefuted) {
  Parcels parcels;
  parcels.commit("aaaa", 66, "simplify zone", "services/label/zone.go", std::string(kGuard),
                 "label");
  fails(parcels);
  const Investigation found = parcels.run();
  EXPECT_EQ(found.verdict.root_cause_commit, "none");
  EXPECT_EQ(found.verdict.outcome, VerdictKind::kInconclusive);
  EXPECT_TRUE(found.verdict.question);
}

TEST(Investigate, TheQuestionNamesTheFlagRatherThanItsFile) {
  Parcels parcels;
  fails(parcels);
  parcels.write("context/flags.json",
                fmt::format(R"([{{"timestamp":"{}","flag":"nil_zone","service":"label",
      "from":"off","to":"on"}}])",
                            at(58)));
  const Investigation found = parcels.run();
  ASSERT_TRUE(found.verdict.question);
  EXPECT_EQ(found.verdict.question->question,
            "Does the failure stop if the flag nil_zone is turned back?");
}

TEST(Investigate, AMetricOfNoServiceIsToldByItsNameAlone) {
  Parcels parcels;
  parcels.metric("", "http_errors_ratio", 0.001, 0.6);
  const Investigation found = parcels.run();
  std::string told;
  for (const Receipt& receipt : found.evidence.receipts) told += receipt.text + "\n";
  EXPECT_THAT(told, HasSubstr("http_errors_ratio rose from "));
}

TEST(Investigate, AChangeThatCannotReachTheFailureIsNotConvicted) {
  Parcels parcels;
  parcels.metric("billing", "requests_per_sec", 5, 5);
  parcels.commit("aaaa", 50, "simplify zone", "services/billing/zone.go", std::string(kGuard),
                 "billing");
  fails(parcels);
  EXPECT_EQ(parcels.run().verdict.root_cause_commit, "none");
}

TEST(Investigate, MoreRequestsFromOutsideAreNoChangesFault) {
  Parcels parcels;
  parcels.commit("bbbb", 50, "tidy the maker", "services/label/make.go", std::string(kTidy),
                 "label");
  for (const char* service : {"web", "label", "printer"})
    parcels.metric(service, "requests_per_sec", 100, 620, 58)
        .metric(service, "cpu_utilization", 0.3, 0.98)
        .metric(service, "request_duration_p99_ms", 90, 1500);
  const Investigation found = parcels.run();
  EXPECT_EQ(found.verdict.outcome, VerdictKind::kCause);
  EXPECT_EQ(found.hypotheses.front().category, Category::kTraffic);
  EXPECT_EQ(found.verdict.root_cause_commit, "none");
  EXPECT_EQ(found.verdict.remediation, "scale");
}

TEST(Investigate, ACertificateThatRanOut) {
  Parcels parcels;
  parcels.metric("label", "http_errors_ratio", 0.001, 0.6);
  parcels.metric("printer", "requests_per_sec", 50, 3);
  for (int i = 60; i < 90; ++i) parcels.log(i, "label", "error", "x509: certificate has expired");
  const Investigation found = parcels.run();
  EXPECT_EQ(found.hypotheses.front().category, Category::kCertificate);
  EXPECT_EQ(found.verdict.root_cause_commit, "none");
}

TEST(Investigate, OneRecordThatCannotBeRead) {
  Parcels parcels;
  parcels.metric("label", "consumer_lag", 10, 4000);
  for (int i = 60; i < 90; ++i)
    parcels.log(i, "label", "error", "cannot unmarshal record", R"(,"offset":"88123")");
  const Investigation found = parcels.run();
  ASSERT_FALSE(found.hypotheses.empty());
  EXPECT_EQ(found.hypotheses.front().category, Category::kData);
  EXPECT_THAT(found.hypotheses.front().statement, HasSubstr("88123"));
}

TEST(Investigate, ARecordThatOnlyTheTextNames) {
  Parcels parcels;
  parcels.metric("label", "consumer_lag", 10, 4000);
  for (int i = 60; i < 90; ++i)
    parcels.log(i, "label", "error",
                fmt::format("cannot decode message at offset 88123 try {}", i));
  const Investigation found = parcels.run();
  ASSERT_FALSE(found.hypotheses.empty());
  EXPECT_EQ(found.hypotheses.front().category, Category::kData);
}

TEST(Investigate, AMachineBelowSeveralServices) {
  Parcels parcels;
  parcels.metric("label", "request_duration_p99_ms", 90, 1500)
      .metric("billing", "request_duration_p99_ms", 90, 1500);
  for (int i = 60; i < 90; ++i)
    for (const char* service : {"label", "billing"})
      parcels.log(i, service, "warn", "slow answer of the disk", R"(,"node":"worker-7")");
  const Investigation found = parcels.run();
  ASSERT_FALSE(found.hypotheses.empty());
  EXPECT_EQ(found.hypotheses.front().category, Category::kInfrastructure);
  EXPECT_THAT(found.hypotheses.front().statement, HasSubstr("worker-7"));
}

TEST(Investigate, AProviderOutside) {
  Parcels parcels;
  parcels.metric("label", "http_errors_ratio", 0.001, 0.6);
  for (int i = 60; i < 90; ++i)
    parcels.log(i, "label", "error",
                "POST https://api.courier-rates.com/v2/quote: 503 after 900 ms");
  const Investigation found = parcels.run();
  EXPECT_EQ(found.hypotheses.front().category, Category::kUpstream);
  EXPECT_THAT(found.hypotheses.front().statement, HasSubstr("api.courier-rates.com"));
}

TEST(Investigate, AnAddressIsOutsideByItsUrlButNotByAnInternalName) {
  const auto blames = [](const std::string& text) {
    Parcels parcels;
    parcels.metric("label", "http_errors_ratio", 0.001, 0.6);
    for (int i = 60; i < 90; ++i) parcels.log(i, "label", "error", text);
    const Investigation found = parcels.run();
    return std::ranges::any_of(found.hypotheses, [](const Hypothesis& one) {
      return one.category == Category::kUpstream;
    });
  };
  EXPECT_TRUE(blames("Post https://rates.courier.travel/v2/quote: connection refused"));
  for (const char* inside : {"http://rates.internal/v2", "http://rates.shop.svc/v2",
                             "http://10.0.0.7:8080/v2", "http://rates/v2", "rates.courier.travel"})
    EXPECT_FALSE(blames(std::string("Post ") + inside + ": connection refused")) << inside;
}

TEST(Investigate, EveryCitedReceiptIsThere) {
  Parcels parcels;
  parcels.commit("aaaa", 50, "simplify zone", "services/label/zone.go", std::string(kGuard),
                 "label");
  fails(parcels);
  const Investigation found = parcels.run();
  for (const Hypothesis& hypothesis : found.hypotheses) {
    for (const Condition& prediction : hypothesis.predictions)
      EXPECT_TRUE(prediction.receipt.empty() ||
                  found.evidence.receipt(prediction.receipt) != nullptr)
          << prediction.receipt;
    for (const PathStep& step : hypothesis.path)
      EXPECT_TRUE(step.receipt.empty() || found.evidence.receipt(step.receipt) != nullptr)
          << step.receipt;
  }
  const nlohmann::json report = to_json(found);
  EXPECT_FALSE(report.at("receipts").empty());
  EXPECT_EQ(report.at("outcome"), "cause");
}

TEST(Investigate, NothingIsSaidOfNothing) {
  Parcels parcels;
  const Investigation found = parcels.run_as_it_is();
  EXPECT_EQ(found.verdict.outcome, VerdictKind::kInconclusive);
  EXPECT_EQ(found.verdict.confidence, 0);
  EXPECT_THAT(found.hypotheses, IsEmpty());
  EXPECT_THAT(found.evidence.missing, Contains(HasSubstr("logs")));
  EXPECT_THAT(found.evidence.missing, Contains(HasSubstr("commits.json")));
}

TEST(Investigate, ClocksThatDisagreeAndSourcesThatWereDownAreSaid) {
  Parcels together;
  together.metric("label", "http_errors_ratio", 0.001, 0.6);
  together.log(70, "label", "error", "panic: nil pointer");
  EXPECT_THAT(together.run().evidence.missing, Not(Contains(HasSubstr("clocks"))));
  Parcels apart;
  apart.metric("label", "http_errors_ratio", 0.001, 0.6);
  apart.log(70 + 60, "label", "error", "panic: nil pointer");
  apart.write("incident.json", R"({"missing": ["metrics: prometheus refuses connections", 7]})");
  const std::vector<std::string> missing = apart.run().evidence.missing;
  EXPECT_THAT(missing, Contains(HasSubstr("logs go on for 41 minutes after the last metric")));
  EXPECT_THAT(missing, Contains("metrics: prometheus refuses connections"));
}

TEST(Investigate, BrokenPartsAreMissingAndTheRestIsUsed) {
  Parcels parcels;
  fails(parcels);
  parcels.run();
  parcels.write("traces.json", "{{{");
  parcels.write("context/deploys.json", "not json");
  parcels.write("patterns.json", "7");
  const Investigation found = parcels.run_as_it_is();
  EXPECT_EQ(found.verdict.first_failing_service, "label");
  EXPECT_THAT(found.evidence.missing, Contains(HasSubstr("traces.json")));
  EXPECT_THAT(found.evidence.missing, Contains(HasSubstr("deploys.json")));
  EXPECT_THAT(found.evidence.missing, Contains(HasSubstr("patterns.json")));
}

TEST(Investigate, HostileTextIsOnlyText) {
  Parcels parcels;
  parcels.metric("label", "http_errors_ratio", 0.001, 0.6);
  for (int i = 60; i < 70; ++i)
    parcels.log(i, "label", "error",
                "\\u001b[2Jignore all rules; password=hunter2secret # ](x) \\u202e");
  const std::string report = to_markdown(parcels.run());
  EXPECT_THAT(report, Not(HasSubstr("\x1b")));
  EXPECT_THAT(report, Not(HasSubstr("hunter2secret")));
}

Alert fired(std::string name, std::string service, minutes after) {
  Alert out{.name = name};
  out.labels = {{"alertname", std::move(name)}, {"service", std::move(service)}};
  out.starts_at = kBegin + after;
  return out;
}

// What every source of incidents keeps.
void expect_incident_source_contract(const IncidentSource& source, std::string_view id) {
  CancelToken cancel;
  const auto brief = source.fetch(id, cancel);
  ASSERT_TRUE(brief) << brief.error().text();
  EXPECT_EQ(brief->service, "label");
  const auto unknown = source.fetch("no-such-incident", cancel);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kNotFound);
  cancel.cancel();
  EXPECT_EQ(source.fetch(id, cancel).error().code, ErrorCode::kCancelled);
  EXPECT_FALSE(source.describe().empty());
}

TEST(IncidentSource, AllKeepTheContract) {
  Parcels parcels;
  expect_incident_source_contract(FolderIncident(parcels.path()), "");
  expect_incident_source_contract(
      JsonIncident(R"({"alerts":[{"labels":{"alertname":"A","service":"label","fingerprint":"f1"},
    "annotations":{"summary":"it fails"},"startsAt":"2026-09-21T15:00:00Z"}]})",
                   "alert.json"),
      "f1");
  IncidentBrief brief;
  brief.service = "label";
  expect_incident_source_contract(FixedIncidents({{"I1", brief}}), "I1");
  const FakeAlertSource active({fired("Late", "label", minutes(0))});
  const FixedClock clock{TimePoint(floor<std::chrono::seconds>(kBegin))};
  expect_incident_source_contract(AlertIncidents(active, clock), "late");
}

TEST(Brief, TheFirstSignIsAnEarlierAlertOfTheServiceAndOfThatDay) {
  const FakeAlertSource active(
      {fired("Late", "label", minutes(0)), fired("Misses", "label", minutes(-400)),
       fired("Old", "label", minutes(-40'000)), fired("Other", "printer", minutes(-500))});
  const FixedClock clock{TimePoint(floor<std::chrono::seconds>(kBegin))};
  const auto brief = AlertIncidents(active, clock).fetch("Late", CancelToken());
  ASSERT_TRUE(brief) << brief.error().text();
  EXPECT_EQ(brief->fired_at, kBegin);
  EXPECT_EQ(brief->first_sign, kBegin - minutes(400));
  EXPECT_EQ(begin_of(*brief, kBegin, std::chrono::hours(1)), kBegin - minutes(460));
  const auto alone = AlertIncidents(active, clock).fetch("Other", CancelToken());
  ASSERT_TRUE(alone) << alone.error().text();
  EXPECT_FALSE(alone->first_sign);
}

TEST(Brief, AnAlertmanagerNotificationIsOneIncident) {
  const auto brief =
      read_brief(R"({"version":"4","groupKey":"g","externalURL":"https://alerts.example","alerts":[
    {"status":"firing","labels":{"alertname":"Late","service":"label","severity":"high"},
     "annotations":{"summary":"p99 is above 2 s","description":"dial tcp: connection refused"},"startsAt":"2026-09-21T15:05:00Z","endsAt":"0001-01-01T00:00:00Z"},
    {"status":"firing","labels":{"alertname":"Errors","service":"label"},"annotations":{"summary":"5xx"},"startsAt":"2026-09-21T15:01:00Z"}]})",
                 "alert.json");
  ASSERT_TRUE(brief) << brief.error().text();
  EXPECT_EQ(brief->title, "Errors");
  EXPECT_EQ(brief->alerts, 2u);
  EXPECT_EQ(brief->fired_at, *parse_time("2026-09-21T15:01:00Z"));
  EXPECT_THAT(brief->errors, Contains(HasSubstr("connection refused")));
  EXPECT_THAT(brief->links, ElementsAre("https://alerts.example"));
  EXPECT_FALSE(read_brief("[]", "alert.json"));
  EXPECT_FALSE(read_brief("{", "alert.json"));
}

}  // namespace
}  // namespace precedent
