#include "text/code_analyzer.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "text/token_parts.h"

namespace precedent {
namespace {

std::string terms(std::string_view text) { return join(CodeAnalyzer().terms(text), " "); }

TEST(CodeAnalyzer, AnIdentifierGivesItselfAndItsWords) {
  EXPECT_EQ(terms("FinishCommand(edge_)"), "finishcommand finish command edg");
  EXPECT_EQ(terms("parseHTTPHeader2"), "parsehttpheader2 pars http header 2");
  EXPECT_EQ(terms("DEPFILE_PARSER"), "depfilepars depfil parser");
  EXPECT_EQ(terms("src/build_log.cc"), "src buildlog build log cc");
  EXPECT_EQ(terms("std::vector<int> m_size;"), "std vector int msize size");
  EXPECT_EQ(terms("foo->bar"), "foo bar");
  EXPECT_EQ(terms("URLs utf8"), "url utf8 utf 8");
}

TEST(CodeAnalyzer, HoweverTheWordsAreJoinedTheWholeIsTheSame) {
  const auto whole = [](std::string_view text) { return CodeAnalyzer().terms(text).front(); };
  for (const char* spelling : {"WorkTree", "workTree", "work_tree", "WORK_TREE", "work-tree"})
    EXPECT_EQ(whole(spelling), whole("worktree")) << spelling;
}

TEST(CodeAnalyzer, ProseIsStoppedAndStemmedAsElsewhere) {
  EXPECT_EQ(terms("It doesn't restart the builds, it's failing"), "restart build fail");
  EXPECT_EQ(terms("a dry-run of x - y"), "dryrun dri run");
}

TEST(CodeAnalyzer, EscapesAreNoLetters) {
  EXPECT_EQ(terms(R"("\nninja: error\t")"), "ninja error");
}

TEST(CodeAnalyzer, OtherScriptsAreReadAsProse) {
  EXPECT_EQ(terms("// Größe 支付失败"), terms("grosse") + " 支付 付失 失败");
}

TEST(CodeAnalyzer, PositionsPointIntoTheSource) {
  const std::string_view text = "x = finishCommand";
  for (const Term& term : CodeAnalyzer().analyze(text)) {
    ASSERT_LE(term.end, text.size());
    ASSERT_LT(term.begin, term.end);
  }
  const Term command = CodeAnalyzer().analyze(text).back();
  EXPECT_EQ(text.substr(command.begin, command.end - command.begin), "Command");
  EXPECT_TRUE(command.part);
}

TEST(CodeAnalyzer, NoTermIsTooLong) {
  for (const std::string& term : CodeAnalyzer().terms(std::string(1000, 'a').append("_BB")))
    EXPECT_LE(term.size(), kMaxTermBytes);
}

}  // namespace
}  // namespace precedent
