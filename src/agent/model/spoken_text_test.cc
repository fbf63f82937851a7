#include "agent/model/spoken_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::HasSubstr;
using testing::Not;

// What reaches the consumer when `text` comes in pieces of `bytes`.
std::string streamed(const std::string& text, size_t bytes) {
  RecordingSink sink;
  SpokenText spoken(sink, Hosts{});
  for (size_t i = 0; i < text.size(); i += bytes)
    spoken.emit({Event::Type::kToken, text.substr(i, bytes), "n"});
  spoken.finish();
  std::string out;
  for (const Event& event : sink.events) out += event.text;
  return out;
}

TEST(SpokenText, HoweverItIsCutTheStreamIsTheKeptText) {
  const std::string text = "The key is AK" + std::string("IAIOSFODNN7EXAMPLE.\n") +
                           "\x1b[31mred\x1b[0m ![x](https://evil.example/a)\n" +
                           "-----BEGIN PRIVATE KEY-----\nMIIE\nabc\n-----END PRIVATE KEY-----\n" +
                           "password=hunter2\nend";
  const std::string kept = safe_answer(text, Hosts{});
  EXPECT_THAT(kept, Not(HasSubstr("MIIE")));
  EXPECT_THAT(kept, Not(HasSubstr("hunter2")));
  EXPECT_THAT(kept, Not(HasSubstr("\x1b")));
  EXPECT_THAT(kept, HasSubstr("hxxps"));
  for (size_t bytes = 1; bytes <= text.size(); ++bytes) EXPECT_EQ(streamed(text, bytes), kept);
}

TEST(SpokenText, ASentenceLeavesOnceItIsWhole) {
  RecordingSink sink;
  SpokenText spoken(sink, Hosts{});
  spoken.emit({Event::Type::kToken, "It was the belt. It ha"});
  ASSERT_EQ(sink.events.size(), 1u);
  EXPECT_EQ(sink.events[0].text, "It was the belt.");
  spoken.emit({Event::Type::kToken, "d torn.\nNext"});
  ASSERT_EQ(sink.events.size(), 2u);
  EXPECT_EQ(sink.events[1].text, " It had torn.\n");
}

TEST(SpokenText, ALineWithASecretIsHeldUntilItIsWhole) {
  RecordingSink sink;
  SpokenText spoken(sink, Hosts{});
  spoken.emit({Event::Type::kToken, "Log in. Set password=hunter2. Then wait. And"});
  for (const Event& event : sink.events) EXPECT_THAT(event.text, Not(HasSubstr("hunter2")));
  spoken.finish();
  for (const Event& event : sink.events) EXPECT_THAT(event.text, Not(HasSubstr("hunter2")));
}

TEST(SpokenText, StatusesPassAtOnce) {
  RecordingSink sink;
  SpokenText spoken(sink, std::nullopt);
  spoken.emit({Event::Type::kToken, "half a line"});
  spoken.status("Searching...");
  ASSERT_EQ(sink.events.size(), 1u);
  EXPECT_EQ(sink.events[0].text, "Searching...");
}

}  // namespace
}  // namespace precedent
