// That names are read once for a turn, and again for another moment.
#include "agent/sources/system_names.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

TEST(NamesFor, AreReadOnceForQuestionsOfTheSameMoment) {
  NamesFor<int> names;
  int reads = 0;
  const TimePoint now{minutes(1'000)};
  EXPECT_EQ(names.get(now, [&] { return ++reads; }), 1);
  EXPECT_EQ(names.get(now, [&] { return ++reads; }), 1);
  EXPECT_EQ(names.get(now + seconds(20), [&] { return ++reads; }), 1);
  EXPECT_EQ(names.get(now - seconds(20), [&] { return ++reads; }), 1);
}

TEST(NamesFor, AreReadAgainForAnotherMoment) {
  NamesFor<int> names;
  int reads = 0;
  const TimePoint now{minutes(1'000)};
  EXPECT_EQ(names.get(now, [&] { return ++reads; }), 1);
  EXPECT_EQ(names.get(now + minutes(5), [&] { return ++reads; }), 2);
  EXPECT_EQ(names.get(now, [&] { return ++reads; }), 3);
}

}  // namespace
}  // namespace precedent
