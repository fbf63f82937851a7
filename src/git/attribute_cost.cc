#include "git/attribute_cost.h"

#include <fmt/format.h>
#include <git2.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>

#include "base/strings.h"
#include "base/utf8.h"
#include "files/files.h"
#include "git/free_by.h"

namespace precedent::git {
namespace {

constexpr std::string_view kFile = ".gitattributes";
// 10 ns each: a tenth of a second for a path. Four stars against 120 bytes, or a thousand patterns
// with two against 140.
constexpr double kMaxSteps = 1e7;
// Linux, with 90,000 files, has an attribute file of 200 bytes.
constexpr size_t kMaxFileBytes = 1 << 20;
// More are not told apart: nothing that has so many is bearable.
constexpr size_t kMaxWildcards = 64;
constexpr size_t kShownBytes = 60;

// "n + k choose k".
double ways(size_t bytes, size_t wildcards) {
  double ways = 1;
  for (size_t i = 1; i <= wildcards; ++i)
    ways *= static_cast<double>(bytes + i) / static_cast<double>(i);
  return ways;
}

// Stars beside each other are one wildcard. One behind a backslash, or among the attributes, is
// taken for one, too.
size_t wildcards_of(std::string_view line) {
  size_t count = 0;
  for (size_t i = 0; i < line.size(); ++i)
    if (line[i] == '*' && (i == 0 || line[i - 1] != '*')) ++count;
  return std::min(count, kMaxWildcards);
}

std::string_view text_of(git_blob* blob) {
  return {static_cast<const char*>(git_blob_rawcontent(blob)),
          static_cast<size_t>(git_blob_rawsize(blob))};
}

std::string shown(std::string_view text) {
  const std::string clean = strip_controls(repair_utf8(text));
  const std::string_view some = utf8_prefix(clean, kShownBytes);
  return some.size() < clean.size() ? fmt::format("{}…", some) : clean;
}

// "" if there is none.
std::string path_from(git_buf& buffer, int code) {
  std::string path;
  if (code == 0 && buffer.ptr != nullptr) path = buffer.ptr;
  git_buf_dispose(&buffer);
  return path;
}

}  // namespace

AttributeCost::Patterns AttributeCost::read(std::string file, std::string_view text) {
  Patterns out;
  out.file = std::move(file);
  out.too_large = text.size() > kMaxFileBytes;
  if (out.too_large) return out;
  size_t most = 0;
  for (const std::string_view line : split_lines(text)) {
    const std::string_view rule = trim(line);
    if (rule.empty() || rule.starts_with('#')) continue;
    const std::string_view pattern = rule.substr(0, rule.find_first_of(" \t"));
    const size_t wildcards = wildcards_of(rule);
    ++out.shapes[{wildcards, rule.find('/') != std::string_view::npos}];
    if (wildcards <= most) continue;
    most = wildcards;
    out.worst = shown(pattern);
  }
  return out;
}

void AttributeCost::read_disk(std::string name, const std::string& path,
                              std::vector<Patterns>& out) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return;
  auto text = read_file(path, kMaxFileBytes);
  // What cannot be read git cannot read either.
  if (text) return out.push_back(read(std::move(name), *text));
  if (text.error().code != ErrorCode::kResourceExhausted) return;
  out.emplace_back().file = std::move(name);
  out.back().too_large = true;
}

void AttributeCost::read_folder(const std::string& folder, std::vector<Patterns>& out) const {
  const std::string name =
      folder.empty() ? std::string(kFile) : fmt::format("{}/{}", folder, kFile);
  const auto add = [&](const git_oid* id) {
    git_blob* found = nullptr;
    if (git_blob_lookup(&found, repository_, id) != 0) return;
    const std::unique_ptr<git_blob, FreeBy<git_blob_free>> blob(found);
    out.push_back(read(name, text_of(found)));
  };
  git_index* index = nullptr;
  if (git_repository_index(&index, repository_) == 0) {
    const git_index_entry* entry = git_index_get_bypath(index, name.c_str(), 0);
    if (entry != nullptr) add(&entry->id);
    git_index_free(index);
  }
  git_reference* head = nullptr;
  git_object* tree = nullptr;
  git_tree_entry* entry = nullptr;
  if (git_repository_head(&head, repository_) == 0 &&
      git_reference_peel(&tree, head, GIT_OBJECT_TREE) == 0 &&
      git_tree_entry_bypath(&entry, reinterpret_cast<git_tree*>(tree), name.c_str()) == 0)
    add(git_tree_entry_id(entry));
  git_tree_entry_free(entry);
  git_object_free(tree);
  git_reference_free(head);
  if (const char* root = git_repository_workdir(repository_); root != nullptr)
    read_disk(name, root + name, out);
}

void AttributeCost::read_outside(std::vector<Patterns>& out) const {
  git_buf info{};
  const int found = git_repository_item_path(&info, repository_, GIT_REPOSITORY_ITEM_INFO);
  if (const std::string folder = path_from(info, found); !folder.empty())
    read_disk("info/attributes", folder + "/attributes", out);
  git_config* config = nullptr;
  if (git_repository_config_snapshot(&config, repository_) != 0) return;
  git_buf file{};
  const int named = git_config_get_path(&file, config, "core.attributesfile");
  git_config_free(config);
  if (const std::string path = path_from(file, named); !path.empty()) read_disk(path, path, out);
}

std::vector<AttributeCost::Patterns>& AttributeCost::of_folder(const std::string& folder) {
  const auto [found, is_new] = folders_.try_emplace(folder);
  if (is_new) {
    read_folder(folder, found->second);
    if (folder.empty()) read_outside(found->second);
  }
  return found->second;
}

double AttributeCost::steps(const Patterns& patterns, std::string_view path) {
  if (patterns.too_large) return std::numeric_limits<double>::infinity();
  const size_t name = path.size() - (path.rfind('/') + 1);
  double steps = 0;
  for (const auto& [shape, count] : patterns.shapes)
    steps +=
        static_cast<double>(count) * ways(shape.whole_path ? path.size() : name, shape.wildcards);
  return steps;
}

bool AttributeCost::is_bearable(std::string_view path) {
  double all = 0, most = 0;
  Patterns* costliest = nullptr;
  for (size_t end = 0; end != std::string_view::npos; end = path.find('/', end + 1)) {
    for (Patterns& patterns : of_folder(std::string(path.substr(0, end)))) {
      const double some = steps(patterns, path);
      all += some;
      if (some <= most) continue;
      most = some;
      costliest = &patterns;
    }
  }
  if (all <= kMaxSteps) return true;
  if (costliest->unread.empty()) costliest->unread = path;
  return false;
}

std::vector<std::string> AttributeCost::warnings() const {
  std::map<std::string, std::string>
      by_file;  // the index, the work tree and HEAD have the same one
  for (const auto& [folder, files] : folders_)
    for (const Patterns& patterns : files) {
      if (patterns.unread.empty()) continue;
      const std::string why =
          patterns.too_large
              ? fmt::format("it is larger than {} KB", kMaxFileBytes >> 10)
              : fmt::format(
                    "git would need too long for its patterns, such as '{}'; write them with "
                    "fewer stars",
                    patterns.worst);
      by_file.emplace(patterns.file,
                      fmt::format("{}: the attributes of {} and the like were not read: {}",
                                  patterns.file, shown(patterns.unread), why));
    }
  std::vector<std::string> all;
  for (auto& [file, warning] : by_file) all.push_back(std::move(warning));
  return all;
}

}  // namespace precedent::git
