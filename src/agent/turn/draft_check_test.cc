#include "agent/turn/draft_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "agent/model/proof.h"
#include "base/foreign_json.h"

namespace precedent {
namespace {

using nlohmann::json;

class DraftCheckTest : public ::testing::Test {
 protected:
  DraftCheckTest() {
    Incident incident;
    incident.incident_id = "INC-2026-01-02-001";
    incident.title = "The press stood still";
    incident.root_cause = "A torn belt";
    Receipt receipt{.id = "R1", .tool = "lookup_incident_by_id"};
    receipt.result = IncidentsResult{.incidents = {{.incident = incident}}, .total = 1};
    state_.receipts.put(receipt);
  }
  void say(const std::string& text) {
    check_.emit({.type = Event::Type::kToken, .text = text, .node = "n", .draft = true});
  }
  // The claims of each grounding event.
  std::vector<json> told() const {
    std::vector<json> all;
    for (const Event& event : sink_.events)
      if (event.type == Event::Type::kGrounding) all.push_back(parse_json(event.data)["claims"]);
    return all;
  }

  CopilotState state_;
  RecordingSink sink_;
  DraftCheck check_{sink_, state_, nullptr};
};

TEST_F(DraftCheckTest, EachSentenceHasItsVerdictRightBehindIt) {
  say("INC-2026-01-02-001 was caused by a torn belt.");
  say(" It was opened in 2019.");
  ASSERT_EQ(sink_.events.size(), 4U);
  EXPECT_EQ(sink_.events[1].type, Event::Type::kGrounding);
  ASSERT_EQ(told().size(), 2U);
  EXPECT_EQ(told()[0][0]["verdict"], "supported");
  EXPECT_EQ(told()[1].size(), 1U);
  EXPECT_EQ(told()[1][0]["verdict"], "unsupported");
  EXPECT_EQ(told()[1][0]["text"], "It was opened in 2019.");
  EXPECT_EQ(told()[1][0]["bytes"]["begin"], 46);
}

TEST_F(DraftCheckTest, ASentenceBehindACitationHasItsVerdictToo) {
  say("INC-2026-01-02-001 was caused by a torn belt. [R1]\n");
  say("It was opened in 2019.\n");
  ASSERT_EQ(told().size(), 2U);
  EXPECT_EQ(told()[1][0]["verdict"], "unsupported");
  EXPECT_EQ(told()[1][0]["text"], "It was opened in 2019.");
}

TEST_F(DraftCheckTest, AfterAResetTheBytesAreOfTheNewDraft) {
  say("INC-2026-01-02-001 was caused by rain.");
  check_.emit({.type = Event::Type::kReset});
  say("INC-2026-01-02-001 was caused by a torn belt.");
  ASSERT_EQ(told().size(), 2U);
  EXPECT_EQ(told()[1][0]["bytes"]["begin"], 0);
}

// The quick way against the plain one: the whole draft, verified once.
TEST_F(DraftCheckTest, BehindALongDraftEachSentenceHasTheVerdictItHasInTheWhole) {
  const std::string sentences[] = {
      "INC-2026-01-02-001 was caused by a torn belt. ",
      "It is called The press stood still. ",
      "Its root cause was rain in 2019. ",
      "\n\n## What to do\n\n",
      "- Look at INC-2026-01-02-001 first.\n",
      "- Its cause was a torn belt.\n",
      "- INC-2026-01-02-999 has more.\n\n",
      "The press stood still. ",
      "\"A torn belt\" is the cause.\n\n",
      "It may have been the weather. ",
  };
  std::string whole;
  for (int round = 0; round < 4; ++round) {
    for (const std::string& sentence : sentences) {
      say(sentence);
      whole += sentence;
    }
  }
  std::vector<std::pair<std::string, std::string>> quick, plain;
  for (const json& claims : told())
    for (const json& claim : claims) quick.emplace_back(claim["text"], claim["verdict"]);
  const Verification verification = verify_answer(whole, state_, ProofReach::kThread, nullptr);
  const json claims = to_json(verification, whole)["claims"];
  for (const json& claim : claims) plain.emplace_back(claim["text"], claim["verdict"]);
  EXPECT_EQ(quick, plain);
}

TEST_F(DraftCheckTest, ATableIsReadFromItsBeginning) {
  say("| incident | cause |\n|---|---|\n");
  for (int i = 0; i < 8; ++i) say("| INC-2026-01-02-001 | A torn belt |\n");
  for (const json& claims : told())
    for (const json& claim : claims) EXPECT_EQ(claim["verdict"], "supported") << claim["text"];
  EXPECT_GE(told().size(), 8U);
}

TEST_F(DraftCheckTest, WhatWasCheckedIsNotCheckedAgain) {
  check_.emit({.type = Event::Type::kToken, .text = "It rained.", .node = "n"});
  EXPECT_TRUE(told().empty());
}

}  // namespace
}  // namespace precedent
