// What could not be looked at, and where it stands in an answer.
#include <gtest/gtest.h>

#include "agent/compose/compose_writer.h"
#include "agent/compose/failures.h"

namespace precedent {
namespace {

using Sentences = std::vector<std::string>;

Receipt failed(std::string tool, std::string args, std::string text,
               CallFailure failure = CallFailure::kCall) {
  Receipt receipt;
  receipt.tool = std::move(tool);
  receipt.args = std::move(args);
  receipt.text = std::move(text);
  receipt.status = ReceiptStatus::kError;
  receipt.failure = failure;
  return receipt;
}

TEST(Failures, CallsThatFailedForOneReasonAreOneSentence) {
  EXPECT_EQ(failures_of({failed("metrics_query", R"({"query":"metric=a"})", "It is down."),
                         failed("metrics_query", R"({"query":"metric=b"})", "It is down."),
                         failed("doc_search", "{}", "No index.")}),
            (Sentences{"Not found: metric=a; metric=b. It is down.", "No index."}));
  EXPECT_EQ(failures_of({Receipt{}}), Sentences{});
}

TEST(Failures, ToolsThatFailedForOneReasonAreNamedTogether) {
  const auto of_tool = [](const std::string& tool, std::string_view reason) {
    return failed(tool, "{}", failure_text(tool, reason), CallFailure::kTool);
  };
  EXPECT_EQ(
      failures_of({of_tool("doc_search", "no Qdrant."), of_tool("doc_search", "no Qdrant."),
                   of_tool("search_knowledge", "no Qdrant."), of_tool("repo_search", "no code.")}),
      (Sentences{"doc_search, search_knowledge failed: no Qdrant.",
                 "repo_search failed: no code."}));
}

TEST(Failures, WhatIsSaidToAModelIsNotToldOfTheAnswer) {
  EXPECT_EQ(failures_of({failed("doc_search", "{}", "You made it.", CallFailure::kRepeated),
                         failed("doc_search", "{}", "You may not.", CallFailure::kRefused)}),
            Sentences{});
}

TEST(Failures, WhereOneCallAnsweredNotAllFailed) {
  EXPECT_TRUE(all_failed({failed("doc_search", "{}", "a"), failed("repo_search", "{}", "b")}));
  EXPECT_FALSE(all_failed({failed("doc_search", "{}", "a"), Receipt{}}));
  EXPECT_FALSE(all_failed({}));
}

TEST(Failures, SourcesThatCouldNotBeReadAreNamedOnce) {
  MetricsResult metric;
  metric.alert_problem = "Alertmanager refused.";
  ChangesResult changes;
  changes.asked = {{"git:shop", 3, "", false}, {"flags.jsonl", 0, "no such file", true}};
  Receipt first, second, third;
  first.result = second.result = metric;
  third.result = changes;
  EXPECT_EQ(failures_of({first, second, third}),
            (Sentences{"Not found: active alerts, which could not be read. Alertmanager refused.",
                       "flags.jsonl could not be read: no such file."}));
  // A tool that asked it for something else said why.
  EXPECT_EQ(
      failures_of({third, failed("recent_changes", "{}", "flags.jsonl: no such file; check it")}),
      Sentences{"flags.jsonl: no such file; check it"});
}

std::string text_of(const Answer& answer, const AnswerSpan& span) {
  return std::string(span.bytes.in(answer.text));
}

TEST(BelowHeadline, FollowsAShortFirstParagraph) {
  Answer answer;
  Writer out(answer);
  out.line("**It rose.**");
  out.line("It is high.");
  out.gap();
  out.line("- one");
  out.below_headline({"A is down.", "B is down."});
  EXPECT_EQ(answer.text, "**It rose.**\nIt is high.\n\nA is down.\n\nB is down.\n\n- one\n");
  // Every stretch keeps its own origin.
  ASSERT_EQ(answer.spans.size(), 5u);
  EXPECT_EQ(text_of(answer, answer.spans[1]), "It is high.");
  EXPECT_EQ(text_of(answer, answer.spans[2]), "A is down.");
  EXPECT_EQ(answer.spans[2].origin, Origin::kNote);
  EXPECT_EQ(text_of(answer, answer.spans[3]), "B is down.");
  EXPECT_EQ(text_of(answer, answer.spans[4]), "- one");
  EXPECT_EQ(answer.spans[4].origin, Origin::kComputed);
}

TEST(BelowHeadline, StandsBeforeALongList) {
  Answer answer;
  Writer out(answer);
  out.line("9 incidents:");
  for (int i = 0; i < 9; ++i) out.line("- one of them");
  out.below_headline({"A is down."});
  EXPECT_TRUE(answer.text.starts_with("9 incidents:\n\nA is down.\n\n- one of them\n- one"));
  EXPECT_EQ(text_of(answer, answer.spans[2]), "- one of them");
}

TEST(BelowHeadline, NeverStandsWithinAQuotation) {
  Answer answer;
  Writer out(answer);
  out.quotation("**Steps**\n", "1. Stop it.\n\n2. Start it.", " [R]", {});
  out.line("More.");
  out.below_headline({"A is down."});
  EXPECT_EQ(answer.text, "**Steps**\n1. Stop it.\n\n2. Start it. [R]\n\nA is down.\n\nMore.\n");
}

TEST(BelowHeadline, OfAnEmptyAnswerIsTheAnswer) {
  Answer answer;
  Writer(answer).below_headline({"A is down."});
  EXPECT_EQ(answer.text, "A is down.\n");
  Writer(answer).below_headline({});
  EXPECT_EQ(answer.text, "A is down.\n");
}

}  // namespace
}  // namespace precedent
