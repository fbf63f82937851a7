#include "cli/terminal/waiting_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

namespace precedent {
namespace {

using std::chrono::milliseconds;
using testing::StartsWith;

// Keeps what it is given; `reached` is kept as soon as there are so many.
class CountingSink final : public EventSink {
 public:
  explicit CountingSink(size_t wanted) : wanted_(wanted) {}
  void emit(const Event& event) override {
    events.push_back(event);
    if (events.size() == wanted_) reached.set_value();
  }
  std::vector<Event> events;
  std::promise<void> reached;

 private:
  const size_t wanted_;
};

TEST(WaitingSink, WhatIsWaitedForIsSaidAgainWithTheTime) {
  CountingSink heard(3);
  {
    WaitingSink waiting(heard, milliseconds(1));
    waiting.status("Waiting for the model scripted...");
    heard.reached.get_future().wait();
  }
  ASSERT_GE(heard.events.size(), 3U);
  EXPECT_EQ(heard.events[0].text, "Waiting for the model scripted...");
  for (size_t i = 1; i < heard.events.size(); ++i) {
    EXPECT_EQ(heard.events[i].type, Event::Type::kStatus);
    EXPECT_THAT(heard.events[i].text, StartsWith("Waiting for the model scripted, "));
  }
}

TEST(WaitingSink, WhatIsSaidGoesOnAsItIs) {
  RecordingSink heard;
  {
    WaitingSink waiting(heard, std::chrono::hours(1));
    waiting.status("Searching...");
    waiting.token("Found");
    waiting.title("T");
  }
  ASSERT_EQ(heard.events.size(), 3U);
  EXPECT_EQ(heard.events[1], (Event{Event::Type::kToken, "Found"}));
}

TEST(WaitingSink, TheTimeIsInWholeSeconds) {
  EXPECT_EQ(waiting_text("Searching...", milliseconds(12900)), "Searching, 12 s");
  EXPECT_EQ(waiting_text("Almost done", milliseconds(0)), "Almost done, 0 s");
}

}  // namespace
}  // namespace precedent
