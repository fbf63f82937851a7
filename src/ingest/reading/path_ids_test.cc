// Folders that are read again, renamed, copied, and read through another path.
#include "ingest/reading/path_ids.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "base/hash.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

class PathIdsTest : public testing::Test {
 protected:
  PathIdsTest() {
    std::string name = (fs::temp_directory_path() / "precedent-ids-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
  }
  ~PathIdsTest() override { fs::remove_all(root_); }

  void put(const std::string& file) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << "x";
  }

  // One ingest of files below `source`, as a process of its own: file below it → id.
  std::map<std::string, std::string> ingest(const std::string& source,
                                            const std::vector<std::string>& files) {
    PathIds ids(known_);
    std::map<std::string, std::string> all;
    for (const std::string& file : files) {
      const std::string path = (root_ / source / file).string();
      const std::string id =
          ids.id_of({(root_ / source).string(), file, path, source + "/" + file});
      std::erase_if(known_, [&](const DocumentState& state) { return state.id == id; });
      known_.push_back({id, "", (root_ / source).string(), source + "/" + file});
      all[file] = id;
    }
    return all;
  }

  fs::path root_;
  std::vector<DocumentState> known_;
};

TEST_F(PathIdsTest, AFileKeepsItsId) {
  put("kb/a.md");
  put("kb/sub/a.md");
  const auto first = ingest("kb", {"a.md", "sub/a.md"});
  EXPECT_EQ(ingest("kb", {"a.md", "sub/a.md"}), first);
  EXPECT_EQ(known_.size(), 2u);
}

TEST_F(PathIdsTest, AFolderThatWasRenamedKeepsItsIds) {
  put("kb/sub/a.md");
  const auto first = ingest("kb", {"sub/a.md"});
  fs::rename(root_ / "kb", root_ / "docs");
  EXPECT_EQ(ingest("docs", {"sub/a.md"}), first);
  EXPECT_EQ(known_.size(), 1u);
}

TEST_F(PathIdsTest, FilesOfOneNameBelowTwoSourcesAreTwo) {
  put("a/README.md");
  put("b/README.md");
  const auto a = ingest("a", {"README.md"}), b = ingest("b", {"README.md"});
  EXPECT_NE(a, b);
  EXPECT_EQ(ingest("a", {"README.md"}), a);
  EXPECT_EQ(ingest("b", {"README.md"}), b);
  EXPECT_EQ(known_.size(), 2u);
}

TEST_F(PathIdsTest, APartOfASourceIsTheSameFiles) {
  put("kb/sub/a.md");
  const std::string whole = ingest("kb", {"sub/a.md"})["sub/a.md"];
  EXPECT_EQ(ingest("kb/sub", {"a.md"})["a.md"], whole);
  EXPECT_EQ(ingest("kb", {"sub/a.md"})["sub/a.md"], whole);
  EXPECT_EQ(known_.size(), 1u);
}

TEST_F(PathIdsTest, DocumentsOfAnOlderStoreKeepTheirIdsAlsoWhenTheFolderIsRenamed) {
  put("kb/sub/a.md");
  const std::string file = (root_ / "kb/sub/a.md").string();
  const std::string old = "kb-" + content_hash(file).substr(0, 12);
  known_ = {{old, "", (root_ / "kb").string(), "../x/kb/sub/a.md"}};
  EXPECT_EQ(ingest("kb", {"sub/a.md"})["sub/a.md"], old);
  fs::rename(root_ / "kb", root_ / "docs");
  for (int i = 0; i < 2; ++i) EXPECT_EQ(ingest("docs", {"sub/a.md"})["sub/a.md"], old);
  EXPECT_EQ(ingest("docs/sub", {"a.md"})["a.md"], old) << "through another folder";
  EXPECT_EQ(ingest("docs", {"sub/a.md"})["sub/a.md"], old);
  known_[0].path = "./sub/a.md";  // read from within
  fs::rename(root_ / "docs", root_ / "kb2");
  EXPECT_EQ(ingest("kb2", {"sub/a.md"})["sub/a.md"], old) << "renamed once more";
  EXPECT_EQ(known_.size(), 1u);
}

TEST_F(PathIdsTest, ARecordWithoutAnIdHasThatOfItsLine) {
  put("kb/a.csv");
  const auto of = [&](PathIds& ids, size_t line) {
    return ids.id_of(
        {(root_ / "kb").string(), "a.csv", (root_ / "kb/a.csv").string(), "kb/a.csv", line});
  };
  PathIds fresh({});
  const std::string second = of(fresh, 2), third = of(fresh, 3);
  EXPECT_NE(second, third);
  EXPECT_EQ(of(fresh, 2), second);
  const std::string old = "kb-" + content_hash("kb/a.csv:2").substr(0, 12);
  known_ = {{old, "", (root_ / "kb").string(), "kb/a.csv"}};
  PathIds older(known_);
  EXPECT_EQ(of(older, 2), old);
  EXPECT_EQ(of(older, 3), third);
}

}  // namespace
}  // namespace precedent
