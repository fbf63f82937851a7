#include "agent/slots/subjects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// "endpoint /api/search", one each.
std::vector<std::string> subjects(std::string_view question,
                                  const std::vector<NameMention>& names = {},
                                  const std::vector<std::string>& not_these = {}) {
  std::vector<std::string> found;
  for (const Subject& subject : find_subjects(question, {}, names, not_these))
    found.push_back(std::string(name(subject.kind)) + " " + subject.text);
  return found;
}

TEST(Subjects, AreToldByTheirForm) {
  EXPECT_THAT(subjects("Is GET /v2/orders/{id} of ledger-api slow?"),
              ElementsAre("endpoint /v2/orders/{id}", "service ledger-api"));
  EXPECT_THAT(subjects("diff of terraform/modules/rds and src/db/pool.go"),
              ElementsAre("file src/db/pool.go", "file terraform/modules/rds"));
  EXPECT_THAT(subjects("who calls search_orders(), and what is max.poll.records or MAX_RETRIES?"),
              ElementsAre("symbol search_orders", "symbol MAX_RETRIES", "symbol max.poll.records"));
  EXPECT_THAT(subjects("explain OrderRepository"), ElementsAre("symbol OrderRepository"));
}

TEST(Subjects, MetricsHaveTheirUsualNames) {
  EXPECT_THAT(subjects("P95 and 5xx of /api/x"),
              ElementsAre("endpoint /api/x", "metric p95_latency", "metric error_rate"));
  EXPECT_THAT(subjects("rps of /api/x"), ElementsAre("endpoint /api/x", "metric throughput"));
}

TEST(Subjects, IdsOfOtherTrackersAreIncidents) {
  EXPECT_THAT(subjects("owner of #4471"), ElementsAre("incident 4471"));
  EXPECT_THAT(subjects("status of INC0048213"), ElementsAre("incident INC0048213"));
}

TEST(Subjects, EnglishWithHyphensIsNoService) {
  for (const char* question :
       {"a follow-up of the on-call", "the end-to-end latency", "a read-only post-mortem"})
    for (const std::string& subject : subjects(question))
      EXPECT_FALSE(subject.starts_with("service")) << question << ": " << subject;
}

TEST(Subjects, TheKnowledgeBaseSpellsItsNames) {
  const std::string_view question = "outages of payu core";
  const NameMention payu{.name = "PayU Core", .begin = 11, .end = 20, .whole = true};
  EXPECT_THAT(subjects(question, {payu}), ElementsAre("application PayU Core"));
}

TEST(Subjects, ATimeIsNone) {
  EXPECT_THAT(subjects("since yesterday-noon", {}, {"since yesterday-noon"}), IsEmpty());
}

TEST(Subjects, ThingsStandInWhereNothingBetterIsNamed) {
  EXPECT_THAT(subjects("how do I rotate the HL7 interface certificates"),
              ElementsAre("thing HL7 interface certificates", "thing rotate"));
  EXPECT_THAT(subjects("rotate the certificates of ledger-api"), ElementsAre("service ledger-api"));
}

TEST(Subjects, AreBounded) {
  std::string many;
  for (int i = 0; i < 100; ++i)
    many += "name-" + std::string(1, static_cast<char>('a' + i % 26)) + std::to_string(i) + " ";
  EXPECT_THAT(subjects(many), SizeIs(12));
}

}  // namespace
}  // namespace precedent
