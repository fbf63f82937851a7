#include "agent/unknown_names.h"

#include <gtest/gtest.h>

#include "search/search_lab.h"

namespace precedent {
namespace {

class CodesTest : public ::testing::Test {
 protected:
  CodesTest() : lab_(false) {
    lab_.add(lab_document(Kind::kCode, "yard:crane.go", "crane.go",
                          "// CR-310: the hook is too heavy. CR-312 is logged, and CR-7 as well."));
    lab_.add(
        lab_document(Kind::kRunbook, "rb-1", "Cranes", "On CR-312 call the yard. CR-7-B too."));
  }
  std::string code(std::string_view question) { return code_of_the_code(question, lab_.search()); }

  SearchLab lab_;
};

TEST_F(CodesTest, OneThatOnlyTheCodeHas) {
  EXPECT_EQ(code("what does CR-310 mean?"), "CR-310");
  EXPECT_EQ(code("CR-310"), "CR-310");
}

TEST_F(CodesTest, NotOneThatIsWrittenDownOrUnknownOrAPartOfAnother) {
  EXPECT_EQ(code("what does CR-312 mean?"), "");
  EXPECT_EQ(code("what does CR-999 mean?"), "");
  EXPECT_EQ(code("what is CR-310-X?"), "");
  EXPECT_EQ(code("which crane is it?"), "");
}

}  // namespace
}  // namespace precedent
