#include "tools/procedure.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

// A document without front matter: its lines are those of the file.
Document document_of(const std::string& body) {
  Document document;
  document.title = "Drain a node";
  document.body = body;
  return document;
}

// The text of the procedure around one line; "" if there is none.
std::string around(const std::string& body, uint32_t line) {
  const auto found = procedure_around(document_of(body), {line, line});
  return found ? found->text : "";
}

const std::string kRunbook =
    "# Drain a node\n"                     // 1
    "\n"                                   // 2
    "Why one would.\n"                     // 3
    "\n"                                   // 4
    "## Before\n"                          // 5
    "\n"                                   // 6
    "> Only if the standby is in sync.\n"  // 7
    "\n"                                   // 8
    "## Steps\n"                           // 9
    "\n"                                   // 10
    "1. Cordon it.\n"                      // 11
    "2. Drain it:\n"                       // 12
    "   ```\n"                             // 13
    "   kubectl drain n1\n"                // 14
    "   ```\n"                             // 15
    "   It takes a minute.\n"              // 16
    "3. Wait.\n"                           // 17
    "\n"                                   // 18
    "## After\n"                           // 19
    "\n"                                   // 20
    "Tell the team.\n";                    // 21

TEST(Procedure, IsWholeWhereverItIsFound) {
  for (const uint32_t line : {9u, 11u, 14u, 17u}) {
    const auto found = procedure_around(document_of(kRunbook), {line, line});
    ASSERT_TRUE(found) << line;
    EXPECT_EQ(found->lines, (LineRange{5, 17})) << "with the warning before it";
    EXPECT_TRUE(found->text.ends_with("   It takes a minute.\n3. Wait.\n")) << found->text;
  }
  EXPECT_EQ(around(kRunbook, 3), "");
  EXPECT_EQ(around(kRunbook, 21), "");
}

TEST(Procedure, LinesAreThoseOfTheFile) {
  Document document = document_of(kRunbook);
  document.body_line = 5;  // behind front matter
  const auto found = procedure_around(document, {15, 15});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->lines, (LineRange{9, 21}));
  document.body_line = 0;  // a field of a record
  EXPECT_FALSE(procedure_around(document, {15, 15}));
}

TEST(Procedure, AListGoesOnUnderFurtherHeadings) {
  const std::string body =
      "## Stop\n\n1. Stop a.\n2. Stop b.\n\n## Start\n\n3. Start b.\n4. Start a.\n\n"
      "## Other\n\n1. Else.\n2. More.\n";
  for (const uint32_t line : {3u, 8u}) {
    const std::string text = around(body, line);
    EXPECT_TRUE(text.starts_with("## Stop")) << text;
    EXPECT_TRUE(text.ends_with("4. Start a.\n")) << text;
  }
  EXPECT_TRUE(around(body, 13).starts_with("## Other"));
}

TEST(Procedure, HeadingsThatAreCountedAreItsSteps) {
  const std::string body =
      "# Failover\n\n## Step 1: look\n\n- `lag --all`\n- `lag --one`\n\n## Step 2: switch\n\n"
      "Press it.\n\n## Step 3: tell\n\nWrite it down.\n\n## Notes\n\nNone.\n";
  const auto found = procedure_around(document_of(body), {8, 8});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->text.starts_with("## Step 1")) << found->text;
  EXPECT_TRUE(found->text.ends_with("Write it down.\n\n") ||
              found->text.ends_with("Write it down.\n"))
      << found->text;
}

TEST(Procedure, ChaptersAreCountedAndNoSteps) {
  const std::string text = around(
      "## 1. Purpose\n\nWhy.\n\n## 2. Steps\n\n1. Stop.\n2. Start.\n\n## 3. Records\n\nNone.\n", 7);
  EXPECT_EQ(text, "## 2. Steps\n\n1. Stop.\n2. Start.\n");
}

TEST(Procedure, ConditionsAreToldWithTheStepsBehindThem) {
  const std::string body =
      "# Gateway\n\n## 1 Purpose\n\nWhy.\n\n"
      "## 2 When\n\n- `TG-1` stands, or\n- memory of `tgw` is high.\n\n"
      "## 3 Care\n\n> Never both.\n\n"
      "## 4 Procedure\n\n4.1 Ask the lead.\n\n4.2 Stop it:\n\n```\nstop tgw\n```\n\n4.3 Wait.\n\n"
      "## 5 Check\n\nAll is green.\n";
  for (const uint32_t line : {9u, 19u, 24u}) {
    const std::string found = around(body, line);
    EXPECT_TRUE(found.contains("4.1 Ask the lead.") && found.contains("4.3 Wait.")) << found;
    EXPECT_TRUE(found.contains("Never both.")) << found;
    EXPECT_FALSE(found.contains("Why.") || found.contains("All is green.")) << found;
  }
  EXPECT_EQ(around(body, 5), "") << "a purpose is no step";
}

TEST(Procedure, HoldsNoSecrets) {
  const std::string text =
      around("## Steps\n\n1. Log in with password: hunter2hunter\n2. Restart.\n", 3);
  EXPECT_NE(text, "");
  EXPECT_EQ(text.find("hunter2hunter"), std::string::npos);
}

TEST(Procedure, WhatTheSectionsAroundTheStepsWarnOfComesFirst) {
  const std::string body =
      "# Release a ramp\n\n**Owner:** Berths\n\n**Never** release the hold above 60 kN: it "
      "falls.\n\n## Why\n\nA ship waits.\n\n## Steps\n\n1. Read the load.\n2. Release it.\n";
  EXPECT_EQ(around(body, 13),
            "## Steps\n\n**Never** release the hold above 60 kN: it falls.\n\n1. Read the load.\n"
            "2. Release it.\n");
}

}  // namespace
}  // namespace precedent
