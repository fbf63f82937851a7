// Failures that have nothing to do with each other, each with its own change.
#include "investigate/evidence/failing_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "investigate/hypotheses/generators.h"
#include "investigate/verdict/verdict.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(FailingParts, ServicesAreTogetherThatCallEachOther) {
  ServiceGraph graph;
  graph.add_edge({"web", "label", "", "", true});
  graph.add_edge({"label", "printer", "", "", true});
  graph.add_edge({"shop", "courier", "", "", true});
  EXPECT_THAT(failing_parts(graph, {"label", "courier", "web", "printer"}),
              ElementsAre(ElementsAre("label", "web", "printer"), ElementsAre("courier")));
  EXPECT_THAT(failing_parts(graph, {"web", "printer"}),
              ElementsAre(ElementsAre("web"), ElementsAre("printer")))
      << "who is well between them keeps them apart";
}

Hypothesis change(const std::string& id, const std::string& part, double told) {
  Hypothesis out;
  out.row = "change", out.change = id, out.statement = id + " did it", out.part = part;
  out.needs = {{"live before the onset", 1, 1, "", ""}};
  out.told = told;
  return out;
}

CaseFile failing() {
  CaseFile evidence;
  evidence.metrics.series = 1;
  evidence.failing = "label", evidence.affected = {"courier"};
  evidence.apart = {{{"courier"}, std::nullopt}};
  return evidence;
}

TEST(FailingParts, EachMayHaveItsOwnCause) {
  const auto all = ranked({change("aaaa", "", 9), change("bbbb", "", 9),
                           change("aaaa", "courier", -9), change("bbbb", "courier", 9)});
  const CaseVerdict verdict = conclude(failing(), all);
  EXPECT_EQ(verdict.outcome, VerdictKind::kCause);
  ASSERT_EQ(verdict.causes.size(), 2U);
  EXPECT_EQ(verdict.root_cause_commit, "aaaa");
  EXPECT_GT(verdict.confidence, 0.9) << "the change elsewhere is no rival";
  EXPECT_THAT(verdict.summary, HasSubstr("Apart from it courier fails. Cause: bbbb did it."));
}

TEST(FailingParts, WithoutACauseOfTheFirstNoneIsSaidApart) {
  const CaseVerdict one =
      conclude(failing(), ranked({change("bbbb", "", -9), change("bbbb", "courier", 9)}));
  EXPECT_EQ(one.outcome, VerdictKind::kInconclusive);
  const CaseVerdict same =
      conclude(failing(), ranked({change("bbbb", "", 9), change("bbbb", "courier", 9)}));
  EXPECT_THAT(same.causes.size(), 1U) << "one change for both is one cause";
  EXPECT_EQ(same.root_cause_commit, "bbbb");
}

}  // namespace
}  // namespace precedent
