// Folders and files as users have them → documents, through the whole reading side.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "ingest/reading/reader_lab.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

constexpr std::string_view kLine = "{\"id\":\"A-1\",\"title\":\"t\",\"text\":\"x\"}\n";

TEST_F(ReaderTest, ReadsEveryFormatOfAFolderInOrder) {
  put("b/incidents.jsonl", kLine);
  put("a.csv", "id,title,details\nB-1,t,x\n");
  put("a.tsv", "id\ttitle\tdetails\nC-1\tt\tx\n");
  put("c.json", "[{\"id\":\"D-1\",\"title\":\"t\",\"text\":\"x\"}]");
  put("runbooks/pool.md", "---\nid: rb-1\n---\n# Pool\nx");
  put("z.TXT", "plain");
  put("pic.png", "x");
  put("Makefile", "x");
  put(".git/x.md", "x");
  put(".hidden.md", "x");
  put("node_modules/m/README.md", "x");
  const ReadSummary summary = read({root_.string()});
  EXPECT_THAT(out_.bad_records, IsEmpty());
  ASSERT_THAT(out_.ids, SizeIs(6));
  EXPECT_THAT(std::vector(out_.ids.begin(), out_.ids.begin() + 5),
              ElementsAre("B-1", "C-1", "A-1", "D-1", "rb-1"));
  EXPECT_EQ(out_.places[2], (root_ / "b/incidents.jsonl").string() + ":1");
  EXPECT_EQ(summary.files, 6u);
  EXPECT_EQ(summary.documents, 6u);
  ASSERT_THAT(summary.ignored, ElementsAre(Pair("", testing::_), Pair(".png", testing::_)));
  EXPECT_THAT(summary.ignored.at(".png").paths, ElementsAre((root_ / "pic.png").string()));
  EXPECT_EQ(summary.left_out.at("hidden").count, 2u);
  EXPECT_THAT(summary.left_out.at("generated or vendored (node_modules)").paths,
              ElementsAre((root_ / "node_modules").string()));
  EXPECT_THAT(summary.sources, ElementsAre(fs::canonical(root_).string()));
  EXPECT_EQ(out_.documents[4].path, (root_ / "runbooks/pool.md").string());
  EXPECT_EQ(out_.documents[4].source, fs::canonical(root_).string());
  EXPECT_EQ(out_.bytes, out_.total);
}

TEST_F(ReaderTest, PathsAreKeptAsTheOperatorNamedThem) {
  put("kb/runbooks/a.md", "# A\nx");
  const fs::path before = fs::current_path();
  fs::current_path(root_);
  read({"kb"});
  fs::current_path(before);
  EXPECT_EQ(out_.documents.at(0).path, "kb/runbooks/a.md");
}

TEST_F(ReaderTest, AFileWithoutAKnownNameIsReadByItsContent) {
  read({put("export", kLine), put("list.dat", "[{\"id\":\"B-1\",\"title\":\"t\",\"text\":\"x\"}]"),
        put("notes", "# Notes\nx")});
  EXPECT_THAT(out_.ids, ElementsAre("A-1", "B-1", testing::StartsWith("kb-")));
}

TEST_F(ReaderTest, BadRecordsAreReportedAndTheOthersLoad) {
  const std::string path = put("i.jsonl",
                               "{\"id\":\"A-1\",\"title\":\"t\",\"text\":\"x\"}\n"
                               "{\"title\":\"t\",\"text\":\"x\"}\n"
                               "{broken\n"
                               "{\"id\":\"A-4\",\"severity\":\"SEV1\"}\n"
                               "{\"id\":\"a‑1\",\"title\":\"t\",\"text\":\"x\"}\n"
                               "{\"id\":\"A-6\",\"title\":\"t\",\"text\":\"x\"}\n");
  const ReadSummary summary = read({path});
  EXPECT_THAT(out_.ids, ElementsAre("A-1", "A-6"));
  EXPECT_THAT(
      out_.bad_records,
      ElementsAre(HasSubstr("i.jsonl:2: 'incident_id'"), HasSubstr("i.jsonl:3: broken JSON"),
                  HasSubstr("i.jsonl:4: 'title'"),
                  HasSubstr("i.jsonl:5: 'id': 'A-1' was read before, from " + path + ":1")));
  EXPECT_EQ(summary.bad, 4u);
  EXPECT_EQ(summary.documents, 2u);
  EXPECT_THAT(summary.unread, ElementsAre(Unread{fs::canonical(path).string(), "i.jsonl"}))
      << "A-4 may be in the store";
}

TEST_F(ReaderTest, ARepeatedIdLeavesItsSourceComplete) {
  const ReadSummary summary = read({put("i.jsonl", std::string(kLine) + std::string(kLine))});
  EXPECT_EQ(summary.bad, 1u);
  EXPECT_THAT(summary.unread, IsEmpty());
}

TEST_F(ReaderTest, AHugeLineIsPassedOver) {
  options_.limits.max_record_bytes = 1 << 20;
  const std::string path = put("i.jsonl", kLine);
  {
    std::ofstream file(path, std::ios::app | std::ios::binary);
    const std::string block(1 << 20, 'x');
    file << "{\"id\":\"A-2\",\"text\":\"";
    for (int i = 0; i < 8; ++i) file << block;
    file << "\"}\n{\"id\":\"A-3\",\"title\":\"t\",\"text\":\"x\"}\n";
  }
  read({path});
  EXPECT_THAT(out_.ids, ElementsAre("A-1", "A-3"));
  EXPECT_THAT(out_.bad_records,
              ElementsAre(HasSubstr("i.jsonl:2: the record is larger than 1 MB")));
}

TEST_F(ReaderTest, AMarkdownFileAboveTheLimitIsReported) {
  options_.limits.max_record_bytes = 100;
  read({put("a.md", std::string(200, 'x')), put("b.md", "x")});
  EXPECT_THAT(out_.ids, SizeIs(1));
  EXPECT_THAT(out_.bad_records, ElementsAre(HasSubstr("a.md")));
}

TEST_F(ReaderTest, TheSameFileIsReadOnce) {
  const std::string path = put("kb/a.jsonl", kLine);
  fs::create_directory_symlink("..", root_ / "kb/loop");
  fs::create_symlink("a.jsonl", root_ / "kb/b.jsonl");
  const ReadSummary summary = read({root_.string(), path, (root_ / "kb").string()});
  EXPECT_THAT(out_.ids, ElementsAre("A-1"));
  EXPECT_THAT(out_.bad_records, IsEmpty());
  EXPECT_EQ(summary.files, 1u);
}

TEST_F(ReaderTest, APathThatDoesNotExistStopsBeforeAnythingIsRead) {
  options_.paths = {put("a.jsonl", kLine), (root_ / "nowhere").string()};
  const auto summary = read_documents(options_, out_);
  EXPECT_EQ(summary.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(summary.error().message, HasSubstr("nowhere: no such file or folder"));
  EXPECT_THAT(out_.ids, IsEmpty());
  options_.paths = {""};
  EXPECT_FALSE(read_documents(options_, out_).has_value());
}

TEST_F(ReaderTest, APipeIsRefusedInsteadOfWaitedFor) {
  const std::string path = (root_ / "pipe.json").string();
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  options_.paths = {path};
  EXPECT_EQ(read_documents(options_, out_).error().code, ErrorCode::kInvalidArgument);
  put("a.jsonl", kLine);
  read({root_.string()});
  EXPECT_THAT(out_.ids, ElementsAre("A-1"));
}

TEST_F(ReaderTest, ALinkToNowhereIsReportedAndTheSourceIncomplete) {
  put("a.jsonl", kLine);
  fs::create_symlink("gone.md", root_ / "b.md");
  const ReadSummary summary = read({root_.string()});
  EXPECT_THAT(out_.bad_records, ElementsAre(HasSubstr("b.md: cannot read")));
  EXPECT_THAT(summary.unread, ElementsAre(Unread{fs::canonical(root_).string(), "b.md"}));
}

TEST_F(ReaderTest, WhatCannotBeReadIsReportedWithTheRemedy) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  put("a.jsonl", kLine);
  fs::permissions(put("secret.jsonl", kLine), fs::perms::none);
  put("closed/b.md", "x");
  fs::permissions(root_ / "closed", fs::perms::none);
  const ReadSummary summary = read({root_.string()});
  fs::permissions(root_ / "closed", fs::perms::owner_all);
  EXPECT_THAT(out_.ids, ElementsAre("A-1"));
  EXPECT_THAT(out_.bad_records,
              ElementsAre(HasSubstr("check the permissions"), HasSubstr("check the permissions")));
  EXPECT_THAT(summary.unread, SizeIs(2));
}

TEST_F(ReaderTest, OptionsReachEveryDocument) {
  options_.services = {"checkout-api"};
  options_.tags = {"imported"};
  options_.map = {"title=Headline Text"};
  read({put("a.csv", "id,headline text,text,tags\nA-1,t,x,imported;old\n"), put("b.md", "# B\nx")});
  ASSERT_THAT(out_.documents, SizeIs(2));
  EXPECT_EQ(out_.documents[0].title, "t");
  EXPECT_THAT(out_.documents[0].tags, ElementsAre("imported", "old"));
  for (const Document& d : out_.documents) EXPECT_THAT(d.services, ElementsAre("checkout-api"));
}

TEST_F(ReaderTest, AFileThatYieldsNoRecordIsNamed) {
  fs::create_directory(root_ / "empty");
  const ReadSummary summary =
      read({(root_ / "empty").string(), put("a.csv", "id,title\n"), put("b.json", "[]"),
            put("c.json", "{\"incidents\": []}"), put("d.csv", ""), put("e.md", " \n")});
  EXPECT_THAT(summary.warnings,
              ElementsAre(HasSubstr("empty: nothing to read"), HasSubstr("a.csv: no record in it"),
                          HasSubstr("b.json: no record in it"), HasSubstr("c.json: no record")));
  EXPECT_THAT(out_.bad_records, ElementsAre(HasSubstr("d.csv: the file is empty"),
                                            HasSubstr("e.md: the file is empty")));
}

TEST_F(ReaderTest, MisnamedFilesAndOldLineEndsAreRead) {
  read({put("a.csv", "[{\"id\":\"A-1\",\"title\":\"t\"},\n {\"id\":\"A-2\",\"title\":\"t\"}]"),
        put("b.csv", "{\"id\":\"B-1\",\"title\":\"t\"}\n"),
        put("c.csv", "id,title\rC-1,\"a\rb\"\rC-2,t\r"),
        put("d.jsonl", "{\"id\":\"D-1\",\"title\":\"t\"}\r{\"id\":\"D-2\",\"title\":\"t\"}\r"),
        put("e.csv", "[id],[title]\nE-1,t\n")});
  EXPECT_THAT(out_.ids, ElementsAre("A-1", "A-2", "B-1", "C-1", "C-2", "D-1", "D-2", "E-1"))
      << "a header in brackets is no JSON";
  EXPECT_THAT(out_.bad_records, IsEmpty());
}

TEST_F(ReaderTest, ABadRecordOfAListOnOneLineIsNamed) {
  read({put("a.json",
            "[{\"id\":\"A-1\",\"title\":\"t\"},{\"id\":\"A-2\"},{\"title\":\"t\"},"
            "{\"id\":\"A-4\",\"title\":tru},{\"id\":\"A-5\",\"title\":\"t\"}]")});
  EXPECT_THAT(out_.ids, ElementsAre("A-1", "A-5"));
  EXPECT_THAT(out_.bad_records,
              ElementsAre(HasSubstr("a.json:1: record 2 of the list, A-2: 'title'"),
                          HasSubstr("a.json:1: record 3 of the list: 'incident_id'"),
                          HasSubstr("a.json:1: record 4 of the list, A-4: broken JSON")));
}

TEST_F(ReaderTest, AWrongMapIsAnError) {
  options_.map = {"titel=x"};
  EXPECT_EQ(read_documents(options_, out_).error().code, ErrorCode::kInvalidArgument);
}

TEST_F(ReaderTest, TheSinkAndTheOperatorStopTheReading) {
  std::string lines;
  for (int i = 0; i < 10; ++i)
    lines += "{\"id\":\"A-" + std::to_string(i) + "\",\"title\":\"t\",\"text\":\"x\"}\n";
  options_.paths = {put("a.jsonl", lines)};
  out_.stop_after = 3;
  EXPECT_EQ(read_documents(options_, out_).error().code, ErrorCode::kResourceExhausted);
  EXPECT_THAT(out_.ids, SizeIs(3));
  CancelToken cancel;
  cancel.cancel();
  options_.cancel = &cancel;
  EXPECT_EQ(read_documents(options_, out_).error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace precedent
