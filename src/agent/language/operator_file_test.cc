#include "agent/language/operator_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "files/temporary_folder.h"

namespace precedent {
namespace {

TEST(OperatorFile, StandsInForTheBuiltInOne) {
  const TemporaryFolder folder;
  const auto built_in = read_operator_file(folder.path(), "policy.yaml", "built in");
  ASSERT_TRUE(built_in);
  EXPECT_EQ(built_in->text, "built in");
  EXPECT_EQ(built_in->origin, "config/policy.yaml");
  std::ofstream(folder.path() / "policy.yaml") << "mine";
  const auto mine = read_operator_file(folder.path(), "policy.yaml", "built in");
  ASSERT_TRUE(mine);
  EXPECT_EQ(mine->text, "mine");
  EXPECT_EQ(mine->origin, (folder.path() / "policy.yaml").string());
}

TEST(OperatorFile, OneThatIsThereAndCannotBeReadIsAnError) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "policy.yaml");
  EXPECT_FALSE(read_operator_file(folder.path(), "policy.yaml", "built in"));
}

}  // namespace
}  // namespace precedent
