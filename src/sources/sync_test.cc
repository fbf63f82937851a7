#include "sources/sync.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ingest/publish/prepare.h"
#include "sources/fake_source.h"
#include "sources/source_lab.h"

namespace precedent {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

DocumentState state(std::string id, std::string source, std::string_view revision = "",
                    std::string path = "") {
  std::string hash = preparation_mark(id, revision);
  return {std::move(id), std::move(hash), std::move(source), std::move(path), Kind::kDoc};
}

std::vector<std::string> wanted(const SyncPlan& plan) {
  std::vector<std::string> ids;
  for (const SourceEntry& entry : plan.wanted) ids.push_back(entry.id);
  return ids;
}

TEST(PlanSync, TellsNewChangedUnchangedAndVanished) {
  const SourceListing listing{.everything = true,
                              .entries = {{"a", "1", ""}, {"b", "2", ""}, {"c", "1", ""}}};
  const std::vector<DocumentState> known = {state("a", "s", "1"), state("b", "s", "1"),
                                            state("d", "s", "1"), state("e", "other", "1")};
  const SyncPlan plan = plan_sync("s", listing, known);
  EXPECT_THAT(wanted(plan), ElementsAre("b", "c"));
  EXPECT_THAT(plan.vanished, ElementsAre("d"));
  EXPECT_EQ(plan.unchanged, 1U);
  EXPECT_EQ(plan.known, 3U);
}

TEST(PlanSync, AListOfChangesVanishesNothingButWhatItNames) {
  const SourceListing listing{.entries = {{"a", "2", ""}}, .gone = {"b", "unknown", "e"}};
  const std::vector<DocumentState> known = {state("a", "s", "1"), state("b", "s", "1"),
                                            state("c", "s", "1"), state("e", "other", "1")};
  EXPECT_THAT(plan_sync("s", listing, known).vanished, ElementsAre("b"));
}

TEST(PlanSync, WhatCannotBeLookedAtStays) {
  const SourceListing listing{
      .everything = true, .kept = {"kept"}, .unreadable = {"docs/bad.md", "locked"}};
  const std::vector<DocumentState> known = {
      state("kept", "s"),
      state("1", "s", "", "docs/bad.md"),
      state("2", "s", "", "locked/x/y.md"),
      state("3", "s", "", "docs/bad.md.old"),
      state("4", "s", "", "locked-away.md"),
  };
  EXPECT_THAT(plan_sync("s", listing, known).vanished, ElementsAre("3", "4"));
}

TEST(PlanSync, OnlyAFolderTakesOverFromAFolder) {
  const SourceListing listing{.everything = true, .entries = {{"a", "", ""}}};
  EXPECT_THAT(plan_sync("git:x", listing, std::vector{state("a", "/srv/docs")}).foreign,
              ElementsAre("a"));
  EXPECT_THAT(plan_sync("/srv/new", listing, std::vector{state("a", "git:x")}).foreign,
              ElementsAre("a"));
  EXPECT_THAT(wanted(plan_sync("/srv/new", listing, std::vector{state("a", "/srv/old")})),
              ElementsAre("a"));
}

TEST(Sync, OnlyWhatIsWantedIsRead) {
  SourceLab lab;
  FakeSource source;
  source.put("a", "x");
  source.put("b", "y");
  ASSERT_TRUE(lab.sync(source));
  EXPECT_EQ(source.reads, 2U);
  source.put("b", "z");
  const auto report = lab.sync(source, {.sweep = true});
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_EQ(source.reads, 3U);
  EXPECT_EQ(report->unchanged, 1U);
  EXPECT_EQ(report->ingest.changed, 1U);
}

TEST(Sync, TooManyDeletionsAreAskedAbout) {
  SourceLab lab;
  FakeSource source;
  for (int i = 0; i < 30; ++i) source.put(fmt::format("p{}", i), "x");
  ASSERT_TRUE(lab.sync(source));
  for (int i = 0; i < 25; ++i) source.remove(fmt::format("p{}", i));
  source.put("new", "y");

  const auto refused = lab.sync(source);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  EXPECT_THAT(refused.error().message, HasSubstr("remove 25 of 30 documents"));
  EXPECT_THAT(refused.error().message, HasSubstr("--yes"));
  EXPECT_EQ(lab.documents().size(), 30U);

  const auto done = lab.sync(source, {.yes = true});
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->removed, 25U);
  EXPECT_EQ(lab.documents().size(), 6U);
}

TEST(Sync, FewDeletionsAndSmallSharesAreNot) {
  SourceLab lab;
  FakeSource source;
  for (int i = 0; i < 30; ++i) source.put(fmt::format("p{}", i), "x");
  ASSERT_TRUE(lab.sync(source));
  // 24 of 30 are 80 %, and not more.
  for (int i = 0; i < 24; ++i) source.remove(fmt::format("p{}", i));
  ASSERT_TRUE(lab.sync(source));
  // Six are few.
  for (int i = 24; i < 30; ++i) source.remove(fmt::format("p{}", i));
  const auto report = lab.sync(source);
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_EQ(lab.documents().size(), 0U);
}

TEST(Sync, ASourceThatBreaksOffLosesNothingAndGoesOn) {
  SourceLab lab;
  FakeSource source;
  for (int i = 0; i < 5; ++i) source.put(fmt::format("p{}", i), "x");
  ASSERT_TRUE(lab.sync(source));
  const std::string cursor = lab.cursor;
  source.remove("p0");
  source.put("q1", "y");
  source.put("q2", "y");
  source.read_fails_at = 1;
  const auto broken = lab.sync(source);
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(lab.cursor, cursor);
  EXPECT_TRUE(lab.documents().contains(source.id_of("p0")));
  EXPECT_TRUE(lab.documents().contains(source.id_of("q1")));
  EXPECT_TRUE(std::filesystem::is_empty(lab.folder() / "spool"));

  source.read_fails_at.reset();
  ASSERT_TRUE(lab.sync(source));
  EXPECT_EQ(lab.documents().size(), 6U);
}

TEST(Sync, NobodyIsKeptWaitingWhileASourceIsAsked) {
  SourceLab lab;
  FakeSource source;
  source.put("a", "x");
  size_t read_before = 0, opened = 0;
  lab.before_opening = [&]() -> Result<void> {
    read_before = source.reads;
    ++opened;
    return {};
  };
  ASSERT_TRUE(lab.sync(source));
  EXPECT_EQ(read_before, 1U);
  EXPECT_EQ(opened, 1U);
  EXPECT_TRUE(std::filesystem::is_empty(lab.folder() / "spool"));
  // Where nothing changed, nobody is kept waiting at all.
  ASSERT_TRUE(lab.sync(source));
  EXPECT_EQ(opened, 1U);
}

TEST(Sync, WhatOthersWroteMeanwhileStaysTheirs) {
  SourceLab lab;
  FakeSource source("fake:mine"), other("fake:mine/a");
  source.put("a/b", "mine");
  source.put("c", "mine");
  bool done = false;
  lab.before_opening = [&]() -> Result<void> {
    if (std::exchange(done, true)) return {};
    other.put("b", "theirs");
    const std::string cursor = std::exchange(lab.cursor, "");
    TRY(lab.sync(other));
    lab.cursor = cursor;
    return {};
  };
  const auto report = lab.sync(source);
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_EQ(report->ingest.added, 1U);
  EXPECT_EQ(lab.documents().at("fake:mine/a/b").body, "theirs");
}

TEST(Sync, ADocumentOfAnotherSourceIsLeftAlone) {
  SourceLab lab;
  FakeSource one("fake:shared");
  one.put("a", "mine");
  ASSERT_TRUE(lab.sync(one));
  // The same ids, another owner.
  class Thief final : public KnowledgeSource {
   public:
    explicit Thief(FakeSource& from) : from_(from) {}
    const std::string& scope() const override { return scope_; }
    Result<SourceListing> list(const std::string&, const SyncContext& context) override {
      return from_.list("", context);
    }
    Result<ReadSummary> read(std::span<const SourceEntry> entries, const SyncContext& context,
                             DocumentSink& sink) override {
      return from_.read(entries, context, sink);
    }

   private:
    FakeSource& from_;
    std::string scope_ = "fake:thief";
  };
  one.put("a", "stolen");
  one.put("b", "new");
  Thief thief(one);
  const auto report = lab.sync(thief);
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_THAT(report->notes, Contains(HasSubstr("1 document left out")));
  const auto all = lab.documents();
  EXPECT_EQ(all.at("fake:shared/a").body, "mine");
  EXPECT_EQ(all.at("fake:shared/b").source, "fake:thief");
}

}  // namespace
}  // namespace precedent
