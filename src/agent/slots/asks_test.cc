#include "agent/slots/asks.h"

#include <gtest/gtest.h>

#include <vector>

namespace precedent {
namespace {

TEST(Asks, WhatWasLearnedAddsFormsAndRulesThemOut) {
  const std::vector<ReadLabel> sure = {{"list", 0.7F}, {"duration", 0.5F}, {"steps", 0.02F}};
  const Asks learned = read_asks("tickets of the crane, newest two", sure);
  EXPECT_TRUE(learned.list);
  EXPECT_TRUE(learned.number);
  EXPECT_FALSE(learned.steps);
  // A form of words that the adapter rules out; but steps are worth showing.
  const Asks ruled_out = read_asks("why: how do i reset it", sure);
  EXPECT_FALSE(ruled_out.cause);
  EXPECT_TRUE(ruled_out.steps);
  const std::vector<ReadLabel> unsure = {{"cause", 0.2F}};
  EXPECT_TRUE(read_asks("why did it fail", unsure).cause);
  EXPECT_FALSE(read_asks("it failed", unsure).cause);
}

TEST(Asks, EachHasFormsThatAskForItAndFormsThatDoNot) {
  struct Case {
    const char* name;
    bool Asks::* asked;
    std::vector<const char*> given, absent;
  };
  const Case cases[] = {
      {"contact",
       &Asks::contact,
       {"who do i call about search", "who owns the search latency runbook",
        "owner of the dns runbook", "which team is responsible for the ledger"},
       {"who owns the follow-up tasks", "who deployed it"}},
      {"on_call_now",
       &Asks::on_call_now,
       {"who is on call tonight", "who's currently on call"},
       {"who is on call for search"}},
      {"phone", &Asks::phone, {"phone number of the dba"}, {"who do i call"}},
      {"person", &Asks::person, {"who merged it", "who do i call"}, {"what merged it"}},
      {"steps", &Asks::steps, {"how do i drain a node", "next steps?"}, {"why is it slow"}},
      {"number", &Asks::number, {"how long did it take"}, {"how many incidents were there"}},
      {"count", &Asks::count, {"how many incidents were there"}, {"how long did it take"}},
      {"cause", &Asks::cause, {"why did it fail"}, {"when did it fail"}},
      {"whether", &Asks::whether, {"is checkout ok"}, {"is there a fix", "why is it"}},
      {"value", &Asks::value, {"what is the error rate"}, {"what is the cause"}},
      {"other", &Asks::other, {"did it spread"}, {"what happened", "did we list the incidents"}},
  };
  for (const Case& one : cases) {
    for (const char* question : one.given)
      EXPECT_TRUE(read_asks(question).*one.asked) << one.name << ": " << question;
    for (const char* question : one.absent)
      EXPECT_FALSE(read_asks(question).*one.asked) << one.name << ": " << question;
  }
}

}  // namespace
}  // namespace precedent
