#include "agent/compose/section.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/compose/compose_writer.h"

namespace precedent {
namespace {

using ::testing::ElementsAre;

struct Lab {
  Answer& answer;
  Writer& out;
  bool quiet = false;
};
using Row = AnswerSection<Lab>;

constexpr Row kAlways{"always", "it is a test", [](const Lab&) { return true; },
                      [](Lab& lab) { lab.out.line("Always."); }};
constexpr Row kLoud{"loud", "it is loud", [](const Lab& lab) { return !lab.quiet; },
                    [](Lab& lab) { lab.out.line("Loud."); }};
constexpr Row kSilent{"silent", "it is a test", [](const Lab&) { return true; }, [](Lab&) {}};

constexpr Row ending(Row row, Then then) {
  row.then = then;
  return row;
}

Answer written(const std::vector<Row>& table, bool quiet = false) {
  Answer answer;
  Writer out(answer);
  Lab lab{answer, out, quiet};
  write_sections(std::span(table), lab);
  return answer;
}

TEST(Sections, AreWrittenInOrderWhereTheyApply) {
  EXPECT_EQ(written({kAlways, kLoud}).text, "Always.\nLoud.\n");
  EXPECT_EQ(written({kLoud, kAlways}).text, "Loud.\nAlways.\n");
  EXPECT_EQ(written({kLoud, kAlways}, true).text, "Always.\n");
}

// A section of one's own is one row: whatever table it is added to writes it in its place.
TEST(Sections, ARowMoreIsASectionMore) {
  constexpr Row kOwn{"own", "somebody added it", [](const Lab&) { return true; },
                     [](Lab& lab) { lab.out.line("Own."); }};
  const Answer answer = written({kLoud, kOwn, kAlways});
  EXPECT_EQ(answer.text, "Loud.\nOwn.\nAlways.\n");
  EXPECT_EQ(answer.explain[1], "section own: somebody added it");
}

TEST(Sections, ATableEndsWhereARowSaysSo) {
  EXPECT_EQ(written({ending(kLoud, Then::kEnd), kAlways}).text, "Loud.\n");
  EXPECT_EQ(written({ending(kSilent, Then::kEnd), kAlways}).text, "");
  EXPECT_EQ(written({ending(kLoud, Then::kEnd), kAlways}, true).text, "Always.\n");
  EXPECT_EQ(written({ending(kLoud, Then::kEndIfWritten), kAlways}).text, "Loud.\n");
  EXPECT_EQ(written({ending(kSilent, Then::kEndIfWritten), kAlways}).text, "Always.\n");
}

TEST(Sections, EachSaysWhyItIsThereOrNot) {
  EXPECT_THAT(
      written({kLoud, kSilent, kAlways}, true).explain,
      ElementsAre("section loud: left out (only if it is loud)",
                  "section silent: nothing to say (it is a test)", "section always: it is a test"));
}

TEST(Sections, EachHasItsPlaceInTheText) {
  Answer answer = written({kAlways, kSilent, kLoud});
  EXPECT_EQ(answer.sections, (std::vector<TypedSection>{{"always", {0, 8}}, {"loud", {8, 14}}}));
  // What is put below the headline moves what stands behind it.
  Writer(answer).below_headline({"No metrics."});
  ASSERT_EQ(answer.sections.size(), 2u);
  EXPECT_EQ(answer.sections[1].bytes.in(answer.text), "Loud.\n");
}

}  // namespace
}  // namespace precedent
