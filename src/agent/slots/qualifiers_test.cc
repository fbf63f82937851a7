#include "agent/slots/qualifiers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const TimePoint kNow = *parse_time("2026-11-18T09:30:00Z");

Qualifiers read(const std::string& question) {
  return read_qualifiers(question, find_time_hints(question, kNow), kNow);
}

TEST(Qualifiers, EachFormIsToldFromItsLookalike) {
  struct Case {
    bool Qualifiers::* said;
    std::string yes, no;
  };
  const Case cases[] = {
      {&Qualifiers::everything, "is everything ok?", "is everything in the runbook ok to run"},
      {&Qualifiers::overview, "how do the services fit together?", "how does billing work"},
      {&Qualifiers::to_look, "how do I check the cache", "how do I check and restart the cache"},
      {&Qualifiers::version, "which version of billing is running?",
       "the version field of the header"},
      {&Qualifiers::version, "what's deployed on prod for billing", "is it running"},
      {&Qualifiers::author, "who wrote handler.go", "who owns handler.go"},
      {&Qualifiers::least, "which pod has the fewest errors", "which pod has the most errors"},
      {&Qualifiers::switched_off, "which flags are off", "which flags are on"},
      {&Qualifiers::ever, "has DiskFull fired", "is DiskFull active"},
      {&Qualifiers::before, "has it had 502s before?", "what was changed before the deploy"},
      {&Qualifiers::flags, "which flags were flipped", "which deploys went out"},
      {&Qualifiers::deploys, "what was released today", "which flags were flipped"},
      {&Qualifiers::rollbacks, "was anything rolled back", "was anything rolled out"},
      {&Qualifiers::commits, "what was merged today", "what was released today"},
      {&Qualifiers::only_objective, "what is the SLO of billing?",
       "did billing meet the SLO of May"},
      {&Qualifiers::dependants, "what depends on billing", "what does billing depend on"},
      {&Qualifiers::moment, "how was billing at 07:45?", "how was billing today?"},
      {&Qualifiers::rising, "why did the CPU spike", "why did the CPU drop"},
      {&Qualifiers::falling, "why did throughput fall", "why is billing down"},
      {&Qualifiers::open_work, "which action items are left?", "what are the action items?"},
      {&Qualifiers::repeat, "has it happened before?", "what happened then?"},
      {&Qualifiers::outlook, "when will it be resolved", "when was it resolved"},
      {&Qualifiers::of_a_document, "open the billing page", "page billing's team"},
  };
  for (const Case& one : cases) {
    EXPECT_TRUE(read(one.yes).*one.said) << one.yes;
    EXPECT_FALSE(read(one.no).*one.said) << one.no;
  }
}

TEST(Qualifiers, ARankingIsOfALabel) {
  EXPECT_EQ(read("which service had the most errors?").label, "service");
  EXPECT_EQ(read("which fare-engine pod has the highest cpu").label, "pod");
  EXPECT_EQ(read("which of our hosts is the slowest").label, "instance");
  EXPECT_EQ(read("which runbook is the best for a slow pod").label, "");
}

TEST(Qualifiers, NamesAreTakenFromTheText) {
  EXPECT_EQ(read("what did commit A3EC5D68 change").commit, "a3ec5d68");
  EXPECT_EQ(read("what was deployed to staging").environment, "staging");
  EXPECT_EQ(read("Heap of billing").resource, "heap");
  EXPECT_EQ(read("will billing be up by 10:00").future, "by 10:00");
  EXPECT_EQ(read("which deploys are planned for next week").future, "next week");
  EXPECT_EQ(read("how is billing").future, "");
  EXPECT_EQ(read("when was the version check removed?").deed, "removed");
  EXPECT_EQ(read("was the version check removed?").deed, "");
}

TEST(Qualifiers, AFollowUpHasItsOwnWords) {
  EXPECT_THAT(read("what does the runbook say\nand who helps").words,
              ElementsAre("and", "who", "helps"));
}

TEST(Qualifiers, ANameLooksLikeOneOrIsAPath) {
  EXPECT_THAT(read("is quay-planner, or a/b.txt, slow?").names,
              ElementsAre("quay-planner", "a/b.txt"));
  EXPECT_THAT(read("how is billing?").names, IsEmpty());
}

TEST(Qualifiers, AComparisonSaysHowFarBack) {
  EXPECT_EQ(read("was it like this last week?").compared_days, 7);
  EXPECT_EQ(read("and yesterday?").compared_days, 1);
  EXPECT_EQ(read("and before?\nthe latency of yesterday").compared_days, std::nullopt);
}

TEST(Qualifiers, ATimeThatIsOnlyComparedToIsNoWindow) {
  const Qualifiers q = read("errors today compared with last week");
  ASSERT_EQ(q.compared.size(), 1u);
  EXPECT_EQ(q.compared[0].text, "last week");
  EXPECT_TRUE(read("errors of last week").compared.empty());
}

}  // namespace
}  // namespace precedent
