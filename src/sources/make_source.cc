#include "sources/make_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/redact.h"
#include "files/files.h"
#include "net/url.h"
#include "sources/confluence_source.h"
#include "sources/folder_source.h"
#include "sources/git_source.h"
#include "sources/github_app.h"
#include "sources/github_source.h"

namespace precedent {
namespace {

using Type = SourceConfig::Type;

// What is said of every document, whatever its source.
ReadOptions read_options(const SourceConfig& config, const SourceWorld& world) {
  ReadOptions read;
  read.embedder = world.embedder;
  read.kind = config.kind;
  read.services = config.services;
  read.tags = config.tags;
  return read;
}

// "" where no token is configured.
Result<std::string> token_of(const SourceConfig& config, const SourceWorld& world) {
  if (config.token_env.empty()) return std::string();
  auto token = world.environment(config.token_env);
  if (token && !token->empty()) return std::move(*token);
  return fail(
      ErrorCode::kInvalidArgument,
      fmt::format("the environment has no {}, which token_env names; set it", config.token_env));
}

using FetchToken = std::function<Result<std::string>(const CancelToken&)>;

FetchToken token_of_app(const SourceConfig& config, const SourceWorld& world,
                        const std::string& api, const std::string& repo) {
  const auto app = std::make_shared<GithubApp>(
      world.http, world.clock,
      GithubAppOptions{api, config.app, config.key_file, config.installation, repo}, world.wait);
  return [app](const CancelToken& cancel) { return app->token(cancel); };
}

// Where the API of the GitHub is that a repository's address names.
Result<std::string> github_api(const std::string& repository) {
  const Url url = TRY(parse_url(repository));
  if (url.host == "github.com") return "https://api.github.com";
  return fmt::format("{}://{}/api/v3", url.scheme, url.shown());
}

Result<std::unique_ptr<KnowledgeSource>> make_git(const SourceConfig& config,
                                                  const SourceWorld& world) {
  const git::RemoteAddress address = git::remote_address(config.url);
  if (world.loopback_only && address.kind != git::RemoteKind::kPath && !is_loopback(address.host))
    return fail(
        ErrorCode::kPermission,
        fmt::format("PRECEDENT_NO_NETWORK is set, and {} is not this machine", address.host));
  GitSourceOptions options;
  options.name = config.name;
  options.url = config.url;
  options.branch = config.branch;
  options.paths = config.paths;
  options.user = config.user;
  options.link = config.link;
  if (config.app.empty()) {
    options.token = TRY(token_of(config, world));
    options.key_file = config.key_file;
  } else {
    options.fetch_token = token_of_app(config, world, TRY(github_api(config.url)), address.path);
  }
  options.folder = world.data_dir / "sources" / config.name;
  options.read = read_options(config, world);
  return std::make_unique<GitSource>(std::move(options));
}

// RFC 4648, for Basic authentication.
std::string base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t at = 0; at < text.size(); at += 3) {
    uint32_t bits = 0;
    for (size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U);
    for (size_t i = 0; i < 4; ++i)
      out += at + i <= text.size() ? kDigits[bits >> (18 - 6 * i) & 63] : '=';
  }
  return out;
}

Result<std::unique_ptr<KnowledgeSource>> make_confluence(const SourceConfig& config,
                                                         const SourceWorld& world) {
  const std::string token = TRY(token_of(config, world));
  std::string authorization = config.user.empty()
                                  ? "Bearer " + token
                                  : "Basic " + base64(fmt::format("{}:{}", config.user, token));
  return std::make_unique<ConfluenceSource>(
      SourceHttp(world.http, world.clock,
                 {config.url,
                  {{"Authorization", std::move(authorization)}},
                  config.token_env,
                  world.wait}),
      ConfluenceOptions{config.name, config.data_center, config.spaces, config.labels,
                        read_options(config, world), settings_mark(config), config.rendered});
}

Result<std::unique_ptr<KnowledgeSource>> make_github(const SourceConfig& config,
                                                     const SourceWorld& world) {
  SourceHttpOptions http{config.url, github_headers(""), config.token_env, world.wait};
  if (config.app.empty()) {
    http.headers = github_headers(TRY(token_of(config, world)));
  } else {
    http.token_env = "the GitHub App";
    http.authorize = [token = token_of_app(config, world, config.url, config.repo)](
                         const CancelToken& cancel) -> Result<std::string> {
      return "Bearer " + TRY(token(cancel));
    };
  }
  return std::make_unique<GithubSource>(
      SourceHttp(world.http, world.clock, std::move(http)),
      GithubOptions{config.name, config.repo, config.label_kinds, read_options(config, world),
                    settings_mark(config), config.comments});
}

Result<FileLock> lock_source(const std::filesystem::path& folder, const std::string& name) {
  TRY(make_directories(folder));
  Result<FileLock> lock = FileLock::acquire(folder / (name + ".lock"));
  if (lock || lock.error().code != ErrorCode::kConflict) return lock;
  return fail(
      ErrorCode::kUnavailable,
      fmt::format("it is being synced already: {}; wait for that to end", lock.error().text()));
}

}  // namespace

std::string scope_of(const SourceConfig& config) {
  return config.type == Type::kFolder ? config.path
                                      : fmt::format("{}:{}", name(config.type), config.name);
}

Result<std::unique_ptr<KnowledgeSource>> make_source(const SourceConfig& config,
                                                     const SourceWorld& world) {
  switch (config.type) {
    case Type::kFolder: {
      ReadOptions read = read_options(config, world);
      read.paths = {config.path};
      read.map_where_found = true;
      return std::make_unique<FolderSource>(TRY(FolderSource::open(std::move(read))));
    }
    case Type::kGit: return make_git(config, world);
    case Type::kConfluence: return make_confluence(config, world);
    case Type::kGithub: return make_github(config, world);
  }
  return fail(ErrorCode::kInternal, "a source of no known type");
}

Result<SyncReport> sync_and_remember(const SourceConfig& config, const SyncOptions& options,
                                     const SourceWorld& world, const CancelToken& cancel) {
  const std::filesystem::path folder = world.data_dir / "sources";
  const FileLock lock = TRY(lock_source(folder, config.name));
  SourceState state = TRY(read_source_states(world.data_dir))[config.name];
  const std::vector<DocumentState> known = TRY(world.knowledge.look());
  const TimePoint now = world.clock.now();
  const std::string settings = settings_mark(config);
  SyncOptions asked = options;
  // Where somebody removed documents meanwhile, a cursor would not bring them back.
  const auto there =
      static_cast<size_t>(std::ranges::count(known, state.scope, &DocumentState::source));
  asked.sweep = options.sweep || state.settings != settings || !state.swept_at ||
                now - *state.swept_at >= config.sweep || there != state.documents;
  std::string scope = scope_of(config);
  const auto sync = [&]() -> Result<SyncReport> {
    const auto source = TRY(make_source(config, world));
    scope = source->scope();
    return sync_source(*source, state.cursor, asked, {cancel, known}, world.knowledge,
                       folder / (config.name + ".fetched"));
  };
  Result<SyncReport> report = sync();
  if (!report) report.error().message = redact(report.error().message);
  if (options.dry_run || (!report && report.error().code == ErrorCode::kCancelled)) return report;
  state.scope = scope;
  if (report) {
    state.settings = settings;
    state.cursor = report->cursor;
    state.synced_at = now;
    if (report->everything || !state.swept_at) state.swept_at = now;
    state.documents = report->documents;
    // What a look at everything found holds until the next one.
    if (report->everything || !report->notes.empty()) state.notes = report->notes;
    for (const BadRecord& bad : report->ingest.bad) {
      std::string note = fmt::format("not read: {}", redact(bad.text()));
      if (std::ranges::find(state.notes, note) == state.notes.end())
        state.notes.push_back(std::move(note));
    }
    state.error.clear();
    state.failed_at.reset();
    state.failures = 0;
  } else {
    state.error = report.error().text();
    state.failed_at = now;
    ++state.failures;
  }
  TRY(remember_source(world.data_dir, config.name, state));
  return report;
}

}  // namespace precedent
