#include "cli/render.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

TEST(RenderMarkdown, WithoutColourIsTheTextItself) {
  EXPECT_EQ(render_markdown("**a**\n> b", false), "**a**\n> b");
}

TEST(RenderMarkdown, BoldBecomesAnsi) {
  EXPECT_EQ(render_markdown("x **a** y", true), "x \x1b[1ma\x1b[0m y");
}

TEST(RenderMarkdown, UnclosedBoldIsReset) {
  EXPECT_EQ(render_markdown("**a", true), "\x1b[1ma\x1b[0m");
}

TEST(RenderMarkdown, StarsInsideCodeBlocksStay) {
  EXPECT_NE(render_markdown("```\n**kwargs\n```", true).find("**kwargs"), std::string::npos);
}

}  // namespace
}  // namespace precedent
