// Which verified answers belong to a question, and which of them may be its answer.
#include "agent/evidence/golden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "agent/evidence/golden_answer.h"
#include "agent/frozen/time_word.h"
#include "agent/turn/copilot_lab.h"
#include "agent/understand/freeze.h"
#include "base/clock.h"
#include "search/search_lab.h"
#include "tools/tool.h"

namespace precedent {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const TimePoint kNow = *parse_time("2026-11-20T12:00:00Z");
constexpr std::string_view kQuestion = "How do I fix HTTP 403 errors in PayU?";

GoldenExample example(std::string id = "G-1", std::string question = std::string(kQuestion)) {
  GoldenExample e;
  e.id = std::move(id);
  e.question = std::move(question);
  e.answer = "Rotate the **API key**.";
  e.review = Review{"Ana Ruiz", kNow - std::chrono::days(2)};
  e.sources = {"INC-1", "INC-404"};
  return e;
}

class GoldenTest : public ::testing::Test {
 protected:
  explicit GoldenTest(bool dense = true) : lab(dense) {
    Document incident = lab_incident("INC-1", "HTTP 403 from PayU", "Expired key.", "PayU Core");
    incident.services = {"payment-service"};
    put(incident);
    put(lab_incident("INC-2", "Stripe down", "Stripe was down.", "Stripe Gateway"));
  }

  void put(const Document& document) {
    lab.add(document);
    store.apply({.put = {{.document = document, .hash = content_hash(document)}}}).value();
  }
  // In store and index.
  void serve(const GoldenExample& e) {
    store.put_golden({&e, 1}).value();
    lab.add(to_document(e));
  }
  // In the store alone: the index was not told.
  void store_only(const GoldenExample& e) { store.put_golden({&e, 1}).value(); }

  std::vector<GoldenItem> find(std::string_view question) {
    auto found = find_golden(FrozenText(std::string(question)), lab.search(), store);
    EXPECT_TRUE(found) << found.error().text();
    return found.value_or(std::vector<GoldenItem>{});
  }
  Reply ask(std::string question) {
    return CopilotLab(lab.search(), store, kNow).ask(std::move(question));
  }
  static bool is_direct(const Reply& answer) {
    return !answer.receipts.empty() && answer.receipts[0].tool == "golden_examples";
  }

  SearchLab lab;
  KnowledgeStore store =
      KnowledgeStore::open(":memory:", KnowledgeStore::Access::kReadWrite).value();
};

class LexicalGoldenTest : public GoldenTest {
 protected:
  LexicalGoldenTest() : GoldenTest(false) {}
};

TEST_F(GoldenTest, TheSameQuestionIsFoundWithSimilarityOne) {
  serve(example());
  const auto found = find(kQuestion);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].similarity, 1, 1e-3);
  EXPECT_FALSE(found[0].lexical);
  EXPECT_EQ(found[0].example, example());
  ASSERT_EQ(found[0].cited.size(), 1u);
  EXPECT_EQ(found[0].cited[0].id, "INC-1");
}

TEST_F(GoldenTest, AtMostTwoNearestFirstAndNoneThatIsFar) {
  serve(example("G-1", "How do I fix HTTP 403 errors in PayU today my friend?"));
  serve(example("G-2"));
  serve(example("G-3", "How do I fix HTTP 403 errors in PayU then?"));
  serve(example("G-4", "Where is the canteen menu of the Lisbon office published?"));
  const auto found = find(kQuestion);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].example.id, "G-2");
  EXPECT_EQ(found[1].example.id, "G-3");
  EXPECT_THAT(find("canteen?"), Not(testing::Contains(testing::Field(
                                    &GoldenItem::similarity, testing::Lt(kGuidingSimilarity)))));
  EXPECT_THAT(find("purple elephants dance"), IsEmpty());
  EXPECT_THAT(find("  "), IsEmpty());
}

TEST_F(GoldenTest, TheStoreDecidesWhatAnIndexThatLagsBehindMayShow) {
  GoldenExample off = example(), unreviewed = example(), renamed = example();
  off.active = false;
  unreviewed.review.reset();
  renamed.question = "Who owns PayU?";
  serve(example("G-9", "something else to be served"));
  serve(example());
  ASSERT_EQ(find(kQuestion).size(), 1u);
  for (const GoldenExample& now_stored : {off, unreviewed, renamed}) {
    store_only(now_stored);
    EXPECT_THAT(find(kQuestion), IsEmpty());
  }
  GoldenExample better = example();
  better.answer = "Call PayU.";
  store_only(better);
  EXPECT_EQ(find(kQuestion).at(0).example.answer, "Call PayU.");
}

TEST_F(LexicalGoldenTest, WithoutVectorsTheWordsInCommonCountAndThatIsSaid) {
  serve(example());
  const auto found = find("how do I fix HTTP 403 errors in PayU");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].lexical);
  EXPECT_FLOAT_EQ(found[0].similarity, 1);
  EXPECT_THAT(find("how do I fix the lift"), IsEmpty());
  const Reply answer = ask(std::string(kQuestion));
  EXPECT_TRUE(is_direct(answer));
  EXPECT_THAT(answer.text, HasSubstr("by words only"));
}

TEST(LexicalSimilarity, IsTheShareOfWordsInCommon) {
  const Analyzer analyzer;
  EXPECT_FLOAT_EQ(lexical_similarity(analyzer.terms("payu errors"), analyzer.terms("PayU error")),
                  1);
  EXPECT_FLOAT_EQ(
      lexical_similarity(analyzer.terms("payu gateway"), analyzer.terms("payu canteen")), 0.5f);
  EXPECT_FLOAT_EQ(lexical_similarity(analyzer.terms("payu"), analyzer.terms("canteen")), 0);
  EXPECT_FLOAT_EQ(lexical_similarity(analyzer.terms(""), analyzer.terms("")), 0);
}

TEST_F(GoldenTest, AnExampleAnswersOnlyWhereTheNamesWereLookedUp) {
  serve(example());
  OpenIntent read;
  read.question = kQuestion;
  read.now = kNow;
  Answer answer;
  answer.intent = freeze(std::move(read));
  EXPECT_FALSE(answer_from_golden(answer, lab.search(), store, kNow).value());
  EXPECT_THAT(answer.explain, Contains(HasSubstr("could not be looked up")));
  answer.intent.asked.unknown_names = std::vector<std::string>{"Ostrich"};
  EXPECT_FALSE(answer_from_golden(answer, lab.search(), store, kNow).value());
  EXPECT_THAT(answer.explain, Contains(HasSubstr("knows nothing of 'Ostrich'")));
  answer.intent.asked.unknown_names.emplace();
  EXPECT_TRUE(answer_from_golden(answer, lab.search(), store, kNow).value());
}

TEST(TimeDependence, IsReadOffTheWords) {
  const char* dependent[] = {
      "Is the gateway still down?",          "What are the current known issues of PayU?",
      "What broke in the last 7 days?",      "What happened yesterday?",
      "What did we deploy on 3 March 2026?", "Is PayU slow right now?",
      "What was the latest incident?",       "Who is on call for payments?",
      "Which errors did we see recently?",   "Has it been fixed yet?",
      "How is PayU doing at the moment?"};
  for (const char* question : dependent)
    EXPECT_TRUE(time_dependence(time_word(question, kNow), {})) << question;
  const char* independent[] = {
      "How do I fix HTTP 403 errors in PayU?", "Who owns the settlement worker?",
      "What was the root cause of INC-2025-01-20-005?", "What is the limit of open connections?",
      "Why do workers know nothing of each other?"};
  for (const char* question : independent)
    EXPECT_EQ(time_dependence(time_word(question, kNow), {}), std::nullopt) << question;
  EXPECT_TRUE(time_dependence("", {.count = true}));
  EXPECT_TRUE(time_dependence("", {.status = true}));
}

TEST(WhyNotDirect, ThresholdsStateAndNames) {
  struct Case {
    const char* what;
    float similarity;
    std::string asked;
    std::string known;
    const char* says;  // "": it may answer
    QuestionType type = QuestionType::kHowTo;
    bool follow_up = false;
  };
  const std::string q(kQuestion);
  const Case cases[] = {
      {"at the threshold", 0.85f, q, q, ""},
      {"below it", 0.8499f, q, q, "below 0.85"},
      {"guiding only", 0.60f, q, q, "below 0.85"},
      {"another code", 0.95f, "How do I fix HTTP 500 errors in PayU?", q, "'500' and '403'"},
      {"another name", 0.95f, "How do I fix HTTP 403 errors in Stripe Gateway?", q, "stripe"},
      {"the opposite", 0.97f, "How do I disable PayU 403?", "How do I enable PayU 403?",
       "'disabl' and 'enabl'"},
      {"a denial", 0.97f, "How do I not fix HTTP 403 errors in PayU?", q, "not"},
      {"another incident", 0.97f, "Why INC-2025-01-20-005?", "Why INC-2025-01-20-006?", "inc-"},
      {"time in the question", 0.97f, "How do I fix current 403 errors in PayU?", q, "current"},
      {"time in the example", 0.97f, q, "How do I fix HTTP 403 errors in PayU now?", "now"},
      {"a list of incidents", 1, q, q, "listed as they are now", QuestionType::kRecentIncidents},
      {"a follow-up", 1, q, q, "said before", QuestionType::kHowTo, true},
      {"other words", 0.9f, "How can I repair 403 HTTP failures in PayU?", q, "'repair' and 'fix'"},
      {"another question word", 0.93f, "Who fixes HTTP 403 errors in PayU?", q, "'who' and 'how'"},
      {"other function words", 0.97f, "how can we fix the HTTP 403 errors of PayU", q, ""}};
  const Synonyms synonyms = Synonyms::parse(default_synonyms(), "built in", Analyzer()).value();
  for (const Case& c : cases) {
    GoldenItem item;
    item.example = example("G-1", c.known);
    item.similarity = c.similarity;
    OpenIntent intent;
    intent.question = c.asked;
    intent.now = kNow;
    intent.type = c.type;
    intent.follow_up = c.follow_up;
    const std::string reason = why_not_direct(item, freeze(intent), synonyms, kNow);
    if (*c.says == '\0') {
      EXPECT_EQ(reason, "") << c.what;
    } else {
      EXPECT_THAT(reason, HasSubstr(c.says)) << c.what;
    }
  }
  GoldenItem unreviewed{example(), 1, false, {}};
  unreviewed.example.review.reset();
  EXPECT_THAT(why_not_direct(unreviewed, {}, synonyms, kNow), HasSubstr("not reviewed"));
}

TEST(VerifiedKnowledge, ShowsEachExampleWithItsSimilarityAndReview) {
  EXPECT_EQ(verified_knowledge_section({}), "");
  const GoldenItem items[] = {{example(), 0.93f, false, {}}, {example("G-2"), 0.61f, true, {}}};
  EXPECT_EQ(verified_knowledge_section(items),
            "## Verified knowledge\n\n"
            "Each answers the question that it names, not the one that is asked. Where one is "
            "used, call it \"a verified answer to a similar question\" and quote that "
            "question.\n\n"
            "### Verified example G-1, reviewed by Ana Ruiz on 2026-11-18 (similarity 0.93)\n"
            "**Question**: How do I fix HTTP 403 errors in PayU?\n"
            "**Sources**: INC-1, INC-404\n"
            "**Answer**: Rotate the **API key**.\n"
            "\n"
            "### Verified example G-2, reviewed by Ana Ruiz on 2026-11-18 (similarity 0.61, by "
            "words only)\n"
            "**Question**: How do I fix HTTP 403 errors in PayU?\n"
            "**Sources**: INC-1, INC-404\n"
            "**Answer**: Rotate the **API key**.\n");
}

TEST_F(GoldenTest, AVerifiedExampleAnswersAndIsCitedWithItsReceipt) {
  serve(example());
  const Reply answer = ask(std::string(kQuestion));
  EXPECT_EQ(answer.status, AnswerStatus::kOk);
  EXPECT_THAT(answer.text, testing::StartsWith("Rotate the **API key**."));
  EXPECT_THAT(answer.text, HasSubstr("Verified example G-1, reviewed by Ana Ruiz on 2026-11-18"));
  ASSERT_EQ(answer.receipts.size(), 1u);
  EXPECT_EQ(answer.receipts[0].tool, "golden_examples");
  EXPECT_THAT(answer.receipts[0].text, HasSubstr("Rotate the **API key**."));
  EXPECT_EQ(answer.sources, sources_of(answer.receipts[0]));
  ASSERT_EQ(answer.sources.size(), 2u);
  EXPECT_EQ(answer.sources[0].kind, "golden");
  EXPECT_EQ(answer.sources[1].id, "INC-1");
  const auto json = to_json(answer)["receipts"][0]["result"]["examples"][0];
  EXPECT_EQ(json["reviewed_by"], "Ana Ruiz");
}

TEST_F(GoldenTest, WhatDependsOnTheTimeOrNamesSomethingElseIsNeverAnsweredDirectly) {
  serve(example());
  for (const char* question :
       {"How do I fix current HTTP 403 errors in PayU?",
        "How do I fix HTTP 403 errors in PayU now?",
        "How do I fix HTTP 403 errors in PayU since yesterday?",
        "How do I fix HTTP 500 errors in PayU?", "How do I fix HTTP 403 errors in Klarna?"}) {
    const Reply answer = ask(question);
    EXPECT_FALSE(is_direct(answer)) << question;
    EXPECT_THAT(answer.text, Not(HasSubstr("Rotate the **API key**"))) << question;
  }
}

TEST_F(GoldenTest, ANearQuestionIsOfferedTheVerifiedAnswerWithTheQuestionThatItAnswers) {
  serve(example());
  const Reply answer = ask("How do I fix the HTTP 403 errors in PayU Core?");
  EXPECT_FALSE(is_direct(answer));
  EXPECT_THAT(answer.text, HasSubstr("A verified answer to a similar question: \"" +
                                     std::string(kQuestion) + "\" (`precedent golden show G-1`)"));
  EXPECT_THAT(ask("Where is the canteen of the Lisbon office?").text,
              Not(HasSubstr("similar question")));
}

TEST_F(GoldenTest, ADeactivatedOneVanishesFromTheNextAnswer) {
  serve(example());
  ASSERT_TRUE(is_direct(ask(std::string(kQuestion))));
  store_only(deactivated(example(), kNow).value());
  const Reply answer = ask(std::string(kQuestion));
  EXPECT_FALSE(is_direct(answer));
  EXPECT_THAT(answer.text, Not(HasSubstr("G-1")));
}

TEST_F(GoldenTest, AWordThatOnlyAnExampleHoldsProvesNoName) {
  serve(example("G-7", "Who owns Zuora?"));
  const Reply answer = ask("What is the runbook for Zuora outages of the whole platform?");
  EXPECT_THAT(answer.text, HasSubstr("'Zuora'"));
}

}  // namespace
}  // namespace precedent
