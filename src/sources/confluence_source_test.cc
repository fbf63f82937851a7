#include "sources/confluence_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sources/confluence_lab.h"

namespace precedent {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class ConfluenceTest : public testing::TestWithParam<bool> {
 protected:
  Result<SyncReport> try_sync(SyncOptions options = {}) {
    ConfluenceSource source = wiki_.open();
    return knowledge_.sync(source, options);
  }
  SyncReport sync(SyncOptions options = {}) {
    const auto report = try_sync(options);
    EXPECT_TRUE(report) << report.error().text();
    return report ? *report : SyncReport{};
  }
  std::vector<std::string> titles() {
    std::vector<std::string> out;
    for (const auto& [id, document] : knowledge_.documents()) out.push_back(document.title);
    std::ranges::sort(out);
    return out;
  }
  size_t asked_for(std::string_view part) {
    size_t count = 0;
    for (const ServedRequest& request : wiki_.vendor().requests())
      count += request.path.find(part) != std::string::npos;
    return count;
  }

  ConfluenceLab wiki_{GetParam()};
  SourceLab knowledge_;
};

INSTANTIATE_TEST_SUITE_P(Cloud, ConfluenceTest, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(DataCenter, ConfluenceTest, testing::Values(true));

TEST_P(ConfluenceTest, ADocumentSaysWhereItIsFrom) {
  wiki_.options.read.kind = Kind::kRunbook;
  wiki_.options.read.services = {"shop"};
  wiki_.put("Pool / exhausted", "<h2>Symptoms</h2><p>Timeouts.</p>").labels = {"runbook"};
  sync();
  const auto all = knowledge_.documents();
  ASSERT_EQ(all.size(), 1U);
  const Document& document = all.begin()->second;
  EXPECT_EQ(document.id, "wiki-101");
  EXPECT_EQ(document.title, "Pool / exhausted");
  EXPECT_EQ(document.body, "## Symptoms\n\nTimeouts.\n");
  EXPECT_EQ(document.path, "confluence:OPS/Pool exhausted");
  EXPECT_EQ(document.source, "confluence:wiki");
  EXPECT_EQ(document.kind, Kind::kRunbook);
  EXPECT_THAT(document.tags, ElementsAre("runbook"));
  EXPECT_THAT(document.services, ElementsAre("shop"));
  EXPECT_EQ(document.attributes.at("version"), "1");
  EXPECT_EQ(document.attributes.at("link"),
            wiki_.vendor().url(wiki_.root() + "/spaces/OPS/pages/101"));
  EXPECT_EQ(document.updated_at, parse_time("2026-11-24T09:01:30Z").value());
}

TEST_P(ConfluenceTest, AllPagesOfAListAreRead) {
  for (const char* title : {"a", "b", "c", "d", "e", "f", "g"}) wiki_.put(title, "<p>x</p>");
  EXPECT_EQ(sync().ingest.added, 7U);
}

TEST_P(ConfluenceTest, OnlyWhatChangedIsReadAgain) {
  for (const char* title : {"a", "b", "c"}) wiki_.put(title, "<p>x</p>");
  sync();
  wiki_.vendor().requests();
  wiki_.put("b", "<p>y</p>");
  const SyncReport report = sync();
  EXPECT_FALSE(report.everything);
  EXPECT_EQ(report.ingest.changed, 1U);
  size_t bodies = 0, sweeps = 0;
  for (const ServedRequest& request : wiki_.vendor().requests()) {
    bodies += request.parameter("body-format") == "storage" ||
              request.parameter("expand").starts_with("body.storage");
    sweeps += request.path.ends_with("/spaces/9/pages") || request.path.ends_with("/api/content");
  }
  EXPECT_EQ(bodies, 1U);
  EXPECT_EQ(sweeps, 0U);
}

TEST_P(ConfluenceTest, ADeletionIsNoticedByASweep) {
  for (const char* title : {"a", "b", "c"}) wiki_.put(title, "<p>x</p>");
  sync();
  wiki_.remove("b");
  EXPECT_EQ(sync().removed, 0U);
  EXPECT_EQ(sync({.sweep = true}).removed, 1U);
  EXPECT_THAT(titles(), ElementsAre("a", "c"));
}

TEST_P(ConfluenceTest, RestrictedPagesAndThoseBelowAreNotTaken) {
  wiki_.put("open", "<p>x</p>");
  wiki_.put("secret", "<p>x</p>").restricted = true;
  wiki_.put("below", "<p>x</p>").ancestors = {"101", "102"};
  const SyncReport report = sync();
  EXPECT_THAT(titles(), ElementsAre("open"));
  EXPECT_THAT(report.notes, Contains(HasSubstr("2 pages were not taken")));

  // Between sweeps, too: of a page that changes below a restricted one, and of one that becomes so.
  wiki_.put("below", "<p>y</p>");
  wiki_.put("open", "<p>y</p>").restricted = true;
  EXPECT_EQ(sync().removed, 1U);
  EXPECT_THAT(titles(), ElementsAre());
}

TEST_P(ConfluenceTest, OnlyChosenLabelsAreTaken) {
  wiki_.options.labels = {"runbook"};
  wiki_.put("a", "<p>x</p>").labels = {"other", "runbook"};
  wiki_.put("b", "<p>x</p>").labels = {"other"};
  sync();
  EXPECT_THAT(titles(), ElementsAre("a"));
  wiki_.put("a", "<p>y</p>").labels = {"other"};
  EXPECT_EQ(sync().removed, 1U);
}

TEST_P(ConfluenceTest, OddMarkupCostsItsPageAlone) {
  wiki_.put("good", "<p>x</p>");
  wiki_.put("html", "<p>one<br>two</p>");
  wiki_.put("macros", "<p><ac:structured-macro ac:name=\"drawio\"/>y</p>");
  const SyncReport report = sync();
  EXPECT_THAT(titles(), ElementsAre("good", "macros"));
  ASSERT_EQ(report.ingest.bad_count, 1U);
  EXPECT_EQ(report.ingest.bad[0].path, "confluence:OPS/html");
  EXPECT_THAT(report.ingest.bad[0].message, HasSubstr("no well-formed storage format"));
  EXPECT_THAT(report.ingest.warnings, Contains(HasSubstr("drawio (1)")));

  // What was good stays while it is bad.
  wiki_.put("good", "<p>broken");
  EXPECT_EQ(sync().removed, 0U);
  EXPECT_THAT(titles(), ElementsAre("good", "macros"));
}

TEST_P(ConfluenceTest, MacrosThatAreNotKnownAreTakenAsThePageShowsThem) {
  ConfluenceLab::Page& page =
      wiki_.put("on call", "<p>Now:</p><ac:structured-macro ac:name=\"roster\"/><p>End.</p>");
  page.view =
      "<p>Now:<br></p><div class=\"conf-macro\" data-macro-name=\"roster\"><ul><li>Ana"
      "<li>Ben</ul></div><p>End.";
  wiki_.put("odd", "<p>x</p><ac:structured-macro ac:name=\"roster\"/>").view = "<p>no marks";
  wiki_.put("plain", "<p>y</p>");
  wiki_.vendor().requests();
  const SyncReport report = sync();
  const auto all = knowledge_.documents();
  EXPECT_EQ(all.at("wiki-101").body, "Now:\n\n- Ana\n- Ben\n\nEnd.\n");
  EXPECT_EQ(all.at("wiki-102").body, "x\n");
  EXPECT_THAT(report.ingest.warnings,
              Contains(HasSubstr("roster (2); 1 without one as the page shows them")));
  size_t views = 0;
  for (const ServedRequest& request : wiki_.vendor().requests())
    views += request.parameter("body-format") == "view" ||
             request.parameter("expand").starts_with("body.view");
  EXPECT_EQ(views, 2U) << "a page without such a macro is asked for once";
}

TEST_P(ConfluenceTest, WhatOtherPagesHoldIsNotTakenFromTheView) {
  wiki_.put("report", "<p>x</p><ac:structured-macro ac:name=\"detailssummary\"/>").view =
      "<p>x</p><table data-macro-name=\"detailssummary\"><tr><td>secret</td></tr></table>";
  sync();
  EXPECT_EQ(knowledge_.documents().at("wiki-101").body, "x\n");
}

TEST_P(ConfluenceTest, AMovedPageIsFoundAtItsNewPlaceOrGone) {
  wiki_.options.spaces = {"OPS", "DEV"};
  ConfluenceLab::Page& page = wiki_.put("Pool", "<p>x</p>");
  wiki_.put("Other", "<p>x</p>");
  sync();
  page.space = "DEV";
  const SyncReport moved = sync({.sweep = true});
  EXPECT_EQ(moved.removed, 0U);
  EXPECT_EQ(moved.ingest.changed, 1U);
  EXPECT_EQ(knowledge_.documents().at("wiki-101").path, "confluence:DEV/Pool");
  page.space = "ELSEWHERE";
  EXPECT_EQ(sync({.sweep = true}).removed, 1U);
}

TEST_P(ConfluenceTest, APageCannotGiveItselfFields) {
  wiki_.put("--- id: INC-2025-01-01-001", "<p>---</p><p>id: INC-2025-01-01-001\ntype: golden</p>");
  sync();
  const auto all = knowledge_.documents();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all.begin()->first, "wiki-101");
  EXPECT_NE(all.begin()->second.kind, Kind::kGolden);
}

TEST_P(ConfluenceTest, WhatHidesOrSteersIsTakenOut) {
  wiki_.put("Pool \x1b[31m\u202e full", "<p>\x1b[2Jx&#8238;y</p>").labels = {"a\x1b[0mb"};
  sync();
  const auto all = knowledge_.documents();
  ASSERT_EQ(all.size(), 1U);
  const Document& document = all.begin()->second;
  for (const std::string& text :
       {document.title, document.body, document.path, document.tags.at(0)}) {
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\u202e")));
  }
}

TEST_P(ConfluenceTest, APageOf50MegabytesIsRefused) {
  wiki_.put("a", "<p>small</p>");
  wiki_.put("large", std::string(50U << 20, 'x'));
  wiki_.put("z", "<p>small</p>");
  const SyncReport report = sync();
  EXPECT_THAT(titles(), ElementsAre("a", "z"));
  ASSERT_EQ(report.ingest.bad_count, 1U);
  EXPECT_THAT(report.ingest.bad[0].text(), HasSubstr("confluence:OPS/large: the page is larger"));
}

TEST_P(ConfluenceTest, ANextPageOnAnotherHostIsRefused) {
  wiki_.put("a", "<p>x</p>");
  for (const char* next : {"https://evil.example/rest/api/content?start=2", "//evil.example/x",
                           "http://127.0.0.1:1/x", "https://127.0.0.1/x"}) {
    wiki_.instead = [next](const ServedRequest&) -> std::optional<ServedResponse> {
      return ServedResponse{
          .body =
              nlohmann::json{{"results", {{{"id", "9"}}}}, {"_links", {{"next", next}}}}.dump()};
    };
    const auto report = try_sync();
    ASSERT_FALSE(report) << next;
    EXPECT_EQ(report.error().code, ErrorCode::kPermission);
    EXPECT_THAT(report.error().message, HasSubstr("another host"));
  }
}

TEST_P(ConfluenceTest, AListWithoutEndIsAnError) {
  wiki_.instead = [&](const ServedRequest&) -> std::optional<ServedResponse> {
    return ServedResponse{
        .body = R"({"results":[{"id":"9"}],"_links":{"next":"/rest/api/content?start=2"}})"};
  };
  const auto report = try_sync();
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr("again and again"));
}

TEST_P(ConfluenceTest, AnExpiredTokenKeepsWhatIsKnown) {
  wiki_.put("a", "<p>x</p>");
  sync();
  wiki_.instead = [](const ServedRequest&) -> std::optional<ServedResponse> {
    return ServedResponse{.status = 401, .body = "{}"};
  };
  const auto report = try_sync({.sweep = true});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kPermission);
  EXPECT_THAT(report.error().message, HasSubstr("LAB_TOKEN: it may have expired"));
  EXPECT_THAT(titles(), ElementsAre("a"));
}

TEST(ConfluenceCloud, APageThatCqlDoesNotKnowYetWaits) {
  ConfluenceLab wiki;
  SourceLab knowledge;
  wiki.put("a", "<p>x</p>");
  ConfluenceLab::Page& page = wiki.put("b", "<p>x</p>");
  const auto sync = [&] {
    ConfluenceSource source = wiki.open();
    return knowledge.sync(source, {.sweep = true});
  };
  ASSERT_TRUE(sync());
  EXPECT_EQ(knowledge.documents().size(), 2U);
  // Out of the index for a while: it was not deleted.
  page.indexed = false;
  const auto report = sync();
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_EQ(report->removed, 0U);
  EXPECT_THAT(report->notes, Contains(HasSubstr("not yet in Confluence's own index")));
}

TEST(ConfluenceCloud, AnUnknownSpaceIsNamed) {
  ConfluenceLab wiki;
  wiki.options.spaces = {"OPS", "NOPE"};
  SourceLab knowledge;
  ConfluenceSource source = wiki.open();
  const auto report = knowledge.sync(source);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(report.error().message, HasSubstr("'NOPE'"));
}

}  // namespace
}  // namespace precedent
