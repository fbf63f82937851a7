#include "changes/git_changes.h"

#include <fmt/format.h>
#include <git2.h>

#include <algorithm>
#include <memory>
#include <set>

#include "base/redact.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

// Commits looked at for one question: beyond, "more" is said. Linux has 80,000 a year.
constexpr size_t kMaxWalked = 100'000;
// Committers' clocks disagree: so many commits in a row older than the range end the walk.
constexpr size_t kMaxOlderInARow = 200;
// Tags looked at; a repository with more releases keeps them elsewhere.
constexpr size_t kMaxTags = 20'000;
constexpr size_t kMaxTitleBytes = 300;

template <auto kFree>
struct Free {
  template <typename T>
  void operator()(T* object) const {
    kFree(object);
  }
};
using Repository = std::unique_ptr<git_repository, Free<git_repository_free>>;
using Walk = std::unique_ptr<git_revwalk, Free<git_revwalk_free>>;
using Commit = std::unique_ptr<git_commit, Free<git_commit_free>>;
using Tree = std::unique_ptr<git_tree, Free<git_tree_free>>;
using Diff = std::unique_ptr<git_diff, Free<git_diff_free>>;
using Object = std::unique_ptr<git_object, Free<git_object_free>>;

// libgit2 counts its users; this one stays until the process ends.
void start_libgit2() {
  static const int started = git_libgit2_init();
  (void)started;
}

std::string shown(const char* text) {
  if (text == nullptr) return "";
  const std::string clean = strip_controls(repair_utf8(trim(text)));
  return redact(utf8_prefix(clean, kMaxTitleBytes));
}

std::unexpected<Error> git_failure(const GitChangesOptions& options, int code) {
  const git_error* last = git_error_last();
  const std::string_view said =
      last != nullptr && last->message != nullptr ? last->message : "no reason given";
  const bool missing = code == GIT_ENOTFOUND;
  return fail(missing ? ErrorCode::kNotFound : ErrorCode::kUnavailable,
              fmt::format("cannot read the git repository {}{}: {}; check 'path' and 'branch' of "
                          "'repositories' in the tools' configuration",
                          options.path.string(),
                          options.branch.empty() ? "" : fmt::format(" at {}", options.branch),
                          utf8_prefix(repair_utf8(said), kMaxTitleBytes)));
}

TimePoint time_of(git_time_t seconds) { return TimePoint(std::chrono::seconds(seconds)); }

std::string hex(const git_oid& id) {
  char text[GIT_OID_HEXSZ + 1];
  return git_oid_tostr(text, sizeof text, &id);
}

// The files that differ from the first parent's, into `change`.
void read_files(git_repository* repository, git_commit* commit, Change& change) {
  git_tree* tree = nullptr;
  git_tree* old_tree = nullptr;
  if (git_commit_tree(&tree, commit) != 0) return;
  const Tree new_owner(tree);
  git_commit* parent = nullptr;
  if (git_commit_parentcount(commit) > 0 && git_commit_parent(&parent, commit, 0) == 0) {
    const Commit owner(parent);
    git_commit_tree(&old_tree, parent);
  }
  const Tree old_owner(old_tree);
  git_diff* diff = nullptr;
  if (git_diff_tree_to_tree(&diff, repository, old_tree, tree, nullptr) != 0) return;
  const Diff diff_owner(diff);
  std::set<std::string> paths;
  for (size_t i = 0; i < git_diff_num_deltas(diff); ++i) {
    const git_diff_delta* delta = git_diff_get_delta(diff, i);
    if (delta->old_file.path != nullptr) paths.insert(delta->old_file.path);
    if (delta->new_file.path != nullptr) paths.insert(delta->new_file.path);
  }
  change.files_total = paths.size();
  change.files.assign(paths.begin(), paths.end());
}

void read_services(const GitChangesOptions& options, Change& change) {
  for (const std::string& path : change.files) {
    const std::vector<std::string> owners = options.services.services_of(path);
    const auto& found = owners.empty() ? options.own_services : owners;
    change.services.insert(change.services.end(), found.begin(), found.end());
  }
  settle_services(change);
  if (change.files.size() > kMaxChangedFiles) change.files.resize(kMaxChangedFiles);
  for (std::string& file : change.files) file = shown(file.c_str());
}

Change change_of_commit(git_repository* repository, git_commit* commit,
                        const GitChangesOptions& options) {
  Change change;
  change.id = change.commit = hex(*git_commit_id(commit));
  change.at = time_of(git_commit_time(commit));
  change.kind = ChangeKind::kCommit;
  const git_signature* author = git_commit_author(commit);
  change.author = author != nullptr ? shown(author->name) : "";
  change.title = shown(git_commit_summary(commit));
  read_files(repository, commit, change);
  read_services(options, change);
  return change;
}

Result<void> walk_commits(git_repository* repository, const GitChangesOptions& options,
                          const ChangeQuery& query, std::vector<Change>& found) {
  git_object* start = nullptr;
  const std::string from = options.branch.empty() ? "HEAD" : options.branch;
  if (const int code = git_revparse_single(&start, repository, from.c_str()); code != 0)
    return git_failure(options, code);
  const Object start_owner(start);
  git_revwalk* walk = nullptr;
  if (const int code = git_revwalk_new(&walk, repository); code != 0)
    return git_failure(options, code);
  const Walk walk_owner(walk);
  git_revwalk_sorting(walk, GIT_SORT_TIME);
  if (const int code = git_revwalk_push(walk, git_object_id(start)); code != 0)
    return git_failure(options, code);
  git_oid id;
  size_t matched = 0;
  size_t older = 0;
  for (size_t walked = 0; walked < kMaxWalked && git_revwalk_next(&id, walk) == 0; ++walked) {
    git_commit* commit = nullptr;
    if (git_commit_lookup(&commit, repository, &id) != 0) continue;
    const Commit owner(commit);
    const TimePoint at = time_of(git_commit_time(commit));
    if (query.range.from && at < *query.range.from) {
      if (++older > kMaxOlderInARow) break;
      continue;
    }
    older = 0;
    if (!query.range.contains(at) || git_commit_parentcount(commit) > 1) continue;
    Change change = change_of_commit(repository, commit, options);
    if (!matches(change, query)) continue;
    found.push_back(std::move(change));
    if (++matched > query.limit) break;  // one more shows that there are more
  }
  return {};
}

struct TagWalk {
  git_repository* repository;
  const GitChangesOptions& options;
  std::vector<Change>& found;
  size_t seen = 0;
};

int visit_tag(const char* reference, git_oid* id, void* payload) {
  TagWalk& walk = *static_cast<TagWalk*>(payload);
  if (++walk.seen > kMaxTags) return 1;
  std::string_view tag = reference;
  if (tag.starts_with("refs/tags/")) tag.remove_prefix(std::string_view("refs/tags/").size());
  const auto release = read_tag(tag, walk.options.tags);
  if (!release) return 0;
  git_object* object = nullptr;
  if (git_object_lookup(&object, walk.repository, id, GIT_OBJECT_ANY) != 0) return 0;
  const Object object_owner(object);
  git_object* target = nullptr;
  if (git_object_peel(&target, object, GIT_OBJECT_COMMIT) != 0) return 0;
  const Object target_owner(target);
  auto* commit = reinterpret_cast<git_commit*>(target);
  const git_signature* tagger = git_object_type(object) == GIT_OBJECT_TAG
                                    ? git_tag_tagger(reinterpret_cast<git_tag*>(object))
                                    : nullptr;
  Change change;
  change.id = shown(std::string(tag).c_str());
  change.at = time_of(tagger != nullptr ? tagger->when.time : git_commit_time(commit));
  change.kind = ChangeKind::kTag;
  if (release->service.empty()) {
    change.services = walk.options.own_services;
  } else {
    change.services = {release->service};
  }
  settle_services(change);
  change.version = release->version;
  change.commit = hex(*git_commit_id(commit));
  change.author = shown(tagger != nullptr ? tagger->name : git_commit_author(commit)->name);
  change.title = fmt::format("Tag {}", change.id);
  walk.found.push_back(std::move(change));
  return 0;
}

bool wants(const ChangeQuery& query, ChangeKind kind) {
  return query.kinds.empty() || std::ranges::find(query.kinds, kind) != query.kinds.end();
}

Result<Repository> open_repository(const GitChangesOptions& options) {
  start_libgit2();
  git_repository* repository = nullptr;
  const int code = git_repository_open_ext(&repository, options.path.c_str(),
                                           GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr);
  if (code != 0) return git_failure(options, code);
  return Repository(repository);
}

}  // namespace

std::optional<ReleaseTag> read_tag(std::string_view tag, std::string_view pattern) {
  constexpr std::string_view kService = "{service}";
  constexpr std::string_view kVersion = "{version}";
  const size_t version_at = pattern.find(kVersion);
  if (version_at == std::string_view::npos) return std::nullopt;
  ReleaseTag read;
  std::string_view prefix = pattern.substr(0, version_at);
  const std::string_view suffix = pattern.substr(version_at + kVersion.size());
  if (!tag.ends_with(suffix)) return std::nullopt;
  tag.remove_suffix(suffix.size());
  const size_t service_at = prefix.find(kService);
  if (service_at != std::string_view::npos) {
    const std::string_view head = prefix.substr(0, service_at);
    const std::string_view between = prefix.substr(service_at + kService.size());
    if (!tag.starts_with(head)) return std::nullopt;
    tag.remove_prefix(head.size());
    // A service's name may hold what stands between: the last one ends it.
    const size_t end = between.empty() ? std::string_view::npos : tag.rfind(between);
    if (end == 0 || end == std::string_view::npos) return std::nullopt;
    read.service = tag.substr(0, end);
    tag.remove_prefix(end + between.size());
  } else {
    if (!tag.starts_with(prefix)) return std::nullopt;
    tag.remove_prefix(prefix.size());
  }
  // Otherwise "{service}-v{version}" would also read "search-vendored".
  if (tag.empty() || tag.front() < '0' || tag.front() > '9') return std::nullopt;
  read.version = tag;
  return read;
}

GitChanges::GitChanges(GitChangesOptions options) : options_(std::move(options)) {
  std::string folder = options_.path.filename().string();
  if (folder.empty() || folder == ".git") folder = options_.path.parent_path().filename().string();
  name_ = "git:" + (options_.name.empty() ? folder : options_.name);
}

Result<ChangeList> GitChanges::changes(const ChangeQuery& query) const {
  const Repository repository = TRY(open_repository(options_));
  std::vector<Change> found;
  if (wants(query, ChangeKind::kCommit))
    TRY(walk_commits(repository.get(), options_, query, found));
  if (wants(query, ChangeKind::kTag) && !options_.tags.empty()) {
    TagWalk walk{repository.get(), options_, found};
    git_tag_foreach(repository.get(), visit_tag, &walk);
  }
  for (Change& change : found) change.source = name_;
  return select(std::move(found), query, name_, "");
}

std::vector<std::string> GitChanges::services() const {
  std::set<std::string> names(options_.own_services.begin(), options_.own_services.end());
  for (std::string& service : options_.services.named()) names.insert(std::move(service));
  const auto tags = changes({.kinds = {ChangeKind::kTag}, .limit = kMaxTags});
  if (tags) {
    for (const Change& change : tags->changes)
      names.insert(change.services.begin(), change.services.end());
  }
  return {names.begin(), names.end()};
}

}  // namespace precedent
