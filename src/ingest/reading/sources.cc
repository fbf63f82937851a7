#include "ingest/reading/sources.h"

#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/strings.h"
#include "files/files.h"
#include "ingest/records/byte_source.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

// A folder nested deeper is a mistake or an attack; every level costs a stack frame.
constexpr int kMaxDepth = 64;

std::optional<Format> format_of_name(const fs::path& path) {
  static const std::unordered_map<std::string, Format> kExtensions = {
      {".json", Format::kJson},         {".jsonl", Format::kJsonLines},
      {".ndjson", Format::kJsonLines},  {".csv", Format::kCsv},
      {".tsv", Format::kCsv},           {".md", Format::kMarkdown},
      {".markdown", Format::kMarkdown}, {".mdown", Format::kMarkdown},
      {".txt", Format::kMarkdown}};
  const auto found = kExtensions.find(ascii_lower(path.extension().string()));
  if (found == kExtensions.end()) return std::nullopt;
  return found->second;
}

// For a file that somebody named outright: JSON shows itself by its first character, all else is
// read as text.
Format format_of_content(const fs::path& path) {
  auto in = ByteSource::open(path.string());
  if (!in) return Format::kMarkdown;  // reading it will say why
  check_text_file(*in);
  const std::string_view start = trim(in->ahead());
  return start.starts_with('{') || start.starts_with('[') ? Format::kJson : Format::kMarkdown;
}

// Why a file or folder of this name is passed over; "" if it is not.
std::string passed_over(const std::string& name) {
  static const std::set<std::string, std::less<>> kGenerated = {"node_modules", "__pycache__",
                                                                "vendor", "target", "dist"};
  if (name.starts_with('.')) return "hidden";
  return kGenerated.contains(name) ? fmt::format("generated or vendored ({})", name) : "";
}

// /proc and its like show the machine, not what somebody wrote, and have no end.
bool is_of_the_system(const fs::path& path) {
  struct statfs system;
  if (::statfs(path.c_str(), &system) != 0) return false;
  constexpr std::array<uint64_t, 5> kOfTheSystem = {PROC_SUPER_MAGIC, SYSFS_MAGIC, DEBUGFS_MAGIC,
                                                    TRACEFS_MAGIC, DEVPTS_SUPER_MAGIC};
  return std::ranges::find(kOfTheSystem, static_cast<uint64_t>(system.f_type)) !=
         kOfTheSystem.end();
}

bool is_below(const std::string& path, const std::string& folder) {
  return path == folder || folder == "/" || path.starts_with(folder + "/");
}

class Expander {
 public:
  explicit Expander(bool follow_links) : follow_links_(follow_links) {}

  Result<FoundFiles> expand(std::span<const std::string> paths) {
    for (const std::string& path : paths) TRY(add_argument(path));
    return std::move(sources_);
  }

 private:
  Result<void> add_argument(const std::string& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (path.empty() || status.type() == fs::file_type::not_found) {
      return fail(ErrorCode::kNotFound, fmt::format("{}: no such file or folder; check the path",
                                                    path.empty() ? "''" : path));
    }
    if (error) return std::unexpected(system_error("read", path, error.value()));
    const bool folder = fs::is_directory(status);
    if (!folder && !fs::is_regular_file(status)) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{} is neither a file nor a folder", path));
    }
    const fs::path canonical = fs::weakly_canonical(path, error);
    root_ = error ? path : canonical.string();
    if (std::ranges::find(sources_.roots, root_) == sources_.roots.end())
      sources_.roots.push_back(root_);
    const size_t before = sources_.files.size() + sources_.unreadable.size();
    if (folder) {
      add_folder(path, "", 0);
    } else {
      add_file(path, canonical.filename().string(),
               format_of_name(path).value_or(format_of_content(path)));
    }
    if (sources_.files.size() + sources_.unreadable.size() == before)
      sources_.empty.push_back(path);
    return {};
  }

  void add_folder(const fs::path& folder, const std::string& relative, int depth) {
    std::error_code error;
    const fs::path canonical = fs::canonical(folder, error);
    if (!error && !folders_.insert(canonical.string()).second) return;
    if (is_of_the_system(folder)) return leave_out("files of the system", folder);
    std::vector<fs::path> entries;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error))
      entries.push_back(entry->path());
    if (error || depth > kMaxDepth) {
      unreadable(folder, relative,
                 error ? system_error("read the folder", folder, error.value()).message
                       : fmt::format("nested deeper than {} folders", kMaxDepth));
      return;
    }
    std::ranges::sort(entries);
    for (const fs::path& path : entries) add_entry(path, relative, depth);
  }

  void add_entry(const fs::path& path, const std::string& above, int depth) {
    const std::string name = path.filename().string();
    if (const std::string reason = passed_over(name); !reason.empty())
      return leave_out(reason, path);
    const std::string relative = above.empty() ? name : above + "/" + name;
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (error || status.type() == fs::file_type::not_found) {
      // A link to nowhere, a path that is too long, a folder above that was closed.
      std::error_code gone;
      if (fs::is_symlink(path, gone) && !format_of_name(path))
        return leave_out("a link to nowhere", path);
      const int code = error ? error.value() : ENOENT;
      return unreadable(path, relative, system_error("read", path, code).message);
    }
    if (!follow_links_ && leads_out(path))
      return leave_out("a link that leads out of the folder; --follow-links reads it", path);
    if (fs::is_directory(status)) return add_folder(path, relative, depth + 1);
    if (!fs::is_regular_file(status)) return leave_out("neither a file nor a folder", path);
    if (const auto format = format_of_name(path)) return add_file(path, relative, *format);
    sources_.ignored[ascii_lower(path.extension().string())].add(path.string());
  }

  bool leads_out(const fs::path& path) const {
    std::error_code error;
    if (fs::symlink_status(path, error).type() != fs::file_type::symlink) return false;
    const fs::path target = fs::canonical(path, error);
    return error || !is_below(target.string(), root_);
  }

  void add_file(const fs::path& path, const std::string& relative, Format format) {
    std::error_code error;
    const fs::path canonical = fs::canonical(path, error);
    SourceFile file{
        path.string(), error ? path.string() : canonical.string(), root_, relative, format, 0};
    if (!files_.insert(file.canonical).second) return;
    if (is_of_the_system(path)) return leave_out("files of the system", path);
    file.bytes = fs::file_size(path, error);
    if (error) {
      unreadable(path, relative, system_error("read", path, error.value()).message);
      return;
    }
    sources_.files.push_back(std::move(file));
  }

  void leave_out(const std::string& reason, const fs::path& path) {
    sources_.left_out[reason].add(path.string());
  }

  void unreadable(const fs::path& path, const std::string& relative, std::string message) {
    sources_.unreadable.push_back({path.string(), 0, "", std::move(message)});
    sources_.unread.push_back({root_, relative});
  }

  const bool follow_links_;
  FoundFiles sources_;
  std::string root_;
  std::set<std::string> folders_, files_;  // canonical paths that were met
};

}  // namespace

void LeftOut::add(std::string path) {
  if (++count <= kMaxNamedPaths) paths.push_back(std::move(path));
}

Result<FoundFiles> expand_sources(std::span<const std::string> paths, bool follow_links) {
  return Expander(follow_links).expand(paths);
}

}  // namespace precedent
