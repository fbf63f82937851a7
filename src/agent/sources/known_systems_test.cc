// Which system a question means that does not call it by its name.
#include "agent/sources/known_systems.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

const KnownSystems kKnown{
    .services = {"parcel-tracker", "quote-service", "label-printer", "label-archive", "billing"},
    .endpoints = {"/v2/shipments", "/v2/shipments/{id}", "/v2/quotes", "/health"}};

const IsWord no_word = [](std::string_view) { return false; };

std::string meant(std::string_view question) {
  const auto found = meant_system(question, kKnown, no_word);
  return found ? found->name : "";
}

TEST(MeantSystem, IsCalledWithoutItsHyphenOrByTheWordThatTellsItApart) {
  EXPECT_EQ(meant("why is parceltracker slow?"), "parcel-tracker");
  EXPECT_EQ(meant("Parcel_Tracker down?"), "parcel-tracker");
  EXPECT_EQ(meant("is quote ok?"), "quote-service");
  EXPECT_EQ(meant("are quotes failing?"), "quote-service");
  EXPECT_EQ(meant("why are the shipments failing?"), "/v2/shipments");
  EXPECT_EQ(meant("parcel latency?"), "parcel-tracker");
  EXPECT_EQ(meant("is the printer slow?"), "label-printer");
}

TEST(MeantSystem, IsSaidInParts) {
  EXPECT_EQ(meant("latency on v2 quotes is up"), "/v2/quotes");
  EXPECT_EQ(meant("is parcel tracker slow?"), "parcel-tracker");
  EXPECT_EQ(meant("is parcel, tracker slow?"), "parcel-tracker");  // by its first word
}

TEST(MeantSystem, IsMisspelt) {
  EXPECT_EQ(meant("why is parcel-tarcker slow?"), "parcel-tracker");
  EXPECT_EQ(meant("/v2/shipmnets is slow"), "/v2/shipments");
  // As near as that, anything is like anything.
  EXPECT_EQ(meant("is pastel-cracker slow?"), "");
}

TEST(MeantSystem, IsNotGuessed) {
  // Two begin so.
  EXPECT_EQ(meant("is label slow?"), "");
  EXPECT_EQ(meant("are parcels and quotes slow?"), "");
  EXPECT_EQ(meant("is parcel-tracker slow?"), "");
  EXPECT_EQ(meant("/v2/quotes and parcels are slow"), "");
  EXPECT_EQ(meant("why is it slow?"), "");
}

TEST(MeantSystem, AWordThatIsWrittenSomewhereIsNotMisspelt) {
  const IsWord written = [](std::string_view word) { return word == "parcel-trader"; };
  EXPECT_EQ(meant("is parcel-trader slow?"), "parcel-tracker");
  EXPECT_FALSE(meant_system("is parcel-trader slow?", kKnown, written));
}

TEST(MeantSystem, IsCalledByAPartOnlyAsItIsWritten) {
  EXPECT_EQ(meant("is the printer slow?"), "label-printer");
  EXPECT_EQ(meant("are the printers slow?"), "");
}

TEST(MeantSystem, IsNotWhatAMetricIsCalled) {
  const std::string_view question = "what is the printer archive of quotes?";
  const Stretch metric{question.find("printer"), question.find(" of")};
  const auto found = meant_system(question, kKnown, no_word, {&metric, 1});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->said, "quotes");
}

TEST(MeantSystem, StandsInTheQuestionInstead) {
  const auto found = meant_system("why are quotes slow today?", kKnown, no_word);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->said, "quotes");
  EXPECT_EQ(found->question, "why are quote-service slow today?");
}

}  // namespace
}  // namespace precedent
