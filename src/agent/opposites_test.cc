#include "agent/opposites.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

TEST(Opposites, AreFoundInEitherOrderAndInAnyForm) {
  const std::pair<const char*, const char*> cases[] = {
      {"How do I enable read-only mode?", "How do I disable read-only mode?"},
      {"How do I restart the consumers?", "How do I stop the consumers?"},
      {"Where are the consumers of orders?", "Where are the producers of orders?"},
      {"Why did checkout succeed?", "Why did checkout fail?"},
      {"How is a replica promoted?", "How is a replica demoted?"},
      {"Scale up the workers", "Scale down the workers"},
      {"Deploy the gateway", "Rollback of the gateway"},
      {"Keys of production", "Keys of staging"},
      {"Which users were authorized?", "Which users were unauthorized?"}};
  const Analyzer analyzer;
  for (const auto& [a, b] : cases) {
    EXPECT_TRUE(find_opposites(a, b, analyzer)) << a << " / " << b;
    EXPECT_TRUE(find_opposites(b, a, analyzer)) << b << " / " << a;
  }
}

TEST(Opposites, AreNotFoundWhereTheWordsOnlyDiffer) {
  const std::pair<const char*, const char*> cases[] = {
      {"How do I enable read-only mode?", "How do I turn on read only mode?"},
      {"How do I fix 403 errors?", "What resolves 403 errors?"},
      {"How do I stop and start the worker?", "How do I start the worker?"},
      {"From primary to replica", "From replica to primary"},
      {"What is the default?", "What is a fault?"},
      {"", "disable"}};
  const Analyzer analyzer;
  for (const auto& [a, b] : cases)
    EXPECT_EQ(find_opposites(a, b, analyzer), std::nullopt) << a << " / " << b;
}

}  // namespace
}  // namespace precedent
