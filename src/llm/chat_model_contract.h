// What every ChatModel must do, as checks that a test calls: expect_chat_model_contract.
//
// In a header because each implementation's test runs it, that of the offline reasoner from another
// folder.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <thread>

#include "base/utf8.h"
#include "llm/chat_model.h"

namespace precedent {

// Asks once; checks what holds for any reply.
inline void expect_good_reply(ChatModel& model, const ModelRequest& request) {
  RecordingSink events;
  CancelToken cancel;
  ModelContext context{events, cancel, std::nullopt, "contract"};
  const auto reply = model.complete(request, context);
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->message.role, Role::kAssistant);
  EXPECT_FALSE(reply->message.content.empty() && reply->message.tool_calls.empty());
  EXPECT_FALSE(invalid_utf8_at(reply->message.content));
  EXPECT_FALSE(reply->model.empty());
  for (const ToolCall& call : reply->message.tool_calls) {
    EXPECT_FALSE(call.id.empty());
    EXPECT_FALSE(call.name.empty());
  }
  // The tokens are the content, said by the node that asked.
  std::string said;
  for (const Event& event : events.events) {
    if (event.type != Event::Type::kToken) continue;
    said += event.text;
    EXPECT_EQ(event.node, "contract");
    EXPECT_FALSE(event.text.empty());
  }
  EXPECT_EQ(said, reply->message.content);
}

// `make` gives a model that is able to answer `request`, each time anew.
inline void expect_chat_model_contract(const std::function<std::shared_ptr<ChatModel>()>& make,
                                       const ModelRequest& request) {
  EXPECT_FALSE(make()->name().empty());
  expect_good_reply(*make(), request);

  // A cancelled token and a deadline that passed are noticed before anything is said.
  RecordingSink events;
  CancelToken cancel;
  ModelContext late{events, cancel, std::chrono::steady_clock::now() - std::chrono::seconds(1)};
  const auto timeout = make()->complete(request, late);
  ASSERT_FALSE(timeout);
  EXPECT_EQ(timeout.error().code, ErrorCode::kTimeout) << timeout.error().text();
  cancel.cancel();
  ModelContext cancelled{events, cancel};
  const auto stopped = make()->complete(request, cancelled);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled) << stopped.error().text();
  EXPECT_TRUE(events.events.empty());

  // Several at once.
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, model = make()] { expect_good_reply(*model, request); });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace precedent
