#include "agent/slots/signals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::Contains;

TEST(Signals, EachHasWordsThatGiveItAndWordsThatDoNot) {
  struct Case {
    const char* signal;
    std::vector<const char*> given, absent;
  };
  const Case cases[] = {
      {"latency",
       {"the p99.9 doubled", "search is SLOW", "requests time out", "spiky since noon"},
       {"a slot of the plan", "the translation of it"}},
      {"errors",
       {"why 503s", "the job fails", "error rate of x", "returns 500"},
       {"a terror of mine", "5 of 10"}},
      {"throughput", {"40 requests per second", "the hit ratio fell", "rps"}, {"requests of mine"}},
      {"saturation", {"CPU at 90 %", "OOMKilled", "pool exhaustion"}, {"the exhaust pipe"}},
      {"unhealthy",
       {"is billing ok?", "anything weird", "a crashlooping pod", "consumer lag grows",
        "what's going on", "hi, is billing ok?", "how is billing doing", "has it recovered"},
       {"flags", "how are refunds booked"}},
      {"log_line",
       {"2026-11-20T10:00:01Z connect refused", "ERROR: relation missing", "[FIRING:1] HighLoad"},
       {"error rate of x", "since 2026-11-20"}},
      {"deploy", {"after the redeploy", "rolled back", "we shipped it"}, {"employment"}},
      {"firing",
       {"which alerts are firing", "any active alerts?", "what's alerting",
        "show me all alerts now", "is everything ok?", "anything on fire right now?",
        "are we having an incident?", "whats firing rn", "has QuotaNearlyUsed fired recently",
        "when did QuotaNearlyUsed last fire"},
       {"is everything in the plan", "is there an incident like it", "which alert covers it",
        "firing the pager", "the alert fired in May"}},
      {"changes",
       {"what was deployed to billing", "who shipped it last", "any flags flipped lately",
        "deployments of this week", "were there any rollbacks lately",
        "when was billing last released"},
       {"what changed", "the change process", "how do I change it", "what the refund changed"}},
      {"code",
       {"which commit touched it", "search_orders() loops", "src/db/pool.go", "re:max_retries"},
       {"the decoder", "commitment"}},
      {"configuration", {"where is the timeout configured", "which flag is it"}, {"the flag"}},
      {"architecture", {"how does billing work", "what depends on it"}, {"independent"}},
      {"alerts", {"which alert is it", "burn-rate"}, {"alertness"}},
      {"slo", {"the SLO of x", "error budget"}, {"slow"}},
      {"concept", {"what is a mutex", "hi, explain raft"}, {"list what is open"}},
      {"ours", {"our queue", "what do we do"}, {"four queues"}},
      {"precedent", {"have we seen this before", "déjà vu", "similar ones"}, {"the first case"}}};
  for (const Case& c : cases) {
    for (const char* question : c.given)
      EXPECT_TRUE(*find_signal(read_signals(question), c.signal)) << c.signal << ": " << question;
    for (const char* question : c.absent)
      EXPECT_FALSE(*find_signal(read_signals(question), c.signal)) << c.signal << ": " << question;
  }
  // Every signal that a policy may name is in the table above.
  EXPECT_EQ(signal_names().size(), std::size(cases));
}

TEST(Signals, AChangeNeedsATimeOrADeploy) {
  EXPECT_FALSE(read_signals("what changed in the refund policy", /*dated=*/false).changes);
  EXPECT_TRUE(read_signals("what changed in the refund policy", /*dated=*/true).changes);
}

TEST(Signals, ACueShowsTheWordsAsFound) {
  EXPECT_THAT(read_signals("Is the P95\n latency high?").cues, Contains("latency: 'p95'"));
}

TEST(Signals, BehaviourIsAnySymptom) {
  EXPECT_TRUE(read_signals("orders are slow").behaviour());
  EXPECT_TRUE(read_signals("the pod is stuck").behaviour());
  EXPECT_FALSE(read_signals("the deploy of yesterday").behaviour());
}

TEST(Signals, UnknownNamesHaveNone) {
  EXPECT_EQ(find_signal(Signals{}, "humour"), nullptr);
  EXPECT_NE(find_signal(Signals{}, "slo"), nullptr);
}

TEST(Signals, AFreezeIsNoRecordOfChanges) {
  EXPECT_FALSE(read_signals("is there a deploy freeze right now?", true).changes);
  EXPECT_FALSE(read_signals("which release windows are there this week", true).changes);
  EXPECT_TRUE(read_signals("is there a deploy right now?", true).changes ||
              read_signals("was there a deploy today?", true).changes);
}

}  // namespace
}  // namespace precedent
