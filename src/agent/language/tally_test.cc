#include "agent/language/tally.h"

#include <gtest/gtest.h>

#include "embed/fake_learned_reader.h"

namespace precedent {
namespace {

std::map<std::string, std::string> heads(const Tally& tally) {
  return {{"function", tally.function},
          {"pick", tally.pick},
          {"of", tally.of},
          {"by", tally.by},
          {"state", tally.open ? "open" : "any"}};
}

TEST(Tally, IsWhatTheHeadsSay) {
  FakeLearnedReader reader;
  const Tally tally{"extreme", "least", "number", "month", true, true};
  reader.say_heads("which month lost least", heads(tally));
  EXPECT_EQ(read_tally("which month lost least", reader), tally);
}

TEST(Tally, IsNothingWhereNothingIsToBeComputed) {
  FakeLearnedReader reader;
  reader.say_heads("how do I restart it", heads({"none", "none", "none", "none", false}));
  EXPECT_EQ(read_tally("how do I restart it", reader), std::nullopt);
  reader.fail_with({ErrorCode::kInternal, "broken"});
  EXPECT_EQ(read_tally("how many", reader), std::nullopt);
}

TEST(Tally, APageOfTextAsksForNoFigure) {
  FakeLearnedReader reader;
  const std::string page(3000, 'a');
  reader.say_heads(page, heads({"count", "none", "records", "none", false}));
  EXPECT_EQ(read_tally(page, reader), std::nullopt);
}

TEST(Tally, AListAndHowLongItIsAreNoFigures) {
  EXPECT_FALSE((Tally{"list", "none", "records", "none", false}).computes());
  EXPECT_FALSE((Tally{"list", "none", "records", "month", false}).computes());
  EXPECT_FALSE((Tally{"count", "none", "records", "none", false}).computes());
  EXPECT_TRUE((Tally{"count", "none", "records", "weekday", false}).computes());
  EXPECT_TRUE((Tally{"sum", "none", "number", "none", false}).computes());
  EXPECT_TRUE((Tally{"extreme", "most", "duration", "none", false}).computes());
  EXPECT_FALSE((Tally{"extreme", "most", "date", "none", false}).computes());
}

}  // namespace
}  // namespace precedent
