#include "investigate/changes/diff.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "search/path_role.h"

namespace precedent {
namespace {

constexpr size_t kMaxDiffLines = 20'000;

bool ends_with_any(std::string_view path, std::initializer_list<std::string_view> endings) {
  return std::ranges::any_of(endings, [&](std::string_view end) { return path.ends_with(end); });
}

bool is_comment(std::string_view line) {
  const std::string_view text = trim(line);
  return text.empty() || text.starts_with("//") || text.starts_with("/*") ||
         text.starts_with("* ") ||
         (text.starts_with('#') && !text.starts_with("#include") && !text.starts_with("#define")) ||
         (text.starts_with("-- "));
}

std::string file_in_heading(std::string_view heading, const std::vector<std::string>& files) {
  for (const std::string& file : files)
    if (heading.find(file) != std::string_view::npos) return file;
  return "";
}

std::string_view without_prefix(std::string_view path) {
  path = trim(path);
  if (path.starts_with("a/") || path.starts_with("b/")) path.remove_prefix(2);
  return path;
}

}  // namespace

std::string_view name(FileRole role) {
  switch (role) {
    case FileRole::kCode: return "code";
    case FileRole::kMigration: return "migration";
    case FileRole::kDependency: return "dependency";
    case FileRole::kSetting: return "setting";
    case FileRole::kImage: return "image";
    case FileRole::kPage: return "page";
    case FileRole::kInert: return "inert";
  }
  return "code";
}

FileRole file_role(std::string_view path) {
  const std::string lower = ascii_lower(path);
  const std::string_view base = std::string_view(lower).substr(lower.rfind('/') + 1);
  const auto within = [&](std::string_view part) { return lower.find(part) != std::string::npos; };
  if (base == "go.mod" || base == "go.sum" || base == "package.json" || base == "pom.xml" ||
      base == "cargo.toml" || base == "cargo.lock" || base == "gemfile" || base == "gemfile.lock" ||
      base == "pyproject.toml" || base == "poetry.lock" || base == "build.gradle" ||
      base.starts_with("requirements") || base.starts_with("package-lock") || base == "yarn.lock" ||
      base == "pnpm-lock.yaml")
    return FileRole::kDependency;
  if (within(".github/") || within(".circleci/") || within(".gitlab") || base == "codeowners" ||
      base == "jenkinsfile" || base.starts_with(".golangci") || base.starts_with(".eslint") ||
      base == ".editorconfig" || base == ".gitignore" || base == "makefile")
    return FileRole::kInert;
  const PathRole role = role_of(path);
  if (role != PathRole::kSource) return FileRole::kInert;
  if (ends_with_any(base, {".md", ".rst", ".adoc", ".golden"})) return FileRole::kInert;
  if (within("migration") || ends_with_any(base, {".sql"})) return FileRole::kMigration;
  if (base.starts_with("dockerfile")) return FileRole::kImage;
  if (ends_with_any(base, {".css", ".scss", ".less", ".html", ".tmpl", ".svg", ".png", ".woff"}) ||
      base.starts_with("theme."))
    return FileRole::kPage;
  if (ends_with_any(base, {".yaml", ".yml", ".json", ".toml", ".properties", ".env", ".ini",
                           ".conf", ".cfg", ".tf", ".hcl", ".tfvars"}))
    return FileRole::kSetting;
  return FileRole::kCode;
}

std::vector<Hunk> parse_diff(std::string_view diff, const std::vector<std::string>& files) {
  std::vector<Hunk> out;
  std::string file = files.empty() ? "" : files.front();
  const auto begin = [&](std::string_view heading) {
    if (const std::string named = file_in_heading(heading, files); !named.empty()) file = named;
    out.push_back({file, file_role(file), std::string(trim(heading)), {}});
  };
  size_t taken = 0;
  for (const std::string_view line : split_lines(diff)) {
    if (++taken > kMaxDiffLines) break;
    if (line.starts_with("+++ ") || line.starts_with("--- ")) {
      const std::string_view path = without_prefix(line.substr(4));
      if (path != "/dev/null") file = path;
      continue;
    }
    if (line.starts_with("diff ") || line.starts_with("index ") || line.starts_with("new file") ||
        line.starts_with("deleted file") || line.starts_with("similarity ") ||
        line.starts_with("rename "))
      continue;
    if (line.starts_with("@@")) {
      std::string_view heading = line.substr(2);
      if (const size_t end = heading.find("@@"); end != std::string_view::npos) {
        const std::string_view inside = heading.substr(0, end), behind = heading.substr(end + 2);
        heading = trim(behind).empty() || !inside.starts_with(" -") ? heading : behind;
      }
      begin(heading);
      continue;
    }
    if (out.empty() || out.back().file != file) begin("");
    const char kind = line.empty() ? ' ' : line.front();
    const bool marked = kind == '+' || kind == '-';
    DiffLine added{
        marked ? kind : ' ',
        std::string(marked || kind == ' ' ? line.substr(std::min<size_t>(1, line.size())) : line)};
    if (is_comment(added.text)) added.kind = ' ';
    out.back().lines.push_back(std::move(added));
  }
  return out;
}

std::string changed_text(const std::vector<Hunk>& hunks, char kind) {
  std::string out;
  for (const Hunk& hunk : hunks)
    for (const DiffLine& line : hunk.lines)
      if (line.kind == kind) out += line.text + '\n';
  return out;
}

}  // namespace precedent
