// Golden examples whose sources change after their review.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/store_lab.h"

namespace precedent {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class GoldenSourcesTest : public StoreContract {
 protected:
  void put(const std::string& id, const std::string& body) {
    Document document;
    document.id = id;
    document.body = body;
    ASSERT_TRUE(
        store_.apply({.put = {{.document = document, .hash = content_hash(document) + ".rules"}}}));
  }
  void put_example(int64_t reviewed_at, bool active = true) {
    GoldenExample example;
    example.id = "G-1";
    example.question = "q";
    example.answer = "a";
    example.active = active;
    example.review = Review{"Ana", TimePoint(std::chrono::seconds(reviewed_at))};
    example.sources = {"inc-2025-01-20-005", "docs/a.md", "nowhere"};
    ASSERT_TRUE(store_.put_golden({&example, 1}));
  }
  GoldenExample example() { return store_.golden("G-1").value().value(); }

  KnowledgeStore store_ = open();
};
OVER_EVERY_STORE(GoldenSourcesTest);

TEST_P(GoldenSourcesTest, AnExampleIsServedUntilASourceChangesAndAgainOnceItIsReviewed) {
  put("INC-2025-01-20-005", "before");
  put("docs/a.md", "text");
  put_example(1);
  EXPECT_TRUE(is_served(example()));
  put("INC-2025-01-20-005", "after");
  EXPECT_THAT(example().outdated, ElementsAre("INC-2025-01-20-005"));
  EXPECT_FALSE(is_served(example()));
  EXPECT_THAT(store_.golden_examples()->front().outdated, ElementsAre("INC-2025-01-20-005"));
  // Switching it off and on is no review.
  for (const bool active : {false, true}) {
    GoldenExample same = example();
    same.active = active;
    ASSERT_TRUE(store_.put_golden({&same, 1}));
  }
  EXPECT_FALSE(is_served(example()));
  // A review is, also in the same second.
  const auto again = reviewed(example(), "", *example().review);
  ASSERT_TRUE(again) << again.error().text();
  ASSERT_TRUE(store_.put_golden({&*again, 1}));
  EXPECT_TRUE(is_served(example()));
  EXPECT_FALSE(reviewed(example(), "", *example().review)) << "there is nothing to review";
}

TEST_P(GoldenSourcesTest, ASourceThatVanishesIsOneThatChanges) {
  put("docs/a.md", "text");
  put_example(1);
  ASSERT_TRUE(store_.apply({.remove = {"docs/a.md"}}));
  EXPECT_THAT(example().outdated, ElementsAre("docs/a.md"));
  put("docs/a.md", "text");
  EXPECT_THAT(example().outdated, IsEmpty()) << "as it was";
}

TEST_P(GoldenSourcesTest, WhoMayNotSeeASourceIsNotServedWhatRestedOnItEither) {
  put("docs/a.md", "text");
  put_example(1);
  const Scope golden_alone{.kinds = {Kind::kGolden}};
  const auto scoped = [&] {
    return KnowledgeStore::open_scoped(lab_->address(), golden_alone).value();
  };
  EXPECT_TRUE(is_served(scoped().golden("G-1").value().value()));
  put("docs/a.md", "other text");
  EXPECT_FALSE(is_served(scoped().golden("G-1").value().value()));
}

}  // namespace
}  // namespace precedent
