// The phases of an investigation: killed after each and resumed, streamed, stopped at the deciding
// question and answered.
#include "investigate/case_graph.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/foreign_json.h"
#include "files/temporary_folder.h"
#include "graph/memory_checkpointer.h"
#include "graph/sql_checkpointer.h"
#include "investigate/report/report.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const Instant kBegin{std::chrono::seconds(1'790'000'040)};
std::string at(int minute) { return format_time(kBegin + std::chrono::minutes(minute)); }

// label fails from minute 60 on, and web with it. What went live just before edits a timeout, which
// may do this or not.
class CaseGraphTest : public ::testing::Test {
 protected:
  CaseGraphTest() {
    fs::create_directories(folder_.path() / "context");
    std::string rows = "timestamp,service,metric,value\n";
    for (int i = 0; i < 90; ++i)
      for (const auto& [service, bad] : {std::pair("label", 0.6), std::pair("web", 0.4)})
        rows += fmt::format("{},{},http_errors_ratio,{}\n", at(i), service,
                            (i < 60 ? 0.001 : bad) * (1 + 0.01 * (i * 7 % 5)));
    write("metrics.csv", rows);
    std::string logs;
    for (int i = 60; i < 90; ++i)
      logs += json{{"timestamp", at(i)},
                   {"service", "label"},
                   {"level", "error"},
                   {"msg", fmt::format("request {} failed", i)}}
                  .dump() +
              "\n";
    write("logs.ndjson", logs);
    write("traces.json",
          json::array({span("a", "", "web", "Print"), span("b", "a", "label", "Zone")}).dump());
    write("context/commits.json",
          json::array({commit('a', "services/label/zone.go",
                              "@@ func zone()\n-\treturn lookup(id, region)\n"
                              "+\treturn lookup(id, home)\n"),
                       commit('b', "services/label/page.go",
                              "@@ func page()\n-\tlimit := 40\n+\tlimit := 50\n")})
              .dump());
    write("context/deploys.json", json::array({deploy('a', 58), deploy('b', 59)}).dump());
    order_.brief.title = "label fails", order_.brief.service = "label";
    order_.brief.fired_at = kBegin + std::chrono::minutes(65);
    order_.options.now =
        std::chrono::floor<std::chrono::seconds>(kBegin + std::chrono::minutes(90));
    order_.folder = folder_.path().string();
  }
  static json span(const std::string& id, const std::string& parent, const std::string& service,
                   const std::string& name) {
    return {{"trace_id", "t"}, {"span_id", id},   {"parent_id", parent}, {"service", service},
            {"name", name},    {"start", at(70)}, {"duration_ms", 5},    {"status", "ok"}};
  }
  static json commit(char letter, const std::string& file, const std::string& diff) {
    return {{"sha", std::string(40, letter)},
            {"timestamp", at(50)},
            {"message", "tidy up"},
            {"files_changed", {file}},
            {"diff", diff}};
  }
  static json deploy(char letter, int minute) {
    return {
        {"timestamp", at(minute)}, {"service", "label"}, {"commit_sha", std::string(40, letter)}};
  }
  void write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_.path() / name) << text;
  }
  static RunOptions thread(const std::string& name) {
    RunOptions options;
    options.thread = name;
    options.max_parallel = 1;
    return options;
  }
  CompiledGraph<CaseState> graph(Checkpointer* kept = nullptr, CaseDesk desk = {}) {
    return create_case_graph(desk, kept).value();
  }
  json report(const CaseState& state) { return to_json(investigation_of(state)); }
  json undisturbed() {
    NullSink nobody;
    return report(graph().run(case_input(order_), {}, nobody).value().state);
  }

  const TemporaryFolder folder_, store_;
  CaseOrder order_;
};

TEST_F(CaseGraphTest, EachPhaseIsToldAsItGoes) {
  RecordingSink sink;
  const auto done = graph().run(case_input(order_), {}, sink);
  ASSERT_TRUE(done) << done.error().text();
  std::vector<std::string> phases;
  for (const Event& event : sink.events)
    if (event.type == Event::Type::kStatus && (phases.empty() || phases.back() != event.node))
      phases.push_back(event.node);
  EXPECT_THAT(phases, ElementsAre("triage", "hypothesise", "investigate", "evaluate", "conclude"));
  EXPECT_EQ(sink.events.back().type, Event::Type::kComplete);
  EXPECT_EQ(parse_json(sink.events.back().data)["first_failing_service"], "label");
}

TEST_F(CaseGraphTest, WhereNothingFailsNoRowIsLookedInto) {
  write("metrics.csv", "timestamp,service,metric,value\n");
  write("logs.ndjson", "");
  RecordingSink sink;
  const auto done = graph().run(case_input(order_), {}, sink);
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_THAT(done->state.tested, IsEmpty());
  EXPECT_THAT(done->state.verdict.summary, HasSubstr("No failure shows"));
}

// kill -9 before the first phase ends, the second, the third …, until a run ends undisturbed.
TEST_F(CaseGraphTest, KilledAnywhereItGoesOnFromTheLastPhase) {
  const json expected = undisturbed();
  RecordingSink told;
  const CaseDesk quiet{.known = [](TimePoint, Investigation&) {}};
  ASSERT_TRUE(graph(nullptr, quiet).run(case_input(order_), {}, told));
  const auto moments =
      static_cast<size_t>(std::ranges::count(told.events, Event::Type::kStatus, &Event::type));
  size_t killed = 0;
  for (bool ended = false; !ended; ++killed) {
    ASSERT_LE(killed, moments);
    const std::string name = fmt::format("i-{}", killed);
    const CaseDesk known{.known = [](TimePoint, Investigation& made) {
      made.known.push_back({.id = "rb-1", .title = "Restart", .kind = "runbook"});
    }};
    const pid_t child = ::fork();
    if (child == 0) {
      // Dies at the Nth status: each phase says one or more.
      struct Dying final : EventSink {
        explicit Dying(size_t moment) : left(moment) {}
        void emit(const Event& event) override {
          if (event.type == Event::Type::kStatus && left-- == 0) ::kill(::getpid(), SIGKILL);
        }
        size_t left;
      } sink(killed);
      const auto kept = open_sqlite_checkpointer(store_.path() / "phases.db");
      const auto done = graph(kept->get(), known).run(case_input(order_), thread(name), sink);
      ::_exit(done ? 0 : 3);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ended = WIFEXITED(status);
    if (ended) {
      EXPECT_EQ(WEXITSTATUS(status), 0);
    }
    // Once triage is over its evidence is kept: nobody looks into the folder again.
    const auto kept = open_sqlite_checkpointer(store_.path() / "phases.db");
    ASSERT_TRUE(kept);
    const auto known_state = graph(kept->get()).state(name);
    ASSERT_TRUE(known_state) << known_state.error().text();
    const bool read = known_state->evidence != nullptr;
    const fs::path away = folder_.path() / "metrics.csv", hidden = folder_.path() / "hidden";
    if (read) fs::rename(away, hidden);
    NullSink nobody;
    const auto done = graph(kept->get(), known).resume(thread(name), nobody);
    if (read) fs::rename(hidden, away);
    ASSERT_TRUE(done) << done.error().text();
    json made = report(done->state);
    EXPECT_EQ(made["knowledge"]["found"].size(), 1U);
    made["knowledge"]["found"] = json::array();
    made["knowledge"].erase("runbooks");
    EXPECT_EQ(made, expected) << "killed at " << killed;
  }
  EXPECT_EQ(killed, moments + 1);
}

TEST_F(CaseGraphTest, TheDecidingQuestionStopsItAndTheAnswerMovesTheVerdict) {
  order_.asks = true;
  for (const bool yes : {true, false}) {
    MemoryCheckpointer kept;
    const auto app = graph(&kept);
    RecordingSink sink;
    const auto asked = app.run(case_input(order_), thread("i"), sink);
    ASSERT_TRUE(asked) << asked.error().text();
    ASSERT_EQ(asked->report.outcome, Outcome::kInterrupted);
    ASSERT_THAT(asked->report.questions, SizeIs(1));
    EXPECT_EQ(asked->report.questions[0].node, "conclude");
    const json before = report(asked->state);
    EXPECT_EQ(before["outcome"], "inconclusive");
    const json question = parse_json(asked->report.questions[0].question);
    EXPECT_EQ(question["question"], before["deciding_question"]["question"]);
    const std::string suspect = before["hypotheses"][0]["statement"];
    EXPECT_EQ(question["if_yes"], suspect);

    const auto done = app.resume(yes ? "yes" : "no", thread("i"), sink);
    ASSERT_TRUE(done) << done.error().text();
    const json after = report(done->state);
    ASSERT_EQ(after["answers"].size(), 1U);
    const std::string receipt = after["answers"][0]["receipt"];
    EXPECT_THAT(after["receipts"].dump(), HasSubstr("\"id\":\"" + receipt + "\""));
    if (yes) {
      EXPECT_EQ(done->report.outcome, Outcome::kComplete);
      EXPECT_EQ(after["outcome"], "cause");
      EXPECT_EQ(after["hypotheses"][0]["statement"], suspect);
      EXPECT_GE(after["confidence"].get<double>(), kConvincing);
    } else {
      for (const json& each : after["hypotheses"])
        if (each["statement"] == suspect) {
          EXPECT_EQ(each["status"], "refuted");
        }
    }
    // Beforehand it is the same, and nobody is asked.
    CaseOrder told = order_;
    told.asks = false, told.told = {yes ? "yes" : "no"};
    NullSink nobody;
    EXPECT_EQ(report(graph().run(case_input(told), {}, nobody).value().state)["hypotheses"],
              after["hypotheses"]);
  }
}

TEST_F(CaseGraphTest, WhatIsNoAnswerIsAskedAgainAndQuestionsEnd) {
  order_.asks = true;
  MemoryCheckpointer kept;
  const auto app = graph(&kept);
  NullSink nobody;
  ASSERT_TRUE(app.run(case_input(order_), thread("i"), nobody));
  auto done = app.resume("perhaps", thread("i"), nobody);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->report.outcome, Outcome::kInterrupted);
  EXPECT_THAT(done->state.answers, IsEmpty());
  size_t answers = 0;
  for (; done && done->report.outcome == Outcome::kInterrupted; ++answers) {
    ASSERT_LT(answers, kMaxAnswers);
    done = app.resume("no", thread("i"), nobody);
  }
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_THAT(done->state.answers, SizeIs(answers));
  EXPECT_EQ(done->state.verdict.outcome, VerdictKind::kInconclusive);
}

TEST_F(CaseGraphTest, NoSecretIsKept) {
  const std::string secret = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
  write("logs.ndjson", json{{"timestamp", at(70)},
                            {"service", "label"},
                            {"level", "error"},
                            {"msg", "refused with token " + secret}}
                               .dump() +
                           "\n");
  write("context/commits.json",
        json::array({commit('a', "services/label/zone.go",
                            "@@ func zone()\n-\tkey := \"none\"\n+\tkey := \"" + secret + "\"\n")})
            .dump());
  const fs::path file = store_.path() / "phases.db";
  NullSink nobody;
  {
    const auto kept = open_sqlite_checkpointer(file);
    ASSERT_TRUE(graph(kept->get()).run(case_input(order_), thread("i"), nobody));
  }
  std::stringstream bytes;
  bytes << std::ifstream(file, std::ios::binary).rdbuf();
  EXPECT_THAT(bytes.str(), HasSubstr("services/label/zone.go"));
  EXPECT_EQ(bytes.str().find(secret), std::string::npos);
}

TEST_F(CaseGraphTest, AnotherFormatIsRefusedAndNotGuessed) {
  const auto bytes = encode_value(std::make_shared<const CaseFile>());
  EXPECT_TRUE(decode_value<SharedCase>(bytes));
  std::string other = bytes;
  other[0] = 99;
  EXPECT_EQ(decode_value<SharedCase>(other).error().code, ErrorCode::kCorrupt);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decode_value<SharedCase>(bytes.substr(0, size))) << size;
}

}  // namespace
}  // namespace precedent
