#include "sources/confluence_includes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sources/confluence_lab.h"

namespace precedent {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

std::string include(const std::string& title, const std::string& macro = "include",
                    const std::string& space = "") {
  return fmt::format(
      R"(<ac:structured-macro ac:name="{}"><ac:parameter ac:name=""><ac:link><ri:page {}ri:content-title="{}"/></ac:link></ac:parameter></ac:structured-macro>)",
      macro, space.empty() ? "" : fmt::format("ri:space-key=\"{}\" ", space), title);
}

class ConfluenceIncludesTest : public testing::TestWithParam<bool> {
 protected:
  SyncReport sync(SyncOptions options = {}) {
    ConfluenceSource source = wiki_.open();
    const auto report = knowledge_.sync(source, options);
    EXPECT_TRUE(report) << report.error().text();
    return report ? *report : SyncReport{};
  }
  std::string body(const std::string& title) {
    for (const auto& [id, document] : knowledge_.documents())
      if (document.title == title) return document.body;
    return "there is no such document";
  }
  std::string named(const std::string& title, const std::string& space = "OPS") {
    return fmt::format("(includes the page \"{}\", {})", title,
                       wiki_.vendor().url(fmt::format("{}/display/{}/{}", wiki_.root(), space,
                                                      percent_encoded(title))));
  }

  ConfluenceLab wiki_{GetParam()};
  SourceLab knowledge_;
};

INSTANTIATE_TEST_SUITE_P(Cloud, ConfluenceIncludesTest, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(DataCenter, ConfluenceIncludesTest, testing::Values(true));

TEST_P(ConfluenceIncludesTest, TheTextOfThePageStandsWhereTheIncludeStands) {
  wiki_.put("Restart", "<ol><li>Drain.</li><li>Restart.</li></ol>");
  wiki_.put("Pool", "<h2>Steps</h2>" + include("Restart") + "<p>Done.</p>");
  const SyncReport report = sync();
  EXPECT_EQ(body("Pool"), "## Steps\n\n1. Drain.\n2. Restart.\n\nDone.\n");
  EXPECT_THAT(report.ingest.warnings, Contains(HasSubstr("1 were followed, 0 are only named")));
}

TEST_P(ConfluenceIncludesTest, AnExcerptIsTakenAlone) {
  wiki_.put("Long",
            "<p>Long.</p><ac:structured-macro ac:name=\"excerpt\"><ac:rich-text-body>"
            "<p>Short.</p></ac:rich-text-body></ac:structured-macro>");
  wiki_.put("Bare", "<p>None.</p>");
  wiki_.put("Pool", include("Long", "excerpt-include") + include("Bare", "excerpt-include"));
  sync();
  EXPECT_EQ(body("Pool"), fmt::format("Short.\n\n{}\n", named("Bare")));
}

TEST_P(ConfluenceIncludesTest, WhatNotEverybodyMayReadIsOnlyNamed) {
  wiki_.put("Secret", "<p>password</p>").restricted = true;
  wiki_.put("Below", "<p>password</p>").ancestors = {"101"};
  wiki_.put("Elsewhere", "<p>password</p>").space = "DEV";
  wiki_.put("Open", "<p>x</p>" + include("Secret"));
  wiki_.put("Pool", include("Open") + include("Secret") + include("Below") +
                        include("Elsewhere", "include", "DEV") + include("Nobody"));
  sync();
  EXPECT_EQ(body("Pool"),
            fmt::format("x\n\n{}\n\n{}\n\n{}\n\n{}\n\n{}\n", named("Secret"), named("Secret"),
                        named("Below"), named("Elsewhere", "DEV"), named("Nobody")));
  for (const ServedRequest& request : wiki_.vendor().requests())
    EXPECT_THAT(std::string(request.parameter("cql")), Not(HasSubstr("DEV")));
}

TEST_P(ConfluenceIncludesTest, ASpaceThatIsConfiguredIsFollowed) {
  wiki_.options.spaces = {"OPS", "DEV"};
  wiki_.put("Pool", include("Inner", "include", "DEV"));
  wiki_.put("Inner", "<p>in</p>" + include("Deep")).space = "DEV";
  wiki_.put("Deep", "<p>deep</p>").space = "DEV";
  sync();
  EXPECT_EQ(body("Pool"), "in\n\ndeep\n");
}

TEST_P(ConfluenceIncludesTest, PagesThatIncludeEachOtherEnd) {
  wiki_.put("A", "<p>a</p>" + include("B"));
  wiki_.put("B", "<p>b</p>" + include("a"));
  wiki_.put("Self", "<p>s</p>" + include("Self"));
  sync();
  EXPECT_EQ(body("A"), fmt::format("a\n\nb\n\n{}\n", named("a")));
  EXPECT_EQ(body("Self"), fmt::format("s\n\n{}\n", named("Self")));
}

TEST_P(ConfluenceIncludesTest, DepthAndNumberAreBounded) {
  for (int i = 0; i < 10; ++i)
    wiki_.put(fmt::format("deep{}", i),
              fmt::format("<p>{}</p>", i) + include(fmt::format("deep{}", i + 1)));
  std::string many;
  for (int i = 0; i < 60; ++i) many += include(fmt::format("part{}", i));
  for (int i = 0; i < 60; ++i) wiki_.put(fmt::format("part{}", i), "<p>part</p>");
  wiki_.put("many", many);
  sync();
  EXPECT_EQ(body("deep0"), fmt::format("0\n\n1\n\n2\n\n3\n\n4\n\n5\n\n{}\n", named("deep6")));
  EXPECT_THAT(body("many"), HasSubstr("part\n\n" + named("part50")));
}

TEST_P(ConfluenceIncludesTest, APageIsReadAgainWhenWhatItIncludesChanges) {
  wiki_.put("Restart", "<p>old</p>");
  wiki_.put("Pool", "<p>x</p>" + include("Restart"));
  wiki_.put("Other", "<p>x</p>");
  sync();
  // Nothing changed: nothing is read.
  EXPECT_EQ(sync().ingest.added + sync().ingest.changed, 0U);
  wiki_.put("Restart", "<p>new</p>");
  EXPECT_EQ(sync().ingest.changed, 2U);
  EXPECT_EQ(body("Pool"), "x\n\nnew\n");
  EXPECT_EQ(sync().ingest.changed, 0U);
  // By a sweep, too.
  wiki_.put("Restart", "<p>newer</p>");
  EXPECT_EQ(sync({.sweep = true}).ingest.changed, 2U);
  EXPECT_EQ(body("Pool"), "x\n\nnewer\n");
}

TEST_P(ConfluenceIncludesTest, APageLongUnchangedIsReadAgainToo) {
  wiki_.put("Pool", "<p>x</p>" + include("Restart")).modified -= std::chrono::days(30);
  wiki_.put("Restart", "<p>old</p>");
  sync();
  wiki_.put("Restart", "<p>new</p>");
  EXPECT_EQ(sync().ingest.changed, 2U);
  EXPECT_EQ(body("Pool"), "x\n\nnew\n");
}

TEST_P(ConfluenceIncludesTest, ARestrictionThatComesLaterTakesTheTextOut) {
  wiki_.put("Restart", "<p>secret</p>");
  wiki_.put("Pool", "<p>x</p>" + include("Restart"));
  sync();
  EXPECT_EQ(body("Pool"), "x\n\nsecret\n");
  wiki_.put("Restart", "<p>secret</p>").restricted = true;
  sync();
  EXPECT_EQ(body("Pool"), fmt::format("x\n\n{}\n", named("Restart")));
  // And one that goes brings it back; here, one that only a sweep sees.
  wiki_.put("Restart", "<p>open</p>");
  wiki_.put("Restart", "<p>open</p>").restricted = false;
  sync({.sweep = true});
  EXPECT_EQ(body("Pool"), "x\n\nopen\n");
}

}  // namespace
}  // namespace precedent
