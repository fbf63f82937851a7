// What a policy may say, what an error of it says, and what follows from it.
#include "agent/understand/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Policy policy_of(std::string_view yaml) {
  auto policy = read_policy(yaml, "p.yaml");
  EXPECT_TRUE(policy) << policy.error().text();
  return policy.value_or(Policy{});
}

std::string error_of(std::string_view yaml) {
  const auto policy = read_policy(yaml, "p.yaml");
  return policy ? "none" : policy.error().text();
}

Intent intent_of(QuestionType type, std::string_view question = "") {
  Intent intent;
  intent.type = type;
  intent.signals = read_signals(question);
  return intent;
}

std::vector<std::string> tools_of(const std::vector<Demand>& demands) {
  std::vector<std::string> tools;
  for (const Demand& demand : demands) tools.push_back((demand.must ? "must " : "") + demand.tool);
  return tools;
}

TEST(Policy, AnErrorNamesFileLineKeyAndTheNearestName) {
  const std::pair<const char*, const char*> cases[] = {
      {"max_call: 3\n", "p.yaml:1: max_call"},
      {"max_calls: 0\n", "p.yaml:1: max_calls"},
      {"max_calls: 65\n", "p.yaml:1: max_calls"},
      {"rules:\n  - because: x\n", "a rule needs a name"},
      {"rules:\n  - rule: a\n    must: [x]\n", "p.yaml:3: "},
      {"rules:\n  - rule: a\n    must_call: [metric_query]\n",
       "p.yaml:3: rules[0].must_call: there is no tool 'metric_query'; did you mean "
       "'metrics_query'?"},
      {"rules:\n  - rule: a\n    prefer: [doc_serch]\n", "did you mean 'doc_search'?"},
      {"rules:\n  - rule: a\n    when:\n      question_type: [debug_incidents]\n",
       "p.yaml:4: rules[0].when.question_type: there is no type 'debug_incidents'; did you mean "
       "'debug_incident'?"},
      {"rules:\n  - rule: a\n    when:\n      mentions: [latencies]\n",
       "there is no signal or kind of subject 'latencies'; did you mean 'latency'?"},
      {"rules:\n  - rule: a\n    when:\n      mention: [latency]\n",
       "p.yaml:4: rules[0].when.mention"}};
  for (const auto& [yaml, message] : cases) EXPECT_THAT(error_of(yaml), HasSubstr(message)) << yaml;
}

TEST(Policy, AllProblemsOfAFileAreCollected) {
  ConfigProblems problems;
  ASSERT_TRUE(
      read_policy("max_calls: 0\nrules:\n  - rule: a\n    must_call: [x]\n    prefer: [y]\n",
                  "p.yaml", &problems));
  EXPECT_EQ(problems.size(), 3u);
}

TEST(Policy, ARuleNeedsItsTypeAndOneOfItsMentions) {
  const Policy policy = policy_of(
      "rules:\n"
      "  - rule: a\n"
      "    when: {question_type: [debug_incident], mentions: [latency, endpoint]}\n"
      "    must_call: [metrics_query]\n");
  EXPECT_THAT(tools_of(demands_of(policy, intent_of(QuestionType::kDebugIncident, "it is slow"))),
              ElementsAre("must metrics_query"));
  EXPECT_THAT(demands_of(policy, intent_of(QuestionType::kDebugIncident, "it is odd")), IsEmpty());
  EXPECT_THAT(demands_of(policy, intent_of(QuestionType::kKnowledge, "it is slow")), IsEmpty());
  Intent endpoint = intent_of(QuestionType::kDebugIncident, "it is odd");
  endpoint.subjects = {{"/api/x", SubjectKind::kEndpoint}};
  EXPECT_THAT(tools_of(demands_of(policy, endpoint)), ElementsAre("must metrics_query"));
}

TEST(Policy, AHowToIsKnowledge) {
  const Policy policy =
      policy_of("rules: [{rule: a, when: {question_type: [knowledge]}, prefer: [doc_search]}]\n");
  EXPECT_THAT(tools_of(demands_of(policy, intent_of(QuestionType::kHowTo))),
              ElementsAre("doc_search"));
}

TEST(Policy, TroubleBesideWhatIsAskedForCountsAsAnIncident) {
  const Policy policy = policy_of(default_policy());
  Intent intent = intent_of(QuestionType::kKnowledge);
  EXPECT_THAT(tools_of(demands_of(policy, intent)), ElementsAre("doc_search"));
  intent.investigated = true;
  EXPECT_THAT(
      tools_of(demands_of(policy, intent)),
      ElementsAre("must metrics_query", "must repo_search", "recent_changes", "doc_search"));
}

TEST(Policy, DemandsOfSeveralRulesAreMerged) {
  const Policy policy = policy_of(
      "rules:\n"
      "  - {rule: first, because: x, prefer: [repo_search, doc_search]}\n"
      "  - {rule: second, because: y, must_call: [repo_search, metrics_query]}\n"
      "  - {rule: third, because: z, must_call: [repo_search], prefer: [metrics_query]}\n");
  const auto demands = demands_of(policy, intent_of(QuestionType::kKnowledge));
  EXPECT_THAT(tools_of(demands),
              ElementsAre("must repo_search", "doc_search", "must metrics_query"));
  // What one rule prefers and another demands is the other's.
  EXPECT_EQ(demands[0].rule, "second");
  EXPECT_EQ(demands[0].because, "y");
}

TEST(Policy, ADemandIsMetByACallWhateverCameOfIt) {
  const std::vector<Demand> demands = {{.tool = "metrics_query", .must = true},
                                       {.tool = "repo_search", .must = true},
                                       {.tool = "doc_search", .must = false}};
  EXPECT_THAT(tools_of(unmet(demands, {})), ElementsAre("must metrics_query", "must repo_search"));
  Receipt failed;
  failed.tool = "metrics_query";
  failed.status = ReceiptStatus::kError;
  EXPECT_THAT(tools_of(unmet(demands, {failed})), ElementsAre("must repo_search"));
}

TEST(Policy, TheBuiltInOneAsksForMetricsAndCodeOfWhatMisbehaves) {
  const Policy policy = policy_of(default_policy());
  const auto demands =
      demands_of(policy, intent_of(QuestionType::kDebugIncident, "why is it slow"));
  EXPECT_THAT(tools_of(demands), ElementsAre("must metrics_query", "must repo_search",
                                             "recent_changes", "doc_search"));
  EXPECT_THAT(tools_of(demands_of(policy, intent_of(QuestionType::kExplainCode))),
              ElementsAre("must repo_search", "doc_search"));
  for (const QuestionType type : {QuestionType::kDesignOverview, QuestionType::kConceptual})
    EXPECT_THAT(tools_of(demands_of(policy, intent_of(type))), ElementsAre("doc_search"));
}

}  // namespace
}  // namespace precedent
