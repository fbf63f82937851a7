#include "tools/pointers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/tools_lab.h"

namespace precedent {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Document page(const char* id, const char* path, const char* body, Kind kind = Kind::kDoc) {
  Document d = lab_document(kind, id, id, body);
  d.path = path;
  return d;
}

class PointersTest : public testing::Test {
 protected:
  PointersTest() {
    add("d1", "docs/wiki/restart-a-kiln.md");
    add("d2", "docs/runbooks/flues.md");
    add("d3", "docs/sop/SOP-201-low-draught.md");
    add("d4", "docs/one/notes.md");
    add("d5", "docs/two/notes.md");
    add("d6", "docs/three/index-rebuild.md");
    add("d7", "docs/four/index-rebuild.md");
    store_
        .apply({.put = {{.document = page("i1", "exports/fired-late.md", "x", Kind::kIncident),
                         .hash = "i"}}})
        .value();
  }
  void add(const char* id, const char* path) {
    store_.apply({.put = {{.document = page(id, path, "Text."), .hash = id}}}).value();
  }
  std::vector<std::string> in(std::string_view text) const {
    return Pointers::open(store_).value().in(text);
  }
  KnowledgeStore store_ =
      KnowledgeStore::open(":memory:", KnowledgeStore::Access::kReadWrite).value();
};

TEST_F(PointersTest, APathALinkAnAddressAndTheIdOfAFileArePointers) {
  EXPECT_THAT(in("[FIRING] KilnCold runbook=wiki/restart-a-kiln"), ElementsAre("d1"));
  EXPECT_THAT(in("see https://pages.example/w/restart-a-kiln#cold."), ElementsAre("d1"));
  EXPECT_THAT(in("[flues](../runbooks/flues.md) and SOP-201, section 4"), ElementsAre("d2", "d3"));
  EXPECT_THAT(in("flues.md; again flues.md"), ElementsAre("d2"));
}

TEST_F(PointersTest, AWordOfProseIsNone) {
  EXPECT_THAT(in("the flues, the notes and SOP-999; restart a kiln"), IsEmpty());
  EXPECT_THAT(in("exports/fired-late.md"), IsEmpty()) << "a record is no page";
}

TEST_F(PointersTest, OnlyTheFormOfAPathAFileOrAnIdMayPoint) {
  for (const char* text : {"runbook=wiki/kiln", "flues.md", "SOP-201", "restart_a_kiln"})
    EXPECT_TRUE(Pointers::may_point(text)) << text;
  for (const char* text : {"", "/", "why is the kiln cold?", "See the flues.", "a - b"})
    EXPECT_FALSE(Pointers::may_point(text)) << text;
}

TEST_F(PointersTest, WhatTwoDocumentsFitIsNoneUnlessTheFolderTells) {
  EXPECT_THAT(in("index-rebuild.md"), IsEmpty());
  EXPECT_THAT(in("four/index-rebuild"), ElementsAre("d7"));
  EXPECT_THAT(in("docs/two/notes.md"), ElementsAre("d5"));
  EXPECT_THAT(in(""), IsEmpty());
  EXPECT_THAT(in("/ ../ ... /./"), IsEmpty());
}

TEST(EntriesOf, ARowAnItemAndWhatStandsUnderAHeading) {
  static const Analyzer kAnalyzer;
  const auto entries = [](std::string_view section, std::string_view question) {
    return entries_of(section, Verbatim(question, kAnalyzer));
  };
  EXPECT_THAT(entries("| Alert | Do |\n|---|---|\n| `KilnCold` | SOP-1 |\n| `KilnHot` | SOP-2 |",
                      "KilnHot zone=3"),
              ElementsAre(HasSubstr("SOP-2")));
  EXPECT_THAT(entries("- *draught too low* → [flues](f.md)\n- *door open* → shut it\n",
                      "08:12 kiln-3: draught too low (4 Pa)"),
              ElementsAre(HasSubstr("f.md")));
  EXPECT_THAT(entries("## KILN-ZONE-COLD\n\nLook at the fan.\n\n## KILN-ZONE-HOT\n\nOpen it.\n",
                      "[FIRING:1] KILN-ZONE-COLD (page)"),
              ElementsAre(HasSubstr("fan")));
}

TEST(DocSearchPointers, AnAlertsPageIsFoundThroughItsEntry) {
  ToolsLab lab;
  lab.add(page("alerts", "docs/alerts.md",
               "| Alert | Runbook |\n|---|---|\n| `KilnCold` | runbooks/flues.md |"));
  lab.add(page("list", "docs/list.md",
               "## KILN-ZONE-COLD\nPages at night. See [flues](runbooks/flues.md)."));
  lab.add(page("old", "docs/wiki/flue-notes.md", "Has moved to [flues](../runbooks/flues.md)."));
  lab.add(page("flues", "docs/runbooks/flues.md", "1. Shut the damper.\n2. Light burner two."));
  const auto pointed = [&](const char* query) {
    const Receipt receipt = lab.call("doc_search", {{"query", query}, {"limit", 1}});
    std::vector<std::string> ids;
    for (const KnowledgeItem& item : std::get<SectionsResult>(receipt.result).sections)
      if (item.pointed_to) ids.push_back(item.id);
    return ids;
  };
  EXPECT_THAT(pointed("[FIRING] KilnCold zone=3 for=5m"), ElementsAre("flues"));
  EXPECT_THAT(pointed("[FIRING] KilnDark runbook=wiki/flue-notes"), ElementsAre("flues"))
      << "a page without steps points on";
  EXPECT_THAT(pointed("[FIRING:1] KILN-ZONE-COLD pages at night"), ElementsAre("flues"))
      << "an entry that is a stub";
  EXPECT_THAT(pointed("the alert of the kiln"), IsEmpty());
}

}  // namespace
}  // namespace precedent
