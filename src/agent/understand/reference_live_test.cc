// Follow-ups on a system in operation: what they mean, and whether earlier receipts answer them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/converse/recollection.h"
#include "agent/converse/references.h"

namespace precedent {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const TimePoint kNow = *parse_time("2026-11-20T14:00:00Z");
const Catalogue kCatalogue{{}, {"slot-finder", "appointment-api"}, {"SEV2"}, {"Resolved", "Open"}};
constexpr std::string_view kWindow = "since 2026-11-20T00:00:00Z";

std::shared_ptr<const Receipt> metric(std::string id, std::string name, std::string filter,
                                      std::string_view from = "2026-11-20T00:00:00Z") {
  Receipt receipt{.id = id, .call = "call_" + id, .tool = "metrics_query", .at = kNow};
  receipt.args = fmt::format(R"({{"query":"metric={} window=14h filter={}"}})", name, filter);
  MetricsResult result;
  result.metric = std::move(name);
  result.from = Instant(parse_time(from)->time_since_epoch());
  result.to = Instant(kNow.time_since_epoch());
  result.summary.emplace();
  receipt.result = std::move(result);
  return std::make_shared<const Receipt>(std::move(receipt));
}

std::shared_ptr<const Receipt> changes(std::string id, std::string service) {
  Receipt receipt{.id = id, .call = "call_" + id, .tool = "recent_changes", .at = kNow};
  ChangesResult result;
  result.service = std::move(service);
  result.changes.push_back({.id = "deploys.jsonl:6", .kind = ChangeKind::kDeploy});
  receipt.result = std::move(result);
  return std::make_shared<const Receipt>(std::move(receipt));
}

const Document kIncident = [] {
  Incident incident;
  incident.incident_id = "INC-2026-07-02-001";
  incident.title = "Slot search slow";
  incident.status = "Resolved";
  incident.root_cause = "A pool was halved";
  return to_document(incident);
}();

std::optional<Document> lookup(std::string_view id) {
  if (id == "INC-2026-07-02-001") return kIncident;
  return std::nullopt;
}

// The investigation that dialogues begin with; it lists an incident of another time, too.
const Turn kAsked = {
    "why is /v1/slots slow today?",
    "**p95_latency rose.** [R1: p95_latency]\n\n**Similar incidents**\n"
    "- **INC-2026-07-02-001** Slot search slow [INC-2026-07-02-001]",
    {metric("R1", "p95_latency", "endpoint=/v1/slots"), changes("R2", "slot-finder")}};

Conversation after(std::vector<Turn> more = {}) {
  more.insert(more.begin(), kAsked);
  return Conversation(std::move(more), lookup);
}

Reference resolve(std::string_view question, const Conversation& conversation) {
  return resolve_reference(question, conversation, {kCatalogue, kNow, [](std::string_view id) {
                                                      return lookup(id).has_value();
                                                    }});
}

TEST(LiveReferences, WhatIsOverIsRecalled) {
  const std::pair<std::string_view, Recall> cases[] = {
      {"when did it start?", Recall::kOnset},
      {"when exactly did it start", Recall::kOnset},
      {"since when?", Recall::kOnset},
      {"how long has this been going on?", Recall::kOnset},
      {"who deployed it?", Recall::kAuthor},
      {"who did that deploy?", Recall::kAuthor},
      {"which version is that?", Recall::kAuthor},
      {"what changed right before that?", Recall::kChanges},
      {"any deploys?", Recall::kChanges},
      {"and compared to last week?", Recall::kComparison},
      {"is that normal?", Recall::kComparison},
      {"show me the code", Recall::kCode},
      {"what did that commit change?", Recall::kCode},
      {"why?", Recall::kCause},
      {"what caused it?", Recall::kCause},
  };
  for (const auto& [question, recall] : cases) {
    const Reference reference = resolve(question, after());
    EXPECT_EQ(reference.recall, recall) << question;
    EXPECT_TRUE(reference.ids.empty()) << question;
    EXPECT_THAT(reference.live, HasSubstr("p95 latency of /v1/slots")) << question;
  }
}

TEST(LiveReferences, AQuestionOnChangesIsAskedOfAnotherTime) {
  Turn changes_alone = kAsked;
  changes_alone.question = "what was deployed yesterday";
  changes_alone.receipts = {changes("R1", "")};
  const Conversation conversation({changes_alone}, lookup);
  const std::string day = format_date(kNow - std::chrono::days(2));
  const std::pair<std::string_view, std::string> cases[] = {
      {"and today?", "what was deployed today"},
      {"and the day before?", fmt::format("what was deployed between {0} and {0}", day)},
      {"what about last week", "what was deployed last week"}};
  for (const auto& [question, whole] : cases)
    EXPECT_EQ(resolve(question, conversation).question, whole) << question;
}

TEST(LiveReferences, WhatIsNowIsAskedAgainOfTheSameSystemAndTime) {
  const std::pair<std::string_view, std::string> cases[] = {
      {"is it still going on?", fmt::format("What is the p95 latency of /v1/slots {}?", kWindow)},
      {"better now?", fmt::format("What is the p95 latency of /v1/slots {}?", kWindow)},
      {"and the errors?", fmt::format("What is the errors of /v1/slots {}?", kWindow)},
      {"is p99 affected too?", fmt::format("What is the p99 of /v1/slots {}?", kWindow)},
      {"which alerts are firing for it?", "Which alerts are firing for slot-finder?"},
      {"what about appointment-api?", "why is appointment-api slow today?"},
      {"and on /v1/appointments?", "why is /v1/appointments slow today?"},
      {"did the error rate go up too?",
       fmt::format("What is the error rate of /v1/slots {}?", kWindow)},
      {"is the database affected as well?",
       fmt::format("is the database affected as well of /v1/slots {}?", kWindow)},
      {"how bad is it?", fmt::format("how bad is it?\np95 latency of /v1/slots {}", kWindow)},
      {"is there a runbook for it?",
       fmt::format("is there a runbook for it?\np95 latency of /v1/slots {}", kWindow)},
      {"and yesterday?", "What is the p95 latency of /v1/slots yesterday?"},
  };
  for (const auto& [question, whole] : cases) {
    const Reference reference = resolve(question, after());
    EXPECT_EQ(reference.question, whole) << question;
    EXPECT_EQ(reference.recall, Recall::kNothing) << question;
    EXPECT_TRUE(reference.ids.empty()) << question;
  }
}

TEST(LiveReferences, ToFixItIsAskedOfDocuments) {
  const Reference fix = resolve("how do I fix it?", after());
  EXPECT_EQ(fix.type, QuestionType::kHowTo);
  EXPECT_THAT(fix.question, HasSubstr("slot-finder"));
  const Reference back = resolve("how do I roll it back?", after());
  EXPECT_THAT(back.question, StartsWith("How do I roll back slot-finder?"));
  EXPECT_EQ(back.order, "");
  EXPECT_EQ(resolve("roll it back", after()).order, "roll back");
  EXPECT_EQ(resolve("should we roll it back?", after()).order, "");
  const Reference alike = resolve("any similar incident before?", after());
  EXPECT_EQ(alike.type, QuestionType::kSimilarIncidents);
  EXPECT_THAT(alike.question, HasSubstr("/v1/slots"));
  EXPECT_EQ(resolve("who owns it?", after()).question, "who owns it for slot-finder");
}

TEST(LiveReferences, AnIncidentThatIsNamedTakesOver) {
  const Turn named = {"tell me about INC-2026-07-02-001",
                      "**INC-2026-07-02-001: Slot search slow** [INC-2026-07-02-001]",
                      {}};
  const Conversation conversation = after({named});
  EXPECT_EQ(conversation.live(), nullptr);
  EXPECT_THAT(resolve("when did it start?", conversation).ids,
              testing::ElementsAre("INC-2026-07-02-001"));
  // What is over says nothing on the present.
  EXPECT_THAT(resolve("is it better now?", conversation).live, HasSubstr("/v1/slots"));
  EXPECT_THAT(resolve("has the latency recovered?", conversation).live, HasSubstr("/v1/slots"));
  const Reference back = resolve("back to the latency: who deployed it?", conversation);
  EXPECT_EQ(back.recall, Recall::kAuthor);
  EXPECT_THAT(resolve("back to the slots", conversation).question,
              StartsWith("What is the p95 latency of /v1/slots"));
  // An answer from what was read before returns to it, too.
  const Turn returned = {
      "back to the latency: when did it start?", "It rose. [R1: p95_latency]", {}};
  const Conversation again = after({named, returned});
  EXPECT_NE(again.live(), nullptr);
  EXPECT_EQ(resolve("who deployed it?", again).recall, Recall::kAuthor);
}

TEST(LiveReferences, WhatIsListedBesideItIsNotTakenForIt) {
  EXPECT_THAT(resolve("what was the resolution?", after()).ids,
              testing::ElementsAre("INC-2026-07-02-001"));
  // Asked for cases like it, the system stays what is talked about.
  Receipt search{.id = "R3", .tool = "search_similar_incidents"};
  search.result = IncidentsResult{};
  const Turn alike = {"any similar incident before?",
                      "**INC-2026-07-02-001: Slot search slow** [INC-2026-07-02-001]",
                      {std::make_shared<const Receipt>(search)}};
  EXPECT_EQ(resolve("who deployed it?", after({alike})).recall, Recall::kAuthor);
}

TEST(LiveReferences, FollowUpsAddUpToOneSubject) {
  const Turn errors = {
      "and the errors?", "[R4: error_rate]", {metric("R4", "error_rate", "endpoint=/v1/slots")}};
  const Turn other = {"what about appointment-api?",
                      "[R5: p95_latency]",
                      {metric("R5", "p95_latency", "service=appointment-api")}};
  const Conversation both = after({errors});
  EXPECT_EQ(resolve("is it still going on?", both).question,
            fmt::format("What is the p95 latency and error rate of /v1/slots {}?", kWindow));
  EXPECT_EQ(recollect_live(both).size(), 3u);
  const Conversation moved = after({errors, other});
  EXPECT_EQ(recollect_live(moved).size(), 1u);
  EXPECT_EQ(resolve("what about slot-finder?", moved).question, "why is slot-finder slow today?");
  EXPECT_THAT(resolve("back to the slots", moved).question, HasSubstr("/v1/slots"));
}

TEST(LiveReferences, AlertsAloneAreAskedAgain) {
  Receipt receipt{
      .id = "R1", .tool = "metrics_query", .args = R"({"query":"alert=*"})", .at = kNow};
  MetricsResult result;
  result.metric = "*";
  result.alert_source = "Alertmanager";
  receipt.result = std::move(result);
  const Conversation alerts({{"which alerts are firing?",
                              "- Alert **SlotsSlow** [R1: SlotsSlow]",
                              {std::make_shared<const Receipt>(receipt)}}},
                            lookup);
  EXPECT_EQ(resolve("since when?", alerts).question, "which alerts are firing?");
  EXPECT_EQ(resolve("what about slot-finder?", alerts).question,
            "which alerts are firing for slot-finder?");
  EXPECT_EQ(resolve("since when?", alerts).live, "which alerts are firing?");
}

TEST(LiveReferences, AQuestionWithASubjectOfItsOwnStandsAlone) {
  for (const std::string_view question :
       {"how do I rotate the gateway certificates?", "who owns the billing export?",
        "when did the notifier start to fail?", "what changed in the billing export yesterday?",
        "show me the code of the reminder queue"})
    EXPECT_EQ(resolve(question, after()).live, "") << question;
}

TEST(LiveReferences, BackToIsToAnEarlierOne) {
  const Turn other = {"what about appointment-api?",
                      "**p95_latency is 0.2 s now** [R3: p95_latency]",
                      {metric("R3", "p95_latency", "service=appointment-api")}};
  const Conversation conversation = after({other});
  for (const char* question : {"back to the latency, is it still happening?",
                               "go back to the slots problem, is it better now?", "back to slots"})
    EXPECT_THAT(resolve(question, conversation).question, HasSubstr("/v1/slots")) << question;
  const Reference remedy = resolve("back to the slots: how do i roll it back?", conversation);
  EXPECT_THAT(remedy.question, HasSubstr("How do I roll back slot-finder"));
}

TEST(LiveReferences, AThresholdIsAskedOfTheAlerts) {
  EXPECT_EQ(resolve("is it above the alert threshold?", after()).question,
            "Which alerts are firing for slot-finder?");
}

TEST(LiveReferences, WhetherItWasSoBeforeIsToldByItsFigures) {
  for (const char* question : {"was it like this last week?", "was it this bad yesterday?"})
    EXPECT_THAT(resolve(question, after()).question, HasSubstr("p95 latency")) << question;
}

TEST(LiveReferences, HowLongItLastedIsRecalledWhereItIsOver) {
  auto over = std::make_shared<Receipt>(*metric("R1", "error_rate", "endpoint=/v1/slots"));
  const Instant from = Instant(parse_time("2026-11-20T08:00:00Z")->time_since_epoch());
  std::get<MetricsResult>(over->result).episodes = {
      {.from = from, .until = from + std::chrono::minutes(26), .usual = 1, .peak = 9}};
  Turn turn = kAsked;
  turn.receipts = {over};
  const Conversation conversation({turn}, lookup);
  const ReferenceContext context{kCatalogue, kNow, [](std::string_view) { return false; }};
  EXPECT_EQ(resolve_reference("how long did it last?", conversation, context).recall,
            Recall::kOnset);
  // What goes on has not lasted.
  const Conversation going({kAsked}, lookup);
  EXPECT_EQ(resolve_reference("how long did it last?", going, context).recall, Recall::kNothing);
}

}  // namespace
}  // namespace precedent
