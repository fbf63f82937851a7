#include "sources/folder_watch.h"

#include <gtest/gtest.h>

#include <fstream>

#include "files/temporary_folder.h"

namespace precedent {
namespace {

class FolderWatchTest : public testing::Test {
 protected:
  void write(const std::string& name) {
    std::filesystem::create_directories((folder_.path() / name).parent_path());
    std::ofstream(folder_.path() / name) << "x";
  }
  // Waits until it was told so often in all.
  void await(size_t count) {
    const MutexLock lock(mutex_);
    while (told_ < count) changed_.wait(mutex_);
  }
  size_t told() {
    const MutexLock lock(mutex_);
    return told_;
  }

  const TemporaryFolder folder_;
  Mutex mutex_;
  ConditionVariable changed_;
  size_t told_ GUARDED_BY(mutex_) = 0;
  void tell(const std::string& name) {
    EXPECT_EQ(name, "notes");
    const MutexLock lock(mutex_);
    ++told_;
    changed_.notify_all();
  }
  static constexpr std::chrono::milliseconds kSoon{20};
  static constexpr std::chrono::hours kNever{1};
  FolderWatch watch_{[this](const std::string& name) { tell(name); }, {kSoon, kNever}};
};

TEST_F(FolderWatchTest, WhatIsWrittenMovedAndRemovedIsTold) {
  write("deep/er/a.md");
  ASSERT_TRUE(watch_.watch("notes", folder_.path()));
  write("deep/er/a.md");
  await(1);
  std::filesystem::rename(folder_.path() / "deep/er/a.md", folder_.path() / "b.md");
  await(2);
  std::filesystem::remove(folder_.path() / "b.md");
  await(3);
}

TEST_F(FolderWatchTest, AFolderThatAppearsIsWatched) {
  ASSERT_TRUE(watch_.watch("notes", folder_.path()));
  std::filesystem::create_directories(folder_.path() / "new/deeper");
  await(1);
  write("new/deeper/a.md");
  await(2);
}

TEST_F(FolderWatchTest, ChangesWithoutEndAreToldAllTheSame) {
  FolderWatch watch([this](const std::string& name) { tell(name); }, {kNever, kSoon});
  ASSERT_TRUE(watch.watch("notes", folder_.path()));
  write("a.md");
  await(1);
}

TEST_F(FolderWatchTest, AnotherFolderOfTheNameTakesItsPlace) {
  write("old/a.md");
  write("new/a.md");
  ASSERT_TRUE(watch_.watch("notes", folder_.path() / "old"));
  ASSERT_TRUE(watch_.watch("notes", folder_.path() / "new"));
  write("old/a.md");
  std::this_thread::sleep_for(5 * kSoon);
  EXPECT_EQ(told(), 0U);
  write("new/a.md");
  await(1);
  watch_.leave("notes");
  write("new/a.md");
  std::this_thread::sleep_for(5 * kSoon);
  EXPECT_EQ(told(), 1U);
  ASSERT_TRUE(watch_.watch("notes", folder_.path() / "new"));
  write("new/a.md");
  await(2);
}

TEST_F(FolderWatchTest, WhatIsNotReadIsNotTold) {
  write(".git/index");
  ASSERT_TRUE(watch_.watch("notes", folder_.path()));
  write(".git/index");
  write(".hidden.md");
  write("seen.md");
  await(1);
  write(".git/index");
  write("seen.md");
  await(2);
}

TEST_F(FolderWatchTest, AFolderThatVanishedIsWatchedAgain) {
  write("notes/a.md");
  const auto notes = folder_.path() / "notes";
  ASSERT_TRUE(watch_.watch("notes", notes));
  std::filesystem::rename(notes, folder_.path() / "away");
  await(1);
  const auto lost = watch_.watch("notes", notes);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::kUnavailable);
  std::filesystem::rename(folder_.path() / "away", notes);
  ASSERT_TRUE(watch_.watch("notes", notes));
  const size_t before = told();
  write("notes/b.md");
  await(before + 1);
}

}  // namespace
}  // namespace precedent
