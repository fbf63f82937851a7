#include "files/files.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <optional>

#include "files/temporary_folder.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class FilesTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "precedent-files-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path put(std::string_view name, std::string_view content) {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return folder_ / name;
  }
  size_t count() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

Result<void> write(const fs::path& path, std::string_view content) {
  const std::string_view parts[] = {content};
  return write_file_atomically(path, parts);
}

TEST_F(FilesTest, MapsAFile) {
  const auto file = MappedFile::open(put("a", std::string("x\0y", 3)));
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->text(), std::string_view("x\0y", 3));
  EXPECT_EQ(file->bytes().size(), 3u);
}

TEST_F(FilesTest, MapsAnEmptyFileAsNoBytes) {
  const auto file = MappedFile::open(put("a", ""));
  ASSERT_TRUE(file.has_value());
  EXPECT_TRUE(file->bytes().empty());
}

TEST_F(FilesTest, AMappingMovesWithItsBytes) {
  auto first = MappedFile::open(put("a", "first")).value();
  auto second = MappedFile::open(put("b", "second")).value();
  second = std::move(first);
  EXPECT_EQ(second.text(), "first");
  MappedFile third(std::move(second));
  EXPECT_EQ(third.text(), "first");
  EXPECT_TRUE(
      second.bytes().empty());  // NOLINT(bugprone-use-after-move): what is left is what is tested
}

TEST_F(FilesTest, AMappingOutlivesItsFile) {
  const fs::path path = put("a", "still here");
  const auto file = MappedFile::open(path).value();
  fs::remove(path);
  EXPECT_EQ(file.text(), "still here");
}

TEST_F(FilesTest, WhatCannotBeOpenedIsNamed) {
  const auto missing = MappedFile::open(folder_ / "nowhere");
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(missing.error().message, HasSubstr((folder_ / "nowhere").string()));
  EXPECT_EQ(read_file(folder_ / "nowhere", 10).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(MappedFile::open(folder_).error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(read_file(folder_, 10).error().message, HasSubstr("directory"));
}

TEST_F(FilesTest, ReadsAFileUpToTheLimit) {
  const fs::path path = put("a", std::string(100'000, 'x'));
  EXPECT_EQ(read_file(path, 100'000)->size(), 100'000u);
  EXPECT_EQ(read_file(path, 99'999).error().code, ErrorCode::kResourceExhausted);
  // Files of /proc say that they have no size, and have content.
  EXPECT_GT(read_file("/proc/self/status", 1 << 20)->size(), 0u);
  EXPECT_EQ(read_file("/proc/self/status", 10).error().code, ErrorCode::kResourceExhausted);
}

TEST_F(FilesTest, ReplacesAFileAndLeavesNothingBeside) {
  const fs::path path = put("a", "old");
  const std::string_view parts[] = {"new ", "", "content"};
  ASSERT_TRUE(write_file_atomically(path, parts).has_value());
  EXPECT_EQ(read_file(path, 100).value(), "new content");
  EXPECT_EQ(count(), 1u);
}

TEST_F(FilesTest, AReaderKeepsWhatItMapped) {
  const fs::path path = put("a", "old");
  const auto before = MappedFile::open(path).value();
  ASSERT_TRUE(write(path, "new").has_value());
  EXPECT_EQ(before.text(), "old");
  EXPECT_EQ(MappedFile::open(path)->text(), "new");
}

TEST_F(FilesTest, AFailedWriteLeavesTheOldContentAndNoTemporary) {
  EXPECT_EQ(write(folder_ / "no" / "such" / "folder", "x").error().code, ErrorCode::kNotFound);
  put("file", "x");
  EXPECT_FALSE(write(folder_ / "file" / "below", "x").has_value());
  fs::create_directory(folder_ / "taken");
  EXPECT_THAT(write(folder_ / "taken", "x").error().message, HasSubstr("cannot replace"))
      << "a folder is in the way";
  EXPECT_EQ(count(), 2u);
}

TEST_F(FilesTest, AppendsWholeLinesForTheOwnerAlone) {
  const fs::path file = folder_ / "log";
  ASSERT_TRUE(append_line(file, "one"));
  ASSERT_TRUE(append_line(file, "two"));
  EXPECT_EQ(read_file(file, 100).value(), "one\ntwo\n");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(FilesTest, ALineAfterAnUnfinishedOneStandsAlone) {
  const fs::path file = folder_ / "log";
  std::ofstream(file) << "half a li";
  ASSERT_TRUE(append_line(file, "two"));
  EXPECT_EQ(read_file(file, 100).value(), "half a li\ntwo\n");
}

TEST_F(FilesTest, APipeThatNobodyReadsIsAnErrorOfAppending) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto appended = append_line(pipe, "one");
  ASSERT_FALSE(appended);
  EXPECT_NE(appended.error().message.find(pipe.string()), std::string::npos);
}

TEST_F(FilesTest, AnUnwritableFolderIsAPermissionErrorWithARemedy) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const fs::path path = put("a", "old");
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  const auto written = write(path, "new");
  fs::permissions(folder_, fs::perms::owner_all);
  EXPECT_EQ(written.error().code, ErrorCode::kPermission);
  EXPECT_THAT(written.error().message, HasSubstr("check the permissions"));
  EXPECT_EQ(read_file(path, 10).value(), "old");
}

TEST(SystemError, AFullDiskIsSaidWithARemedy) {
  for (const int full : {ENOSPC, EDQUOT, EFBIG})
    EXPECT_EQ(system_error("write", "x", full).code, ErrorCode::kResourceExhausted);
  EXPECT_THAT(system_error("write", "x", ENOSPC).message, HasSubstr("free space"));
}

TEST_F(FilesTest, MakesFoldersAndIsContentWithThoseThatExist) {
  EXPECT_TRUE(make_directories(folder_ / "a" / "b").has_value());
  EXPECT_TRUE(make_directories(folder_ / "a" / "b").has_value());
  put("file", "x");
  EXPECT_FALSE(make_directories(folder_ / "file" / "c").has_value());
}

TEST_F(FilesTest, ALockIsHeldOnceAndFreedWithItsObject) {
  const fs::path path = folder_ / "lock";
  std::optional<FileLock> lock = FileLock::acquire(path).value();
  const auto second = FileLock::acquire(path);
  EXPECT_EQ(second.error().code, ErrorCode::kConflict);
  EXPECT_THAT(second.error().message, HasSubstr(std::to_string(::getpid())));
  lock.reset();
  EXPECT_TRUE(FileLock::acquire(path).has_value());
}

// The exit code of a child process that runs `body`.
int in_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(FilesTest, ALockKeepsAnotherProcessOut) {
  const fs::path path = folder_ / "lock";
  const std::string own_id = std::to_string(::getpid());
  const auto lock = FileLock::acquire(path).value();
  EXPECT_EQ(in_child([&] {
              const auto second = FileLock::acquire(path);
              if (second) return 1;
              if (second.error().code != ErrorCode::kConflict) return 2;
              return second.error().message.find(own_id) == std::string::npos ? 3 : 0;
            }),
            0);
}

TEST_F(FilesTest, ALockEndsWithItsProcessHoweverThatEnds) {
  const fs::path path = folder_ / "lock";
  EXPECT_EQ(in_child([&] {
              const auto lock = FileLock::acquire(path);
              ::_exit(lock ? 7 : 1);  // no destructor runs
              return 0;
            }),
            7);
  EXPECT_TRUE(FileLock::acquire(path).has_value());
}

std::string rights(const std::filesystem::path& path) {
  const auto bits = std::filesystem::symlink_status(path).permissions();
  return fmt::format("{:03o}", static_cast<unsigned>(bits) & 0777);
}

TEST(Files, WhatIsMadeIsItsOwnersAlone) {
  const TemporaryFolder folder;
  const auto umask_before = ::umask(0);
  const auto inner = folder.path() / "a/b";
  ASSERT_TRUE(make_directories(inner));
  ASSERT_TRUE(write_file_atomically(inner / "file", std::vector<std::string_view>{"x"}));
  ASSERT_TRUE(FileLock::acquire(inner / "lock"));
  ASSERT_TRUE(append_line(inner / "log", "x"));
  ::umask(umask_before);
  for (const auto& made : {folder.path() / "a", inner}) EXPECT_EQ(rights(made), "700") << made;
  for (const char* name : {"file", "lock", "log"}) EXPECT_EQ(rights(inner / name), "600") << name;
}

TEST(Files, WhatOthersCouldReadIsTakenFromThem) {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  const auto inner = folder.path() / "index";
  ASSERT_TRUE(make_directories(inner));
  for (const char* name : {"segment", "../outside"}) std::ofstream(inner / name) << "x";
  fs::create_symlink("../outside", inner / "link");
  for (const auto& open : {inner / "segment", folder.path() / "outside"})
    ::chmod(open.c_str(), 0644);
  ::chmod(inner.c_str(), 0755);
  make_private(inner);
  EXPECT_EQ(rights(inner), "700");
  EXPECT_EQ(rights(inner / "segment"), "644");
  make_private(inner, Privacy::kWithContent);
  EXPECT_EQ(rights(inner / "segment"), "600");
  EXPECT_EQ(rights(folder.path() / "outside"), "644");
  ::chmod(inner.c_str(), 01777);
  make_private(inner, Privacy::kWithContent);
  EXPECT_EQ(rights(inner), "777");
}

}  // namespace
}  // namespace precedent
