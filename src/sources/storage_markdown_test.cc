#include "sources/storage_markdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sources/html_entities.h"

namespace precedent {
namespace {

using testing::HasSubstr;

void check(std::string_view storage, std::string_view markdown) {
  const auto text = storage_to_markdown(storage);
  ASSERT_TRUE(text) << text.error().message << "\n" << storage;
  EXPECT_EQ(text->markdown, markdown) << storage;
}

TEST(StorageMarkdown, HeadingsAndParagraphs) {
  check("", "");
  check("<h1>One</h1><p>First.</p><h3>Three <em>x</em></h3><p> </p>",
        "# One\n\nFirst.\n\n### Three *x*");
  check("<p>a<br/>b</p><p>c   d\n e</p>", "a\nb\n\nc d e");
  check("bare <strong>text</strong>", "bare **text**");
  check("<p>x<strong> y </strong>z</p>", "x **y** z");
  check("<p>A &amp;nbsp; B&nbsp;&ndash; &lt;b&gt; &#8594; &rarr;</p>",
        "A &nbsp; B\u00a0\u2013 <b> \u2192 \u2192");
}

TEST(StorageMarkdown, TextThatLooksLikeMarkdownStaysText) {
  check("<p># no heading</p>", "\\# no heading");
  check("<p>---</p><p>id: INC-1</p>", "\\---\n\nid: INC-1");
  check("<p>```</p>", "\\```");
}

TEST(StorageMarkdown, ListsNest) {
  check("<ol><li>Drain</li><li><p>Restart</p><ul><li>pods</li><li>cron</li></ul></li></ol>",
        "1. Drain\n2. Restart\n\n   - pods\n   - cron");
  check("<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n- - b");
}

TEST(StorageMarkdown, StepsWithCode) {
  check(
      R"(<ol><li><p>Run</p><ac:structured-macro ac:name="code"><ac:parameter ac:name="language">bash</ac:parameter><ac:plain-text-body><![CDATA[kubectl get pods
  | grep "x < y && z"]]></ac:plain-text-body></ac:structured-macro></li></ol>)",
      "1. Run\n\n   ```bash\n   kubectl get pods\n     | grep \"x < y && z\"\n   ```");
}

TEST(StorageMarkdown, CodeKeepsItsTextAndFences) {
  check(
      R"(<ac:structured-macro ac:name="code"><ac:plain-text-body><![CDATA[a ``` b]]]]><![CDATA[>c]]></ac:plain-text-body></ac:structured-macro>)",
      "````\na ``` b]]>c\n````");
  check("<pre>a\n  b &lt; c</pre>", "```\na\n  b < c\n```");
}

TEST(StorageMarkdown, Tables) {
  check(
      "<table><tbody><tr><th>Name</th><th>Who</th></tr><tr><td><p>a|b</p></td><td>Ana<br/>Ben</td>"
      "</tr></tbody></table>",
      "| Name | Who |\n| --- | --- |\n| a\\|b | Ana Ben |");
  check(
      "<table><tr><th>A</th><th>B</th></tr><tr><td rowspan=\"2\">x</td><td>1</td></tr><tr><td>2"
      "</td></tr><tr><td colspan=\"2\">both</td></tr></table>",
      "| A | B |\n| --- | --- |\n| x | 1 |\n| x | 2 |\n| both |  |");
}

TEST(StorageMarkdown, Macros) {
  check(
      R"(<ac:structured-macro ac:name="warning"><ac:parameter ac:name="title">Data loss</ac:parameter><ac:rich-text-body><p>Take a backup.</p></ac:rich-text-body></ac:structured-macro>)",
      "**Warning: Data loss**\n\nTake a backup.");
  check(
      R"(<ac:structured-macro ac:name="expand"><ac:parameter ac:name="title">Details</ac:parameter><ac:rich-text-body><p>x</p></ac:rich-text-body></ac:structured-macro>)",
      "**Details**\n\nx");
  check(
      R"(<p>State: <ac:structured-macro ac:name="status"><ac:parameter ac:name="colour">Red</ac:parameter><ac:parameter ac:name="title">DOWN</ac:parameter></ac:structured-macro>.</p>)",
      "State: DOWN.");
  check(
      R"(<p><ac:structured-macro ac:name="toc"/></p><p>See <ac:structured-macro ac:name="jira"><ac:parameter ac:name="key">OPS-12</ac:parameter></ac:structured-macro></p>)",
      "See OPS-12");
  check(
      "<ac:layout><ac:layout-section><ac:layout-cell><p>left</p></ac:layout-cell><ac:layout-cell>"
      "<p>right</p></ac:layout-cell></ac:layout-section></ac:layout>",
      "left\n\nright");
}

TEST(StorageMarkdown, TaskLists) {
  check(
      "<ac:task-list><ac:task><ac:task-id>1</ac:task-id><ac:task-status>complete</ac:task-status>"
      "<ac:task-body>done</ac:task-body></ac:task><ac:task><ac:task-status>incomplete"
      "</ac:task-status><ac:task-body><span>to do</span></ac:task-body></ac:task></ac:task-list>",
      "- [x] done\n- [ ] to do");
}

TEST(StorageMarkdown, Links) {
  check(R"(<p><a href="https://x.example/a">docs</a> <a href="javascript:x">bad</a></p>)",
        "[docs](https://x.example/a) bad");
  check(
      R"(<p><ac:link><ri:page ri:content-title="DB &amp; pool"/><ac:plain-text-link-body><![CDATA[the page]]></ac:plain-text-link-body></ac:link>, <ac:link><ri:page ri:content-title="B"/></ac:link>, <ac:link><ri:user ri:account-id="1"/></ac:link></p>)",
      "the page (\"DB & pool\"), \"B\", (a user)");
  check(R"(<p><ac:image ac:alt="graph"><ri:attachment ri:filename="g.png"/></ac:image></p>)",
        "(image: graph)");
}

TEST(StorageMarkdown, IncludesAreNamedAndUnknownMacrosCounted) {
  const auto text = storage_to_markdown(
      R"(<ac:structured-macro ac:name="include"><ac:parameter ac:name=""><ac:link><ri:page ri:content-title="Basics"/></ac:link></ac:parameter></ac:structured-macro>
<ac:structured-macro ac:name="drawio"><ac:parameter ac:name="x">1</ac:parameter></ac:structured-macro>
<ac:structured-macro ac:name="fancy"><ac:rich-text-body><p>kept</p></ac:rich-text-body></ac:structured-macro>
<p><ac:structured-macro ac:name="drawio"/></p>)");
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->markdown, "(includes the page \"Basics\")\n\nkept");
  EXPECT_EQ(text->includes, 1U);
  ASSERT_EQ(text->wants.size(), 1U);
  EXPECT_EQ(text->wants[0], (StorageInclude{"", "Basics", std::nullopt}));
  EXPECT_THAT(text->unknown_macros,
              testing::UnorderedElementsAre(testing::Pair("drawio", 2), testing::Pair("fancy", 1)));
}

TEST(StorageMarkdown, IncludesGetTheTextThatIsGivenForThem) {
  const std::string page =
      R"(<ol><li>First<ac:structured-macro ac:name="include"><ac:parameter ac:name=""><ri:page ri:space-key="DEV" ri:content-title="A &amp; B"/></ac:parameter></ac:structured-macro></li></ol>
<ac:structured-macro ac:name="excerpt-include"><ac:parameter ac:name="name">short</ac:parameter><ac:parameter ac:name="default-parameter"><ac:link><ri:page ri:content-title="C"/></ac:link></ac:parameter></ac:structured-macro>)";
  const StorageInclude whole{"DEV", "A & B", std::nullopt}, part{"", "C", "short"};
  EXPECT_THAT(storage_to_markdown(page)->wants, testing::ElementsAre(whole, part));
  const auto text = storage_to_markdown(
      page, {}, {{whole, {"## Head\n\nText.", ""}}, {part, {"", "https://wiki.example/C"}}});
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->markdown,
            "1. First\n\n   ## Head\n\n   Text.\n\n(includes the page \"C\", "
            "https://wiki.example/C)");
  EXPECT_EQ(text->followed, 1U);
  EXPECT_EQ(text->includes, 1U);
  EXPECT_TRUE(text->wants.empty());
}

TEST(StorageMarkdown, AnExcerptStandsAlone) {
  const std::string page =
      R"(<h1>Long</h1><p>x <ac:structured-macro ac:name="excerpt"><ac:rich-text-body><p>One.</p></ac:rich-text-body></ac:structured-macro></p>
<ac:structured-macro ac:name="excerpt"><ac:parameter ac:name="name">short</ac:parameter><ac:rich-text-body><p>Two.</p></ac:rich-text-body></ac:structured-macro>)";
  EXPECT_EQ(excerpt_to_markdown(page, "")->markdown, "One.");
  EXPECT_EQ(excerpt_to_markdown(page, "short")->markdown, "Two.");
  EXPECT_EQ(excerpt_to_markdown(page, "other").error().code, ErrorCode::kNotFound);
}

TEST(StorageMarkdown, HtmlThatIsNoXmlIsRefusedWithItsPlace) {
  for (const char* storage : {"<p>one<br>two</p>", "<p>open", "<p>a</b></p>",
                              "</precedent-page><p>"
                              "x</p><precedent-page>"}) {
    const auto text = storage_to_markdown(storage);
    ASSERT_FALSE(text) << storage;
    EXPECT_EQ(text.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(text.error().message, HasSubstr("save it again"));
  }
  EXPECT_THAT(storage_to_markdown("<p>fine</p><p>one<br>two</p>").error().message,
              HasSubstr("at byte 26, near '<p>fine</p><p>one<br>two</p>'"));
}

TEST(StorageMarkdown, ADoctypeIsRefused) {
  const auto text = storage_to_markdown(
      "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><p>&b;</p>");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kInvalidArgument);
}

TEST(StorageMarkdown, WhatNestsTooDeepOrIsTooLargeIsRefused) {
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += "<div>";
  deep += "x";
  for (int i = 0; i < 5000; ++i) deep += "</div>";
  auto text = storage_to_markdown(deep);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kResourceExhausted);
  EXPECT_THAT(text.error().message, HasSubstr("nests deeper"));

  text = storage_to_markdown(std::string(50 * 1024 * 1024, 'x'));
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().message, HasSubstr("larger than 16 MB"));
}

TEST(HtmlEntities, DecodeWhatIsOne) {
  EXPECT_EQ(decode_html_entities("&eacute;&Eacute;&#x41;&#66;&apos;&quot;"), "éÉAB'\"");
  EXPECT_EQ(decode_html_entities("a & b; &nosuch; &#; &#xZZ; &"), "a & b; &nosuch; &#; &#xZZ; &");
  EXPECT_EQ(decode_html_entities("&#0;&#xD800;&#x110000;"), "\ufffd\ufffd\ufffd");
}

}  // namespace
}  // namespace precedent
