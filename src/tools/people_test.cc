#include "tools/people.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

TEST(People, ByAnyWholeWordInAnyCase) {
  EXPECT_TRUE(is_called("Lucía Ferrer", "lucía"));
  EXPECT_TRUE(is_called("Lucía Ferrer", "Lucía  FERRER"));
  EXPECT_FALSE(is_called("Lucía Ferrer", "Luc"));
  EXPECT_FALSE(is_called("Lucía Ferrer", "Ferrer Lucía"));
  EXPECT_FALSE(is_called("Lucía Ferrer", " "));
}

TEST(People, WithOrWithoutAccents) {
  EXPECT_TRUE(is_called("Lucía Ferrer", "lucia ferrer"));
  EXPECT_TRUE(is_called("Zoe Lindgren", "Zoë"));
  EXPECT_FALSE(is_called("Zoë Lindgren", "zo"));
}

}  // namespace
}  // namespace precedent
