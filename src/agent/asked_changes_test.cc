// Whose changes, and which flag, a question is after.
#include "agent/asked_changes.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

const RecordedNames kNames{.authors = {"Lucía Ferrer", "Jonas Berg", "Jonas Weil"},
                           .flags = {"parcel_labels_v2", "quotes.async"}};
const RecordedNames& kKnown() { return kNames; }

TEST(AskedChanges, OfAPersonByTheFirstNameInAnyCase) {
  EXPECT_EQ(asked_author("what did Lucía change yesterday", kKnown), "Lucía Ferrer");
  EXPECT_EQ(asked_author("what did lucía ferrer deploy this week", kKnown), "Lucía Ferrer");
  EXPECT_EQ(asked_author("show me the deploys by Lucía today", kKnown), "Lucía Ferrer");
  // Two are called so.
  EXPECT_EQ(asked_author("what has jonas changed", kKnown), "jonas");
  // Nobody is.
  EXPECT_EQ(asked_author("what did Agathe deploy this week", kKnown), "Agathe");
}

TEST(AskedChanges, OfNobodyInParticular) {
  for (const char* question :
       {"what did we change yesterday", "what did quote-service deploy", "who changed it last",
        "what did the deploy change", "what changed yesterday"})
    EXPECT_EQ(asked_author(question, kKnown), "") << question;
}

TEST(AskedChanges, TheStateOfAFlag) {
  EXPECT_EQ(asked_flag("is parcel_labels_v2 on?", kKnown), "parcel_labels_v2");
  EXPECT_EQ(asked_flag("is the flag quotes.async still enabled?", kKnown), "quotes.async");
  EXPECT_EQ(asked_flag("parcel_labels_v2 flag status", kKnown), "parcel_labels_v2");
  EXPECT_EQ(asked_flag("what flags are on", kKnown), "");
  EXPECT_EQ(asked_flag("is quote-service on?", kKnown), std::nullopt);
  EXPECT_EQ(asked_flag("which flags changed today?", kKnown), std::nullopt);
}

}  // namespace
}  // namespace precedent
