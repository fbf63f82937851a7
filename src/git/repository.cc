#include "git/repository.h"

#include <fmt/format.h>
#include <git2.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "files/files.h"

namespace precedent::git {
namespace {

namespace fs = std::filesystem;

template <auto kFree>
struct Freer {
  template <typename T>
  void operator()(T* object) const {
    kFree(object);
  }
};
template <typename T, auto kFree>
using Handle = std::unique_ptr<T, Freer<kFree>>;
using Tree = Handle<git_tree, git_tree_free>;
using Commit = Handle<git_commit, git_commit_free>;
using Reference = Handle<git_reference, git_reference_free>;
using Blob = Handle<git_blob, git_blob_free>;
using Index = Handle<git_index, git_index_free>;

void initialize() {
  // Once for the process; libgit2 is never shut down, as its handles may outlive any order we
  // choose.
  static const int kInitialized = git_libgit2_init();
  static_cast<void>(kInitialized);
}

Error git_error(std::string_view what, int code) {
  const ::git_error* error = git_error_last();
  const std::string message = error != nullptr ? error->message : "no reason given";
  if (code == GIT_ENOTFOUND) return {ErrorCode::kNotFound, fmt::format("{}: {}", what, message)};
  if (code == GIT_EOWNER) {
    return {ErrorCode::kUnavailable,
            fmt::format("{}: {}; if you trust it, run `git config --global --add safe.directory "
                        "PATH`",
                        what, message)};
  }
  return {ErrorCode::kUnavailable,
          fmt::format("{}: {}; `git fsck` there says what is wrong", what, message)};
}

std::string hex(const git_oid& id) {
  std::string text(GIT_OID_HEXSZ, '0');
  git_oid_fmt(text.data(), &id);
  return text;
}

Result<git_oid> oid_of(const std::string& blob) {
  git_oid id;
  if (git_oid_fromstr(&id, blob.c_str()) != 0)
    return fail(ErrorCode::kInvalidArgument, fmt::format("'{}' is no object id", blob));
  return id;
}

TrackedFile::Type type_of(uint32_t mode) {
  switch (mode) {
    case GIT_FILEMODE_LINK: return TrackedFile::Type::kLink;
    case GIT_FILEMODE_COMMIT: return TrackedFile::Type::kSubmodule;
    default: return TrackedFile::Type::kFile;
  }
}

// "git@host:team/shop.git", "https://host/team/shop/" → "shop".
std::string last_part(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  if (url.ends_with(".git")) url.resize(url.size() - 4);
  while (url.ends_with('/')) url.pop_back();
  return url.substr(url.find_last_of("/:\\") + 1);
}

std::string name_of(git_repository* repository, const fs::path& common, const fs::path& work_tree) {
  // Not git_remote_lookup, which leaks as git_revparse_single does.
  git_config* config = nullptr;
  if (git_repository_config_snapshot(&config, repository) == 0) {
    const char* url = nullptr;
    std::string name;
    if (git_config_get_string(&url, config, "remote.origin.url") == 0) name = last_part(url);
    git_config_free(config);
    if (!name.empty()) return name;
  }
  // ".git" lies in the folder that people call the repository.
  if (common.filename() == ".git") return common.parent_path().filename().string();
  const std::string name = last_part(common.string());
  return name.empty() ? work_tree.filename().string() : name;
}

fs::path canonical(const char* path) {
  std::error_code error;
  fs::path clean = fs::canonical(path, error);
  return error ? fs::path(path) : clean;
}

Result<Tree> tree_of_head(git_repository* repository, const fs::path& where) {
  // Not git_revparse_single: in libgit2 1.5 it leaks what its regular expressions allocate.
  git_reference* head = nullptr;
  git_object* found = nullptr;
  int code = git_repository_head(&head, repository);
  if (code == 0) code = git_reference_peel(&found, head, GIT_OBJECT_TREE);
  git_reference_free(head);
  if (code != 0)
    return std::unexpected(git_error(fmt::format("cannot read HEAD of {}", where.string()), code));
  return Tree(reinterpret_cast<git_tree*>(found));
}

// The file as the work tree has it; false if it is not there. A link, and what cannot be read,
// stays as the index has it. Neither attributes nor .gitignore have a say: git would match their
// patterns for hours.
bool take_from_disk(const fs::path& work_tree, TrackedFile& file) {
  const fs::path path = work_tree / file.path;
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (!fs::exists(status)) return false;
  if (fs::is_symlink(status)) file.type = TrackedFile::Type::kLink;
  if (file.type == TrackedFile::Type::kSubmodule || !fs::is_regular_file(status)) return true;
  git_oid id;
  if (git_odb_hashfile(&id, path.c_str(), GIT_OBJECT_BLOB) == 0) file.blob = hex(id);
  file.type = TrackedFile::Type::kFile;
  return true;
}

}  // namespace

void Repository::Free::operator()(git_repository* repository) const {
  git_repository_free(repository);
}
void Repository::Free::operator()(git_odb* objects) const { git_odb_free(objects); }

Result<Repository> Repository::open(const fs::path& path) {
  initialize();
  git_repository* opened = nullptr;
  const int code = git_repository_open_ext(&opened, path.c_str(), 0, nullptr);
  if (code == GIT_ENOTFOUND) {
    return fail(ErrorCode::kNotFound,
                fmt::format("there is no git repository at '{}' or above it; give the folder of a "
                            "clone, or a bare repository",
                            path.string()));
  }
  if (code != 0)
    return std::unexpected(
        git_error(fmt::format("cannot open the repository at '{}'", path.string()), code));
  Repository repository;
  repository.repository_.reset(opened);
  git_odb* objects = nullptr;
  if (const int failed = git_repository_odb(&objects, opened); failed != 0)
    return std::unexpected(
        git_error(fmt::format("cannot open the objects of '{}'", path.string()), failed));
  repository.objects_.reset(objects);
  repository.attributes_ = std::make_unique<AttributeCost>(opened);
  repository.common_ = canonical(git_repository_commondir(opened));
  if (!repository.common_.has_filename()) repository.common_ = repository.common_.parent_path();
  if (const char* tree = git_repository_workdir(opened); tree != nullptr)
    repository.work_tree_ = canonical(tree);
  repository.name_ = name_of(opened, repository.common_, repository.work_tree_);
  return repository;
}

Result<std::optional<Head>> Repository::head() const {
  git_reference* found = nullptr;
  const int code = git_repository_head(&found, repository_.get());
  if (code == GIT_EUNBORNBRANCH || code == GIT_ENOTFOUND) return std::optional<Head>();
  if (code != 0)
    return std::unexpected(
        git_error(fmt::format("cannot read HEAD of {}", common_.string()), code));
  const Reference reference(found);
  git_object* object = nullptr;
  if (const int failed = git_reference_peel(&object, found, GIT_OBJECT_COMMIT); failed != 0)
    return std::unexpected(
        git_error(fmt::format("HEAD of {} is no commit", common_.string()), failed));
  const Commit commit(reinterpret_cast<git_commit*>(object));
  Head head;
  head.commit = hex(*git_commit_id(commit.get()));
  head.time = TimePoint(std::chrono::seconds(git_commit_time(commit.get())));
  if (git_repository_head_detached(repository_.get()) != 1)
    head.branch = git_reference_shorthand(found);
  return std::optional<Head>(std::move(head));
}

Result<std::vector<TrackedFile>> Repository::files_at_head() const {
  std::vector<TrackedFile> files;
  if (!TRY(head())) return files;
  const Tree tree = TRY(tree_of_head(repository_.get(), common_));
  const auto visit = [](const char* root, const git_tree_entry* entry, void* out) {
    const auto mode = git_tree_entry_filemode(entry);
    if (mode != GIT_FILEMODE_TREE) {
      static_cast<std::vector<TrackedFile>*>(out)->push_back(
          {std::string(root) + git_tree_entry_name(entry), hex(*git_tree_entry_id(entry)),
           type_of(mode), false});
    }
    return 0;
  };
  if (const int code = git_tree_walk(tree.get(), GIT_TREEWALK_PRE, visit, &files); code != 0)
    return std::unexpected(
        git_error(fmt::format("cannot read the tree of {}", common_.string()), code));
  std::ranges::sort(files, {}, &TrackedFile::path);
  return files;
}

Result<std::vector<TrackedFile>> Repository::files_in_work_tree() const {
  if (work_tree_.empty()) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{} is bare and has no work tree; leave --work-tree out", common_.string()));
  }
  std::map<std::string, std::string> at_head;
  for (TrackedFile& file : TRY(files_at_head()))
    at_head.emplace(std::move(file.path), std::move(file.blob));
  git_index* opened = nullptr;
  if (const int code = git_repository_index(&opened, repository_.get()); code != 0)
    return std::unexpected(
        git_error(fmt::format("cannot read the index of {}", work_tree_.string()), code));
  const Index index(opened);
  std::vector<TrackedFile> files;
  for (size_t i = 0; i < git_index_entrycount(opened); ++i) {
    const git_index_entry& entry = *git_index_get_byindex(opened, i);
    // In a conflict the same file is there up to three times.
    if (!files.empty() && files.back().path == entry.path) continue;
    TrackedFile file{entry.path, hex(entry.id), type_of(entry.mode), false};
    const bool elsewhere = (entry.flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) != 0;
    if (!elsewhere && !take_from_disk(work_tree_, file)) continue;
    const auto before = at_head.find(file.path);
    file.modified = file.type == TrackedFile::Type::kFile && !elsewhere &&
                    (before == at_head.end() || before->second != file.blob);
    files.push_back(std::move(file));
  }
  return files;
}

Result<uint64_t> Repository::bytes(const TrackedFile& file) const {
  if (file.modified) {
    std::error_code error;
    const auto size = fs::file_size(work_tree_ / file.path, error);
    if (error)
      return fail(ErrorCode::kNotFound,
                  fmt::format("cannot read '{}': {}", file.path, error.message()));
    return size;
  }
  const git_oid id = TRY(oid_of(file.blob));
  size_t size = 0;
  git_object_t type{};
  if (const int code = git_odb_read_header(&size, &type, objects_.get(), &id); code != 0)
    return std::unexpected(
        git_error(fmt::format("the content of '{}' is missing", file.path), code));
  return size;
}

Result<std::string> Repository::read(const TrackedFile& file) const {
  if (file.modified) {
    const uint64_t size = TRY(bytes(file));
    return read_file(work_tree_ / file.path, size);
  }
  const git_oid id = TRY(oid_of(file.blob));
  git_blob* found = nullptr;
  if (const int code = git_blob_lookup(&found, repository_.get(), &id); code != 0)
    return std::unexpected(
        git_error(fmt::format("the content of '{}' is missing", file.path), code));
  const Blob blob(found);
  return std::string(static_cast<const char*>(git_blob_rawcontent(found)),
                     static_cast<size_t>(git_blob_rawsize(found)));
}

bool Repository::has_attribute(std::string_view path, const char* attribute) const {
  if (!attributes_->is_bearable(path)) return false;
  const char* value = nullptr;
  if (git_attr_get(&value, repository_.get(),
                   GIT_ATTR_CHECK_INDEX_THEN_FILE | GIT_ATTR_CHECK_INCLUDE_HEAD,
                   std::string(path).c_str(), attribute) != 0)
    return false;
  const git_attr_value_t kind = git_attr_value(value);
  return kind == GIT_ATTR_VALUE_TRUE ||
         (kind == GIT_ATTR_VALUE_STRING && std::string_view(value) == "true");
}

}  // namespace precedent::git
