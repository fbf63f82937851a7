// The contract of `KnowledgeSource` as tests, over an origin that a test can change: every
// implementation takes over what is new, changed and deleted, once, and says where it is from.
//
//   INSTANTIATE_TEST_SUITE_P(Folder, SourceContract, testing::Values(SourceOriginMaker([] { … })));
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "sources/source_lab.h"

namespace precedent {

// Where the documents of one source live.
class SourceOrigin {
 public:
  virtual ~SourceOrigin() = default;
  // `name` is a plain word; the text has no title.
  virtual void put(const std::string& name, const std::string& text) = 0;
  virtual void remove(const std::string& name) = 0;
  // As a process of its own would open it.
  virtual std::unique_ptr<KnowledgeSource> open(const std::filesystem::path& folder) = 0;
};
using SourceOriginMaker = std::function<std::unique_ptr<SourceOrigin>()>;

class SourceContract : public testing::TestWithParam<SourceOriginMaker> {
 protected:
  SyncReport sync(SyncOptions options = {}) {
    const auto source = origin_->open(lab_.folder());
    const auto report = lab_.sync(*source, options);
    EXPECT_TRUE(report) << report.error().text();
    return report ? *report : SyncReport{};
  }
  // "text of a | text of b", in the order of the texts.
  std::string texts() {
    std::set<std::string> bodies;
    for (const auto& [id, document] : lab_.documents())
      bodies.insert(std::string(trim(document.body)));
    return fmt::format("{}", fmt::join(bodies, " | "));
  }

  std::unique_ptr<SourceOrigin> origin_ = GetParam()();
  SourceLab lab_;
};

TEST_P(SourceContract, WhatIsNewChangedAndDeletedIsTakenOver) {
  origin_->put("alpha", "first text");
  origin_->put("beta", "second text");
  SyncReport report = sync();
  EXPECT_EQ(report.ingest.added, 2U);
  EXPECT_EQ(report.documents, 2U);
  EXPECT_EQ(texts(), "first text | second text");

  origin_->put("alpha", "third text");
  origin_->put("gamma", "fourth text");
  report = sync();
  EXPECT_EQ(report.ingest.added, 1U);
  EXPECT_EQ(report.ingest.changed, 1U);
  EXPECT_EQ(texts(), "fourth text | second text | third text");

  origin_->remove("beta");
  report = sync({.sweep = true});
  EXPECT_EQ(report.removed, 1U);
  EXPECT_EQ(report.documents, 2U);
  EXPECT_EQ(texts(), "fourth text | third text");
}

TEST_P(SourceContract, ASecondSyncChangesNothing) {
  origin_->put("alpha", "first text");
  sync();
  for (const bool sweep : {false, true}) {
    const SyncReport report = sync({.sweep = sweep});
    EXPECT_EQ(report.ingest.added + report.ingest.changed + report.removed, 0U) << sweep;
    EXPECT_EQ(report.documents, 1U);
  }
  EXPECT_EQ(texts(), "first text");
}

TEST_P(SourceContract, ALostCursorLosesNothing) {
  origin_->put("alpha", "first text");
  origin_->put("beta", "second text");
  sync();
  origin_->remove("alpha");
  lab_.cursor = "";
  const SyncReport report = sync();
  EXPECT_EQ(report.removed, 1U);
  EXPECT_EQ(texts(), "second text");
}

TEST_P(SourceContract, ABrokenCursorIsNoError) {
  origin_->put("alpha", "first text");
  lab_.cursor = "0 {\"broken";
  sync({.sweep = true});
  EXPECT_EQ(texts(), "first text");
}

TEST_P(SourceContract, ADryRunChangesNothing) {
  origin_->put("alpha", "first text");
  const SyncReport report = sync({.dry_run = true});
  EXPECT_EQ(report.ingest.added, 1U);
  EXPECT_EQ(texts(), "");
}

TEST_P(SourceContract, DocumentsBelongToTheSource) {
  origin_->put("alpha", "first text");
  sync();
  const auto source = origin_->open(lab_.folder());
  for (const auto& [id, document] : lab_.documents()) {
    EXPECT_EQ(document.source, source->scope());
    EXPECT_FALSE(document.path.empty());
  }
}

TEST_P(SourceContract, ACancelledSyncSaysSo) {
  origin_->put("alpha", "first text");
  const auto source = origin_->open(lab_.folder());
  lab_.cancel.cancel();
  const auto report = lab_.sync(*source);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kCancelled) << report.error().text();
}

}  // namespace precedent
