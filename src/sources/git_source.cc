#include "sources/git_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "files/files.h"
#include "git/repository.h"
#include "sources/folder_source.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 8> kExtensions = {".json", ".jsonl", ".ndjson",   ".csv",
                                                         ".tsv",  ".md",    ".markdown", ".txt"};
// A blob is read whole.
constexpr uint64_t kMaxFileBytes = 64 * 1024 * 1024;
// An LFS pointer has three short lines.
constexpr size_t kMaxPointerBytes = 1024;
constexpr std::string_view kPointer = "version https://git-lfs.github.com/spec/";

std::string extension_of(const std::string& path) {
  const size_t slash = path.rfind('/') + 1;
  const size_t dot = path.rfind('.');
  return dot == std::string::npos || dot <= slash ? "" : ascii_lower(path.substr(dot));
}

bool is_hidden(const std::string& path) { return path.starts_with('.') || path.contains("/."); }

bool is_at_or_below(std::string_view path, std::string_view folder) {
  while (folder.ends_with('/')) folder.remove_suffix(1);
  return folder.empty() || folder == "." || path == folder ||
         (path.starts_with(folder) && path[folder.size()] == '/');
}

// Forges agree on little; only what is known to open is given.
constexpr std::string_view kGithubLink = "https://github.com/{repo}/blob/{branch}/{path}";
constexpr std::string_view kGitlabLink = "https://gitlab.com/{repo}/-/blob/{branch}/{path}";

LinkPattern known_link(const std::string& host) {
  if (host == "github.com") return LinkPattern::parse(kGithubLink).value_or(LinkPattern());
  if (host == "gitlab.com") return LinkPattern::parse(kGitlabLink).value_or(LinkPattern());
  return {};
}

std::string first_of(const std::vector<std::string>& paths) {
  constexpr std::ptrdiff_t kNamed = 3;
  const std::ptrdiff_t count = std::ssize(paths);
  std::vector<std::string> named(paths.begin(), paths.begin() + std::min(kNamed, count));
  if (count > kNamed) named.push_back(fmt::format("and {} more", count - kNamed));
  return join(named, ", ");
}

// For reading once: nothing of it need survive.
Result<void> write(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file.good()) return {};
  return fail(ErrorCode::kUnavailable,
              fmt::format("cannot write {}; check the space left on its disk", path.string()));
}

// A folder that goes when reading ends, however it ends.
class PassingFolder {
 public:
  explicit PassingFolder(fs::path path) : path_(std::move(path)) { clear(); }
  PassingFolder(const PassingFolder&) = delete;
  ~PassingFolder() { clear(); }
  const fs::path& path() const { return path_; }

 private:
  void clear() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  fs::path path_;
};

// Gives each document its link and its version.
class Linking final : public DocumentSink {
 public:
  using Stamp = std::function<void(Document&)>;
  Linking(DocumentSink& to, Stamp stamp) : to_(to), stamp_(std::move(stamp)) {}

  Result<void> document(Document&& document, size_t line) override {
    stamp_(document);
    return to_.document(std::move(document), line);
  }
  void bad(BadRecord&& bad) override { to_.bad(std::move(bad)); }
  void columns(const FileColumns& columns) override { to_.columns(columns); }
  void noted(const ReadNote& note) override { to_.noted(note); }
  std::string id_of(const Place& place) override { return to_.id_of(place); }
  void progress(uint64_t read, uint64_t total) override { to_.progress(read, total); }

 private:
  DocumentSink& to_;
  Stamp stamp_;
};

}  // namespace

struct GitSource::LaidOut {
  ReadOptions read;
  std::map<std::string, std::string> blobs;  // by the path that documents carry
  std::vector<std::string> unreadable;
};

GitSource::GitSource(GitSourceOptions options)
    : options_(std::move(options)),
      scope_(fmt::format("git:{}", options_.name)),
      address_(git::remote_address(options_.url)) {
  if (address_.host == "github.com")
    shown_ = fmt::format("github:{}/", address_.path);
  else if (address_.host == "gitlab.com")
    shown_ = fmt::format("gitlab:{}/", address_.path);
  else
    shown_ = fmt::format("{}:", options_.name);
  if (options_.link.empty()) options_.link = known_link(address_.host);
}

bool GitSource::is_wanted(const std::string& path) const {
  return std::ranges::find(kExtensions, extension_of(path)) != kExtensions.end() &&
         !is_hidden(path) && is_below_paths(path);
}

bool GitSource::is_below_paths(const std::string& path) const {
  return options_.paths.empty() ||
         std::ranges::any_of(options_.paths, [&](const std::string& wanted) {
           return is_at_or_below(path, wanted);
         });
}

bool GitSource::may_hold_documents(const std::string& submodule) const {
  if (is_hidden(submodule)) return false;
  return is_below_paths(submodule) ||
         std::ranges::any_of(options_.paths, [&](const std::string& wanted) {
           return is_at_or_below(wanted, submodule);
         });
}

std::string GitSource::link_of(const std::string& file, const git::Fetched& at) const {
  return options_.link.link(
      {.repo = address_.path, .branch = at.branch, .commit = at.commit, .path = file});
}

Result<SourceListing> GitSource::list(const std::string& cursor, const SyncContext& context) {
  const std::string token =
      options_.fetch_token ? TRY(options_.fetch_token(context.cancel)) : options_.token;
  fetched_ = TRY(git::fetch({.url = options_.url,
                             .branch = options_.branch,
                             .folder = options_.folder / "repository.git",
                             .user = options_.user,
                             .token = token,
                             .key_file = options_.key_file,
                             .max_bytes = options_.max_bytes},
                            context.cancel));
  SourceListing listing;
  const std::string reached = fmt::format("{} {}", fetched_.branch, fetched_.commit);
  if (!context.sweep && cursor == reached) {
    listing.cursor = cursor;
    return listing;
  }
  const PassingFolder folder(options_.folder / "listing");
  std::vector<std::string> notes;
  const LaidOut laid = TRY(lay_out(folder.path(), notes));
  if (!laid.read.paths.empty()) listing = TRY(list_by_reading(laid.read, context));
  listing.everything = true;
  listing.unreadable.insert(listing.unreadable.end(), laid.unreadable.begin(),
                            laid.unreadable.end());
  listing.cursor = reached;
  listing.notes = std::move(notes);
  return listing;
}

Result<ReadSummary> GitSource::read(std::span<const SourceEntry> /*entries*/,
                                    const SyncContext& context, DocumentSink& sink) {
  const PassingFolder folder(options_.folder / "reading");
  std::vector<std::string> told;
  LaidOut laid = TRY(lay_out(folder.path(), told));
  if (laid.read.paths.empty()) return ReadSummary{};
  laid.read.cancel = &context.cancel;
  Linking linking(sink, [&](Document& document) {
    const auto blob = laid.blobs.find(document.path);
    if (blob == laid.blobs.end()) return;
    document.attributes[std::string(kVersionAttribute)] = blob->second.substr(0, 12);
    // Otherwise every commit would change every document.
    if (options_.link.has("commit"))
      document.attributes[std::string(kRevisionAttribute)] =
          content_hash(fmt::format("{}\n{}", content_hash(document), options_.link.text()));
    const std::string link = link_of(document.path.substr(shown_.size()), fetched_);
    if (!link.empty()) document.attributes[std::string(kLinkAttribute)] = link;
  });
  return read_documents(laid.read, linking);
}

Result<GitSource::LaidOut> GitSource::lay_out(const fs::path& folder,
                                              std::vector<std::string>& notes) const {
  const auto repository = TRY(git::Repository::open(options_.folder / "repository.git"));
  const auto files = TRY(repository.files_at_head());
  const auto documents = static_cast<size_t>(std::ranges::count_if(
      files, [&](const git::TrackedFile& file) { return is_wanted(file.path); }));
  if (documents > options_.max_files)
    return fail(ErrorCode::kResourceExhausted,
                fmt::format("{} has {} documents, more than {}; say with 'paths' which folders are "
                            "meant, or make several sources of it",
                            options_.name, documents, options_.max_files));
  TRY(make_directories(folder));
  LaidOut laid;
  laid.read = options_.read;
  laid.read.known_source = scope_;
  laid.read.map_where_found = true;
  std::vector<std::string> pointers, links, submodules;
  for (const git::TrackedFile& file : files) {
    const std::string known_as = path_of(strip_controls(repair_utf8(file.path)));
    if (file.type == git::TrackedFile::Type::kSubmodule) {
      if (may_hold_documents(file.path)) submodules.push_back(known_as);
      continue;
    }
    if (!is_wanted(file.path)) continue;
    if (file.type == git::TrackedFile::Type::kLink) {
      links.push_back(known_as);
      continue;
    }
    const uint64_t bytes = TRY(repository.bytes(file));
    if (bytes > kMaxFileBytes) {
      notes.push_back(fmt::format("{} is larger than {} MB and was not read; divide it", known_as,
                                  kMaxFileBytes >> 20));
      laid.unreadable.push_back(known_as);
      continue;
    }
    const std::string text = TRY(repository.read(file));
    if (text.size() <= kMaxPointerBytes && text.starts_with(kPointer)) {
      pointers.push_back(known_as);
      laid.unreadable.push_back(known_as);
      continue;
    }
    const fs::path stored =
        folder / fmt::format("{}{}", laid.read.paths.size(), extension_of(file.path));
    TRY(write(stored, text));
    laid.read.paths.push_back(stored.string());
    laid.read.known_as.emplace(stored.string(), known_as);
    laid.blobs.emplace(known_as, file.blob);
  }
  const auto tell = [&](const std::vector<std::string>& paths, std::string_view what,
                        std::string_view why) {
    if (!paths.empty())
      notes.push_back(fmt::format("{} {}{} not read: {}; {}", paths.size(), what,
                                  paths.size() == 1 ? "" : "s", first_of(paths), why));
  };
  tell(pointers, "file",
       "Git LFS keeps the text outside of the repository. Keep documents out of LFS, or sync a "
       "folder that has them checked out");
  tell(links, "symbolic link", "what it points to in this repository is read at its own place");
  tell(submodules, "submodule", "each is a repository of its own: make it a source of its own");
  return laid;
}

}  // namespace precedent
