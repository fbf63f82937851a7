#include "cli/command/durability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::HasSubstr;

TEST(Durability, TheOptionWinsOverTheFile) {
  const struct {
    const char *yaml, *option;
    Durability expected;
  } cases[] = {
      {"", "", Durability::kSync},
      {"threads: {}", "", Durability::kSync},
      {"threads: {durability: async}", "", Durability::kAsync},
      {"threads: {durability: exit}", "", Durability::kExit},
      {"threads: {durability: exit}", "sync", Durability::kSync},
      {"", "async", Durability::kAsync},
  };
  for (const auto& c : cases)
    EXPECT_EQ(read_durability(c.yaml, "precedent.yaml", c.option).value(), c.expected) << c.yaml;
}

TEST(Durability, WhatIsNoneOfTheModesIsNamedWithItsLine) {
  const auto read = read_durability("\nthreads: {durability: never}", "precedent.yaml", "");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().text(), HasSubstr("precedent.yaml:2: threads.durability: 'never'"));
  EXPECT_FALSE(read_durability("threads: {durable: sync}", "precedent.yaml", ""));
}

}  // namespace
}  // namespace precedent
