#include "agent/understand/reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/search_lab.h"
#include "tools/all_tools.h"

namespace precedent {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class ReadingTest : public ::testing::Test {
 protected:
  Reading read(const std::vector<Message>& messages, const KeptReading& kept = {}) {
    const Sources sources{search_lab.search(), store, tools};
    return read_conversation(messages, receipts, sources, policy, now, kept);
  }

  SearchLab search_lab{false};
  KnowledgeStore store =
      KnowledgeStore::open(":memory:", KnowledgeStore::Access::kReadWrite).value();
  const Toolset tools = knowledge_tools();
  const Policy policy = read_policy(default_policy(), "config/policy.yaml").value();
  const TimePoint now = *parse_time("2026-11-20T12:00:00Z");
  SharedList<Receipt> receipts;
};

TEST_F(ReadingTest, WhatIsKeptOfTheQuestionIsNotReadAgain) {
  const std::vector<Message> messages = {
      {Role::kUser, "Where is the retry policy set, and who approved it?"}};
  KeptReading kept = keep(read(messages));
  EXPECT_EQ(kept.whole.question, messages[0].content);
  // What only who kept it knows.
  kept.whole.intent.service = "kept";
  kept.left_out = {"left out"};
  kept.parts.push_back(kept.whole);
  const Reading again = read(messages, kept);
  EXPECT_EQ(again.intent.service, "kept");
  EXPECT_EQ(again.demands.size(), kept.whole.demands.size());
  EXPECT_THAT(again.left_out, SizeIs(1));
  ASSERT_EQ(again.parts.size(), kept.parts.size());
  EXPECT_EQ(again.parts.back().intent.service, "kept");
}

TEST_F(ReadingTest, AnotherQuestionIsRead) {
  const std::vector<Message> first = {{Role::kUser, "What changed today?"}};
  KeptReading kept = keep(read(first));
  kept.whole.intent.service = "kept";
  std::vector<Message> second = first;
  second.push_back({Role::kAssistant, "Nothing."});
  second.push_back(first[0]);
  EXPECT_THAT(read(second, kept).intent.service, IsEmpty());
  EXPECT_THAT(read({{Role::kUser, "And yesterday?"}}, kept).intent.service, IsEmpty());
}

}  // namespace
}  // namespace precedent
