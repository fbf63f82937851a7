#include "git/reverts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent::git {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kHash = "8f3b1c2d4e5f60718293a4b5c6d7e8f901234567";

TEST(Reverts, AMessageSaysWhichCommitsItTakesBack) {
  const std::string hash(kHash);
  EXPECT_THAT(reverted_by("Revert \"x\"\n\nThis reverts commit " + hash + ".\n"),
              ElementsAre(hash));
  EXPECT_THAT(reverted_by("x\n\nThis reverts commit " + hash + ", reversing\nchanges made to 1."),
              ElementsAre(hash));
  EXPECT_THAT(reverted_by("x\r\n\r\n    This reverts commit 8F3B1C2 (search: cache, 2026-11-16)."),
              ElementsAre("8f3b1c2"));
  EXPECT_THAT(
      reverted_by("Back out\n\nThis reverts commit 8f3b1c2d.\nThis reverts commit 0123456."),
      ElementsAre("8f3b1c2d", "0123456"));
}

TEST(Reverts, WhatOnlySpeaksOfOneIsNone) {
  EXPECT_THAT(reverted_by(""), IsEmpty());
  EXPECT_THAT(reverted_by("x\n\nNot: This reverts commit 8f3b1c2d."), IsEmpty());
  EXPECT_THAT(reverted_by("x\n\nThis reverts commit deed."), IsEmpty());
  EXPECT_THAT(reverted_by("x\n\nThis reverts commit checked-in."), IsEmpty());
  EXPECT_THAT(reverted_by("x\n\nThis reverts commit " + std::string(41, 'a')), IsEmpty());
}

}  // namespace
}  // namespace precedent::git
