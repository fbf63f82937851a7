#include "agent/understand/reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/understand/freeze.h"
#include "search/search_lab.h"
#include "tools/all_tools.h"

namespace precedent {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
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
  EXPECT_EQ(kept.whole.question, FrozenText(messages[0].content));
  // What only who kept it knows.
  kept.whole.intent.service = "kept";
  kept.left_out = {FrozenText("left out")};
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

TEST_F(ReadingTest, IsFrozenWithWhatItsWordsSay) {
  search_lab.add(lab_document(Kind::kRunbook, "rb-1", "Belts", "The belt qpress-db1 is torn."));
  const Reading reading = read(
      {{Role::kUser, "Is INC-2025-01-20-005 on qpress-db1 and the ostrich queue still open?"}});
  const FrozenQuestion& asked = reading.intent.asked;
  EXPECT_EQ(asked.text, reading.question);
  EXPECT_EQ(asked.without_ids, FrozenText("Is  on qpress-db1 and the ostrich queue still open?"));
  EXPECT_EQ(asked.time_word, "still");
  EXPECT_THAT(asked.things, Contains(ThingName{"qpress-db1", "qpress-db1", false}));
  ASSERT_TRUE(asked.unknown_names);
  EXPECT_THAT(*asked.unknown_names, Contains("ostrich"));
  EXPECT_FALSE(asked.says_live || asked.records_alone);
  EXPECT_THAT(reading.unread, IsEmpty());
}

TEST_F(ReadingTest, WhatIsFrozenIsKeptAndNotReadAgain) {
  const std::vector<Message> messages = {{Role::kUser, "who fixes the ostrich queue?"}};
  KeptReading kept = keep(read(messages));
  kept.whole.intent.asked.unknown_names = {"what only who kept it knows"};
  kept.narrowing.repeats = true;
  kept.unread = "kept";
  const Reading again = read(messages, kept);
  EXPECT_EQ(again.intent.asked.unknown_names, kept.whole.intent.asked.unknown_names);
  EXPECT_TRUE(again.narrowing.repeats);
  EXPECT_EQ(again.unread, "kept");
}

TEST_F(ReadingTest, EachPartIsFrozenByItself) {
  const Reading reading = read({{Role::kUser,
                                 "What is the objective of ledger-api and how do I restart the "
                                 "ostrich-worker?"}});
  ASSERT_THAT(reading.parts, SizeIs(2));
  EXPECT_EQ(reading.parts[1].intent.asked.text, FrozenText("how do I restart the ostrich-worker"));
  EXPECT_EQ(reading.parts[1].question, reading.parts[1].intent.asked.text);
  ASSERT_TRUE(reading.parts[1].intent.asked.unknown_names);
  EXPECT_THAT(*reading.parts[1].intent.asked.unknown_names, Contains("ostrich-worker"));
}

TEST_F(ReadingTest, OfAnotherScriptTheNoteNamesWhatIsNamed) {
  const Reading reading = read({{Role::kUser, "почему INC-2025-01-20-005 упал"}});
  EXPECT_THAT(reading.unread, HasSubstr("INC-2025-01-20-005"));
}

TEST(Freeze, TheTimeOfTheTroubleIsNotSearchedFor) {
  OpenIntent read;
  read.question = "why did payments fail on 2026-08-24 ?";
  read.times = find_time_hints(read.question, *parse_time("2026-11-20"));
  EXPECT_EQ(freeze(read).asked.without_times, FrozenText("why did payments fail?"));
  // Nothing else is said.
  read.question = "2026-08-24?";
  read.times = find_time_hints(read.question, *parse_time("2026-11-20"));
  EXPECT_EQ(freeze(read).asked.without_times, FrozenText("2026-08-24?"));
}

TEST(Freeze, KnowsWhetherItSpeaksOfWhatWasReadOfASystem) {
  OpenIntent read;
  read.question = "and the error rate?";
  EXPECT_FALSE(freeze(read).asked.says_live);
  read.live = "error rate";
  EXPECT_TRUE(freeze(read).asked.says_live);
  read.live = "latency";
  EXPECT_FALSE(freeze(read).asked.says_live);
}

TEST(Freeze, AskedWithMoreIsFrozenAnew) {
  OpenIntent read;
  read.question = "what was left to do?";
  read.ids = {"INC-2025-01-20-005"};
  read.asked.unknown_names = std::vector<std::string>{"ostrich"};
  const Intent more = asked_with(freeze(read), "\nThe torn belt INC-2025-01-20-005");
  EXPECT_EQ(more.asked.text, FrozenText("what was left to do?\nThe torn belt INC-2025-01-20-005"));
  EXPECT_EQ(more.asked.without_ids, FrozenText("what was left to do?\nThe torn belt "));
  EXPECT_EQ(more.asked.without_times, FrozenText("what was left to do? The torn belt "
                                                 "INC-2025-01-20-005"));
  EXPECT_THAT(*more.asked.unknown_names, Contains("ostrich"));
}

}  // namespace
}  // namespace precedent
