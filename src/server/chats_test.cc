#include "server/turns/chats.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "agent/turn/copilot_lab.h"
#include "graph/memory_checkpointer.h"
#include "search/search_lab.h"

namespace precedent {
namespace {

class CountingCheckpointer final : public MemoryCheckpointer {
 public:
  Result<std::vector<Checkpoint>> path(std::string_view thread, CheckpointId last,
                                       std::optional<CheckpointId> after) override {
    ++replayed;
    return MemoryCheckpointer::path(thread, last, after);
  }
  int replayed = 0;
};

class ChatsTest : public ::testing::Test {
 protected:
  ChatsTest() {
    knowledge_.add(lab_document(Kind::kRunbook, "rb-1", "Letters are late",
                                "# Letters are late\n\nSwitch the courier to swift."));
    const CopilotLab asked(knowledge_.search(), store_, now_, nullptr, &kept_);
    NullSink events;
    const FixedClock clock(now_);
    for (const char* chat : {"one", "two", "three"})
      asked.copilot().ask({"what to do when letters are late?", {}}, {.thread = chat}, clock,
                          events, CancelToken());
  }

  const TimePoint now_ = *parse_time("2026-05-04T10:00:00Z");
  SearchLab knowledge_{false};
  KnowledgeStore store_ =
      KnowledgeStore::open(":memory:", KnowledgeStore::Access::kReadWrite).value();
  CountingCheckpointer kept_;
};

TEST_F(ChatsTest, AListReplaysAChatOnceForEachOfItsChanges) {
  // Of another process: it holds no state of what was asked.
  const CopilotLab lab(knowledge_.search(), store_, now_, nullptr, &kept_);
  const Chats chats(lab.copilot(), &kept_);
  kept_.replayed = 0;
  const auto first = chats.list({});
  ASSERT_TRUE(first) << first.error().text();
  EXPECT_EQ((*first)["chats"].size(), 3U);
  EXPECT_EQ((*first)["chats"][0]["messages"], 2);
  EXPECT_EQ(kept_.replayed, 3);
  EXPECT_EQ(*chats.list({}), *first);
  EXPECT_EQ(kept_.replayed, 3) << "nothing has changed";
  ASSERT_TRUE(chats.rename("two", "Late letters again", now_));
  EXPECT_EQ((*chats.list({.search = "letters again"}))["chats"][0]["chat_id"], "two");
  ASSERT_TRUE(chats.archive("two", now_));
  EXPECT_EQ(chats.list({})->at("chats").size(), 2U);
  EXPECT_EQ((*chats.list({.archived = true}))["chats"][0]["title"], "Late letters again");
}

}  // namespace
}  // namespace precedent
