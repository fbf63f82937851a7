#include "cli/terminal/wrap.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

TEST(Wrap, BreaksAtBlanks) {
  EXPECT_EQ(wrapped("one two three four five six seven", 20), "one two three four\nfive six seven");
  EXPECT_EQ(wrapped("short", 20), "short");
  EXPECT_EQ(wrapped("", 20), "");
}

TEST(Wrap, WhatFollowsAMarkStandsBelowItsText) {
  EXPECT_EQ(wrapped("- one two three four five six", 20), "- one two three four\n  five six");
  EXPECT_EQ(wrapped("12. one two three four five", 20), "12. one two three\n    four five");
  EXPECT_EQ(wrapped("  - one two three four five", 20), "  - one two three\n    four five");
  EXPECT_EQ(wrapped("> one two three four five", 20), "> one two three four\n> five");
  EXPECT_EQ(wrapped("\x1b[2m│ \x1b[0mone two three four five", 20),
            "\x1b[2m│ \x1b[0mone two three four\n\x1b[2m│ \x1b[0mfive");
}

TEST(Wrap, ALongWordStaysWhole) {
  const std::string word(50, 'x');
  EXPECT_EQ(wrapped("a " + word + " b", 20), "a\n" + word + "\nb");
  EXPECT_EQ(wrapped(word, 20), word);
}

TEST(Wrap, ColourAndBytesTakeNoRoom) {
  EXPECT_EQ(wrapped("\x1b[1mone\x1b[0m two three four", 20), "\x1b[1mone\x1b[0m two three four");
  EXPECT_EQ(wrapped("äöü äöü äöü äöü äöü", 20), "äöü äöü äöü äöü äöü");
  EXPECT_EQ(wrapped("unfinished \x1b[1", 20), "unfinished \x1b[1");
}

TEST(Wrap, ANarrowTerminalGetsTheLineAsItIs) {
  EXPECT_EQ(wrapped("one two three four five six", 5), "one two three four five six");
}

}  // namespace
}  // namespace precedent
