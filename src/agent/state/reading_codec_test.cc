#include "agent/state/reading_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using ::testing::ElementsAre;

KeptReading again(const KeptReading& reading) {
  ByteWriter out;
  FieldCodec<KeptReading>::encode(reading, out);
  ByteReader in(out.bytes());
  KeptReading read = FieldCodec<KeptReading>::decode(in);
  EXPECT_TRUE(in.ok() && in.at_end());
  return read;
}

// Every flag of the record, one at a time: none stands in for another.
template <typename Record>
void expect_each_flag_kept(Record Intent::* record, std::vector<bool Record::*> flags) {
  for (size_t i = 0; i < flags.size(); ++i) {
    KeptReading reading;
    (reading.whole.intent.*record).*flags[i] = true;
    const Record read = again(reading).whole.intent.*record;
    for (size_t j = 0; j < flags.size(); ++j) EXPECT_EQ(read.*flags[j], i == j) << i << " " << j;
  }
}

TEST(ReadingCodec, EveryFlagIsKept) {
  expect_each_flag_kept<Signals>(
      &Intent::signals,
      {&Signals::latency, &Signals::errors, &Signals::throughput, &Signals::saturation,
       &Signals::unhealthy, &Signals::log_line, &Signals::deploy, &Signals::firing,
       &Signals::changes, &Signals::code, &Signals::configuration, &Signals::architecture,
       &Signals::alerts, &Signals::slo, &Signals::concept_only, &Signals::ours,
       &Signals::precedent});
  expect_each_flag_kept<Asks>(
      &Intent::asks,
      {&Asks::steps,       &Asks::command, &Asks::number,    &Asks::person, &Asks::contact,
       &Asks::on_call_now, &Asks::phone,   &Asks::objective, &Asks::time,   &Asks::cause,
       &Asks::remedy,      &Asks::list,    &Asks::count,     &Asks::status, &Asks::impact,
       &Asks::detection,   &Asks::work,    &Asks::whether,   &Asks::value,  &Asks::other});
}

TEST(ReadingCodec, EveryOtherMemberIsKept) {
  const TimePoint at = parse_time("2026-11-18T09:30:00Z").value();
  const TimeRange range{at, at + std::chrono::hours(1)};
  KeptReading reading{.place = 4, .left_out = {FrozenText("and that")}};
  reading.calls = {{"call_4_1", {"the incident", "rule", {0, 1}}}};
  reading.parts = {{FrozenText("a part"), {.asked = {.text = FrozenText("a part")}}, {}}};
  reading.whole = {FrozenText("said"), {}, {{"metrics_query", "rule", "because", true}}};
  reading.narrowing = {true, std::vector<std::string>{"deploy"}, {Extreme::kOldest}};
  reading.unread = "not read";
  Intent& intent = reading.whole.intent;
  intent.type = QuestionType::kHowTo;
  intent.after = QuestionType::kLookupIncident;
  intent.asked = {.text = FrozenText("asked"),
                  .without_times = FrozenText("timeless"),
                  .without_ids = FrozenText("nameless"),
                  .says_live = true,
                  .records_alone = true,
                  .time_word = "still",
                  .things = {{"KLN-3", "kln-3", true}},
                  .unknown_names = std::vector<std::string>{"ostrich"}};
  intent.ids = {"INC-1"};
  intent.subjects = {{"checkout-api", SubjectKind::kService}};
  intent.applications = {"Checkout"};
  intent.lists_only = false;
  intent.count = -3;
  intent.ranked = "longest";
  intent.tally = Tally{"extreme", "least", "number", "month", true, true};
  intent.service = "checkout-api";
  intent.blamed = "search";
  intent.series = "pod=a";
  intent.now = at;
  intent.times = {{"then", 3, 7, range, 2}};
  intent.deploy = DeployHint{.text = "the deploy", .version = "2.31", .of_version = false};
  intent.deploy->deploy = LastDeploy{};
  intent.deploy->deploy->change.title = "2.31.0";
  intent.deploy->deploy->change.subject = "flag";
  intent.deploy->deploy->change.reverts = {"abc"};
  intent.deploy->deploy->change.written = at;
  intent.deploy->deploy->evidence = DeployEvidence::kVersionSeen;
  intent.questions = {FrozenText("asked")};
  intent.signals.cues = {"cue"};
  intent.confidence = 0.25;
  intent.investigated = true;
  intent.filter = {.kinds = {Kind::kRunbook},
                   .services = {"s"},
                   .tags = {"t"},
                   .applications = {"a"},
                   .ids = {"i"},
                   .severities = {"SEV1"},
                   .statuses = {"open"},
                   .opened = range};
  intent.qualifiers.deed = "removed";
  intent.qualifiers.words = {"when", "was"};
  intent.qualifiers.names = {"disk-full"};
  intent.documents = {{Kind::kRunbook}, true, {"INC-2"}, true};
  intent.document = "doc";
  intent.parts_only = intent.advice = intent.follow_up = true;
  intent.except = "INC-3";
  intent.live = "error rate";
  intent.candidates = {"INC-4"};
  intent.recall = Recall::kCause;
  intent.taken_for = "read as";
  intent.changed = "cache";
  intent.order = "restart";
  intent.cues = {"why"};
  const KeptReading read = again(reading);
  EXPECT_EQ(read.place, 4u);
  EXPECT_THAT(read.left_out, ElementsAre(FrozenText("and that")));
  ASSERT_EQ(read.calls.size(), 1u);
  EXPECT_EQ(read.calls[0].call, "call_4_1");
  EXPECT_EQ(read.calls[0].reason, reading.calls[0].reason);
  ASSERT_EQ(read.parts.size(), 1u);
  EXPECT_EQ(read.parts[0].intent.asked.text, FrozenText("a part"));
  EXPECT_EQ(read.parts[0].intent.asked.unknown_names, std::nullopt);
  EXPECT_EQ(read.whole.question, FrozenText("said"));
  EXPECT_EQ(read.narrowing, reading.narrowing);
  EXPECT_EQ(read.unread, "not read");
  ASSERT_EQ(read.whole.demands.size(), 1u);
  EXPECT_EQ(read.whole.demands[0].because, "because");
  EXPECT_TRUE(read.whole.demands[0].must);
  const Intent& its = read.whole.intent;
  EXPECT_EQ(its.type, intent.type);
  EXPECT_EQ(its.after, intent.after);
  EXPECT_EQ(its.asked.text, intent.asked.text);
  EXPECT_EQ(its.asked.without_times, intent.asked.without_times);
  EXPECT_EQ(its.asked.without_ids, intent.asked.without_ids);
  EXPECT_TRUE(its.asked.says_live && its.asked.records_alone);
  EXPECT_EQ(its.asked.time_word, "still");
  EXPECT_EQ(its.asked.things, intent.asked.things);
  EXPECT_EQ(its.asked.unknown_names, intent.asked.unknown_names);
  EXPECT_EQ(its.ids, intent.ids);
  EXPECT_EQ(its.subjects, intent.subjects);
  EXPECT_EQ(its.applications, intent.applications);
  EXPECT_EQ(its.lists_only, intent.lists_only);
  EXPECT_EQ(its.count, intent.count);
  EXPECT_EQ(its.ranked, intent.ranked);
  EXPECT_EQ(its.tally, intent.tally);
  EXPECT_EQ(its.service, intent.service);
  EXPECT_EQ(its.blamed, intent.blamed);
  EXPECT_EQ(its.series, intent.series);
  EXPECT_EQ(its.now, intent.now);
  ASSERT_EQ(its.times.size(), 1u);
  EXPECT_EQ(its.times[0].range, range);
  EXPECT_EQ(its.times[0].begin + its.times[0].end, 10u);
  EXPECT_EQ(its.times[0].days, 2);
  ASSERT_TRUE(its.deploy && its.deploy->deploy);
  EXPECT_EQ(its.deploy->version, "2.31");
  EXPECT_FALSE(its.deploy->of_version);
  EXPECT_EQ(its.deploy->deploy->change, intent.deploy->deploy->change);
  EXPECT_EQ(its.deploy->deploy->evidence, DeployEvidence::kVersionSeen);
  EXPECT_EQ(its.questions, intent.questions);
  EXPECT_EQ(its.signals.cues, intent.signals.cues);
  EXPECT_EQ(its.confidence, intent.confidence);
  EXPECT_EQ(its.investigated, intent.investigated);
  EXPECT_EQ(its.filter, intent.filter);
  EXPECT_EQ(its.qualifiers.deed, intent.qualifiers.deed);
  EXPECT_EQ(its.qualifiers.words, intent.qualifiers.words);
  EXPECT_EQ(its.qualifiers.names, intent.qualifiers.names);
  EXPECT_EQ(its.documents.kinds, intent.documents.kinds);
  EXPECT_EQ(its.documents.incidents, intent.documents.incidents);
  EXPECT_TRUE(its.documents.all && its.documents.one);
  EXPECT_EQ(its.document, intent.document);
  EXPECT_TRUE(its.parts_only && its.advice && its.follow_up);
  EXPECT_EQ(its.except, intent.except);
  EXPECT_EQ(its.live, intent.live);
  EXPECT_EQ(its.candidates, intent.candidates);
  EXPECT_EQ(its.recall, intent.recall);
  EXPECT_EQ(its.taken_for, intent.taken_for);
  EXPECT_EQ(its.changed, intent.changed);
  EXPECT_EQ(its.order, intent.order);
  EXPECT_EQ(its.cues, intent.cues);
}

TEST(ReadingCodec, AnotherFormatIsReadAgain) {
  ByteWriter out;
  out.number(99);
  out.text("what a later version keeps");
  ByteReader in(out.bytes());
  EXPECT_TRUE(FieldCodec<KeptReading>::decode(in).whole.question.blank());
  EXPECT_TRUE(in.ok() && in.at_end());
}

}  // namespace
}  // namespace precedent
