#include "agent/slots/orders.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "files/files.h"

namespace precedent {
namespace {

TEST(Orders, AreTurnedIntoTheQuestionHowItIsDone) {
  struct Case {
    std::string_view said, verb, question;
  };
  for (const Case& c : {
           Case{"drop the production database", "drop", "How do I drop the production database?"},
           Case{"Delete all stuck jobs!", "delete", "How do I delete all stuck jobs?"},
           Case{"restart the payment service for me", "restart",
                "How do I restart the payment service?"},
           Case{"please restart checkout-api", "restart", "How do I restart checkout-api?"},
           Case{"Can you please roll back checkout-api to 4.17 now?", "roll back",
                "How do I roll back checkout-api to 4.17?"},
           Case{"I want you to scale up the workers", "scale up", "How do I scale up the workers?"},
           Case{"ok, go ahead and purge the queue", "purge", "How do I purge the queue?"},
           Case{"The portal hangs. Restart it for me, please", "restart",
                "The portal hangs. How do I restart it?"},
           Case{"could you kill the stuck worker", "kill", "How do I kill the stuck worker?"},
       }) {
    const auto order = read_order(c.said);
    ASSERT_TRUE(order) << c.said;
    EXPECT_EQ(order->verb, c.verb) << c.said;
    EXPECT_EQ(order->question, c.question);
  }
}

TEST(Orders, AreNotWhatSomebodyWantsToKnow) {
  for (const std::string_view said : {"how do I delete a stuck job",
                                      "kill -9 the stuck worker",
                                      "please kill -9 the worker",
                                      "can you delete a stuck job",
                                      "restart payment-service",
                                      "restart the payment service",
                                      "who dropped the production database?",
                                      "should I restart the payment service now?",
                                      "what happens when I drop the index",
                                      "delete",
                                      "can you delete",
                                      "",
                                      "DROP TABLE orders",
                                      "drop the packet: no route to host",
                                      "drop the orders table, did we ever do that?",
                                      "please tell me why it was deleted",
                                      "Can you explain how to restart kafka?",
                                      "restart loop in checkout",
                                      "the cleanup job should delete the old files",
                                      "kill the lights is a song",
                                      "restarts of the payment service for me"})
    EXPECT_FALSE(read_order(said)) << said;
}

TEST(Orders, AreNoneOfTheOrdinaryQuestions) {
  for (const char* file : {"eval/guardrails.jsonl", "eval/guardrails_blind.jsonl"}) {
    const std::string questions = read_file(file, 1 << 20).value();
    for (const std::string_view line : split_lines(questions)) {
      if (trim(line).empty()) continue;
      const auto json = nlohmann::json::parse(line);
      if (json.at("label") != "allow") continue;
      EXPECT_FALSE(read_order(json.at("question").get<std::string>())) << json.at("question");
    }
  }
}

TEST(Orders, SurviveAnyBytes) {
  EXPECT_FALSE(read_order(std::string(100'000, ' ') + "please restart " + std::string(1000, 'x')));
  EXPECT_FALSE(read_order(std::string("\xff\xfe\x00 x", 5)));
}

}  // namespace
}  // namespace precedent
