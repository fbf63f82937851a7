// History: commits and tags of a repository, read-only.
//
// Objects alone are read: no hook, no remote, no work tree. Errors: kNotFound where there is no
// repository or no such branch, kUnavailable where git refuses, each with the remedy.
// Thread safety: one thread. Ownership: owns its libgit2 handle.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/time.h"

struct git_repository;

namespace precedent::git {

// Texts are valid UTF-8, without control characters, trimmed and cut.
struct CommitRecord {
  std::string id;       // 40 hexadecimal digits
  TimePoint time{};     // of the committer
  TimePoint reached{};  // when it reached the branch that was walked: of the merge that brought it,
                        // else its own
  std::string author;
  std::string summary;             // the message's first line
  std::vector<std::string> files;  // that differ from the first parent's, sorted; as git has them
  // Hashes of the commits that it takes back (reverts.h). Of a merge: also of what that brought.
  std::vector<std::string> reverts;
};

// Lines [begin, end] of a file as a commit left it, from 1, that it wrote.
struct WrittenLines {
  std::string path;
  uint32_t begin = 0, end = 0;
};

struct TagRecord {
  std::string name;
  std::string commit;
  TimePoint time{};    // of the tagger; without one: of the commit
  std::string author;  // the tagger; without one: the commit's author
};

class History {
 public:
  // The repository at `path` itself: a work tree, a .git or a bare one.
  static Result<History> open(const std::filesystem::path& path);

  // The commits that reached `branch` (any name git understands; "": HEAD) in `range`, about newest
  // first, without merges themselves. A merge brings what its further parents reach and its first
  // does not, at its own time: the branch is the line of first parents. Ends when `visit` returns
  // false, and after 100,000 commits.
  Result<void> walk(const std::string& branch, const TimeRange& range,
                    const std::function<bool(CommitRecord&&)>& visit) const;

  // The commit whose hash begins so; at least 4 hexadecimal digits. Nothing if there is none, or
  // several.
  std::optional<CommitRecord> find(const std::string& beginning) const;

  // What a commit wrote against its first parent, in the order of the files; not of files above 1
  // MB and of binary ones, and nothing of a commit to more than 50 files. Empty where the commit
  // cannot be read.
  std::vector<WrittenLines> written_lines(const std::string& commit) const;

  // What a commit changed against its first parent, as a unified diff of at most about `max_bytes`:
  // whole files, in their order, until the next one does not fit. "" where the commit cannot be
  // read.
  std::string patch(const std::string& commit, size_t max_bytes) const;

  // Tags of commits, by name; at most 20,000.
  Result<std::vector<TagRecord>> tags() const;

 private:
  struct Free {
    void operator()(git_repository* repository) const;
  };
  History() = default;

  std::filesystem::path path_;
  std::unique_ptr<git_repository, Free> repository_;
};

}  // namespace precedent::git
