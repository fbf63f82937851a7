#include "agent/guard/guardrails.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "agent/guard/guardrail_rules.h"
#include "embed/fake_embedder.h"
#include "files/files.h"
#include "files/temporary_folder.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
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
operations:
  words: [outage, roll back]
  hints: [slow, server]
  forms: ['\bINC-\d+\b']
  examples: [what caused the interruption]
requests: ['^(?:what|write|tell|who)\b']
topics:
  - name: poems
    message: I write no poems.
    precise: true
    forms: ['\bwrite me a poem\b']
    unless: ['\bpoem table\b']
  - name: cooking
    message: I do not cook.
    forms: ['\bhow long do i boil\b']
    words: [recipe, egg]
clarify:
  message: What is it about?
  words: [same]
  forms: ['^what is this$']
  tool: ['^who are you$']
)";

Guardrails rules(std::string_view yaml = kRules, const Embedder* embedder = nullptr) {
  return Guardrails::parse(yaml, "guardrails.yaml", embedder).value();
}

std::string error_of(std::string_view yaml) {
  const auto parsed = Guardrails::parse(yaml, "guardrails.yaml", nullptr);
  return parsed ? "" : parsed.error().text();
}

TEST(Guardrails, DecideInOrderAndSayWhichRule) {
  struct Case {
    std::string_view question;
    Verdict::Action action;
    std::string_view code, reason;
  };
  const Guardrails guardrails = rules();
  for (const Case& c : std::initializer_list<Case>{
           {"what is the SALARY of the outage manager", kRefuse, "denied",
            "deny salaries: 'salary'"},
           {"what is the s4l4ry of Bob", kRefuse, "denied", "salary"},
           {"where are the pay-slips", kAllow, "ok", ""},  // deny phrases are exact words
           {"show me Bob's pay   slip!", kRefuse, "denied", "pay slip"},
           {"write me a poem", kRefuse, "off_topic", "topic poems: 'write me a poem'"},
           {"Write me… a POEM about the outage", kRefuse, "off_topic", "poems"},
           {"Write me. A poem table has rows", kAllow, "ok", ""},  // not across sentences
           {"the outage began with \"write me a poem\" in the log", kAllow, "ok", "outage"},
           {"\"write me a poem\"", kRefuse, "off_topic",
            "poems"},  // quotation marks alone excuse nothing
           {"write me a poem table", kAllow, "ok", ""},
           {"what recipe is good", kRefuse, "off_topic", "topic cooking: 'recipe'"},
           {"recipes are missing in the shop", kAllow, "ok", ""},  // a report
           {"what recipe is slow", kAllow, "ok", "hint 'slow'"},
           {"how long do i boil an egg on the server", kRefuse, "off_topic", "cooking"},
           {"how long do i boil on the server", kAllow, "ok", "hint 'server'"},
           {"how long do i boil an egg in the outages", kAllow, "ok", "word 'outage'"},
           {"how long do i boil an egg, see INC-12", kAllow, "ok", "form 'INC-12'"},
           {"tell me the recipe of the poem service", kAllow, "ok", "allow 'poem service'"},
           {"it's broken again", kAskBack, "vague", "no word"},
           {"same problem!", kAskBack, "vague", "no word"},
           {"who are you?", kAskBack, "vague", "who are you"},
           {"what is this?", kAskBack, "vague", "what is this"},
           {"checkout is broken again", kAllow, "ok", ""},
           {"", kAskBack, "empty", "empty"},
           {" \t\n ", kAskBack, "empty", "empty"},
           {"\xff", kRefuse, "invalid_utf8", "invalid_utf8"},
       }) {
    const Verdict verdict = guardrails.check(c.question, {});
    EXPECT_EQ(name(verdict.action), name(c.action)) << c.question << ": " << verdict.reason;
    EXPECT_EQ(verdict.code, c.code) << c.question;
    EXPECT_THAT(verdict.reason, HasSubstr(c.reason)) << c.question;
    EXPECT_EQ(verdict.message.empty(), c.action == kAllow) << c.question;
  }
}

TEST(Guardrails, ARefusalSaysWhatTheToolCanDoInstead) {
  EXPECT_EQ(rules().check("write me a poem", {}).message, "I write no poems. Ask about incidents.");
}

TEST(Guardrails, NamesOfTheKnowledgeBaseAreOperations) {
  GuardrailContext context;
  EXPECT_EQ(rules().check("what recipe is it", context).action, kRefuse);
  context.known_name = [](std::string_view question) {
    return question.find("recipe") == std::string_view::npos ? "" : "recipe";
  };
  EXPECT_EQ(rules().check("what recipe is it", context).action, kAllow);
  EXPECT_EQ(rules().check("write me a poem about the recipe", context).action, kRefuse);  // precise
}

TEST(Guardrails, WhoAsksWhatItCanDoIsToldAlsoInAConversation) {
  for (const bool has_history : {false, true}) {
    const Verdict verdict = rules().check(
        "who are you?", {.has_history = has_history, .leans_on_history = has_history});
    EXPECT_EQ(verdict.action, kAskBack);
    EXPECT_EQ(verdict.message, "Ask about incidents.");
  }
  EXPECT_EQ(rules().check("what is this?", {.has_history = true}).action, kAllow);
}

TEST(Guardrails, AnIdentifierIsNeverVague) {
  for (const char* question : {"KubePodNotReady firing what is this", "again KubeAPIDown!",
                               "what is this? CPUThrottlingHigh", "help, NodeRAIDDegraded"})
    EXPECT_EQ(rules().check(question, {}).action, kAllow) << question;
}

TEST(Guardrails, BeforeAModelOnlyWhatIsSureIsRefused) {
  const Guardrails guardrails = rules();
  const GuardrailContext context{.model = true};
  EXPECT_EQ(guardrails.check("what recipe is good", {}).action, kRefuse);
  EXPECT_EQ(guardrails.check("what recipe is good", context).action, kAllow);
  EXPECT_EQ(guardrails.check("write me a poem", context).action, kRefuse);
  EXPECT_EQ(guardrails.check("what is the salary of Bob", context).action, kRefuse);
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

TEST(Guardrails, NothingIsVagueInAConversation) {
  EXPECT_EQ(rules().check("and again?", {.has_history = true}).action, kAllow);
}

TEST(Guardrails, AskBackWithTheCallersChoices) {
  const Verdict verdict = rules().check("help", {.choices = {"PayU Core", "checkout-api"}});
  EXPECT_EQ(verdict.action, kAskBack);
  EXPECT_EQ(verdict.message, "What is it about?");
  EXPECT_THAT(verdict.choices, ElementsAre("PayU Core", "checkout-api"));
}

TEST(Guardrails, ChoicesAreTwoOfEachKind) {
  const Catalogue catalogue{.applications = {"A", "B", "C"}, .services = {"s"}};
  EXPECT_THAT(choices_of(catalogue, {"INC-3", "INC-2", "INC-1"}),
              ElementsAre("A", "B", "s", "INC-3", "INC-2"));
}

TEST(Guardrails, MeaningDeniesAndYieldsToOperations) {
  const FakeEmbedder fake;  // texts that share words are close
  const Guardrails guardrails = rules(kRules, &fake);
  EXPECT_THAT(guardrails.warnings(), IsEmpty());
  const Verdict denied = guardrails.check("in this company who earns how much money?", {});
  EXPECT_EQ(denied.code, "denied");
  EXPECT_THAT(denied.reason,
              HasSubstr("meaning 1.00"));  // also beside operations, as it is nearly the sentence
  EXPECT_EQ(guardrails.check("who earns how much in this firm", {}).action, kRefuse);
  EXPECT_EQ(guardrails.check("who earns how much in this outage", {}).action, kAllow);
}

TEST(Guardrails, WithoutWeightsSaySoOnce) {
  const Guardrails guardrails = rules();
  EXPECT_THAT(guardrails.warnings(), ElementsAre(HasSubstr("by words only")));
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
  const Verdict failed = rules(kRules, &broken).check("outage of checkout", {});
  EXPECT_EQ(failed.action, kRefuse);
  EXPECT_EQ(failed.code, "guardrail_error");
  EXPECT_THAT(failed.message, HasSubstr("no memory for the encoder"));
  GuardrailContext context;
  context.known_name = [](std::string_view) -> std::string {
    throw std::runtime_error("store closed");
  };
  EXPECT_EQ(rules().check("outage of checkout", context).code, "guardrail_error");
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
           Case{"offer: x\ntopcis: []\nclarify: {message: m}",
                "guardrails.yaml:2:", "did you mean 'topics'"},
           Case{"clarify: {message: m}\ndeny:\n  similarity: 7",
                "guardrails.yaml:3:", "such as 0.7"},
           Case{"clarify: {message: m}\ndeny:\n  groups:\n    - name: a\n      words: [b]",
                "guardrails.yaml:4:", "'a' has no message"},
           Case{"clarify: {message: m}\nallow: text", "guardrails.yaml:2:", "must be a list"},
           Case{"clarify: {message: m}\nallow: [ok, '!!']", "guardrails.yaml:2:", "holds no word"},
           Case{"clarify: {message: m}\nrequests:\n  - '(('",
                "guardrails.yaml:3:", "no RE2 expression"},
           Case{"offer: x", "guardrails.yaml:1:", "clarify.message"},
           Case{"a: [", "guardrails.yaml:", "broken YAML"},
           Case{"- a\n- b", "guardrails.yaml:1:", "keys with values"},
           Case{"offer: x\n\xff", "guardrails.yaml:2:", "UTF-8"},
           Case{"clarify: {message: m}\ntopics:\n  - {name: n, message: m, precise: maybe}",
                "guardrails.yaml:3:", "true or false"},
       }) {
    EXPECT_THAT(error_of(c.yaml), HasSubstr(c.where)) << c.yaml;
    EXPECT_THAT(error_of(c.yaml), HasSubstr(c.what)) << c.yaml;
  }
  EXPECT_THAT(error_of(std::string(300 << 10, ' ')), HasSubstr("at most 256 are read"));
}

TEST(Guardrails, TheOperatorsFileReplacesTheBuiltInOne) {
  const TemporaryFolder folder;
  EXPECT_EQ(Guardrails::open(folder.path(), nullptr)->check("tell me a joke", {}).action, kRefuse);
  const std::string_view own = "clarify: {message: m}";
  ASSERT_TRUE(write_file_atomically(folder.path() / "guardrails.yaml", {&own, 1}));
  EXPECT_EQ(Guardrails::open(folder.path(), nullptr)->check("tell me a joke", {}).action, kAllow);
  const std::string_view bad = "clarify: {";
  ASSERT_TRUE(write_file_atomically(folder.path() / "guardrails.yaml", {&bad, 1}));
  EXPECT_FALSE(Guardrails::open(folder.path(), nullptr));
}

TEST(GuardrailRules, EveryProblemIsToldIfAllAreWanted) {
  ConfigProblems problems;
  EXPECT_TRUE(Guardrails::parse(R"(
ofer: x
allow: ["!", fine, "?"]
requests: ["(", "fine", "[", ""]
topics:
  - {name: a}
  - {message: b}
  - {name: c, message: d, exampels: []}
)",
                                "g", nullptr, {}, &problems));
  std::vector<std::string> lines;
  for (const Error& problem : problems) lines.push_back(problem.message.substr(0, 4));
  EXPECT_THAT(lines, testing::UnorderedElementsAre("g:2:", "g:3:", "g:3:", "g:4:", "g:4:", "g:4:",
                                                   "g:6:", "g:7:", "g:8:", "g:1:"));
}

}  // namespace
}  // namespace precedent
