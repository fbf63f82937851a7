// KnowledgeSource over a git repository: the documents (Markdown, JSON, CSV) of one branch.
//
// The branch is fetched into a bare repository in the working folder (git/fetch.h). Where its
// commit is the one of the cursor, nothing changed. Otherwise the documents of the commit are laid
// out under names of our own, read as a folder is (ingest/reading/reader.h), and taken away again:
// a hostile path in a tree is a name in a message, never one on the disk.
//
// A document's path is "github:org/repo/runbooks/a.md" ("gitlab:…", else "<name>:…"), its version
// the blob, its link what the pattern makes of it, which is known for those two. A link that names
// the commit stays at the one with which the document came: another commit alone changes no
// document. Not read, and said with their paths: links, submodules, and
// files that are only LFS pointers; what such a file held before stays. Errors: those of fetch();
// kResourceExhausted for too many documents.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "git/fetch.h"
#include "sources/knowledge_source.h"
#include "sources/link_pattern.h"

namespace precedent {

struct GitSourceOptions {
  std::string name;
  std::string url, branch;
  std::vector<std::string> paths;  // files and folders in it; none: all
  std::string user, token, key_file;
  // Instead of `token`, where one lives shorter than the source.
  std::function<Result<std::string>(const CancelToken&)> fetch_token = {};
  LinkPattern link = {};         // without one: as github.com and gitlab.com have it
  std::filesystem::path folder;  // its own, to work in
  ReadOptions read;              // kind, services, tags
  uint64_t max_bytes = git::FetchRequest().max_bytes;
  // A repository of documents has thousands. One with more is one of data.
  size_t max_files = 50'000;
};

class GitSource final : public KnowledgeSource {
 public:
  explicit GitSource(GitSourceOptions options);

  const std::string& scope() const override { return scope_; }
  Result<SourceListing> list(const std::string& cursor, const SyncContext& context) override;
  Result<ReadSummary> read(std::span<const SourceEntry> entries, const SyncContext& context,
                           DocumentSink& sink) override;

  // Of a file in the repository: Document::path, and an address that opens, or "".
  std::string path_of(const std::string& file) const { return shown_ + file; }
  std::string link_of(const std::string& file, const git::Fetched& at) const;

 private:
  struct LaidOut;
  Result<LaidOut> lay_out(const std::filesystem::path& folder,
                          std::vector<std::string>& notes) const;
  bool is_wanted(const std::string& path) const;
  bool is_below_paths(const std::string& path) const;
  bool may_hold_documents(const std::string& submodule) const;

  GitSourceOptions options_;
  std::string scope_;
  git::RemoteAddress address_;
  std::string shown_;  // what paths begin with
  git::Fetched fetched_;
};

}  // namespace precedent
