// Whose changes, and which flag, a question is after.
#include "agent/slots/change_subjects.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

const RecordedNames kNames{.authors = {"Lucía Ferrer", "Jonas Berg", "Jonas Weil"},
                           .flags = {"parcel_labels_v2", "quotes.async"}};
const RecordedNames& kKnown() { return kNames; }

using Words = std::vector<std::string>;

TEST(ChangeSubjects, OfAPersonByTheFirstNameInAnyCase) {
  EXPECT_EQ(asked_author("what did Lucía change yesterday", kKnown), "Lucía Ferrer");
  EXPECT_EQ(asked_author("what did lucía ferrer deploy this week", kKnown), "Lucía Ferrer");
  EXPECT_EQ(asked_author("show me the deploys by Lucía today", kKnown), "Lucía Ferrer");
  // Two are called so.
  EXPECT_EQ(asked_author("what has jonas changed", kKnown), "jonas");
  // Nobody is.
  EXPECT_EQ(asked_author("what did Agathe deploy this week", kKnown), "Agathe");
}

TEST(ChangeSubjects, OfAnEnvironmentAlone) {
  EXPECT_EQ(asked_environment("What was deployed to Staging this month?"), "Staging");
  EXPECT_EQ(asked_environment("what was deployed this month?"), "");
}

TEST(ChangeSubjects, OfNobodyInParticular) {
  for (const char* question :
       {"what did we change yesterday", "what did quote-service deploy", "who changed it last",
        "what did the deploy change", "what changed yesterday"})
    EXPECT_EQ(asked_author(question, kKnown), "") << question;
}

TEST(ChangeSubjects, OfAPersonWhoIsKnownInOtherForms) {
  for (const char* question : {"commits of jonas berg this week", "jonas berg's commits",
                               "show me jonas berg's last deploy", "latest changes from jonas berg",
                               "what has jonas berg been working on"})
    EXPECT_EQ(asked_author(question, kKnown), "Jonas Berg") << question;
  // "Of" and "'s" tell of things, too.
  for (const char* question : {"changes of Parcels this week", "commits of the last week",
                               "search-service's deploys", "releases of Checkout"})
    EXPECT_EQ(asked_author(question, kKnown), "") << question;
}

TEST(ChangeSubjects, AFlagThatWasSwitchedByAnyVerb) {
  for (const char* question : {"was parcel_labels_v2 switched", "who toggled parcel_labels_v2",
                               "is parcel_labels_v2 turned on now", "parcel labels v2 enabled?",
                               "when did we flip parcel_labels_v2"})
    EXPECT_EQ(asked_flag_switch(question, kKnown), "parcel_labels_v2") << question;
  EXPECT_EQ(asked_flag_switch("what do parcel labels look like", kKnown), std::nullopt);
  EXPECT_EQ(asked_flag_switch("was quote-service switched on", kKnown), std::nullopt);
}

TEST(ChangeSubjects, WhatSomebodyChanged) {
  EXPECT_EQ(asked_change_words("who changed the label cache", {}), (Words{"label", "cache"}));
  EXPECT_EQ(asked_change_words("who merged the change of the ack timeout?", {}),
            (Words{"ack", "timeout"}));
  EXPECT_EQ(asked_change_words("when was the label cache of quote-service last changed",
                               {"quote-service"}),
            (Words{"label", "cache"}));
  EXPECT_EQ(
      asked_change_words("who changed quote-service yesterday", {"quote-service", "yesterday"}),
      Words());
  EXPECT_EQ(asked_change_words("what is the label cache", {}), std::nullopt);
}

TEST(ChangeSubjects, AVersion) {
  EXPECT_EQ(asked_change_words("what did label-printer 4.2.0 change?", {}), (Words{"4.2.0"}));
  EXPECT_EQ(asked_change_words("which commits are in v4.2 of label-printer", {}), (Words{"4.2"}));
  EXPECT_EQ(asked_change_words("who released label-printer 4.2.0", {}), (Words{"4.2.0"}));
  EXPECT_EQ(asked_change_words("when was 4.2.0 deployed?", {}), (Words{"4.2.0"}));
  EXPECT_EQ(asked_change_words("which incidents did the release 4.2.0 cause?", {}), std::nullopt);
  EXPECT_EQ(asked_change_words("what is new in the label cache", {}), std::nullopt);
}

TEST(ChangeSubjects, TheStateOfAFlag) {
  EXPECT_EQ(asked_flag("is parcel_labels_v2 on?", kKnown), "parcel_labels_v2");
  EXPECT_EQ(asked_flag("is the flag quotes.async still enabled?", kKnown), "quotes.async");
  EXPECT_EQ(asked_flag("parcel_labels_v2 flag status", kKnown), "parcel_labels_v2");
  EXPECT_EQ(asked_flag("what flags are on", kKnown), "");
  EXPECT_EQ(asked_flag("is quote-service on?", kKnown), std::nullopt);
  EXPECT_EQ(asked_flag("which flags changed today?", kKnown), std::nullopt);
}

}  // namespace
}  // namespace precedent
