#include "agent/turn/request_records.h"

#include <gtest/gtest.h>

#include <set>

#include "observe/counters.h"

namespace precedent {
namespace {

using namespace std::chrono_literals;

TEST(RequestRecords, HoldWhatTheReplySays) {
  Reply reply;
  reply.status = AnswerStatus::kPartial;
  reply.text = "An answer.";
  reply.intent = R"({"question_type":"knowledge"})";
  reply.plan = "[]";
  reply.grounding = R"({"grounded":false})";
  reply.thread_id = "t-1";
  Receipt receipt;
  receipt.id = "R1";
  receipt.tool = "doc_search";
  receipt.args = "{}";
  receipt.status = ReceiptStatus::kEmpty;
  receipt.text = "nothing";
  receipt.took = 5ms;
  reply.receipts = {receipt};
  reply.usage.steps = 2;
  reply.usage.time = 70ms;
  const RequestRecord record = record_of(reply, "a question");
  EXPECT_EQ(record.status, "partial");
  EXPECT_EQ(record.question, "a question");
  EXPECT_EQ(record.answer, "An answer.");
  EXPECT_EQ(record.plan, "[]");
  EXPECT_EQ(record.thread_id, "t-1");
  EXPECT_EQ(question_type(record), "knowledge");
  EXPECT_EQ(grounded(record), false);
  EXPECT_EQ(record.calls,
            (std::vector<CallRecord>{{"R1", "doc_search", "{}", "nothing", "empty", 5ms}}));
  EXPECT_EQ(record.model_took, 70ms);
  EXPECT_NE(record.usage.find("\"steps\":2"), std::string::npos);
}

TEST(RequestRecords, WithoutModelThereIsNoUsage) {
  const RequestRecord record = record_of(Reply(), "");
  EXPECT_EQ(record.usage, "");
  EXPECT_FALSE(record.model_took);
  EXPECT_EQ(record.intent, "");
}

// A type that the counters do not know would be counted as "other".
TEST(RequestRecords, EveryQuestionTypeIsCounted) {
  std::set<std::string_view> seen;
  for (int value = 0; value < 64; ++value) {
    const std::string_view type = name(static_cast<QuestionType>(value));
    seen.insert(type);
    EXPECT_NE(std::ranges::find(kQuestionTypes, type), kQuestionTypes.end()) << type;
  }
  EXPECT_GE(seen.size(), 6u);
}

}  // namespace
}  // namespace precedent
