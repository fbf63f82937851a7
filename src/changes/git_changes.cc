#include "changes/git_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/redact.h"
#include "base/utf8.h"
#include "git/history.h"

namespace precedent {
namespace {

// Every release of a service: for the names of services.
constexpr size_t kAllTags = 20'000;

Change change_of(git::CommitRecord&& commit, const GitChangesOptions& options) {
  Change change;
  change.id = change.commit = std::move(commit.id);
  change.at = commit.reached;
  if (commit.time < commit.reached) change.written = commit.time;
  change.kind = ChangeKind::kCommit;
  change.author = redact(commit.author);
  change.title = redact(commit.summary);
  if (change.title.empty()) change.title = "Commit without a message";
  for (const std::string& path : commit.files) {
    const std::vector<std::string> owners = options.services.services_of(path);
    const auto& found = owners.empty() ? options.own_services : owners;
    change.services.insert(change.services.end(), found.begin(), found.end());
  }
  settle_services(change);
  change.reverts = std::move(commit.reverts);
  change.files_total = commit.files.size();
  if (commit.files.size() > kMaxChangedFiles) commit.files.resize(kMaxChangedFiles);
  for (const std::string& file : commit.files)
    change.files.push_back(strip_controls(repair_utf8(file)));
  std::ranges::sort(change.files);
  return change;
}

std::optional<Change> change_of(git::TagRecord&& tag, const GitChangesOptions& options) {
  const auto release = read_tag(tag.name, options.tags);
  if (!release) return std::nullopt;
  Change change;
  change.id = std::move(tag.name);
  change.at = tag.time;
  change.kind = ChangeKind::kTag;
  if (release->service.empty()) {
    change.services = options.own_services;
  } else {
    change.services = {release->service};
  }
  settle_services(change);
  change.version = release->version;
  change.commit = std::move(tag.commit);
  change.author = redact(tag.author);
  change.title = fmt::format("Tag {}", change.id);
  return change;
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
  const git::History history = TRY(git::History::open(options_.path));
  std::vector<Change> found;
  if (wants(query, ChangeKind::kCommit) && !query.commit.empty()) {
    if (auto commit = history.find(query.commit))
      found.push_back(change_of(std::move(*commit), options_));
  } else if (wants(query, ChangeKind::kCommit)) {
    TRY(history.walk(options_.branch, query.range, [&](git::CommitRecord&& commit) {
      Change change = change_of(std::move(commit), options_);
      if (matches(change, query)) found.push_back(std::move(change));
      return found.size() <= query.limit;  // one more shows that there are more
    }));
  }
  if (wants(query, ChangeKind::kTag) && !options_.tags.empty()) {
    std::vector<git::TagRecord> tags = TRY(history.tags());
    for (git::TagRecord& tag : tags) {
      if (auto change = change_of(std::move(tag), options_)) found.push_back(std::move(*change));
    }
  }
  for (Change& change : found) change.source = name_;
  return select(std::move(found), query, name_, "");
}

std::vector<std::string> GitChanges::services() const {
  std::set<std::string> names(options_.own_services.begin(), options_.own_services.end());
  for (std::string& service : options_.services.named()) names.insert(std::move(service));
  if (const auto tags = changes({.kinds = {ChangeKind::kTag}, .limit = kAllTags})) {
    for (const Change& change : tags->changes)
      names.insert(change.services.begin(), change.services.end());
  }
  return {names.begin(), names.end()};
}

std::vector<ChangedLines> GitChanges::changed_lines(const Change& change) const {
  const auto history = git::History::open(options_.path);
  if (!history || change.kind != ChangeKind::kCommit) return {};
  std::vector<ChangedLines> lines;
  for (git::WrittenLines& written : history->written_lines(change.id))
    lines.push_back({strip_controls(repair_utf8(written.path)), written.begin, written.end});
  return lines;
}

}  // namespace precedent
