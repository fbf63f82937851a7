// For the tests of the reader: files in a temporary folder, and what a reader made of them.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "ingest/reading/reader.h"

namespace precedent {

class Collector final : public DocumentSink {
 public:
  Result<void> document(Document&& document, size_t line) override {
    ids.push_back(document.id);
    places.push_back(document.path + ":" + std::to_string(line));
    documents.push_back(std::move(document));
    return stop_after != 0 && ids.size() >= stop_after
               ? Result<void>(fail(ErrorCode::kResourceExhausted, "full"))
               : Result<void>();
  }
  void bad(BadRecord&& b) override { bad_records.push_back(b.text()); }
  void columns(const FileColumns& told) override { files.push_back(told); }
  void noted(const ReadNote& note) override { notes.push_back(note); }
  void progress(uint64_t read, uint64_t all) override {
    EXPECT_GE(read, bytes);
    EXPECT_LE(read, all);
    bytes = read;
    total = all;
  }

  std::vector<std::string> ids, places, bad_records;
  std::vector<Document> documents;
  std::vector<FileColumns> files;
  std::vector<ReadNote> notes;
  uint64_t bytes = 0, total = 0;
  size_t stop_after = 0;
};

class ReaderTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name =
        (std::filesystem::temp_directory_path() / "precedent-reader-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  std::string put(const std::string& name, std::string_view content) {
    std::filesystem::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << content;
    return (root_ / name).string();
  }
  ReadSummary read(std::vector<std::string> paths) {
    options_.paths = std::move(paths);
    const auto summary = read_documents(options_, out_);
    EXPECT_TRUE(summary.has_value()) << (summary ? "" : summary.error().text());
    return summary.value_or(ReadSummary{});
  }

  std::filesystem::path root_;
  ReadOptions options_;
  Collector out_;
};

}  // namespace precedent
