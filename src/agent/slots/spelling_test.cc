// Misspelt words that say how something behaves.
#include "agent/slots/spelling.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

std::string read(std::string_view question) {
  return read_spelling(question, [](std::string_view word) { return word == "spikky"; }).question;
}

TEST(Spelling, WordsOfHowSomethingBehavesAreReadAsWhatWasMeant) {
  EXPECT_EQ(read("Latancy of it is spikey"), "latency of it is spiky");
  EXPECT_EQ(read("502 errrors pls"), "502 errors pls");
  EXPECT_EQ(read("timeuots since the delpoy"), "timeouts since the deploy");
  EXPECT_EQ(read_spelling("what happend yesteday", [](std::string_view) { return false; }).question,
            "what happened yesterday");
  EXPECT_EQ(read_spelling("latancy up", [](std::string_view) { return false; }).note,
            "Taking 'latancy' to mean latency.");
}

TEST(Spelling, OtherWordsStay) {
  for (const std::string_view question :
       {"throughout the day", "the situation of the features", "later than lately",
        "errror-service is slow", "/v1/latancy is slow", "spikky ones", "latency errors timeouts"})
    EXPECT_EQ(read(question), question);
}

}  // namespace
}  // namespace precedent
