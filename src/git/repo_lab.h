// A git repository made on the fly in a temporary folder, for tests. Written with libgit2, so that
// no git program and no configuration of the user's is needed. One thread.
#pragma once

#include <git2.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace precedent::git {

class RepoLab {
 public:
  enum class Kind { kNormal, kBare };

  explicit RepoLab(Kind kind = Kind::kNormal) {
    git_libgit2_init();
    std::string pattern =
        (std::filesystem::temp_directory_path() / "precedent-repo-XXXXXX").string();
    base_ = ::mkdtemp(pattern.data());
    folder = base_ / (kind == Kind::kBare ? "shop.git" : "shop");
    must(git_repository_init(&repository_, folder.c_str(), kind == Kind::kBare ? 1 : 0));
  }
  ~RepoLab() {
    git_repository_free(repository_);
    std::filesystem::remove_all(base_);
  }
  RepoLab(const RepoLab&) = delete;

  // In the work tree alone.
  RepoLab& write(const std::string& path, std::string_view text) {
    std::filesystem::create_directories((folder / path).parent_path());
    std::ofstream(folder / path, std::ios::binary) << text;
    return *this;
  }
  RepoLab& remove(const std::string& path) {
    std::filesystem::remove(folder / path);
    return *this;
  }

  // To the index: all of the work tree.
  git_oid add() {
    git_index* index = nullptr;
    must(git_repository_index(&index, repository_));
    must(git_index_add_all(index, nullptr, 0, nullptr, nullptr));
    must(git_index_update_all(index, nullptr, nullptr, nullptr));
    must(git_index_write(index));
    git_oid tree;
    must(git_index_write_tree(&tree, index));
    git_index_free(index);
    return tree;
  }

  // All of the work tree. Returns the id.
  std::string commit(const std::string& message = "A change") {
    return commit_tree(add(), message);
  }

  // One file, also into a bare repository, and with any mode.
  std::string commit_entry(const std::string& name, std::string_view text, git_filemode_t mode) {
    git_treebuilder* builder = nullptr;
    git_oid parent, blob, tree;
    git_tree* before = nullptr;
    if (git_reference_name_to_id(&parent, repository_, "HEAD") == 0) {
      git_commit* commit = nullptr;
      must(git_commit_lookup(&commit, repository_, &parent));
      must(git_commit_tree(&before, commit));
      git_commit_free(commit);
    }
    must(git_treebuilder_new(&builder, repository_, before));
    if (mode == GIT_FILEMODE_COMMIT) {
      must(git_oid_fromstr(&blob, "0123456789012345678901234567890123456789"));
      git_libgit2_opts(GIT_OPT_ENABLE_STRICT_OBJECT_CREATION, 0);
    } else {
      must(git_blob_create_from_buffer(&blob, repository_, text.data(), text.size()));
    }
    must(git_treebuilder_insert(nullptr, builder, name.c_str(), &blob, mode));
    must(git_treebuilder_write(&tree, builder));
    git_treebuilder_free(builder);
    git_tree_free(before);
    return commit_tree(tree);
  }

  void detach(const std::string& commit) {
    git_oid id;
    must(git_oid_fromstr(&id, commit.c_str()));
    must(git_repository_set_head_detached(repository_, &id));
  }

  // What `git clone --depth 1` leaves: the commit's parents are not there.
  void make_shallow(const std::string& commit) {
    std::ofstream(std::filesystem::path(git_repository_path(repository_)) / "shallow")
        << commit << '\n';
  }

  std::filesystem::path add_work_tree(const std::string& name) {
    git_worktree* added = nullptr;
    must(git_worktree_add(&added, repository_, name.c_str(), (base_ / name).c_str(), nullptr));
    git_worktree_free(added);
    return base_ / name;
  }

  void set_origin(const char* url) {
    git_config* config = nullptr;
    must(git_repository_config(&config, repository_));
    must(git_config_set_string(config, "remote.origin.url", url));
    git_config_free(config);
  }

  std::filesystem::path folder;

 private:
  static void must(int code) {
    if (code < 0) throw std::runtime_error(git_error_last()->message);
  }

  std::string commit_tree(const git_oid& tree_id, const std::string& message = "A change") {
    git_tree* tree = nullptr;
    must(git_tree_lookup(&tree, repository_, &tree_id));
    git_signature* author = nullptr;
    must(git_signature_new(&author, "Ana", "ana@example.com", ++time_, 0));
    git_oid parent_id;
    git_commit* parent = nullptr;
    if (git_reference_name_to_id(&parent_id, repository_, "HEAD") == 0)
      must(git_commit_lookup(&parent, repository_, &parent_id));
    const git_commit* parents[] = {parent};
    git_oid id;
    must(git_commit_create(&id, repository_, "HEAD", author, author, nullptr, message.c_str(), tree,
                           parent == nullptr ? 0 : 1, parents));
    git_commit_free(parent);
    git_signature_free(author);
    git_tree_free(tree);
    std::string hex(GIT_OID_HEXSZ, '0');
    git_oid_fmt(hex.data(), &id);
    return hex;
  }

  std::filesystem::path base_;
  git_repository* repository_ = nullptr;
  git_time_t time_ = 1'700'000'000;
};

}  // namespace precedent::git
