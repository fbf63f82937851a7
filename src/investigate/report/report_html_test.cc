#include "investigate/report/report_html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kHostile =
    "</title><script>alert(1)</script>\"' onmouseover=x <img src=https://evil.example/> \x1b[2J & "
    "password=hunter2secret";

Investigation hostile() {
  const std::string text(kHostile);
  Investigation out;
  out.evidence.brief.title = text;
  out.evidence.missing = {text};
  out.evidence.receipts.push_back({.id = "R1\"><script>", .tool = text, .args = text});
  out.evidence.receipts.back().text = text;
  out.evidence.ranking = {{text, 1, text}};
  Hypothesis cause;
  cause.id = "H1", cause.row = "change", cause.statement = text;
  cause.needs = {{text, 1, 1, text, "R1\"><script>"}};
  cause.path = {{text, text, text, ""}};
  out.hypotheses = {cause};
  out.verdict.causes = {"H1"};
  out.verdict.summary = text, out.verdict.advice = text, out.verdict.first_failing_service = text;
  out.verdict.blast_radius = {text};
  out.verdict.question = DecidingQuestion{text, text, text};
  out.verdict.alternatives = {{"H1", text}};
  out.known.push_back({.id = text, .title = text, .kind = text, .path = text});
  return out;
}

TEST(HtmlReport, HostileTextIsOnlyText) {
  const std::string page = to_html(hostile());
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
  EXPECT_THAT(page, Not(HasSubstr("hunter2secret")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)"));
  EXPECT_THAT(page, HasSubstr("href=\"#R1&quot;&gt;&lt;script&gt;\"")) << "no way out of quotes";
  // One title, one heading, one body: nothing closes them early.
  for (const std::string_view once : {"</title>", "</h1>", "</body>", "</style>"})
    EXPECT_EQ(page.find(once), page.rfind(once)) << once;
}

TEST(HtmlReport, ThePageAsksForNothing) {
  const std::string page = to_html(hostile());
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  for (const std::string_view asks : {"url(", "@import", "<link", "<iframe", "<img", "href=\"http"})
    EXPECT_THAT(page, Not(HasSubstr(asks)));
}

TEST(HtmlReport, AClaimLinksToItsReceipt) {
  Investigation made;
  made.evidence.receipts.push_back({.id = "R1", .tool = "metrics"});
  Hypothesis cause;
  cause.id = "H1", cause.row = "change", cause.statement = "a check is gone";
  cause.needs = {{"live before the onset", 1, 1, "", "R1"}};
  made.hypotheses = {cause};
  made.verdict.causes = {"H1"};
  const std::string page = to_html(made);
  EXPECT_THAT(page, HasSubstr("<a href=\"#R1\">R1</a>"));
  EXPECT_THAT(page, HasSubstr("<span id=\"R1\">R1</span>"));
}

}  // namespace
}  // namespace precedent
