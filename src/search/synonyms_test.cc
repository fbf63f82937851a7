#include "search/synonyms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::vector<std::string> expanded(std::string_view rules, std::string_view question) {
  const Analyzer analyzer;
  const Synonyms synonyms = Synonyms::parse(rules, "synonyms.txt", analyzer).value();
  std::vector<std::string> terms;
  for (const auto& expansion : synonyms.expand(analyzer.terms(question)))
    terms.push_back(expansion.term);
  return terms;
}

std::string error_of(std::string_view rules) {
  const auto parsed = Synonyms::parse(rules, "synonyms.txt", Analyzer());
  return parsed ? "" : parsed.error().text();
}

TEST(Synonyms, AlternativesFindOneAnother) {
  constexpr std::string_view kRules = "k8s, kubernetes, kube";
  EXPECT_THAT(expanded(kRules, "k8s pods"), UnorderedElementsAre("kubernet", "kube"));
  EXPECT_THAT(expanded(kRules, "Kubernetes pods"), UnorderedElementsAre("k8s", "kube"));
}

TEST(Synonyms, AnArrowGoesOneWay) {
  EXPECT_THAT(expanded("down => outage", "checkout is down"), ElementsAre("outag"));
  EXPECT_THAT(expanded("down => outage", "outage of checkout"), IsEmpty());
}

TEST(Synonyms, AreComparedAfterAnalysis) {
  EXPECT_THAT(expanded("db, databases", "the Database is slow"), ElementsAre("db"));
}

TEST(Synonyms, PhrasesMatchAsAWholeAndInOrder) {
  constexpr std::string_view kRules = "rate limit => 429";
  EXPECT_THAT(expanded(kRules, "we hit the rate limit"), ElementsAre("429"));
  EXPECT_THAT(expanded(kRules, "limit rate"), IsEmpty());
  EXPECT_THAT(expanded(kRules, "the rate"), IsEmpty());
}

TEST(Synonyms, WhatTheQuestionSaysIsNotAddedAgain) {
  EXPECT_THAT(expanded("db, database, postgres", "db database"), ElementsAre("postgr"));
}

TEST(Synonyms, ExpansionsAreNotExpanded) {
  EXPECT_THAT(expanded("a1 => b2\nb2 => c3", "a1"), ElementsAre("b2"));
}

TEST(Synonyms, SayWhichPhraseBroughtThem) {
  const Analyzer analyzer;
  const auto synonyms = Synonyms::parse("rate limit => 429", "s", analyzer).value();
  EXPECT_THAT(synonyms.expand(analyzer.terms("rate limit")),
              ElementsAre(Synonyms::Expansion{"429", "rate limit"}));
}

TEST(Synonyms, SkipCommentsAndBlankLines) {
  const auto synonyms =
      Synonyms::parse("# words\n\n  \ndb, database  # both ways\r\n", "s", Analyzer()).value();
  EXPECT_EQ(synonyms.rules(), 1u);
}

TEST(Synonyms, ErrorsNameFileAndLine) {
  const std::string many = [] {
    std::string line;
    for (int i = 0; i < 40; ++i) line += (i == 0 ? "word" : ", word") + std::to_string(i);
    return line;
  }();
  struct Case {
    std::string rules, where, why;
  };
  for (const Case& c : {Case{"db, database\nalone", "synonyms.txt:2", "no rule"},
                        Case{"db, , database", "synonyms.txt:1", "no searchable word"},
                        Case{"db =>", "synonyms.txt:1", "no searchable word"},
                        Case{"=> db", "synonyms.txt:1", "no searchable word"},
                        Case{"a => b => c", "synonyms.txt:1", "more than one '=>'"},
                        Case{"# x\n\n!!!, db", "synonyms.txt:3", "'!!!'"},
                        Case{many, "synonyms.txt:1", "at most 32"}}) {
    EXPECT_THAT(error_of(c.rules), HasSubstr(c.where)) << c.rules;
    EXPECT_THAT(error_of(c.rules), HasSubstr(c.why)) << c.rules;
  }
}

TEST(Synonyms, TheBuiltInRulesParse) {
  const auto synonyms = Synonyms::parse(default_synonyms(), "config/synonyms.txt", Analyzer());
  ASSERT_TRUE(synonyms) << synonyms.error().text();
  EXPECT_GT(synonyms->rules(), 10u);
}

TEST(Synonyms, EveryBadLineIsToldIfAllAreWanted) {
  std::vector<Error> problems;
  const auto parsed =
      Synonyms::parse("database, db\nalone\nc => d => e\nmemory, mem", "s", Analyzer(), &problems);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->rules(), 2u);
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_THAT(problems[0].message, HasSubstr("s:2:"));
  EXPECT_THAT(problems[1].message, HasSubstr("s:3:"));
}

}  // namespace
}  // namespace precedent
