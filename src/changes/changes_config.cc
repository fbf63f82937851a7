#include "changes/changes_config.h"

#include <fmt/format.h>

#include "changes/change_log.h"
#include "changes/snapshot_changes.h"
#include "git/history.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

// More sources than a company has; each is asked for every question.
constexpr size_t kMaxSources = 100;

constexpr std::string_view kKeys[] = {"environment",     "repositories", "logs",      "snapshots",
                                      "service_folders", "services",     "build_info"};
constexpr std::string_view kBuildInfoKeys[] = {"metrics", "service", "version"};
constexpr std::string_view kRepositoryKeys[] = {"path", "name", "branch", "tags", "services"};

fs::path placed(const fs::path& folder, const std::string& path) {
  return (folder / path).lexically_normal();
}

Result<std::vector<fs::path>> read_paths(const ConfigSection& section, std::string_view key,
                                         const fs::path& folder) {
  std::vector<std::string> texts;
  TRY(section.read(key, texts));
  if (texts.size() > kMaxSources)
    return section.wrong(key, fmt::format("has more than {} entries", kMaxSources));
  std::vector<fs::path> paths;
  for (const std::string& text : texts) {
    if (text.empty()) return section.wrong(key, "holds an empty path");
    paths.push_back(placed(folder, text));
  }
  return paths;
}

Result<ServiceMap> read_services(const ConfigSection& section) {
  ServiceMap map;
  std::vector<std::string> folders;
  TRY(section.read("service_folders", folders));
  for (const std::string& folder : folders) {
    if (const auto added = map.add(folder, {}); !added)
      TRY(section.settle(section.wrong("service_folders", added.error().text())));
  }
  const ConfigSection services = section.section("services");
  const std::vector<std::string> names = services.keys();
  if (section.has("services") && names.empty())
    TRY(section.settle(section.wrong("services", "is no mapping of services to their folders")));
  for (const std::string& service : names) {
    std::vector<std::string> prefixes;
    TRY(services.read(service, prefixes));
    for (const std::string& prefix : prefixes) {
      if (const auto added = map.add(prefix, {service}); !added)
        TRY(services.settle(services.wrong(service, added.error().text())));
    }
  }
  return map;
}

// Why no tag would ever follow the pattern; "" if there is no reason.
std::string tag_problem(std::string_view tags) {
  constexpr std::string_view kService = "{service}", kVersion = "{version}";
  if (tags.empty()) return "";
  for (size_t at = tags.find('{'); at != std::string_view::npos; at = tags.find('{', at + 1)) {
    const std::string_view name = tags.substr(at, tags.find('}', at) - at + 1);
    if (name != kService && name != kVersion)
      return fmt::format("has {}; there are {} and {}", name, kService, kVersion);
    if (tags.find(name, at + 1) != std::string_view::npos) return fmt::format("has {} twice", name);
  }
  const size_t version = tags.find(kVersion), service = tags.find(kService);
  if (version == std::string_view::npos) return "has no {version}";
  if (service == std::string_view::npos) return "";
  if (service > version) return "has {service} after {version}";
  return service + kService.size() == version ? "has nothing between {service} and {version}" : "";
}

Result<GitChangesOptions> read_repository(const ConfigSection& section, const fs::path& folder,
                                          const ServiceMap& services) {
  TRY(section.check(kRepositoryKeys));
  GitChangesOptions options;
  const std::string path = section.text("path");
  if (path.empty()) return section.wrong("path", "is missing; write the repository's folder");
  options.path = placed(folder, path);
  if (section.checks_all())
    if (const auto opened = git::History::open(options.path); !opened)
      TRY(section.settle(section.wrong("path", opened.error().text())));
  TRY(section.read("name", options.name));
  TRY(section.read("branch", options.branch));
  TRY(section.read("tags", options.tags));
  if (const std::string problem = tag_problem(options.tags); !problem.empty())
    return section.wrong("tags", problem + "; write a pattern like {service}/v{version}");
  TRY(section.read("services", options.own_services));
  options.services = services;
  return options;
}

Result<BuildInfoOptions> read_build_info(const ConfigSection& section) {
  BuildInfoOptions options;
  TRY(section.check(kBuildInfoKeys));
  TRY(section.read("metrics", options.metrics));
  TRY(section.read("service", options.service_labels));
  TRY(section.read("version", options.version_label));
  for (const std::string& pattern : options.metrics)
    if (pattern.find('*', 1) != std::string::npos || pattern == "*" || pattern.empty())
      return section.wrong(
          "metrics",
          fmt::format("has '{}'; write a metric's name, or * and how names end", pattern));
  if (options.service_labels.empty()) return section.wrong("service", "names no label");
  if (options.version_label.empty()) return section.wrong("version", "names no label");
  return options;
}

// What is found only when it is asked, after all was read well.
Result<void> check_paths(const ConfigSection& section, const ChangesConfig& config) {
  for (const fs::path& log : config.logs)
    if (const auto read = ChangeLog(log).changes({.limit = 0}); !read)
      TRY(section.settle(section.wrong("logs", read.error().text())));
  for (const fs::path& folder : config.snapshots)
    if (const auto opened = open_snapshot_changes(folder); !opened)
      TRY(section.settle(section.wrong("snapshots", opened.error().text())));
  return {};
}

// In the place of a source that could not be opened: it fails whenever it is asked.
class UnreadableChanges final : public ChangeSource {
 public:
  UnreadableChanges(std::string name, Error error)
      : name_(std::move(name)), error_(std::move(error)) {}
  const std::string& name() const override { return name_; }
  Result<ChangeList> changes(const ChangeQuery&) const override { return std::unexpected(error_); }
  std::vector<std::string> services() const override { return {}; }

 private:
  std::string name_;
  Error error_;
};

std::unique_ptr<ChangeSource> open_snapshot(const fs::path& folder) {
  auto opened = open_snapshot_changes(folder);
  if (opened) return std::move(*opened);
  return std::make_unique<UnreadableChanges>("snapshot:" + folder.filename().string(),
                                             std::move(opened).error());
}

}  // namespace

Result<ChangesConfig> read_changes_config(const ConfigSection& section, const fs::path& folder) {
  TRY(section.check(kKeys));
  ChangesConfig config;
  TRY(section.read("environment", config.environment));
  ServiceMap services;
  TRY(section.take(read_services(section), services));
  const std::vector<ConfigSection> repositories = TRY(section.items("repositories"));
  if (repositories.size() > kMaxSources)
    return section.wrong("repositories", fmt::format("has more than {} entries", kMaxSources));
  for (const ConfigSection& repository : repositories)
    TRY(section.take(read_repository(repository, folder, services),
                     config.repositories.emplace_back()));
  TRY(section.take(read_paths(section, "logs", folder), config.logs));
  TRY(section.take(read_paths(section, "snapshots", folder), config.snapshots));
  if (section.has("build_info"))
    TRY(section.take(read_build_info(section.section("build_info")), config.build_info));
  if (section.checks_all()) TRY(check_paths(section, config));
  return config;
}

Result<ChangesConfig> read_changes_config(std::string_view text, std::string_view path,
                                          ConfigProblems* all) {
  const YAML::Node root = TRY(parse_yaml(text, path));
  const ConfigSection file(root, path, "", all);
  if (!file.has("changes")) return ChangesConfig{};
  return read_changes_config(file.section("changes"), fs::path(path).parent_path());
}

std::unique_ptr<ChangeSource> open_changes(const ChangesConfig& config,
                                           std::unique_ptr<ChangeSource> further) {
  auto sources = std::make_unique<ChangeSources>(config.environment);
  for (const fs::path& log : config.logs) sources->add(std::make_unique<ChangeLog>(log));
  for (const fs::path& folder : config.snapshots) sources->add(open_snapshot(folder));
  for (const GitChangesOptions& options : config.repositories)
    sources->add(std::make_unique<GitChanges>(options));
  if (further) sources->add(std::move(further));
  if (sources->empty()) return nullptr;
  return sources;
}

}  // namespace precedent
