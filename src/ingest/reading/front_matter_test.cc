#include "ingest/reading/front_matter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.h"
#include "ingest/fields/attribute_text.h"
#include "ingest/reading/infer_kind.h"
#include "knowledge/incident.h"

namespace precedent {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

std::expected<Document, BadRecord> read(std::string_view text, std::string path = "kb/notes.md",
                                        std::optional<Kind> kind = std::nullopt) {
  return read_markdown(text, {path, "/srv/kb"}, kind);
}

Document good(std::string_view text, std::string path = "kb/notes.md") {
  const auto document = read(text, std::move(path));
  EXPECT_TRUE(document.has_value()) << (document ? "" : document.error().text());
  return document.value_or(Document{});
}

constexpr std::string_view kRunbook = R"(---
type: runbook
title: Pool exhausted
services: [checkout-api, payment-service]
symptoms:
  - timeouts on /api/pay
  - "db.pool.wait > 1s"
severity: SEV2
tags: db, pool
author: Mia
lastValidated: 2025-03-01
customField: {a: 1}
---

# Pool exhausted

## Diagnosis
Look at the pool.
)";

TEST(FrontMatter, ReadsItsFields) {
  const Document d = good(kRunbook);
  EXPECT_EQ(d.kind, Kind::kRunbook);
  EXPECT_EQ(d.title, "Pool exhausted");
  EXPECT_THAT(d.services, ElementsAre("checkout-api", "payment-service"));
  EXPECT_THAT(d.symptoms, ElementsAre("timeouts on /api/pay", "db.pool.wait > 1s"));
  EXPECT_THAT(d.tags, ElementsAre("db", "pool"));
  EXPECT_EQ(d.severity, "SEV2");
  EXPECT_THAT(d.attributes,
              UnorderedElementsAre(Pair("author", "Mia"), Pair("lastValidated", "2025-03-01"),
                                   Pair("customField", "{\"a\":\"1\"}")));
  EXPECT_EQ(d.path, "kb/notes.md");
  EXPECT_EQ(d.source, "/srv/kb");
  EXPECT_EQ(d.id, "") << "the caller knows it";
}

TEST(FrontMatter, ValuesWithoutQuotesAreReadAsPeopleMeanThem) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"title: Post-mortem: x", "Post-mortem: x"},
      {"title: Post-mortem: it's x: y", "Post-mortem: it's x: y"},
      {"title: [draft] Fail over", "[draft] Fail over"},
      {"title: \"Slow\" pages", "\"Slow\" pages"},
      {"title: @oncall: read this", "@oncall: read this"},
      {"owner: a: b\ntitle: c: d\nteam: e", "c: d"},
      {"title: 'a: b'", "a: b"},
  };
  for (const auto& [yaml, title] : cases)
    EXPECT_EQ(good(fmt::format("---\n{}\n---\nx", yaml)).title, title) << yaml;
  const Document d = good("---\nowner: a: b\nnote: |\n  kept: as: it is\ntags: [x, y]\n---\nx");
  EXPECT_EQ(d.attributes.at("owner"), "a: b");
  EXPECT_EQ(d.attributes.at("note"), "kept: as: it is\n");
  EXPECT_THAT(d.tags, ElementsAre("x", "y"));
}

TEST(FrontMatter, AFieldThatCannotBeReadCostsTheFieldOnly) {
  std::string said;
  const auto d =
      read_markdown("---\ntitle: T\ndate: soon\nseverity: {a: 1}\n---\nx", {"a.md", "/a"},
                    std::nullopt, [&](BadRecord&& bad) { said += bad.text() + "\n"; });
  ASSERT_TRUE(d) << d.error().text();
  EXPECT_FALSE(d->opened_at);
  EXPECT_EQ(d->severity, "");
  EXPECT_EQ(d->attributes.at("date"), "soon");
  EXPECT_EQ(d->attributes.at("severity"), "{\"a\":\"1\"}");
  EXPECT_THAT(said, HasSubstr("a.md:2: 'date': 'soon' is not a date"));
  EXPECT_THAT(said, HasSubstr("'severity': is a mapping"));
}

TEST(FrontMatter, TheBodyPointsIntoTheFile) {
  for (const std::string_view text :
       {kRunbook, std::string_view("# T\n\nbody"), std::string_view("\n\n\nbody"),
        std::string_view("---\ntitle: T\n...\nT\n=\n\nbody\n"),
        std::string_view("---\r\ntitle: T\r\n---\r\n# T\r\n\r\nbody\r\n"),
        std::string_view("---\n---\nbody"), std::string_view("body")}) {
    const Document d = good(text);
    const auto file = split_lines(text);
    const auto body = split_lines(d.body);
    ASSERT_FALSE(body.empty()) << text;
    for (size_t i = 0; i < body.size(); ++i)
      EXPECT_EQ(body[i], file.at(d.body_line - 1 + i)) << text;
  }
}

TEST(FrontMatter, AFirstHeadingThatRepeatsTheTitleIsTakenOffTheBody) {
  EXPECT_EQ(good(kRunbook).body, "## Diagnosis\nLook at the pool.\n");
  EXPECT_EQ(good("---\ntitle: A\n---\n# B\ntext").body, "# B\ntext");
  EXPECT_EQ(good("# A\ntext").body, "text");
  EXPECT_EQ(good("intro\n# A\ntext").body, "intro\n# A\ntext");
  EXPECT_EQ(good("# A").body, "");
}

TEST(FrontMatter, TheTitleComesFromTheBestPlace) {
  const std::tuple<std::string_view, std::string, std::string_view> cases[] = {
      {"---\ntitle: Given\n---\n# Heading\n", "kb/f.md", "Given"},
      {"# Heading `x` **y** #\n", "kb/f.md", "Heading x y"},
      {"text\n\n## Second level\n", "kb/f.md", "Second level"},
      {"Heading\n=======\ntext", "kb/f.md", "Heading"},
      {"```\n# a comment\n```\n", "kb/db-pool_exhaustion.md", "Db pool exhaustion"},
      {"#hashtag\n", "kb/TargetDown.md", "TargetDown"},
      {"| a |\n|---|\n", "kb/t.md", "T"},
      {"---\ntitle: 404\n---\nx", "kb/t.md", "404"},
      {"---\ntitle:\n---\nx", "kb/t.md", "T"},
  };
  for (const auto& [text, path, title] : cases) EXPECT_EQ(good(text, path).title, title) << text;
}

TEST(FrontMatter, ListsMayBeScalarsAndScalarsLists) {
  const Document d =
      good("---\nservice: checkout-api\ntags:\n- a\nsymptoms: one\nseverity: [SEV1]\n---\nx");
  EXPECT_THAT(d.services, ElementsAre("checkout-api"));
  EXPECT_THAT(d.symptoms, ElementsAre("one"));
  EXPECT_EQ(d.severity, "SEV1");
}

TEST(FrontMatter, DatesDependOnTheKind) {
  const Document d = good(
      "---\ntype: postmortem\nincidentDate: 2025-02-01\ndate: 2025-03-01\nincidentId: "
      "INC-1\n---\nx");
  EXPECT_EQ(format_date(*d.opened_at), "2025-02-01");
  EXPECT_EQ(d.attributes.at("incidentDate"), "2025-02-01") << "also as written";
  const Document k = good(
      "---\ntype: known_issue\ndiscoveredAt: 1 Feb 2025\nresolvedAt: 2025-02-03\nticketUrl: "
      "https://t/1\n---\nx");
  EXPECT_EQ(format_date(*k.opened_at), "2025-02-01");
  EXPECT_EQ(format_date(*k.resolved_at), "2025-02-03");
}

TEST(FrontMatter, WhatIsBrokenIsRefusedWithItsPlace) {
  const std::pair<std::string, std::string_view> cases[] = {
      {"---\ntags:\n- a\n b: [\n---\nx", "the front matter is broken YAML at column"},
      {"---\ntitle: x\ntags: [a, b\n---\nx", "the front matter is broken YAML"},
      {"---\n\ttitle: x\n---\nx", "broken YAML"},
      {"---\ntitle: x\nbody without an end\n", "kb/notes.md:1: the front matter is never closed"},
      {"---\ntype: novel\n---\nx",
       "'type': 'novel' is no kind of document; the kinds are incident, runbook, postmortem"},
      {" \n\n", "the file is empty"},
      {"---\n---\n", "the file is empty"},
      {"caf\xE9", "kb/notes.md: not UTF-8 at byte 3 (0xE9)"},
      {"\xFF\xFE#\0"s, "UTF-16"},
      {"#\0 \0"s, "UTF-16"},
      {"a\0b"s, "NUL"},
      {"---\na: &x [" + std::string(70'000, ' ') + "]\n---\nx", "larger than 64 KB"},
  };
  for (const auto& [text, message] : cases) {
    const auto document = read(text);
    ASSERT_FALSE(document.has_value()) << text;
    EXPECT_THAT(document.error().text(), HasSubstr(message));
  }
}

TEST(FrontMatter, AliasesCannotUnfoldWithoutEnd) {
  std::string yaml = "---\na0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 10; ++i) {
    yaml += fmt::format("a{}: &a{} [", i, i);
    for (int j = 0; j < 10; ++j) yaml += fmt::format("{}*a{}", j == 0 ? "" : ",", i - 1);
    yaml += "]\n";
  }
  EXPECT_THAT(read(yaml + "---\nx").error().text(), HasSubstr("unfolds to too many"));
}

TEST(FrontMatter, ARuleAtTheTopIsNoFrontMatter) {
  EXPECT_THAT(good("---\nSome prose below a rule.\n").body, HasSubstr("Some prose"));
  EXPECT_THAT(good("---\n\nprose\n\n---\nmore").body, HasSubstr("more"));
}

TEST(FrontMatter, TheOperatorsKindIsLast) {
  EXPECT_EQ(read(kRunbook, "kb/a.md", Kind::kFaq)->kind, Kind::kFaq);
}

TEST(FrontMatter, AnIncidentInMarkdownIsAnIncident) {
  const Document d = good(
      "---\ntype: incident\nid: inc-2025-01-20-005\nservice: PayU Core\nroot_cause: a key\n---\n# "
      "403 from PayU\n\n## What\nfailed\n");
  EXPECT_EQ(d.kind, Kind::kIncident);
  const Incident i = incident_of(d);
  EXPECT_EQ(i.incident_id, "INC-2025-01-20-005");
  EXPECT_EQ(i.title, "403 from PayU");
  EXPECT_EQ(i.description, "## What\nfailed\n");
  EXPECT_EQ(i.root_cause, "a key");
  EXPECT_EQ(i.impacted_application, "PayU Core");
  EXPECT_EQ(good("---\ntype: incident\n---\n# t\nx", "kb/INC-2025-01-20-006.md").id,
            "INC-2025-01-20-006");
  EXPECT_THAT(read("---\ntype: incident\n---\n# t\nx").error().text(),
              HasSubstr("'incident_id': is missing"));
}

TEST(InferKind, GoesByPathThenFieldsThenHeadings) {
  const std::tuple<std::string, std::string_view, Kind> cases[] = {
      {"kb/runbooks/a.md", "## Timeline\n## Root cause\n", Kind::kRunbook},
      {"kb/post-mortems/a.md", "x", Kind::kPostmortem},
      {"kb/PostMortems/2025/a.md", "x", Kind::kPostmortem},
      {"kb/adr/a.md", "x", Kind::kAdr},
      {"docs/decisions/0001-use-x.md", "x", Kind::kAdr},
      {"kb/known-issues/a.md", "x", Kind::kKnownIssue},
      {"kb/known_issues/a.md", "x", Kind::kKnownIssue},
      {"kb/faq/a.md", "x", Kind::kFaq},
      {"kb/playbooks/a.md", "x", Kind::kPlaybook},
      {"kb/architecture/a.md", "x", Kind::kArchitecture},
      {"kb/postmortems/runbooks/a.md", "x", Kind::kRunbook},
      {"kb/ADR-0001-use-x.md", "x", Kind::kAdr},
      {"kb/2025-postmortem-payu.md", "x", Kind::kPostmortem},
      {"kb/INC-2025-01-20-005.md", "x", Kind::kPostmortem},
      {"kb/README.md", "## Diagnosis", Kind::kDoc},
      {"kb/a.md", "---\nworkaround: x\n---\n", Kind::kKnownIssue},
      {"kb/a.md", "---\nincidentDate: 2025-01-01\n---\n", Kind::kPostmortem},
      {"kb/a.md", "---\noncall: x\n---\n", Kind::kOwnership},
      {"kb/a.md", "---\ndependencies: [x]\n---\n", Kind::kArchitecture},
      {"kb/a.md", "# t\n## Timeline\n## Root cause analysis\n", Kind::kPostmortem},
      {"kb/a.md", "# t\n## Context\n## Decision\n## Consequences\n", Kind::kAdr},
      {"kb/a.md", "# t\n## Diagnosis\n## Mitigation\n", Kind::kRunbook},
      {"docs/a.md", "# t\n## Diagnosis\n## Mitigation\n", Kind::kRunbook},
      {"kb/a.md", "# q\n## Why?\n## How?\n## When?\n", Kind::kFaq},
      {"kb/howto/a.md", "x", Kind::kRunbook},
      {"kb/oncall/a.md", "x", Kind::kOwnership},
      // What it is made of.
      {"docs/a.md", "# t\n1. Stop.\n2. Wait.\n3. Start.\n", Kind::kRunbook},
      {"docs/a.md", "# t\n1. [Stop](a.md)\n2. [Wait](b.md)\n3. [Start](c.md)\n", Kind::kDoc},
      {"docs/a.md", "# t\n- 09:12 alarm\n- 09:15 page\n- 09:40 fixed\n- 10:02 closed\n",
       Kind::kPostmortem},
      {"docs/a.md",
       "# t\n| who | how |\n|---|---|\n| Ana | +351 21 555 0100 |\n| Bo | bo@x.example |\n",
       Kind::kOwnership},
      {"docs/a.md", "# t\n| day | load |\n|---|---|\n| 2026-03-01 | 4 |\n| 2026-03-02 | 5 |\n",
       Kind::kDoc},
      {"docs/a.md", "x", Kind::kDoc},
      {"kb/a.md", "x", Kind::kRunbook},
      {"/home/mia/code/team/a.md", "x", Kind::kRunbook},
  };
  for (const auto& [path, text, kind] : cases)
    EXPECT_EQ(name(good(text, path).kind), name(kind)) << path << "\n" << text;
}

TEST(AttributeText, SaysWhatAReaderAsksFor) {
  const Document d = good(
      "---\ntype: known_issue\nticketUrl: https://tickets/1\nworkaround: restart the "
      "pods\nrootCause: a leak\nsymptoms: [slow, 502]\n"
      "actionItems: [a, 'a much longer action item that needs a line of its own']\nx_hash: "
      "0a1b2c\nsourcePath: a/b.md\ncustomer_impact: none at night\n---\nx");
  EXPECT_EQ(attribute_text(d),
            "Symptoms: slow; 502\nRoot cause: a leak\nWorkaround: restart the pods\n"
            "Action items:\n- a\n- a much longer action item that needs a line of its own\n"
            "Ticket url: https://tickets/1\nCustomer impact: none at night");
  EXPECT_EQ(attribute_text(Document{}), "");
}

}  // namespace
}  // namespace precedent
