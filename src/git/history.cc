#include "git/history.h"

#include <fmt/format.h>
#include <git2.h>

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "base/utf8.h"
#include "git/free_by.h"
#include "git/reverts.h"

namespace precedent::git {
namespace {

// Linux has 80,000 commits a year; a longer walk answers no question about lately.
constexpr size_t kMaxWalked = 100'000;
// Committers' clocks disagree: so many commits in a row older than the range end the walk.
constexpr size_t kMaxOlderInARow = 200;
// Larger files are data, and a commit to more files is a mass edit.
constexpr size_t kMaxFileBytes = 1 << 20;
constexpr size_t kMaxFilesRead = 50;
// A repository with more releases keeps them elsewhere.
constexpr size_t kMaxTags = 20'000;
constexpr size_t kMaxTextBytes = 300;
// A merge that brings more is of a whole branch: what is suspected is then the merge.
constexpr size_t kMaxReverted = 500;

using Walk = std::unique_ptr<git_revwalk, FreeBy<git_revwalk_free>>;
using Commit = std::unique_ptr<git_commit, FreeBy<git_commit_free>>;
using Tree = std::unique_ptr<git_tree, FreeBy<git_tree_free>>;
using Blob = std::unique_ptr<git_blob, FreeBy<git_blob_free>>;
using Objects = std::unique_ptr<git_odb, FreeBy<git_odb_free>>;
using Diff = std::unique_ptr<git_diff, FreeBy<git_diff_free>>;
using Object = std::unique_ptr<git_object, FreeBy<git_object_free>>;
using Reference = std::unique_ptr<git_reference, FreeBy<git_reference_free>>;

// libgit2 counts its users; this one stays until the process ends.
void start_libgit2() {
  static const int started = git_libgit2_init();
  (void)started;
}

std::string clean(const char* text) {
  if (text == nullptr) return "";
  const std::string shown = strip_controls(repair_utf8(trim(text)));
  return std::string(utf8_prefix(shown, kMaxTextBytes));
}

std::unexpected<Error> failure(const std::filesystem::path& path, int code) {
  const git_error* last = git_error_last();
  const std::string said = last != nullptr ? clean(last->message) : "no reason given";
  return fail(code == GIT_ENOTFOUND ? ErrorCode::kNotFound : ErrorCode::kUnavailable,
              fmt::format("cannot read the git repository {}: {}; check its path and branch, and "
                          "that it belongs to the user who asks",
                          path.string(), said));
}

TimePoint time_of(git_time_t seconds) { return TimePoint(std::chrono::seconds(seconds)); }

std::string hex(const git_oid& id) {
  char text[GIT_OID_HEXSZ + 1];
  return git_oid_tostr(text, sizeof text, &id);
}

// Against the first parent; null where it cannot be made.
Diff diff_of(git_repository* repository, git_commit* commit, const git_diff_options* options) {
  git_tree* tree = nullptr;
  git_tree* old_tree = nullptr;
  if (git_commit_tree(&tree, commit) != 0) return nullptr;
  const Tree tree_owner(tree);
  git_commit* parent = nullptr;
  if (git_commit_parentcount(commit) > 0 && git_commit_parent(&parent, commit, 0) == 0) {
    const Commit parent_owner(parent);
    git_commit_tree(&old_tree, parent);
  }
  const Tree old_owner(old_tree);
  git_diff* diff = nullptr;
  if (git_diff_tree_to_tree(&diff, repository, old_tree, tree, options) != 0) return nullptr;
  return Diff(diff);
}

std::vector<std::string> changed_files(git_repository* repository, git_commit* commit) {
  const Diff diff = diff_of(repository, commit, nullptr);
  if (!diff) return {};
  std::set<std::string> paths;
  for (size_t i = 0; i < git_diff_num_deltas(diff.get()); ++i) {
    const git_diff_delta* delta = git_diff_get_delta(diff.get(), i);
    if (delta->old_file.path != nullptr) paths.insert(delta->old_file.path);
    if (delta->new_file.path != nullptr) paths.insert(delta->new_file.path);
  }
  return {paths.begin(), paths.end()};
}

struct Written {
  const char* path;
  std::vector<WrittenLines>& lines;
};

int visit_hunk(const git_diff_delta*, const git_diff_hunk* hunk, void* payload) {
  if (hunk->new_lines <= 0) return 0;
  const auto begin = static_cast<uint32_t>(hunk->new_start);
  const Written& written = *static_cast<Written*>(payload);
  written.lines.push_back(
      {written.path, begin, begin + static_cast<uint32_t>(hunk->new_lines) - 1});
  return 0;
}

int write_heading(const git_diff_delta*, const git_diff_hunk* hunk, void* payload) {
  static_cast<std::string*>(payload)->append(
      repair_utf8(std::string_view(hunk->header, hunk->header_len)));
  return 0;
}

int write_line(const git_diff_delta*, const git_diff_hunk*, const git_diff_line* line,
               void* payload) {
  std::string& file = *static_cast<std::string*>(payload);
  const auto is = [&](char origin) { return line->origin == origin; };
  if (!is(GIT_DIFF_LINE_CONTEXT) && !is(GIT_DIFF_LINE_ADDITION) && !is(GIT_DIFF_LINE_DELETION))
    return 0;
  file += line->origin;
  file += repair_utf8(std::string_view(line->content, line->content_len));
  if (!file.ends_with('\n')) file += '\n';
  return 0;
}

// Null for no object, for one that is no file, and for large ones, which are not read.
Blob blob_of(git_repository* repository, git_odb* objects, const git_oid& id) {
  size_t size = 0;
  git_object_t type{};
  git_blob* blob = nullptr;
  if (git_oid_is_zero(&id) == 1 || git_odb_read_header(&size, &type, objects, &id) != 0 ||
      type != GIT_OBJECT_BLOB || size > kMaxFileBytes ||
      git_blob_lookup(&blob, repository, &id) != 0)
    return nullptr;
  return Blob(blob);
}

Commit commit_at(git_repository* repository, const git_oid& id) {
  git_commit* commit = nullptr;
  return Commit(git_commit_lookup(&commit, repository, &id) == 0 ? commit : nullptr);
}

// Newest first; null where git refuses.
Walk walk_from(git_repository* repository, const git_oid& start) {
  git_revwalk* made = nullptr;
  if (git_revwalk_new(&made, repository) != 0) return nullptr;
  Walk walk(made);
  git_revwalk_sorting(made, GIT_SORT_TIME);
  return git_revwalk_push(made, &start) == 0 ? std::move(walk) : nullptr;
}

// What a merge's further parents reach and its first does not; null where git refuses.
Walk brought_by(git_repository* repository, const git_commit* merge) {
  Walk walk = walk_from(repository, *git_commit_parent_id(merge, 1));
  if (!walk || git_revwalk_hide(walk.get(), git_commit_parent_id(merge, 0)) != 0) return nullptr;
  for (unsigned i = 2; i < git_commit_parentcount(merge); ++i)
    if (git_revwalk_push(walk.get(), git_commit_parent_id(merge, i)) != 0) return nullptr;
  return walk;
}

// The commits that this one takes back; for a merge among them also those that it brought.
std::vector<std::string> reverted_commits(git_repository* repository, const git_commit* commit) {
  const char* message = git_commit_message(commit);
  std::vector<std::string> hashes = reverted_by(message != nullptr ? message : "");
  for (size_t i = 0, named = hashes.size(); i < named; ++i) {
    git_oid id;
    git_commit* found = nullptr;
    if (git_oid_fromstrn(&id, hashes[i].data(), hashes[i].size()) != 0 ||
        git_commit_lookup_prefix(&found, repository, &id, hashes[i].size()) != 0)
      continue;
    const Commit merge(found);
    if (git_commit_parentcount(found) <= 1) continue;
    const Walk brought = brought_by(repository, found);
    while (brought && hashes.size() < kMaxReverted && git_revwalk_next(&id, brought.get()) == 0)
      hashes.push_back(hex(id));
  }
  return hashes;
}

CommitRecord record_of(git_repository* repository, git_commit* commit) {
  const git_signature* author = git_commit_author(commit);
  const TimePoint time = time_of(git_commit_time(commit));
  return {hex(*git_commit_id(commit)),
          time,
          time,
          clean(author != nullptr ? author->name : nullptr),
          clean(git_commit_summary(commit)),
          changed_files(repository, commit),
          reverted_commits(repository, commit)};
}

struct TagWalk {
  git_repository* repository;
  std::vector<TagRecord> found;
};

int visit_tag(const char* reference, git_oid* id, void* payload) {
  TagWalk& walk = *static_cast<TagWalk*>(payload);
  if (walk.found.size() == kMaxTags) return 1;
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
  const git_signature* author = tagger != nullptr ? tagger : git_commit_author(commit);
  std::string name = clean(reference);
  constexpr std::string_view kTags = "refs/tags/";
  if (name.starts_with(kTags)) name.erase(0, kTags.size());
  walk.found.push_back({std::move(name), hex(*git_commit_id(commit)),
                        time_of(tagger != nullptr ? tagger->when.time : git_commit_time(commit)),
                        clean(author != nullptr ? author->name : nullptr)});
  return 0;
}

}  // namespace

void History::Free::operator()(git_repository* repository) const {
  git_repository_free(repository);
}

Result<History> History::open(const std::filesystem::path& path) {
  start_libgit2();
  git_repository* repository = nullptr;
  const int code =
      git_repository_open_ext(&repository, path.c_str(), GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr);
  if (code != 0) return failure(path, code);
  History history;
  history.path_ = path;
  history.repository_.reset(repository);
  return history;
}

std::optional<CommitRecord> History::find(const std::string& beginning) const {
  git_oid id;
  if (beginning.size() < GIT_OID_MINPREFIXLEN || beginning.size() > GIT_OID_HEXSZ ||
      git_oid_fromstrn(&id, beginning.data(), beginning.size()) != 0)
    return std::nullopt;
  git_commit* commit = nullptr;
  if (git_commit_lookup_prefix(&commit, repository_.get(), &id, beginning.size()) != 0)
    return std::nullopt;
  const Commit owner(commit);
  return record_of(repository_.get(), commit);
}

std::vector<WrittenLines> History::written_lines(const std::string& commit_id) const {
  git_oid id;
  git_commit* commit = nullptr;
  if (git_oid_fromstr(&id, commit_id.c_str()) != 0 ||
      git_commit_lookup(&commit, repository_.get(), &id) != 0)
    return {};
  const Commit owner(commit);
  const Diff diff = diff_of(repository_.get(), commit, nullptr);
  git_odb* opened = nullptr;
  std::vector<WrittenLines> lines;
  if (!diff || git_diff_num_deltas(diff.get()) > kMaxFilesRead ||
      git_repository_odb(&opened, repository_.get()) != 0)
    return lines;
  const Objects objects(opened);
  git_diff_options options;
  git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
  options.context_lines = 0;
  for (size_t i = 0; i < git_diff_num_deltas(diff.get()); ++i) {
    const git_diff_delta& delta = *git_diff_get_delta(diff.get(), i);
    const Blob before = blob_of(repository_.get(), opened, delta.old_file.id);
    const Blob after = blob_of(repository_.get(), opened, delta.new_file.id);
    const bool was_there = git_oid_is_zero(&delta.old_file.id) == 0;
    if (!after || (was_there && !before)) continue;
    // Without a path: for one, git would match the patterns of .gitattributes, which can take
    // hours.
    Written written{delta.new_file.path, lines};
    git_diff_blobs(before.get(), nullptr, after.get(), nullptr, &options, nullptr, nullptr,
                   visit_hunk, nullptr, &written);
  }
  return lines;
}

std::string History::patch(const std::string& commit_id, size_t max_bytes) const {
  git_oid id;
  git_commit* commit = nullptr;
  if (git_oid_fromstr(&id, commit_id.c_str()) != 0 ||
      git_commit_lookup(&commit, repository_.get(), &id) != 0)
    return "";
  const Commit owner(commit);
  const Diff diff = diff_of(repository_.get(), commit, nullptr);
  git_odb* opened = nullptr;
  if (!diff || git_repository_odb(&opened, repository_.get()) != 0) return "";
  const Objects objects(opened);
  std::string text;
  for (size_t i = 0; i < git_diff_num_deltas(diff.get()) && i < kMaxFilesRead; ++i) {
    const git_diff_delta& delta = *git_diff_get_delta(diff.get(), i);
    const Blob before = blob_of(repository_.get(), opened, delta.old_file.id);
    const Blob after = blob_of(repository_.get(), opened, delta.new_file.id);
    if (!before && !after) continue;
    std::string file = fmt::format("diff --git a/{0} b/{1}\n--- a/{0}\n+++ b/{1}\n",
                                   delta.old_file.path, delta.new_file.path);
    // Without a path, as in written_lines().
    git_diff_blobs(before.get(), nullptr, after.get(), nullptr, nullptr, nullptr, nullptr,
                   write_heading, write_line, &file);
    if (text.size() + file.size() > max_bytes) break;
    text += file;
  }
  return text;
}

Result<void> History::walk(const std::string& branch, const TimeRange& range,
                           const std::function<bool(CommitRecord&&)>& visit) const {
  // Not git_revparse_single: in libgit2 1.5 it leaks what its regular expressions allocate.
  git_reference* reference = nullptr;
  const std::string from = branch.empty() ? "HEAD" : branch;
  if (const int code = git_reference_dwim(&reference, repository_.get(), from.c_str()); code != 0)
    return failure(path_, code);
  const Reference reference_owner(reference);
  git_object* start = nullptr;
  if (const int code = git_reference_peel(&start, reference, GIT_OBJECT_COMMIT); code != 0)
    return failure(path_, code);
  const Object start_owner(start);
  const Walk line = walk_from(repository_.get(), *git_object_id(start));
  if (!line) return failure(path_, GIT_ERROR);
  git_revwalk_simplify_first_parent(line.get());
  git_oid id;
  size_t walked = 0, older = 0;
  for (; walked < kMaxWalked && git_revwalk_next(&id, line.get()) == 0; ++walked) {
    const Commit commit = commit_at(repository_.get(), id);
    if (!commit) continue;
    const TimePoint at = time_of(git_commit_time(commit.get()));
    if (range.from && at < *range.from) {
      if (++older > kMaxOlderInARow) break;
      continue;
    }
    older = 0;
    if (!range.contains(at)) continue;
    if (git_commit_parentcount(commit.get()) <= 1) {
      if (!visit(record_of(repository_.get(), commit.get()))) break;
      continue;
    }
    const Walk brought = brought_by(repository_.get(), commit.get());
    for (; brought && walked < kMaxWalked && git_revwalk_next(&id, brought.get()) == 0; ++walked) {
      const Commit merged = commit_at(repository_.get(), id);
      if (!merged || git_commit_parentcount(merged.get()) > 1) continue;
      CommitRecord record = record_of(repository_.get(), merged.get());
      record.reached = at;
      if (!visit(std::move(record))) return {};
    }
  }
  return {};
}

Result<std::vector<TagRecord>> History::tags() const {
  TagWalk walk{repository_.get(), {}};
  if (const int code = git_tag_foreach(repository_.get(), visit_tag, &walk); code < 0)
    return failure(path_, code);
  std::ranges::sort(walk.found, {}, &TagRecord::name);
  return std::move(walk.found);
}

}  // namespace precedent::git
