// A version of the incident data that becomes active while a question is being answered. Here
// because it needs the agent and the store.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "agent/turn/copilot_fixture.h"
#include "store/dataset_versions.h"

namespace precedent {
namespace {

using testing::HasSubstr;
using testing::Not;

// Does something once, after a call has come back.
class AfterTheFirstCall final : public EventSink {
 public:
  explicit AfterTheFirstCall(std::function<void()> act) : act_(std::move(act)) {}
  void emit(const Event& event) override {
    calls += event.type == Event::Type::kToolCall;
    if (event.type == Event::Type::kToolResult && act_) std::exchange(act_, nullptr)();
  }
  int calls = 0;

 private:
  std::function<void()> act_;
};

class VersionSwitchTest : public CopilotTest {
 protected:
  static constexpr const char* kId = "INC-2025-08-24-001";

  uint64_t ready(const Document& record) {
    const TimePoint at(std::chrono::seconds(1));
    const uint64_t number = versions_.create({.name = "july"}, at)->number;
    EXPECT_TRUE(versions_.validated(number, {record}, {1, 0, 0}, "{}", at));
    EXPECT_TRUE(versions_.move(number, VersionState::kIngesting, at));
    EXPECT_TRUE(versions_.move(number, VersionState::kReady, at));
    return number;
  }
  void activate(uint64_t number, const Document& record) {
    StoreUpdate update{.put = {{.document = record, .hash = content_hash(record)}}};
    update.activation = {number, TimePoint(std::chrono::seconds(2))};
    EXPECT_TRUE(store.apply(update));
  }
  Reply ask(const CopilotLab& lab, EventSink& sink) {
    return lab.copilot().ask({std::string("What fixed ") + kId + "?", {}}, {}, lab.clock(), sink,
                             cancel_);
  }

  DatasetVersions versions_{store};
  CancelToken cancel_;
};

TEST_F(VersionSwitchTest, WhatWasReadBeforeIsReadAgain) {
  const auto record = [](const char* action) {
    return incident(kId, "Checkout pool exhausted", "Checkout Platform", "A leak", action);
  };
  const Document old = record("Raised the pool"), other = record("Closed the connections");
  const uint64_t one = ready(old), two = ready(other);
  activate(one, old);
  CopilotLab copilot = lab();
  AfterTheFirstCall sink([&] { activate(two, other); });
  const Reply reply = ask(copilot, sink);
  EXPECT_THAT(reply.text, HasSubstr("Closed the connections"));
  EXPECT_THAT(reply.text, Not(HasSubstr("Raised the pool")));
  EXPECT_EQ(reply.dataset_version, two);
  const int told = sink.calls;
  // Nobody is told of a call twice.
  AfterTheFirstCall quiet([] {});
  EXPECT_EQ(ask(copilot, quiet).dataset_version, two);
  EXPECT_EQ(quiet.calls, told);
}

}  // namespace
}  // namespace precedent
