#include "ingest/reading/repo_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "git/repo_lab.h"
#include "ingest/ingest_lab.h"

namespace precedent {
namespace {

using git::RepoLab;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

struct Collected final : DocumentSink {
  Result<void> document(Document&& document, size_t) override {
    documents.emplace(document.id, std::move(document));
    return {};
  }
  void bad(BadRecord&& record) override { problems.push_back(record.text()); }

  std::vector<std::string> ids() const {
    std::vector<std::string> out;
    for (const auto& [id, document] : documents) out.push_back(id);
    return out;
  }
  std::map<std::string, Document> documents;
  std::vector<std::string> problems;
};

ReadSummary read(const RepoOptions& options, Collected& sink) {
  auto summary = read_repository(options, nullptr, sink);
  EXPECT_TRUE(summary) << summary.error().text();
  return summary.value_or(ReadSummary{});
}

TEST(RepoReader, AFileIsADocumentThatSaysWhereItIsFrom) {
  RepoLab lab;
  lab.write("src/pay.py",
            "\xef\xbb\xbf"
            "def pay():\n  pass\n");
  const std::string commit = lab.commit();
  Collected sink;
  read({.path = lab.folder, .cut_by = "ctags"}, sink);
  ASSERT_THAT(sink.ids(), ElementsAre("shop:src/pay.py"));
  const Document& d = sink.documents.begin()->second;
  EXPECT_EQ(d.kind, Kind::kCode);
  EXPECT_EQ(d.path, "src/pay.py");
  EXPECT_EQ(d.body, "def pay():\n  pass\n");
  EXPECT_EQ(d.attributes.at("commit"), commit);
  EXPECT_EQ(d.attributes.at("repository"), "shop");
  EXPECT_EQ(d.attributes.at("language"), "python");
}

TEST(RepoReader, WhatNobodyEditsIsLeftOutAndCounted) {
  RepoLab lab;
  lab.write("a.cc", "int a;\n")
      .write("vendor/b.cc", "int b;\n")
      .write("c.cc", "// DO NOT EDIT\n")
      .write("d.bin", std::string_view("a\0b", 3))
      .write("e.sql", std::string((1 << 20) + 1, 'x'))
      .write("gen/f.cc", "int f;\n")
      .write(".gitattributes", "gen/* linguist-generated\n")
      .commit();
  Collected sink;
  const ReadSummary summary = read({.path = lab.folder}, sink);
  EXPECT_THAT(sink.ids(), ElementsAre("shop:.gitattributes", "shop:a.cc"));
  const auto times = [](size_t count) { return testing::Field(&LeftOut::count, count); };
  EXPECT_THAT(summary.left_out,
              UnorderedElementsAre(Pair("vendored", times(1)), Pair("generated", times(2)),
                                   Pair("binary", times(1)), Pair("larger than 1 MB", times(1))));
  EXPECT_THAT(summary.left_out.at("generated").paths, ElementsAre("c.cc", "gen/f.cc"));
}

TEST(RepoReader, LinksAndSubmodulesAreLeftOut) {
  RepoLab lab(RepoLab::Kind::kBare);
  lab.commit_entry("link", "a.cc", GIT_FILEMODE_LINK);
  lab.commit_entry("module", "", GIT_FILEMODE_COMMIT);
  Collected sink;
  EXPECT_EQ(read({.path = lab.folder}, sink).left_out.size(), 2u);
  EXPECT_THAT(sink.ids(), IsEmpty());
}

TEST(RepoReader, AnEmptyRepositoryIsSaidToBeEmpty) {
  RepoLab lab;
  Collected sink;
  EXPECT_THAT(read({.path = lab.folder}, sink).warnings, ElementsAre(HasSubstr("no commit yet")));
}

TEST(RepoReader, TheWorkTreeHasNoCommit) {
  RepoLab lab;
  lab.write("a.cc", "one\n").write("b.cc", "two\n").commit();
  lab.write("a.cc", "changed\n");
  Collected sink;
  read({.path = lab.folder, .name = "mine", .work_tree = true}, sink);
  EXPECT_EQ(sink.documents.at("mine:a.cc").body, "changed\n");
  EXPECT_FALSE(sink.documents.at("mine:a.cc").attributes.contains("commit"));
  EXPECT_TRUE(sink.documents.at("mine:b.cc").attributes.contains("commit"));
}

// Through the whole pipeline: the chunker counts the files that are cut.
class RepoIngest : public testing::Test {
 protected:
  IngestReport ingest(const RepoOptions& options) {
    auto store = KnowledgeStore::open(store_file(lab_.folder), KnowledgeStore::Access::kReadWrite);
    EmbeddedIndexCatalog indexes(lab_.folder);
    const Chunker cut = [this](const Document& document) {
      ++cut_;
      return paragraphs(document);
    };
    const IngestParts parts = {
        *store, indexes, nullptr, words, cut, [&](const ReadOptions& read, DocumentSink& sink) {
          return read_repository(options, read.cancel, sink);
        }};
    IngestOptions ingest_options;
    ingest_options.prune = true;
    cut_ = 0;
    auto report = precedent::ingest(ingest_options, parts, nullptr, {});
    EXPECT_TRUE(report) << report.error().text();
    return report.value_or(IngestReport{});
  }
  std::set<std::string> found() {
    std::set<std::string> ids;
    const auto searchable = lab_.searchable().value();
    for (const auto& [id, document] : searchable) ids.insert(id);
    return ids;
  }

  IngestLab lab_;
  std::atomic<size_t> cut_ = 0;
};

TEST_F(RepoIngest, OnlyWhatACommitChangedIsCutAgain) {
  RepoLab repository;
  repository.write("a.cc", "one\n").write("b.cc", "two\n").write("c.cc", "three\n").commit();
  EXPECT_EQ(ingest({.path = repository.folder}).added, 3u);
  EXPECT_EQ(cut_, 3u);
  repository.write("b.cc", "changed\n").remove("c.cc").write("d.cc", "four\n").commit();
  const IngestReport again = ingest({.path = repository.folder});
  EXPECT_EQ(std::tuple(again.added, again.changed, again.unchanged, again.removed),
            std::tuple(1u, 1u, 1u, 1u));
  EXPECT_EQ(cut_, 2u);
  EXPECT_THAT(found(), ElementsAre("shop:a.cc", "shop:b.cc", "shop:d.cc"));
  ingest({.path = repository.folder});
  EXPECT_EQ(cut_, 0u);
}

TEST_F(RepoIngest, AnotherWayOfCuttingReadsEverythingAgain) {
  RepoLab repository;
  repository.write("a.cc", "one\n").commit();
  ingest({.path = repository.folder, .cut_by = "lines"});
  EXPECT_EQ(ingest({.path = repository.folder, .cut_by = "ctags"}).changed, 1u);
}

TEST_F(RepoIngest, TwoRepositoriesOfOneNameAreToldApart) {
  RepoLab first, second;
  first.write("a.cc", "one\n").commit();
  second.write("a.cc", "two\n").write("b.cc", "three\n").commit();
  ingest({.path = first.folder});
  const IngestReport clash = ingest({.path = second.folder});
  EXPECT_EQ(clash.bad_count, 1u);
  EXPECT_EQ(clash.added, 0u);
  EXPECT_THAT(clash.bad[0].message, HasSubstr("give it another name"));
  EXPECT_THAT(found(), ElementsAre("shop:a.cc"));
  EXPECT_EQ(ingest({.path = second.folder, .name = "other"}).added, 2u);
  EXPECT_THAT(found(), ElementsAre("other:a.cc", "other:b.cc", "shop:a.cc"));
}

}  // namespace
}  // namespace precedent
