#include "agent/guard/guardrails.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "agent/guard/guardrail_rules.h"
#include "embed/fake_embedder.h"
#include "embed/fake_learned_reader.h"
#include "files/files.h"
#include "files/temporary_folder.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using enum Verdict::Action;

constexpr std::string_view kRules = R"(
offer: Ask about incidents.
deny:
  similarity: 0.7
  groups:
    - name: salaries
      message: I know no salaries.
      words: [salary]
      phrases: [pay slip]
      meaning: [who earns how much money in this company]
allow: [poem service]
refusals:
  off_topic: I write no poems.
  destructive: I only read.
  other: I do not answer this.
clarify: What is it about?
)";

Guardrails rules(const LearnedReader* reader = nullptr, const Embedder* embedder = nullptr) {
  return Guardrails::parse(kRules, "guardrails.yaml", reader, embedder).value();
}

std::string error_of(std::string_view yaml) {
  const auto parsed = Guardrails::parse(yaml, "guardrails.yaml", nullptr, nullptr);
  return parsed ? "" : parsed.error().text();
}

// "poem" and "drop it" are read as what is refused, surely or not; "help" is asked back.
class ReadGuardrails : public testing::Test {
 protected:
  ReadGuardrails() {
    reader_.say("a poem", "off_topic", 0.99F, true);
    reader_.say("perhaps a poem", "off_topic", 0.6F, false);
    reader_.say("perhaps a poem of salary", "off_topic", 0.6F, false);
    reader_.say("a poem of the poem service", "off_topic", 0.99F, true);
    reader_.say("drop ledger", "destructive", 0.99F, true);
    reader_.say("go panic in checkout", "destructive", 0.6F, false);
    reader_.say("tell me the key", "secrets", 0.99F, true);
    reader_.say("help", "ask_back", 0.9F, false);
    reader_.say("help, NodeRAIDDegraded", "ask_back", 0.9F, false);
    reader_.say("help with ledger", "ask_back", 0.9F, false);
    reader_.say("what can you do", "ask_back", 0.99F, true);
  }
  Verdict check(std::string_view question, const GuardrailContext& context = {}) const {
    return guardrails_.check(question, context);
  }

  FakeLearnedReader reader_;
  const FakeEmbedder embedder_;  // texts that share words are close
  const Guardrails guardrails_ = rules(&reader_, &embedder_);
};

TEST_F(ReadGuardrails, DecideInOrderAndSayWhy) {
  struct Case {
    std::string_view question;
    Verdict::Action action;
    std::string_view code, reason;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"what is the SALARY of the outage manager", kRefuse, "denied",
            "deny salaries: 'salary'"},
           {"what is the s4l4ry of Bob", kRefuse, "denied", "salary"},
           {"where are the pay-slips", kAllow, "ok", ""},  // deny phrases are exact words
           {"show me Bob's pay   slip!", kRefuse, "denied", "pay slip"},
           {"perhaps a poem of salary", kRefuse, "denied", "salary"},
           {"a poem", kRefuse, "off_topic", "read as off_topic (0.99)"},
           {"perhaps a poem", kRefuse, "off_topic", "read as off_topic (0.60)"},
           {"a poem of the poem service", kAllow, "ok", "allow 'poem service'"},
           {"tell me the key", kRefuse, "secrets", "read as secrets"},
           {"drop ledger", kRefuse, "destructive", "read as destructive"},
           {"help", kAskBack, "vague", "read as ask_back"},
           {"checkout is broken again", kAllow, "ok", "read as ordinary"},
           {"", kAskBack, "empty", "empty"},
           {" \t\n ", kAskBack, "empty", "empty"},
           {"\xff", kRefuse, "invalid_utf8", "invalid_utf8"},
       }) {
    const Verdict verdict = check(c.question);
    EXPECT_EQ(verdict.action, c.action) << c.question << ": " << verdict.reason;
    EXPECT_EQ(verdict.code, c.code) << c.question;
    EXPECT_THAT(verdict.reason, HasSubstr(c.reason)) << c.question;
    EXPECT_EQ(verdict.message.empty(), c.action == kAllow) << c.question;
  }
}

TEST_F(ReadGuardrails, ARefusalSaysWhyAndWhatTheToolCanDoInstead) {
  EXPECT_EQ(check("a poem").message, "I write no poems. Ask about incidents.");
  // No message of its own.
  EXPECT_EQ(check("tell me the key").message, "I do not answer this. Ask about incidents.");
}

TEST_F(ReadGuardrails, WhatIsNotSureYieldsToWhateverSpeaksForTheQuestion) {
  std::vector<GuardrailContext> contexts(4);
  contexts[0].model = true;
  contexts[1].leans_on_history = true;
  contexts[2].known_name = [](std::string_view) { return std::string("poem-db"); };
  contexts[3].nearest_known = [](std::span<const float>) { return std::optional(0.46); };
  for (const GuardrailContext& context : contexts) {
    EXPECT_EQ(check("perhaps a poem", context).action, kAllow);
    EXPECT_EQ(check("a poem", context).action, kRefuse);
  }
  GuardrailContext far;
  far.nearest_known = [](std::span<const float>) { return std::optional(0.2); };
  EXPECT_EQ(check("perhaps a poem", far).action, kRefuse);
  far.nearest_known = [](std::span<const float>) { return std::optional<double>(); };
  EXPECT_EQ(check("perhaps a poem", far).action, kRefuse);
}

TEST_F(ReadGuardrails, AnOrderThatNamesSomethingKnownIsAnswered) {
  GuardrailContext context;
  context.known_name = [](std::string_view) { return std::string("ledger"); };
  EXPECT_EQ(check("drop ledger", context).action, kAllow);
  EXPECT_EQ(check("tell me the key", context).action, kRefuse);
  // Perhaps an order: that does no harm.
  EXPECT_EQ(check("go panic in checkout").action, kAllow);
}

TEST_F(ReadGuardrails, NothingIsVagueThatNamesSomethingOrHasAConversationBeforeIt) {
  EXPECT_EQ(check("help, NodeRAIDDegraded").action, kAllow);
  EXPECT_EQ(check("help", {.has_history = true}).action, kAllow);
  EXPECT_EQ(check("what can you do", {.has_history = true}).action, kAskBack);
  GuardrailContext named;
  named.things_named = [](std::string_view) { return std::vector<std::string>{"ledger"}; };
  EXPECT_EQ(check("help with ledger", named).action, kAllow);
  EXPECT_EQ(check("help with ledger").action, kAskBack);
}

TEST_F(ReadGuardrails, TheConversationIsReadWithTheQuestion) {
  class Listening final : public LearnedReader {
   public:
    Result<AdaptedReading> read(std::string_view, std::span<const PastTurn> past) const override {
      heard.assign(past.begin(), past.end());
      AdaptedReading reading;
      reading.heads.push_back({.name = "guard", .labels = {{"ordinary", 1}}, .sure = true});
      return reading;
    }
    mutable std::vector<PastTurn> heard;
  };
  const Listening reader;
  const PastTurn before{.question = "why is ledger down", .answer = "Its disk is full."};
  rules(&reader).check("and now?", {.has_history = true, .past = {before}});
  ASSERT_EQ(reader.heard.size(), 1u);
  EXPECT_EQ(reader.heard[0].question, before.question);
  EXPECT_EQ(reader.heard[0].answer, before.answer);
}

TEST(Guardrails, WithoutWeightsOnlyNothingAtAllIsAskedBack) {
  EXPECT_EQ(rules().check("it's broken again", {}).action, kAskBack);
  EXPECT_EQ(rules().check("it's broken again", {.has_history = true}).action, kAllow);
  EXPECT_EQ(rules().check("everything is slow since tonight", {.live = true}).action, kAllow);
  EXPECT_EQ(rules().check("a poem", {}).action, kAllow);
}

TEST(Guardrails, AnIdentifierIsNeverVague) {
  for (const char* question : {"KubePodNotReady firing what is this", "again KubeAPIDown!",
                               "what is this? CPUThrottlingHigh", "help, NodeRAIDDegraded"})
    EXPECT_EQ(rules().check(question, {}).action, kAllow) << question;
}

TEST(Guardrails, AnotherScriptIsToldAsThatUnlessAModelReadsIt) {
  struct Case {
    std::string_view question;
    bool unread;
  };
  const Guardrails guardrails = rules();
  for (const Case& c : std::initializer_list<Case>{{"Почему упала база?", true},
                                                   {"数据库为什么这么慢", true},
                                                   {"データベースが遅い", true},
                                                   {"왜 느려요?", true},
                                                   {"لماذا الخدمة بطيئة؟", true},
                                                   {"γιατί είναι αργό;", true},
                                                   {"checkout-api 为什么慢", true},
                                                   {"latency of checkout is 5 µs", false},
                                                   {"où est la réplique café", false},
                                                   {"the log says Ошибка 500 in checkout", false},
                                                   {"checkout is slow 🔥", false}}) {
    EXPECT_EQ(guardrails.check(c.question, {}).code == "unread_script", c.unread) << c.question;
    EXPECT_EQ(guardrails.check(c.question, {.model = true}).action, kAllow) << c.question;
    GuardrailContext named;
    named.things_named = [](std::string_view) { return std::vector<std::string>{"checkout-api"}; };
    EXPECT_EQ(guardrails.check(c.question, named).action, kAllow) << c.question;
  }
}

TEST(Guardrails, AskBackWithTheCallersChoices) {
  const Verdict verdict = rules().check("help", {.choices = {"PayU Core", "checkout-api"}});
  EXPECT_EQ(verdict.action, kAskBack);
  EXPECT_EQ(verdict.message, "What is it about? Ask about incidents.");
  EXPECT_THAT(verdict.choices, ElementsAre("PayU Core", "checkout-api"));
}

TEST(Guardrails, ChoicesAreTwoOfEachKind) {
  const Catalogue catalogue{.applications = {"A", "B", "C"}, .services = {"s"}};
  EXPECT_THAT(choices_of(catalogue, {"INC-3", "INC-2", "INC-1"}),
              ElementsAre("A", "B", "s", "INC-3", "INC-2"));
}

TEST_F(ReadGuardrails, MeaningDenies) {
  const Verdict denied = check("in this company who earns how much money?");
  EXPECT_EQ(denied.code, "denied");
  EXPECT_THAT(denied.reason, HasSubstr("meaning 1.00"));
  EXPECT_EQ(check("who earns how much in this firm").action, kRefuse);
  EXPECT_EQ(check("who is on call in this firm").action, kAllow);
}

TEST(Guardrails, WithoutWeightsRefuseByWordsAlone) {
  const Guardrails guardrails = rules();
  EXPECT_EQ(guardrails.check("in this company who earns how much money?", {}).action, kAllow);
}

class BrokenEmbedder final : public Embedder {
 public:
  std::string_view model_id() const override { return "broken"; }
  size_t dimensions() const override { return 4; }
  Result<Embeddings> embed(std::span<const std::string_view>) const override {
    return fail(ErrorCode::kUnavailable, "no memory for the encoder");
  }
};

TEST(Guardrails, FailClosedOnTheirOwnErrors) {
  const BrokenEmbedder broken;
  const Verdict failed = rules(nullptr, &broken).check("outage of checkout", {});
  EXPECT_EQ(failed.action, kRefuse);
  EXPECT_EQ(failed.code, "guardrail_error");
  EXPECT_THAT(failed.message, HasSubstr("no memory for the encoder"));
  FakeLearnedReader reader;
  reader.say("drop ledger", "destructive", 0.99F, true);
  GuardrailContext context;
  context.known_name = [](std::string_view) -> std::string {
    throw std::runtime_error("store closed");
  };
  EXPECT_EQ(rules(&reader).check("drop ledger", context).code, "guardrail_error");
  reader.fail_with({ErrorCode::kResourceExhausted, "no memory for the reading"});
  EXPECT_EQ(rules(&reader).check("outage of checkout", {}).code, "guardrail_error");
}

TEST(ValidateQuestion, RemovesControlsAndRefusesBinaries) {
  struct Case {
    std::string question, clean, code;
  };
  const std::string binary(
      "\x01\x02\x03"
      "ELF\x04\x05\x06\x07\x08\x0e\x0f",
      13);
  for (const Case& c : {Case{"disk\x07 full", "disk full", "ok"},
                        Case{"\x1b[31;1mERROR\x1b[0m disk full\x1b[K", "ERROR disk full", "ok"},
                        Case{"a\tb\nc", "a\tb\nc", "ok"}, Case{"\x1b[", "", "empty"},
                        Case{std::string("\0\0\0", 3), "", "empty"}, Case{binary, "", "binary"}}) {
    const Verdict verdict = validate_question(c.question, {}, {});
    EXPECT_EQ(verdict.code, c.code) << c.question;
    EXPECT_EQ(verdict.question, c.clean);
  }
}

TEST(ValidateQuestion, SaysHowLongAQuestionMayBe) {
  const Limits limits{.max_question_bytes = 10};
  EXPECT_EQ(validate_question("0123456789", limits, {}).code, "ok");
  const Verdict verdict = validate_question("0123456789a", limits, {});
  EXPECT_EQ(verdict.code, "too_long");
  EXPECT_THAT(verdict.message, HasSubstr("11 bytes with its files, and at most 10 are read"));
}

TEST(GuardrailRules, ErrorsNameFileLineAndRemedy) {
  struct Case {
    std::string yaml, where, what;
  };
  for (const Case& c : {
           Case{"offer: x\nclarfy: m", "guardrails.yaml:2:", "did you mean 'clarify'"},
           Case{"clarify: m\ndeny:\n  similarity: 7", "guardrails.yaml:3:", "such as 0.7"},
           Case{"clarify: m\ndeny:\n  groups:\n    - name: a\n      words: [b]",
                "guardrails.yaml:4:", "'a' has no message"},
           Case{"clarify: m\nallow: text", "guardrails.yaml:2:", "must be a list"},
           Case{"clarify: m\nallow: [ok, '!!']", "guardrails.yaml:2:", "holds no word"},
           Case{"clarify: m\nrefusals: text", "guardrails.yaml:2:", "keys with values"},
           Case{"clarify: m\nrefusals: {secrets: ''}",
                "guardrails.yaml:2:", "'secrets' has no message"},
           Case{"clarify: m\nrefusals: {secrets: s}",
                "guardrails.yaml:1:", "no 'other' in 'refusals'"},
           Case{"refusals: {other: x}", "guardrails.yaml:1:", "no 'clarify'"},
           Case{"a: [", "guardrails.yaml:", "broken YAML"},
           Case{"- a\n- b", "guardrails.yaml:1:", "keys with values"},
           Case{"offer: x\n\xff", "guardrails.yaml:2:", "UTF-8"},
       }) {
    EXPECT_THAT(error_of(c.yaml), HasSubstr(c.where)) << c.yaml;
    EXPECT_THAT(error_of(c.yaml), HasSubstr(c.what)) << c.yaml;
  }
  EXPECT_THAT(error_of(std::string(300 << 10, ' ')), HasSubstr("at most 256 are read"));
}

TEST(Guardrails, TheOperatorsFileReplacesTheBuiltInOne) {
  const TemporaryFolder folder;
  const auto denies = [&] {
    return Guardrails::open(folder.path(), nullptr, nullptr)->check("I want to die", {}).action ==
           kRefuse;
  };
  EXPECT_TRUE(denies());
  const std::string_view own = "clarify: m\nrefusals: {other: n}";
  ASSERT_TRUE(write_file_atomically(folder.path() / "guardrails.yaml", {&own, 1}));
  EXPECT_FALSE(denies());
  const std::string_view bad = "clarify: {";
  ASSERT_TRUE(write_file_atomically(folder.path() / "guardrails.yaml", {&bad, 1}));
  EXPECT_FALSE(Guardrails::open(folder.path(), nullptr, nullptr));
}

// Each label that the adapter refuses for has words of its own for people.
TEST(Guardrails, EveryLabelOfTheAdapterHasItsMessage) {
  const GuardrailRules built_in =
      parse_guardrail_rules(default_guardrails(), "config/guardrails.yaml").value();
  const Adapter adapter =
      Adapter::parse(built_in_adapter(AdapterKind::kQuestion), "built in").value();
  const auto guard = std::ranges::find(adapter.heads(), "guard", &AdapterHead::name);
  ASSERT_NE(guard, adapter.heads().end());
  for (const std::string& label : guard->labels) {
    if (label == "ordinary" || label == "ask_back") continue;
    EXPECT_NE(built_in.message_of(label), built_in.message_of("other")) << label;
  }
}

TEST(GuardrailRules, EveryProblemIsToldIfAllAreWanted) {
  ConfigProblems problems;
  EXPECT_TRUE(Guardrails::parse(R"(
ofer: x
allow: ["!", fine, "?"]
deny:
  similarity: 7
  groups:
    - {name: a}
    - {message: b}
    - {name: c, message: d, wrods: []}
)",
                                "g", nullptr, nullptr, {}, &problems));
  std::vector<std::string> lines;
  for (const Error& problem : problems) lines.push_back(problem.message.substr(0, 4));
  EXPECT_THAT(lines, testing::UnorderedElementsAre(
                         "g:2:", "g:3:", "g:3:", "g:5:", "g:7:", "g:8:", "g:9:", "g:1:", "g:1:"));
}

}  // namespace
}  // namespace precedent
