#include "server/investigations/kept_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "files/files.h"
#include "files/temporary_folder.h"

namespace precedent {
namespace {

using ::testing::HasSubstr;

class MovingClock final : public Clock {
 public:
  TimePoint now() const override { return now_; }
  void pass(std::chrono::seconds time) { now_ += time; }

 private:
  TimePoint now_ = *parse_time("2026-05-04T10:00:00Z");
};

class KeptIdsTest : public ::testing::Test {
 protected:
  KeptIds open(const KeptIds::Limits& limits = {}) {
    return {file_, clock_, limits, [this](const std::string& text) { warnings_.push_back(text); }};
  }
  size_t lines() const {
    const std::string text = read_file(file_, 1 << 20).value_or("");
    return std::ranges::count(text, '\n');
  }
  const TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_.path() / "inner" / "ids.jsonl";
  MovingClock clock_;
  std::vector<std::string> warnings_;
};

TEST_F(KeptIdsTest, AnotherRunKnowsThem) {
  {
    KeptIds ids = open();
    EXPECT_EQ(ids.find("a"), std::nullopt);
    ids.add("a", "first");
    ids.add("b", "");
    ids.add("a", "second");
    EXPECT_EQ(ids.find("a"), "second");
  }
  const KeptIds again = open();
  EXPECT_EQ(again.find("a"), "second");
  EXPECT_EQ(again.find("b"), "");
  EXPECT_EQ(again.find("c"), std::nullopt);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(KeptIdsTest, OldOnesGoByAgeAndByNumber) {
  KeptIds ids = open({.age = std::chrono::hours(1), .number = 3});
  ids.add("a", "");
  clock_.pass(std::chrono::minutes(59));
  EXPECT_TRUE(ids.find("a"));
  clock_.pass(std::chrono::minutes(2));
  EXPECT_FALSE(ids.find("a"));
  for (const char* id : {"b", "c", "d", "e"}) ids.add(id, "");
  EXPECT_FALSE(ids.find("b"));
  EXPECT_TRUE(ids.find("c"));
  EXPECT_FALSE(open({.age = std::chrono::hours(1), .number = 3}).find("b"));
}

TEST_F(KeptIdsTest, TheFileStaysSmall) {
  KeptIds ids = open({.number = 10});
  for (int i = 0; i < 1000; ++i) ids.add(std::to_string(i), "");
  EXPECT_LE(lines(), 200U);
  EXPECT_TRUE(open({.number = 10}).find("999"));
}

TEST_F(KeptIdsTest, LinesThatCannotBeReadAreLeftOutAndTold) {
  open().add("a", "kept");
  ASSERT_TRUE(append_line(file_, "{\"at\":\"2026-05-04T10:0"));
  ASSERT_TRUE(append_line(file_, "[]"));
  EXPECT_EQ(open().find("a"), "kept");
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_THAT(warnings_[0], HasSubstr("ids.jsonl has 2 line(s) that cannot be read"));
  EXPECT_EQ(lines(), 1U);
  open();
  EXPECT_EQ(warnings_.size(), 1U) << "the file is whole again";
}

TEST_F(KeptIdsTest, AFileOfAnotherSizeIsBegunAnew) {
  const std::string_view parts[] = {std::string_view("x"), std::string_view("\n")};
  ASSERT_TRUE(make_directories(file_.parent_path()));
  ASSERT_TRUE(write_file_atomically(file_, parts));
  ASSERT_TRUE(append_line(file_, std::string(5000, 'x')));
  KeptIds ids = open({.number = 2});
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_THAT(warnings_[0], HasSubstr("is begun anew"));
  ids.add("a", "");
  EXPECT_TRUE(open({.number = 2}).find("a"));
}

TEST_F(KeptIdsTest, AFileThatCannotBeWrittenCostsOnlyTheMemory) {
  set_file_hook([](FileStep, const std::filesystem::path&) { return ENOSPC; });
  KeptIds ids = open();
  ids.add("a", "");
  ids.add("b", "");
  set_file_hook({});
  EXPECT_TRUE(ids.find("a"));
  EXPECT_EQ(warnings_.size(), 1U) << "said once";
}

}  // namespace
}  // namespace precedent
