// Repository: what git keeps, read-only: the tracked files of one commit, or of the work tree.
//
// The only folder that knows libgit2; nothing here runs git, a hook or a filter, and nothing is
// written. Bare repositories, linked work trees, shallow clones and a detached HEAD are read like
// any other. Errors: kNotFound where there is no repository, kUnavailable where git refuses
// (another owner) or an object is missing, each with the remedy. Thread safety: a Repository
// belongs to one thread. Ownership: owns its libgit2 handles.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "git/attribute_cost.h"

struct git_repository;
struct git_odb;

namespace precedent::git {

struct Head {
  std::string commit;  // 40 hexadecimal digits
  std::string branch;  // "main"; "" where HEAD is detached
  TimePoint time{};    // of the commit
};

struct TrackedFile {
  enum class Type : uint8_t { kFile, kLink, kSubmodule };
  std::string path;  // with '/', relative to the repository's root
  std::string blob;  // object id of its content: equal ids mean equal bytes
  Type type = Type::kFile;
  bool modified = false;  // the work tree's content, which no commit has
};

class Repository {
 public:
  // The repository at `path` or above it.
  static Result<Repository> open(const std::filesystem::path& path);

  // The last part of the URL of the remote "origin", else the name of its folder, without ".git".
  const std::string& name() const { return name_; }
  // Absolute, without links: the same for all linked work trees of a repository.
  const std::filesystem::path& common_folder() const { return common_; }
  // Where the files are; empty for a bare repository.
  const std::filesystem::path& work_tree() const { return work_tree_; }

  // Nothing in a repository without a commit.
  Result<std::optional<Head>> head() const;
  // By path. Empty without a commit.
  Result<std::vector<TrackedFile>> files_at_head() const;
  // The same with what the work tree and the index changed: tracked files as they are on disk, byte
  // by byte, those added to the index too, without those that were deleted. Errors:
  // kInvalidArgument if bare.
  Result<std::vector<TrackedFile>> files_in_work_tree() const;

  // Bytes of the content, without reading it.
  Result<uint64_t> bytes(const TrackedFile& file) const;
  Result<std::string> read(const TrackedFile& file) const;

  // Whether .gitattributes (of HEAD, and of the work tree if there is one) set `attribute` for
  // `path`. False where git would need too long to find out (attribute_cost.h).
  bool has_attribute(std::string_view path, const char* attribute) const;
  // Which files of attributes were the cause of that, and what to do.
  std::vector<std::string> unread_attributes() const { return attributes_->warnings(); }

 private:
  struct Free {
    void operator()(git_repository* repository) const;
    void operator()(git_odb* objects) const;
  };
  Repository() = default;

  std::unique_ptr<git_repository, Free> repository_;
  std::unique_ptr<git_odb, Free> objects_;
  std::unique_ptr<AttributeCost> attributes_;
  std::string name_;
  std::filesystem::path common_, work_tree_;
};

}  // namespace precedent::git
