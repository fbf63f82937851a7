#include "agent/findings/given_arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(GivenArguments, AreReadBackWhateverTheirShape) {
  Receipt receipt;
  receipt.args = R"({"query":"pool","kinds":["flag","config",3],"limit":5,"status":"Open"})";
  EXPECT_EQ(given_text(receipt, "query"), "pool");
  EXPECT_THAT(given_words(receipt, "kinds"), ElementsAre("flag", "config"));
  EXPECT_THAT(given_words(receipt, "status"), ElementsAre("Open"));
  // Of another shape, or not there.
  EXPECT_EQ(given_text(receipt, "limit"), "");
  EXPECT_THAT(given_words(receipt, "limit"), IsEmpty());
  EXPECT_EQ(given_text(receipt, "path"), "");
  for (const char* broken : {"", "[]", "no json", "\"query\""}) {
    receipt.args = broken;
    EXPECT_EQ(given_text(receipt, "query"), "") << broken;
    EXPECT_THAT(given_words(receipt, "query"), IsEmpty()) << broken;
  }
}

}  // namespace
}  // namespace precedent
