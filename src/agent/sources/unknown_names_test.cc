#include "agent/sources/unknown_names.h"

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

class NamedThingsTest : public ::testing::Test {
 protected:
  NamedThingsTest() : lab_(false) {
    lab_.add(
        lab_document(Kind::kRunbook, "rb-1", "Switch the plate store",
                     "Make sure that qplate-db1 is off. Warden watches it. Promote qplate-db2."));
    lab_.add(lab_document(Kind::kDoc, "d-1", "Hosts", "qpress-db1 and qplate-db1 have 64 GB."));
  }
  std::vector<std::string> missing(std::string_view question, const std::string& document) {
    const auto named = find_holders(names_of_things(question), lab_.search());
    return named ? named->missing_in(document) : std::vector<std::string>{"?"};
  }
  using Names = std::vector<std::string>;

  SearchLab lab_;
};

TEST_F(NamedThingsTest, AHostThatAnotherDocumentHolds) {
  EXPECT_EQ(missing("how do I fail over qpress-db1?", "rb-1"), Names{"qpress-db1"});
  EXPECT_EQ(missing("how do I fail over qplate-db1?", "rb-1"), Names{});
  EXPECT_EQ(missing("how do I fail over qplate-db1?", "d-1"), Names{});
}

TEST_F(NamedThingsTest, ACapitalisedWordWithinTheSentenceIsAName) {
  EXPECT_EQ(missing("how do I restart Warden?", "d-1"), Names{"Warden"});
  EXPECT_EQ(missing("Warden does not answer", "d-1"), Names{});
  EXPECT_EQ(missing("it is down. Warden is red", "d-1"), Names{});
}

TEST_F(NamedThingsTest, WhatNobodyWroteATimeAndAPlainWordAreNone) {
  EXPECT_EQ(missing("how do I fail over qink-db7?", "rb-1"), Names{});
  EXPECT_EQ(missing("what of the hosts on 3 May 2026 and on Monday", "rb-1"), Names{});
}

class PlainWordsTest : public ::testing::Test {
 protected:
  PlainWordsTest() : lab_(false) {
    lab_.add(lab_document(Kind::kCode, "post:pigeon.py", "pigeon.py",
                          "def send():\n    return queue.push(pigeon_letters, 3)"));
    lab_.add(lab_document(Kind::kRunbook, "rb-1", "Letters are late",
                          "Never purge the queue. Switch the courier: `post courier use swift`."));
  }
  std::vector<std::string> unknown(std::string_view question) {
    return find_unknown_names(question, lab_.search()).value_or(std::vector<std::string>{"?"});
  }

  SearchLab lab_;
};

TEST_F(PlainWordsTest, AWordThatOnlyTheCodeHasIsKnown) {
  EXPECT_TRUE(unknown("can i purge the pigeon queue").empty());
  EXPECT_EQ(unknown("can i purge the ostrich queue"), std::vector<std::string>{"ostrich"});
  EXPECT_EQ(unknown("can i purge the pig queue"), std::vector<std::string>{"pig"});
}

TEST_F(PlainWordsTest, WhatIsWrittenIsHeldWhateverElseIsSaid) {
  const auto holds = [&](std::string_view text, std::string_view question) {
    return holds_what_is_written(text, Analyzer().terms(question), lab_.search());
  };
  constexpr std::string_view kLine = "Switch the courier: post courier use swift.";
  EXPECT_TRUE(holds(kLine, "switch the pigeon courier"));
  EXPECT_FALSE(holds(kLine, "switch the courier of late letters"));  // which are written of
  EXPECT_FALSE(holds(kLine, "switch the lamp"));                     // one word is no line
  EXPECT_FALSE(holds(kLine, "a cheap warm blue dry courier to switch"));
}

}  // namespace
}  // namespace precedent
