#include "sources/sources_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <span>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/strings.h"
#include "git/fetch.h"
#include "net/url.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using Type = SourceConfig::Type;

constexpr std::string_view kFileKeys[] = {"every", "sources"};
constexpr auto kFolderKeys = std::to_array<std::string_view>(
    {"name", "type", "path", "watch", "every", "kind", "services", "tags"});
constexpr auto kGitKeys = std::to_array<std::string_view>(
    {"name", "type", "url", "branch", "paths", "user", "token_env", "app", "key_file",
     "installation", "link", "every", "kind", "services", "tags"});
constexpr auto kConfluenceKeys = std::to_array<std::string_view>(
    {"name", "type", "url", "edition", "user", "token_env", "spaces", "labels", "rendered", "sweep",
     "every", "kind", "services", "tags"});
constexpr auto kGithubKeys = std::to_array<std::string_view>(
    {"name", "type", "repo", "url", "token_env", "app", "key_file", "installation", "labels",
     "comments", "every", "services", "tags"});
// Each is synced in turn; more belong into several knowledge bases.
constexpr size_t kMaxSources = 100;
constexpr size_t kMaxName = 40;
// A query names them all.
constexpr size_t kMaxNames = 50;

struct TypeRow {
  Type type;
  std::string_view name;
  std::span<const std::string_view> keys;
};
constexpr TypeRow kTypes[] = {{Type::kFolder, "folder", kFolderKeys},
                              {Type::kGit, "git", kGitKeys},
                              {Type::kConfluence, "confluence", kConfluenceKeys},
                              {Type::kGithub, "github", kGithubKeys}};

bool is_name(std::string_view text, std::string_view also) {
  return !text.empty() && text.size() <= kMaxName && is_alnum(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return is_alnum(c) || also.contains(c); });
}

std::string kinds() {
  std::vector<std::string> names;
  for (const Kind kind : kAllKinds)
    if (kind != Kind::kGolden && kind != Kind::kCode) names.emplace_back(precedent::name(kind));
  return join(names, ", ");
}

std::optional<Kind> document_kind(const std::string& text) {
  const std::optional<Kind> kind = parse_kind(text);
  return kind == Kind::kGolden || kind == Kind::kCode ? std::nullopt : kind;
}

// The keys `every` of the file and of each source.
Result<void> read_every(const ConfigSection& section, std::chrono::milliseconds& every) {
  // A wiki that is asked more often is only slower for everybody else.
  constexpr std::chrono::seconds kLeast{5};
  constexpr std::chrono::days kMost{30};
  if (section.text("every") == "never") {
    every = {};
    return {};
  }
  std::chrono::milliseconds said = kLeast;
  TRY(section.read("every", said));
  if (said < kLeast || said > kMost)
    return section.wrong("every", "is a time from 5s to 30 days (720h), or never");
  if (section.has("every")) every = said;
  return {};
}

// One source of the file, while it is read.
struct Reader {
  const ConfigSection& section;
  const fs::path folder;  // of the file
  SourceConfig source;

  Result<void> required(std::string_view key, const std::string& value) const {
    return value.empty() ? section.wrong(key, "is missing") : Result<void>();
  }

  Result<void> read_common() {
    TRY(section.read("services", source.services));
    TRY(section.read("tags", source.tags));
    TRY(read_every(section, source.every));
    std::string kind;
    TRY(section.read("kind", kind));
    if (kind.empty()) return {};
    source.kind = document_kind(kind);
    if (!source.kind)
      return section.wrong("kind", fmt::format("'{}' is not one of {}", kind, kinds()));
    if (source.kind == Kind::kIncident && source.type == Type::kConfluence)
      return section.wrong("kind",
                           "incident: incidents have an id and fields of their own, which a "
                           "page lacks; write postmortem");
    return {};
  }

  // The value is not repeated: it may be the token itself.
  Result<void> read_token() {
    TRY(section.read("token_env", source.token_env));
    const bool named = std::ranges::all_of(
        source.token_env, [](char c) { return is_upper(c) || is_digit(c) || c == '_'; });
    if (!named || source.token_env.size() > kMaxName)
      return section.wrong("token_env",
                           "names a variable of the environment, in capitals as GITHUB_TOKEN; the "
                           "token itself belongs there and not into this file");
    return {};
  }

  // https, or http to this machine alone.
  Result<void> check_address(const std::string& address) const {
    const auto url = parse_url(address);
    if (!url) return section.wrong("url", url.error().message);
    if (url->has_user)
      return section.wrong("url", "has a user or a password in it; use user and token_env");
    if (url->scheme == "http" && !is_loopback(url->host))
      return section.wrong("url", "is not encrypted; write https://");
    if (address.contains('?') || address.contains('#'))
      return section.wrong("url", "has a query or a fragment; leave it out");
    return {};
  }

  Result<void> read_folder() {
    std::string path;
    TRY(section.read("path", path));
    TRY(required("path", path));
    source.path = fs::absolute(folder / path).lexically_normal().string();
    return read_flag("watch", source.watch);
  }

  Result<void> read_flag(std::string_view key, bool& out) const {
    const std::string said = section.text(key);
    if (said.empty()) return {};
    if (said != "true" && said != "false")
      return section.wrong(key, fmt::format("is true or false, not '{}'", said));
    out = said == "true";
    return {};
  }

  // A GitHub App, instead of a token.
  Result<void> read_app() {
    TRY(section.read("app", source.app));
    TRY(section.read("installation", source.installation));
    std::string key;
    TRY(section.read("key_file", key));
    if (source.app.empty() && source.installation.empty() && key.empty()) return {};
    const auto is_plain = [](char c) { return is_alnum(c) || c == '.'; };
    if (source.app.empty() || source.app.size() > kMaxName ||
        !std::ranges::all_of(source.app, is_plain))
      return section.wrong("app", "is the id or the client id of a GitHub App");
    if (key.empty()) return section.wrong("key_file", "is missing: an app signs with its key");
    if (!source.installation.empty() && (source.installation.size() > kMaxName ||
                                         !std::ranges::all_of(source.installation, is_digit)))
      return section.wrong("installation", "is a number, or left out");
    if (!source.token_env.empty())
      return section.wrong("token_env", "goes with no app; leave one of both out");
    source.key_file = fs::absolute(folder / key).lexically_normal().string();
    return {};
  }

  Result<void> read_link(const git::RemoteAddress& address) {
    std::string text;
    TRY(section.read("link", text));
    if (text.empty()) return {};
    auto link = LinkPattern::parse(text);
    if (!link) return section.wrong("link", link.error().message);
    if (link->has("repo") && address.kind == git::RemoteKind::kPath)
      return section.wrong("link", "has {repo}, which a path as 'url' does not tell; write it out");
    source.link = std::move(*link);
    return {};
  }

  Result<void> read_git() {
    TRY(section.read("url", source.url));
    TRY(required("url", source.url));
    TRY(section.read("branch", source.branch));
    TRY(section.read("paths", source.paths));
    TRY(section.read("user", source.user));
    TRY(read_token());
    if (section.has("app") || section.has("installation")) {
      TRY(read_app());
    } else {
      std::string key;
      TRY(section.read("key_file", key));
      if (!key.empty()) source.key_file = fs::absolute(folder / key).lexically_normal().string();
    }
    git::RemoteAddress address = git::remote_address(source.url);
    // A path may be written from the folder of the file.
    if (address.kind == git::RemoteKind::kNone && !source.url.contains(':')) {
      source.url = fs::absolute(folder / source.url).lexically_normal().string();
      address = git::remote_address(source.url);
    }
    TRY(read_link(address));
    const bool is_https =
        address.kind == git::RemoteKind::kHttps || address.kind == git::RemoteKind::kHttp;
    if (!source.app.empty() && !is_https)
      return section.wrong("app", "is for a repository of GitHub over https");
    if (!source.app.empty() && std::ranges::count(address.path, '/') != 1)
      return section.wrong("app", "is for a repository of GitHub, whose 'url' ends in org/repo");
    switch (address.kind) {
      case git::RemoteKind::kNone:
        return section.wrong("url",
                             "is neither https://…, ssh://…, git@host:path nor a path, or has a "
                             "password in it (use token_env)");
      case git::RemoteKind::kHttps:
      case git::RemoteKind::kHttp: return check_address(source.url);
      case git::RemoteKind::kSsh:
      case git::RemoteKind::kPath:
        if (!source.token_env.empty())
          return section.wrong("token_env", "is for https; SSH uses the agent or key_file");
        return {};
    }
    return {};
  }

  Result<void> read_confluence() {
    TRY(section.read("url", source.url));
    TRY(required("url", source.url));
    TRY(check_address(source.url));
    while (source.url.ends_with('/')) source.url.pop_back();
    std::string edition;
    TRY(section.read("edition", edition));
    const std::string host = TRY(parse_url(source.url)).host;
    if (edition.empty()) edition = host.ends_with(".atlassian.net") ? "cloud" : "data-center";
    if (edition != "cloud" && edition != "data-center")
      return section.wrong("edition",
                           fmt::format("'{}' is neither cloud nor data-center", edition));
    source.data_center = edition == "data-center";
    // Everybody leaves it out once, and every request is then a 404.
    if (host.ends_with(".atlassian.net") && !source.url.ends_with("/wiki")) source.url += "/wiki";
    TRY(section.read("user", source.user));
    TRY(read_token());
    TRY(required("token_env", source.token_env));
    if (!source.data_center && source.user.empty())
      return section.wrong("user",
                           "is missing: Confluence Cloud takes the token together with the "
                           "e-mail address of its owner");
    TRY(section.read("spaces", source.spaces));
    TRY(section.read("labels", source.labels));
    if (source.spaces.empty() || source.spaces.size() > kMaxNames)
      return section.wrong("spaces", fmt::format("name 1 to {} spaces by their keys", kMaxNames));
    for (const std::string& space : source.spaces)
      if (!is_name(space.starts_with('~') ? space.substr(1) : space, "_-.:"))
        return section.wrong("spaces", fmt::format("'{}' is no key of a space", space));
    for (const std::string& label : source.labels)
      if (!is_name(label, "_-."))
        return section.wrong("labels", fmt::format("'{}' is no label", label));
    TRY(read_flag("rendered", source.rendered));
    TRY(section.read("sweep", source.sweep));
    return {};
  }

  Result<void> read_github() {
    TRY(section.read("repo", source.repo));
    const auto parts = split(source.repo, '/');
    if (parts.size() != 2 ||
        !std::ranges::all_of(
            source.repo,
            [](char c) { return is_alnum(c) || std::string_view("-_./").contains(c); }) ||
        parts[0].empty() || parts[1].empty() || parts[0] == ".." || parts[1] == "..")
      return section.wrong("repo", "is no name of a repository; write it like myorg/shop");
    source.url = "https://api.github.com";
    TRY(section.read("url", source.url));
    TRY(check_address(source.url));
    while (source.url.ends_with('/')) source.url.pop_back();
    TRY(read_token());
    TRY(read_app());
    TRY(read_flag("comments", source.comments));
    const ConfigSection labels = section.section("labels");
    for (const std::string& label : labels.keys()) {
      const auto kind = document_kind(labels.text(label));
      if (!kind || *kind == Kind::kIncident)
        return labels.wrong(label, fmt::format("'{}' is not one of {}, without incident",
                                               labels.text(label), kinds()));
      source.label_kinds.emplace(label, *kind);
    }
    if (source.label_kinds.empty() || source.label_kinds.size() > kMaxNames)
      return section.wrong("labels",
                           "is a mapping of labels to kinds, as `known-issue: "
                           "known_issue`; without a label no issue is taken");
    return {};
  }

  Result<SourceConfig> read() {
    std::string type;
    TRY(section.read("type", type));
    const auto row = std::ranges::find(kTypes, type, &TypeRow::name);
    if (row == std::end(kTypes))
      return section.wrong("type",
                           fmt::format("'{}' is not one of folder, git, confluence, github", type));
    source.type = row->type;
    TRY(section.check(row->keys));
    TRY(section.read("name", source.name));
    if (!is_name(source.name, "-_"))
      return section.wrong(
          "name",
          fmt::format("a source has a name of 1 to {} letters, digits, '-' and '_'", kMaxName));
    TRY(read_common());
    switch (source.type) {
      case Type::kFolder: TRY(read_folder()); break;
      case Type::kGit: TRY(read_git()); break;
      case Type::kConfluence: TRY(read_confluence()); break;
      case Type::kGithub: TRY(read_github()); break;
    }
    return std::move(source);
  }
};

}  // namespace

std::string_view name(SourceConfig::Type type) {
  return std::ranges::find(kTypes, type, &TypeRow::type)->name;
}

std::string settings_mark(const SourceConfig& config) {
  std::string text;
  const auto put = [&](std::string_view part) { text += fmt::format("{}:{};", part.size(), part); };
  for (const std::string_view part :
       {name(config.type), std::string_view(config.path), std::string_view(config.url),
        std::string_view(config.branch), std::string_view(config.repo)})
    put(part);
  put(config.kind ? precedent::name(*config.kind) : "");
  put(config.data_center ? "data-center" : "");
  put(config.comments ? "" : "no comments");
  put(config.rendered ? "" : "not rendered");
  for (const auto* list :
       {&config.paths, &config.spaces, &config.labels, &config.services, &config.tags})
    put(join(*list, "\n"));
  // Sources without one keep the mark that they had.
  if (!config.link.empty()) put(config.link.text());
  for (const auto& [label, kind] : config.label_kinds)
    put(fmt::format("{}\n{}", label, precedent::name(kind)));
  return content_hash(text);
}

Result<std::vector<SourceConfig>> read_sources_config(std::string_view text, std::string_view path,
                                                      ConfigProblems* all) {
  std::vector<SourceConfig> sources;
  if (trim(text).empty()) return sources;
  const ConfigSection root(TRY(parse_yaml(text, path)), path, "", all);
  TRY(root.check(kFileKeys));
  std::chrono::milliseconds every = SourceConfig().every;
  TRY(root.settle(read_every(root, every)));
  std::set<std::string> names;
  const auto items = TRY(root.items("sources"));
  for (const ConfigSection& item : items) {
    if (sources.size() == kMaxSources) {
      TRY(root.settle(root.wrong("sources", fmt::format("has more than {}", kMaxSources))));
      break;
    }
    auto source = Reader{item, fs::path(path).parent_path(), {.every = every}}.read();
    if (source && !names.insert(source->name).second) {
      TRY(root.settle(item.wrong("name", fmt::format("'{}' is there twice", source->name))));
      continue;
    }
    if (source)
      sources.push_back(std::move(*source));
    else
      TRY(root.settle(std::unexpected(std::move(source).error())));
  }
  return sources;
}

}  // namespace precedent
