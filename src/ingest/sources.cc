#include "ingest/sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/strings.h"
#include "files/files.h"
#include "ingest/byte_source.h"

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

bool passed_over(const std::string& name) {
  static const std::set<std::string, std::less<>> kGenerated = {"node_modules", "__pycache__",
                                                                "vendor", "target", "dist"};
  return name.starts_with('.') || kGenerated.contains(name);
}

class Expander {
 public:
  Result<Sources> expand(std::span<const std::string> paths) {
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
      add_folder(path, 0);
    } else {
      add_file(path, format_of_name(path).value_or(format_of_content(path)));
    }
    if (sources_.files.size() + sources_.unreadable.size() == before)
      sources_.empty.push_back(path);
    return {};
  }

  void add_folder(const fs::path& folder, int depth) {
    std::error_code error;
    const fs::path canonical = fs::canonical(folder, error);
    if (!error && !folders_.insert(canonical.string()).second) return;
    std::vector<fs::path> entries;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error))
      entries.push_back(entry->path());
    if (error || depth > kMaxDepth) {
      unreadable(folder, error ? system_error("read the folder", folder, error.value()).message
                               : fmt::format("nested deeper than {} folders", kMaxDepth));
      return;
    }
    std::ranges::sort(entries);
    for (const fs::path& path : entries) {
      if (passed_over(path.filename().string())) continue;
      const fs::file_status status = fs::status(path, error);
      if (fs::is_directory(status)) {
        add_folder(path, depth + 1);
      } else if (const auto format = format_of_name(path); fs::is_regular_file(status) && format) {
        add_file(path, *format);
      } else if (fs::is_regular_file(status)) {
        ++sources_.ignored[ascii_lower(path.extension().string())];
      } else if (error && format) {
        unreadable(path, system_error("read", path, error.value()).message);  // a link to nowhere
      }
    }
  }

  void add_file(const fs::path& path, Format format) {
    std::error_code error;
    const fs::path canonical = fs::canonical(path, error);
    SourceFile file{path.string(), error ? path.string() : canonical.string(), root_, format, 0};
    if (!files_.insert(file.canonical).second) return;
    file.bytes = fs::file_size(path, error);
    if (error) {
      unreadable(path, system_error("read", path, error.value()).message);
      return;
    }
    sources_.files.push_back(std::move(file));
  }

  void unreadable(const fs::path& path, std::string message) {
    sources_.unreadable.push_back({path.string(), 0, "", std::move(message)});
    if (std::ranges::find(sources_.incomplete, root_) == sources_.incomplete.end())
      sources_.incomplete.push_back(root_);
  }

  Sources sources_;
  std::string root_;
  std::set<std::string> folders_, files_;  // canonical paths that were met
};

}  // namespace

Result<Sources> expand_sources(std::span<const std::string> paths) {
  return Expander().expand(paths);
}

}  // namespace precedent
