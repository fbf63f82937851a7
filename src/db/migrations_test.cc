#include "db/migrations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>

namespace precedent::db {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr std::array<std::string_view, 2> kTwo = {"CREATE TABLE a(x); INSERT INTO a VALUES (1);",
                                                  "CREATE TABLE b(x); UPDATE a SET x = x + 1;"};
constexpr Schema kOld = {77, std::span(kTwo).first(1)};
constexpr Schema kNew = {77, kTwo};

class MigrationsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "precedent-db-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }
  Connection open(bool read_only = false) {
    return std::move(*Connection::open(folder_ / "m.db", {.read_only = read_only}));
  }
  fs::path folder_;
};

TEST_F(MigrationsTest, AnEmptyFileGetsThemAllOnce) {
  Connection c = open();
  ASSERT_TRUE(migrate(c, kNew));
  ASSERT_TRUE(migrate(c, kNew));
  EXPECT_EQ(*c.integer("SELECT x FROM a"), 2);
  EXPECT_EQ(*c.integer("PRAGMA user_version"), 2);
}

TEST_F(MigrationsTest, AnOldFileGetsWhatItLacks) {
  Connection c = open();
  ASSERT_TRUE(migrate(c, kOld));
  EXPECT_EQ(check_format(c, kNew).error().code, ErrorCode::kConflict);
  ASSERT_TRUE(migrate(c, kNew));
  EXPECT_EQ(*c.integer("SELECT x FROM a"), 2);
  EXPECT_TRUE(check_format(c, kNew));
}

TEST_F(MigrationsTest, ANewerFileIsRefusedWithBothFormatsNamed) {
  Connection c = open();
  ASSERT_TRUE(migrate(c, kNew));
  for (const auto& refused : {migrate(c, kOld), check_format(c, kOld)}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(refused.error().message, HasSubstr("format 2"));
    EXPECT_THAT(refused.error().message, HasSubstr("up to 1"));
  }
}

TEST_F(MigrationsTest, AnotherProgramsFileIsRefusedAndLeftAlone) {
  Connection c = open();
  ASSERT_TRUE(c.script("CREATE TABLE theirs(x)"));
  const auto refused = migrate(c, kNew);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("another program"));
  EXPECT_EQ(*c.integer("SELECT count(*) FROM sqlite_schema"), 1);
}

TEST_F(MigrationsTest, AMigrationThatFailsLeavesTheFormatBeforeIt) {
  constexpr std::array<std::string_view, 2> broken = {
      kTwo[0], "CREATE TABLE b(x); SELECT no_such_column FROM b;"};
  Connection c = open();
  EXPECT_FALSE(migrate(c, Schema{77, broken}));
  EXPECT_EQ(*c.integer("PRAGMA user_version"), 1);
  EXPECT_EQ(*c.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'b'"), 0);
  EXPECT_TRUE(migrate(c, kNew)) << "and can be made good later";
}

}  // namespace
}  // namespace precedent::db
