#include "agent/compose/compose_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Source kRunbook{"rb-1", "Failover", "runbook", "runbooks/db.md", {3, 9}, "r1"};
const Source kIncident{"INC-2025-01-02-003", "Outage", "incident", "incidents.csv", {4, 4}, "r2"};

// "note|computed|quotation: the words" of every span.
std::vector<std::string> spans_of(const Answer& answer) {
  constexpr std::string_view kNames[] = {"note", "quotation", "computed"};
  std::vector<std::string> spans;
  for (const AnswerSpan& span : answer.spans)
    spans.push_back(std::string(kNames[static_cast<size_t>(span.origin)]) + ": " +
                    answer.text.substr(span.bytes.begin, span.bytes.end - span.bytes.begin));
  return spans;
}

TEST(Writer, CitesEachKindOfSourceAndListsItOnce) {
  Answer answer;
  Writer out(answer);
  EXPECT_EQ(out.cite(kRunbook), "[runbooks/db.md:3-9]");
  EXPECT_EQ(out.cite(kIncident), "[INC-2025-01-02-003]");
  EXPECT_EQ(out.cite({"q1", "", "metric", "", {}, "r3"}), "[r3: q1]");
  out.cite(kRunbook);
  EXPECT_EQ(answer.sources.size(), 3U);
}

TEST(Writer, ALineRestsOnTheReceiptsCitedSinceTheLineBefore) {
  Answer answer;
  Writer out(answer);
  out.cite(kRunbook);
  out.cite(kIncident);
  out.line("One");
  out.line("Two " + out.cite(kIncident));
  out.line("Three");
  ASSERT_EQ(answer.spans.size(), 3U);
  EXPECT_THAT(answer.spans[0].receipts, ElementsAre("r1", "r2"));
  EXPECT_THAT(answer.spans[1].receipts, ElementsAre("r2"));
  EXPECT_THAT(answer.spans[2].receipts, IsEmpty());
}

TEST(Writer, MarksWhereEachStretchComesFrom) {
  Answer answer;
  Writer out(answer);
  out.note("Nothing newer.");
  out.quotation("It says: ", "restart it", " [x]", kRunbook);
  EXPECT_EQ(answer.text, "Nothing newer.\nIt says: restart it [x]\n");
  EXPECT_THAT(spans_of(answer), ElementsAre("note: Nothing newer.", "computed: It says: ",
                                            "quotation: restart it", "computed:  [x]"));
}

TEST(Writer, PutsSentencesBelowTheHeadlineAndKeepsTheSpansOnTheirWords) {
  Answer answer;
  Writer out(answer);
  out.line("Headline.");
  out.gap();
  out.line("Detail.");
  out.below_headline({"It was undone."});
  EXPECT_EQ(answer.text, "Headline.\n\nIt was undone.\n\nDetail.\n");
  EXPECT_THAT(spans_of(answer),
              ElementsAre("computed: Headline.", "note: It was undone.", "computed: Detail."));
}

TEST(Writer, TakesAnotherAnswerWithItsSpansSourcesAndGaps) {
  Answer part;
  Writer inner(part);
  part.text = "\n";
  inner.line("Inner " + inner.cite(kRunbook));
  inner.missing("no owner");
  Answer answer;
  Writer out(answer);
  out.missing("no owner");
  out.line("Outer");
  out.take(part);
  EXPECT_EQ(answer.text, "Outer\nInner [runbooks/db.md:3-9]\n");
  EXPECT_THAT(spans_of(answer),
              ElementsAre("computed: Outer", "computed: Inner [runbooks/db.md:3-9]"));
  EXPECT_THAT(answer.sources, ElementsAre(kRunbook));
  EXPECT_THAT(answer.missing, ElementsAre("no owner"));
}

TEST(Writer, LeavesOneEmptyLineAndNoneAtTheBeginning) {
  Answer answer;
  Writer out(answer);
  out.gap();
  out.line("One");
  out.gap();
  out.gap();
  out.line("Two");
  EXPECT_EQ(answer.text, "One\n\nTwo\n");
}

Evidence piece(float coverage, float cosine, std::optional<float> answers = std::nullopt) {
  Evidence e;
  e.coverage = coverage;
  e.cosine = cosine;
  e.answers = answers;
  return e;
}

TEST(Evidence, WhereLinesWereReadThatSaysWhetherAnythingAnswers) {
  // In words of its own, and in those of a line that says something else.
  EXPECT_FALSE(is_remote({piece(0.0F, 0.2F, 0.9F)}));
  EXPECT_TRUE(is_remote({piece(0.9F, 0.8F, 0.1F), piece(0.9F, 0.8F)}));
  EXPECT_FALSE(is_remote({piece(0.9F, 0.8F, 0.1F), piece(0.1F, 0.2F, 0.9F)}));
  EXPECT_TRUE(is_convincing(piece(0.0F, 0.2F, 0.9F)));
}

TEST(Evidence, ElseWordsAndMeaningDo) {
  EXPECT_TRUE(is_remote({piece(0.1F, 0.2F)}));
  EXPECT_FALSE(is_remote({piece(0.9F, 0.8F)}));
  EXPECT_FALSE(is_convincing(piece(0.0F, 0.2F)));
}

}  // namespace
}  // namespace precedent
