#include "cli/terminal/render.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

TEST(RenderMarkdown, WithoutColourIsTheTextItself) {
  EXPECT_EQ(render_markdown("**a**\n> b", false), "**a**\n> b");
}

TEST(RenderMarkdown, BoldBecomesAnsi) {
  EXPECT_EQ(render_markdown("x **a** y", true), "x \x1b[1ma\x1b[0m y");
}

TEST(RenderMarkdown, HeadingsAndCodeLoseTheirMarks) {
  EXPECT_EQ(render_markdown("## A `b`", true), "\x1b[1mA `b`\x1b[0m");
  EXPECT_EQ(render_markdown("#4711 is no heading", true), "#4711 is no heading");
  EXPECT_EQ(render_markdown("run `kubectl **get**` now", true),
            "run \x1b[36mkubectl **get**\x1b[0m now");
}

TEST(RenderMarkdown, WhatIsNotClosedStaysAsItIs) {
  EXPECT_EQ(render_markdown("**a", true), "**a");
  EXPECT_EQ(render_markdown("a ` b", true), "a ` b");
  EXPECT_EQ(render_markdown("a **** b `` c", true), "a **** b `` c");
}

TEST(RenderMarkdown, StarsInsideCodeBlocksStay) {
  EXPECT_NE(render_markdown("```\n**kwargs\n```", true).find("**kwargs"), std::string::npos);
}

TEST(RenderMarkdown, FencesAreShownAsColourAlone) {
  EXPECT_EQ(render_markdown("a\n```sh\nls\n```\nb", true), "a\n\x1b[36mls\x1b[0m\nb");
}

TEST(RenderMarkdown, CodeInAQuotationIsCodeBehindItsBar) {
  const std::string bar = "\x1b[2m│ \x1b[0m";
  EXPECT_EQ(render_markdown("> a\n> ```\n> ls **x**\n>\n> > y\n> ```\n> **b**", true),
            bar + "a\n" + bar + "\x1b[36mls **x**\x1b[0m\n" + bar + "\x1b[36m\x1b[0m\n" + bar +
                "\x1b[36m> y\x1b[0m\n" + bar + "\x1b[1mb\x1b[0m");
  EXPECT_EQ(render_markdown(">> ```\n>> ls\n>> ```", true), bar + bar + "\x1b[36mls\x1b[0m");
}

TEST(RenderMarkdown, AQuotationThatEndsEndsItsCode) {
  EXPECT_EQ(render_markdown("> ```\n> ls\n**b**", true),
            "\x1b[2m│ \x1b[0m\x1b[36mls\x1b[0m\n\x1b[1mb\x1b[0m");
}

TEST(RenderMarkdown, EscapesOfWhatIsShownNeverReachATerminal) {
  const std::string hostile = "**a** \x1b]0;t\a\x1b[2J b\u202e";
  EXPECT_EQ(render_markdown(hostile, false), "**a**  b");
  EXPECT_EQ(render_markdown(hostile, true), "\x1b[1ma\x1b[0m  b");
}

TEST(Printable, HasNeitherSecretsNorEscapes) {
  EXPECT_EQ(printable("\x1b[2Jpassword: swordfish"), "password: [redacted:password]");
}

TEST(AnswerPrinter, PrintsTokensWithoutTheirEscapes) {
  testing::internal::CaptureStdout();
  AnswerPrinter printer(false, false);
  printer.emit({Event::Type::kToken, "a\x1b[31"});
  printer.emit({Event::Type::kToken, "mb\nc\x1b]0;x\a"});
  printer.finish();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "ab\nc\n");
}

TEST(AnswerPrinter, PrintsWhatWasCheckedAndNoDraft) {
  testing::internal::CaptureStdout();
  AnswerPrinter printer(false, false);
  printer.emit({.type = Event::Type::kToken, .text = "false\nand more", .draft = true});
  printer.emit({.type = Event::Type::kReset});
  printer.emit({.type = Event::Type::kToken, .text = "true"});
  EXPECT_TRUE(printer.finish());
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "true\n");
}

TEST(JsonLines, MarkADraft) {
  testing::internal::CaptureStdout();
  JsonLines lines;
  lines.emit({.type = Event::Type::kToken, .text = "a", .draft = true});
  lines.emit({.type = Event::Type::kReset});
  lines.emit({.type = Event::Type::kToken, .text = "b"});
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "{\"draft\":true,\"event\":\"token\",\"text\":\"a\"}\n{\"event\":\"reset\"}\n"
            "{\"event\":\"token\",\"text\":\"b\"}\n");
}

TEST(AnswerPrinter, PrintsNoLineForAFence) {
  testing::internal::CaptureStdout();
  AnswerPrinter printer(true, false);
  printer.emit({Event::Type::kToken, "> ```\n> ls\n> ```"});
  printer.finish();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "\x1b[2m│ \x1b[0m\x1b[36mls\x1b[0m\n");
}

}  // namespace
}  // namespace precedent
