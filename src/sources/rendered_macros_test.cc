#include "sources/rendered_macros.h"

#include <gtest/gtest.h>

#include "sources/storage_markdown.h"
#include "sources/well_formed_html.h"

namespace precedent {
namespace {

TEST(WellFormedHtml, WhatBrowsersTakeBecomesXml) {
  const auto expect = [](const char* html, const char* xml) {
    EXPECT_EQ(well_formed_html(html), xml) << html;
  };
  expect("<p>one<br>two", "<p>one<br/>two</p>");
  expect("<p>one<p>two", "<p>one</p><p>two</p>");
  expect("<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>");
  expect("<b><i>x</b>y</i>", "<b><i>x</i></b>y");
  expect("<table><tr><td>a<td>b<tr><td>c</table>",
         "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>");
  expect("<A HREF=x.html class='a \"b\"' class=c disabled>x</a>",
         "<a href=\"x.html\" class=\"a &quot;b&quot;\" disabled=\"\">x</a>");
  expect("a < b && c > d &nbsp;", "a &lt; b && c &gt; d &nbsp;");
  expect("<!-- x --><script>if (a<b) \"</p>\"</script><!DOCTYPE html>y", "y");
  expect("</p>x</div>", "x");
  expect("<img src=x><hr/><p/>", "<img src=\"x\"/><hr/><p/>");
  expect("<p", "<p></p>");
  expect("<script>never ends", "");
}

TEST(WellFormedHtml, DepthIsBounded) {
  std::string html;
  for (int i = 0; i < 100'000; ++i) html += "<div>";
  const std::string xml = well_formed_html(html + "deep");
  EXPECT_NE(xml.find("deep"), std::string::npos);
  EXPECT_LT(xml.size(), 3000U);
}

TEST(RenderedMacros, AreFoundByNameInTheOrderOfThePage) {
  const auto found = rendered_macros(
      "<p>intro<br></p><div class=\"conf-macro output-block\" data-hasbody=\"false\" "
      "data-macro-name=\"roster\"><ul><li>Ana<li>Ben</ul></div><p>and <span "
      "data-macro-name=\"roster\">nobody</span></p><img data-macro-name=drawio src=x>"
      "<div data-macro-name=\"other\">x</div>",
      {{"roster", 2}, {"drawio", 1}});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found.at("roster"), (std::vector<std::string>{"- Ana\n- Ben", "nobody"}));
  EXPECT_EQ(found.at("drawio"), (std::vector<std::string>{""}));
}

TEST(RenderedMacros, StandWhereTheMacroStands) {
  const char* page =
      "<h2>On call</h2><ac:structured-macro ac:name=\"roster\"/><p>Ask <ac:structured-macro "
      "ac:name=\"roster\"/> first.</p><ac:structured-macro ac:name=\"chart\"/>";
  const auto bare = storage_to_markdown(page);
  ASSERT_TRUE(bare);
  EXPECT_EQ(bare->bodiless, (std::map<std::string, size_t>{{"chart", 1}, {"roster", 2}}));
  EXPECT_EQ(bare->rendered, 0U);
  const auto whole = storage_to_markdown(page, {{"roster", {"- Ana\n- Ben", "Ana"}}});
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->markdown, "## On call\n\n- Ana\n- Ben\n\nAsk Ana first.");
  EXPECT_EQ(whole->rendered, 2U);
  EXPECT_EQ(whole->unknown_macros.at("roster"), 2U);
}

TEST(RenderedMacros, AMacroWithTextOfItsOwnKeepsThat) {
  const auto text = storage_to_markdown(
      "<ac:structured-macro ac:name=\"box\"><ac:rich-text-body><p>mine</p></ac:rich-text-body>"
      "</ac:structured-macro>",
      {{"box", {"shown"}}});
  ASSERT_TRUE(text);
  EXPECT_EQ(text->markdown, "mine");
  EXPECT_TRUE(text->bodiless.empty());
}

}  // namespace
}  // namespace precedent
