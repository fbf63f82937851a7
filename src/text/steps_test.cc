#include "text/steps.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

TEST(Steps, AreToldByStructure) {
  EXPECT_TRUE(tells_steps("1. Stop.\n2. Start.\n"));
  EXPECT_TRUE(tells_steps("- `stop`\n- `start`\n"));
  EXPECT_TRUE(tells_steps("- Stop it:\n\n```\nstop\n```\n"));
  EXPECT_TRUE(tells_steps("## 1. Look\n\n- `lag`\n\n## 2. Switch\n\nPress it.\n"));
  EXPECT_FALSE(tells_steps("## 1. Purpose\n\nWhy.\n\n## 2. Scope\n\nWhere.\n")) << "chapters";
  EXPECT_TRUE(tells_steps("4.1 Tell the lead.\n\n4.2 Stop the pump.\n"));
  EXPECT_FALSE(tells_steps("3.5 kW is normal.\n\n2.2 kW at night.\n")) << "figures";
  EXPECT_TRUE(tells_steps("Step 1: stop it.\nIt takes a minute.\nStep 2: start it.\n"));
  EXPECT_FALSE(tells_steps("Of 40 gates\n3 stood open.\n")) << "figures";
  EXPECT_FALSE(tells_steps("- apples\n- pears\n"));
  EXPECT_FALSE(tells_steps("One paragraph with `a command`.\n"));
  EXPECT_FALSE(tells_steps("")) << "nothing";
}

TEST(Steps, ATableOfContentsIsNone) {
  EXPECT_FALSE(tells_steps("1. [Drain](drain.md)\n2. [Restart](restart.md)\n3. [Stop](s.md)\n"));
  EXPECT_TRUE(tells_steps("1. Read [this](a.md) first.\n2. Restart.\n"));
}

TEST(Steps, ANumberLeads) {
  EXPECT_EQ(step_number("2. Drain"), 2);
  EXPECT_EQ(step_number("Step 2: Drain"), 2);
  EXPECT_EQ(step_number("Phase (3) Restart"), 3);
  for (const char* none : {"5xx errors", "2026-03: what changed", "3.1 Scope", "Drain", "",
                           "Drain the node 2 times", "123456"})
    EXPECT_EQ(step_number(none), std::nullopt) << none;
}

}  // namespace
}  // namespace precedent
