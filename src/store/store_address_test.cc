#include "store/store_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "store/store_lab.h"

namespace precedent {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Result<std::optional<std::string>> read(const std::map<std::string, std::string>& set) {
  return read_store_url([&](const char* name) -> std::optional<std::string> {
    const auto found = set.find(name);
    return found == set.end() ? std::nullopt : std::optional(found->second);
  });
}

TEST(StoreAddress, IsAFileUnlessTheEnvironmentNamesAPostgresql) {
  EXPECT_EQ(*read({}), std::nullopt);
  EXPECT_EQ(*read({{"PRECEDENT_STORE_URL", "postgresql://db/kb"}}), "postgresql://db/kb");
  EXPECT_EQ(*read({{"PRECEDENT_STORE_URL", "host=/run/pg dbname=kb"}}), "host=/run/pg dbname=kb");
  EXPECT_EQ((StoreAddress{"/data/precedent.db"}.place()), "/data/precedent.db");
  EXPECT_EQ((StoreAddress{"", "postgresql://ana:hunter2@db/kb"}.place()), "PostgreSQL at db/kb");
}

TEST(StoreAddress, WhatIsNoneSaysWhichVariableAndNoPassword) {
  const auto wrong = read({{"PRECEDENT_STORE_URL", "hunter2"}});
  EXPECT_EQ(wrong.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(wrong.error().text(), HasSubstr("PRECEDENT_STORE_URL"));
  EXPECT_THAT(wrong.error().text(), Not(HasSubstr("hunter2")));
}

TEST(StoreAddress, AFileKeepsThePasswordOutOfTheEnvironment) {
  const SqliteStoreLab lab;
  const std::string file = lab.address().file.string() + ".url";
  EXPECT_THAT(read({{"PRECEDENT_STORE_URL_FILE", file}}).error().text(), HasSubstr(file));
  std::ofstream(file) << "postgresql://ana:hunter2@db/kb\n";
  EXPECT_EQ(*read({{"PRECEDENT_STORE_URL_FILE", file}}), "postgresql://ana:hunter2@db/kb");
  EXPECT_THAT(
      read({{"PRECEDENT_STORE_URL_FILE", file}, {"PRECEDENT_STORE_URL", "host=x"}}).error().text(),
      HasSubstr("keep one of them"));
}

}  // namespace
}  // namespace precedent
