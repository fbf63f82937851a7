#include "changes/service_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ServiceMap shop() {
  ServiceMap map;
  EXPECT_TRUE(map.add("search/", {"search-service"}));
  EXPECT_TRUE(map.add("search/indexer/", {"search-indexer"}));
  EXPECT_TRUE(map.add("libs/money/", {"checkout-api"}));
  EXPECT_TRUE(map.add("libs/money/", {"ledger"}));
  EXPECT_TRUE(map.add("services/{service}/src/", {}));
  EXPECT_TRUE(map.add("services/", {"platform"}));
  return map;
}

TEST(ServiceMap, TheLongestPrefixDecides) {
  const ServiceMap map = shop();
  EXPECT_THAT(map.services_of("search/app.py"), ElementsAre("search-service"));
  EXPECT_THAT(map.services_of("search/indexer/app.py"), ElementsAre("search-indexer"));
  EXPECT_THAT(map.services_of("libs/money/money.go"), ElementsAre("checkout-api", "ledger"));
  EXPECT_THAT(map.services_of("README.md"), IsEmpty());
  EXPECT_THAT(map.services_of("searching/app.py"), IsEmpty());
}

TEST(ServiceMap, AFolderNamesTheService) {
  const ServiceMap map = shop();
  EXPECT_THAT(map.services_of("services/fx-rates/src/main.go"), ElementsAre("fx-rates"));
  EXPECT_THAT(map.services_of("services/fx-rates/README.md"), ElementsAre("platform"));
  EXPECT_THAT(map.services_of("services//src/main.go"), ElementsAre("platform"));
  EXPECT_THAT(map.named(), ElementsAre("checkout-api", "ledger", "platform", "search-indexer",
                                       "search-service"));
}

TEST(ServiceMap, RefusesWhatMeansNothing) {
  const auto problem = [](std::string_view prefix, std::vector<std::string> services) {
    const auto added = ServiceMap().add(prefix, std::move(services));
    return added ? "" : added.error().text();
  };
  EXPECT_THAT(problem("", {"a"}), HasSubstr("is empty"));
  EXPECT_THAT(problem("a/", {}), HasSubstr("names no service"));
  EXPECT_THAT(problem("{service}/", {"a"}), HasSubstr("takes no services"));
  EXPECT_THAT(problem("{service}/{service}/", {}), HasSubstr("twice"));
  EXPECT_THAT(problem("{service}", {}), HasSubstr("wants a /"));
}

}  // namespace
}  // namespace precedent
