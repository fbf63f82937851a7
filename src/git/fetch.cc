#include "git/fetch.h"

#include <fmt/format.h>
#include <git2.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/strings.h"
#include "base/utf8.h"
#include "files/files.h"
#include "git/free_by.h"

namespace precedent::git {
namespace {

namespace fs = std::filesystem;

using Repo = std::unique_ptr<git_repository, FreeBy<git_repository_free>>;
using Remote = std::unique_ptr<git_remote, FreeBy<git_remote_free>>;
using Reference = std::unique_ptr<git_reference, FreeBy<git_reference_free>>;

// What the callbacks of one fetch know.
struct Transfer {
  const FetchRequest& request;
  const CancelToken& cancel;
  RemoteAddress address;
  uint64_t bytes = 0;
  int asked = 0;  // for credentials
  bool too_large = false;
};

// A remote that refuses asks again and again.
constexpr int kMaxAsked = 3;

int give_credential(git_credential** out, const char* url, const char* user_from_url,
                    unsigned int allowed, void* payload) {
  auto& transfer = *static_cast<Transfer*>(payload);
  const FetchRequest& request = transfer.request;
  if (++transfer.asked > kMaxAsked) return GIT_EAUTH;
  const std::string user = user_from_url != nullptr ? user_from_url : "git";
  if ((allowed & GIT_CREDENTIAL_USERNAME) != 0)
    return git_credential_username_new(out, user.c_str());
  if ((allowed & GIT_CREDENTIAL_SSH_KEY) != 0 && transfer.address.kind == RemoteKind::kSsh) {
    if (!request.key_file.empty())
      return git_credential_ssh_key_new(out, user.c_str(), nullptr, request.key_file.c_str(), "");
    return git_credential_ssh_key_from_agent(out, user.c_str());
  }
  // Whoever asks must be whom we meant.
  const RemoteAddress asking = remote_address(url != nullptr ? url : "");
  if ((allowed & GIT_CREDENTIAL_USERPASS_PLAINTEXT) == 0 || request.token.empty() ||
      asking.host != transfer.address.host || asking.kind != transfer.address.kind ||
      transfer.asked > 1)
    return GIT_EAUTH;
  return git_credential_userpass_plaintext_new(
      out, request.user.empty() ? "x-access-token" : request.user.c_str(), request.token.c_str());
}

int count_bytes(const git_indexer_progress* progress, void* payload) {
  auto& transfer = *static_cast<Transfer*>(payload);
  transfer.bytes = progress->received_bytes;
  transfer.too_large = transfer.bytes > transfer.request.max_bytes;
  return transfer.too_large || transfer.cancel.cancelled() ? -1 : 0;
}

int hear_remote(const char*, int, void* payload) {
  return static_cast<Transfer*>(payload)->cancel.cancelled() ? -1 : 0;
}

// As messages name it: without user, password and query.
std::string shown(const RemoteAddress& address) {
  return address.kind == RemoteKind::kPath ? address.path
                                           : fmt::format("{}/{}", address.host, address.path);
}

bool is_shallow_clone(const RemoteAddress& address) {
  std::error_code ignored;
  const fs::path folder = address.path;
  return address.kind == RemoteKind::kPath && (fs::exists(folder / "shallow", ignored) ||
                                               fs::exists(folder / ".git" / "shallow", ignored));
}

std::unexpected<Error> failure(const Transfer& transfer, int code) {
  const std::string where = shown(transfer.address);
  if (transfer.cancel.cancelled()) return fail(ErrorCode::kCancelled, "cancelled");
  if (transfer.too_large)
    return fail(ErrorCode::kResourceExhausted,
                fmt::format("the repository {} is larger than {} MB with its history; clone it "
                            "yourself and make its folder the source",
                            where, transfer.request.max_bytes / (1024 * 1024)));
  const git_error* last = git_error_last();
  std::string said = last != nullptr ? squeeze(strip_controls(repair_utf8(last->message)))
                                     : std::string("no reason given");
  if (!transfer.request.token.empty())
    for (size_t at; (at = said.find(transfer.request.token)) != std::string::npos;)
      said.replace(at, transfer.request.token.size(), "…");
  constexpr std::string_view kWhole =
      "run `git fetch --unshallow` in it, or name the repository that it was cloned from";
  if (is_shallow_clone(transfer.address))
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{} is a shallow clone, from which nothing can be fetched; {}", where, kWhole));
  // What libgit2 says where a server's list of branches names commits without parents.
  if (said.contains("REF pkt"))
    return fail(
        ErrorCode::kUnavailable,
        fmt::format("cannot fetch {}: {}; if it is a shallow clone, {}", where, said, kWhole));
  const bool by_ssh = transfer.address.kind == RemoteKind::kSsh;
  if (code == GIT_ECERTIFICATE && by_ssh)
    return fail(ErrorCode::kPermission,
                fmt::format("the host key of {} is not the one in ~/.ssh/known_hosts, or none is "
                            "there ({}); nothing was fetched. Compare its key with what those who "
                            "run it have published, then put that one into known_hosts",
                            transfer.address.host, said));
  if (by_ssh && said.contains("authenticat")) {
    const std::string& file = transfer.request.key_file;
    return fail(ErrorCode::kPermission,
                fmt::format("cannot log in to {} with {}: {}. The key must be let in there, have "
                            "no passphrase, and be ed25519 or ECDSA: RSA works with old servers "
                            "only",
                            where, file.empty() ? "the keys of the agent" : file, said));
  }
  if (code == GIT_EAUTH || said.contains("authentication") || said.contains("401") ||
      said.contains("403"))
    return fail(ErrorCode::kPermission,
                fmt::format("{} refuses: {}; check that the token or key is valid and may read it",
                            where, said));
  if (code == GIT_ECERTIFICATE)
    return fail(ErrorCode::kPermission,
                fmt::format("the certificate of {} is not trusted: {}; install the certificate of "
                            "its authority",
                            where, said));
  if (said.contains("redirect"))
    return fail(ErrorCode::kPermission,
                fmt::format("{} redirects to another host, which is not followed: {}; write the "
                            "new address if you trust it",
                            where, said));
  if (code == GIT_ENOTFOUND || said.contains("404"))
    return fail(ErrorCode::kNotFound,
                fmt::format("there is no repository at {}, or it is not shown to this account: {}",
                            where, said));
  return fail(ErrorCode::kUnavailable, fmt::format("cannot fetch {}: {}", where, said));
}

// What SSH needs besides the host's key. libgit2's own words name neither file nor remedy.
Result<void> check_key(const FetchRequest& request) {
  if (request.key_file.empty()) {
    if (std::getenv("SSH_AUTH_SOCK") != nullptr) return {};
    return fail(ErrorCode::kPermission,
                "SSH needs a key: name one with 'key_file', or start an agent (SSH_AUTH_SOCK is "
                "not set)");
  }
  if (auto key = MappedFile::open(request.key_file); !key)
    return std::unexpected(std::move(key).error());
  return {};
}

Result<Repo> open_bare(const fs::path& folder) {
  git_repository* found = nullptr;
  std::error_code ignored;
  if (!fs::exists(folder / "HEAD", ignored)) {
    TRY(make_directories(folder));
    if (git_repository_init(&found, folder.c_str(), 1) != 0)
      return fail(ErrorCode::kUnavailable, fmt::format("cannot make a repository in {}: {}",
                                                       folder.string(), git_error_last()->message));
    return Repo(found);
  }
  if (git_repository_open_bare(&found, folder.c_str()) != 0)
    return fail(ErrorCode::kCorrupt,
                fmt::format("the fetched repository in {} cannot be opened: {}; remove the folder "
                            "and sync again",
                            folder.string(), git_error_last()->message));
  return Repo(found);
}

// The branch to fetch: as asked, or the remote's own.
Result<std::string> branch_of(git_remote* remote, const Transfer& transfer) {
  if (!transfer.request.branch.empty()) return transfer.request.branch;
  git_buf name = GIT_BUF_INIT;
  const int code = git_remote_default_branch(&name, remote);
  std::string branch = code == 0 ? std::string(name.ptr, name.size) : std::string();
  git_buf_dispose(&name);
  constexpr std::string_view kHeads = "refs/heads/";
  if (!branch.starts_with(kHeads))
    return fail(ErrorCode::kNotFound,
                fmt::format("{} does not say which branch is its default, or has no commit yet; "
                            "name one with 'branch'",
                            shown(transfer.address)));
  return branch.substr(kHeads.size());
}

Result<bool> has_branch(git_remote* remote, const std::string& reference,
                        const Transfer& transfer) {
  const git_remote_head** heads = nullptr;
  size_t count = 0;
  if (const int code = git_remote_ls(&heads, &count, remote); code != 0)
    return failure(transfer, code);
  return std::any_of(heads, heads + count,
                     [&](const git_remote_head* head) { return reference == head->name; });
}

Result<std::string> commit_at(git_repository* repository, const std::string& reference,
                              const RemoteAddress& address) {
  git_reference* found = nullptr;
  git_object* commit = nullptr;
  int code = git_reference_lookup(&found, repository, reference.c_str());
  const Reference owner(found);
  if (code == 0) code = git_reference_peel(&commit, found, GIT_OBJECT_COMMIT);
  if (code != 0)
    return fail(ErrorCode::kNotFound,
                fmt::format("{} of {} is no commit", reference, shown(address)));
  char text[GIT_OID_HEXSZ + 1];
  std::string id = git_oid_tostr(text, sizeof text, git_object_id(commit));
  git_object_free(commit);
  return id;
}

}  // namespace

RemoteAddress remote_address(const std::string& url) {
  RemoteAddress address;
  std::string rest = url;
  const auto scheme = [&](std::string_view prefix, RemoteKind kind) {
    if (address.kind != RemoteKind::kNone || !ascii_lower(url).starts_with(prefix)) return;
    address.kind = kind;
    rest = url.substr(prefix.size());
  };
  scheme("https://", RemoteKind::kHttps);
  scheme("http://", RemoteKind::kHttp);
  scheme("ssh://", RemoteKind::kSsh);
  if (address.kind == RemoteKind::kNone && url.starts_with('/'))
    return {RemoteKind::kPath, "", url};
  const bool scp = address.kind == RemoteKind::kNone;
  if (scp && url.contains("://")) return {};
  const size_t end = rest.find(scp ? ':' : '/');
  if (end == std::string::npos || end == 0) return {};
  if (scp) address.kind = RemoteKind::kSsh;
  std::string host = rest.substr(0, end);
  const size_t at = host.rfind('@');
  // A password in an address ends up in logs and in the repository's own settings.
  if (at != std::string::npos && host.substr(0, at).contains(':')) return {};
  if (at != std::string::npos) host.erase(0, at + 1);
  address.host = ascii_lower(host.substr(0, host.rfind(':')));
  address.path = rest.substr(end + 1);
  while (address.path.ends_with('/')) address.path.pop_back();
  while (address.path.starts_with('/')) address.path.erase(0, 1);
  if (address.path.ends_with(".git")) address.path.resize(address.path.size() - 4);
  return address.host.empty() || address.path.empty() ? RemoteAddress() : address;
}

Result<Fetched> fetch(const FetchRequest& request, const CancelToken& cancel) {
  static const int started = git_libgit2_init();
  static_cast<void>(started);
  Transfer transfer{request, cancel, remote_address(request.url)};
  if (transfer.address.kind == RemoteKind::kNone)
    return fail(ErrorCode::kInvalidArgument,
                "the address of the repository is neither https://…, ssh://…, git@host:path nor an "
                "absolute path, or has a password in it");
  TRY(cancel.check());
  if (transfer.address.kind == RemoteKind::kSsh) TRY(check_key(request));
  const Repo repository = TRY(open_bare(request.folder));
  // The address is used as it is written, which was checked, without git's url.*.insteadOf: libgit2
  // leaks 20 kB for each setting that it looks through for them.
  git_remote_create_options create;
  git_remote_create_options_init(&create, GIT_REMOTE_CREATE_OPTIONS_VERSION);
  create.repository = repository.get();
  create.flags = GIT_REMOTE_CREATE_SKIP_INSTEADOF;
  git_remote* made = nullptr;
  if (const int code = git_remote_create_with_opts(&made, request.url.c_str(), &create); code != 0)
    return failure(transfer, code);
  const Remote remote(made);
  git_fetch_options options;
  git_fetch_options_init(&options, GIT_FETCH_OPTIONS_VERSION);
  options.callbacks.credentials = give_credential;
  options.callbacks.transfer_progress = count_bytes;
  options.callbacks.sideband_progress = hear_remote;
  options.callbacks.payload = &transfer;
  options.follow_redirects = GIT_REMOTE_REDIRECT_NONE;
  options.download_tags = GIT_REMOTE_DOWNLOAD_TAGS_NONE;
  options.update_fetchhead = 0;
  options.proxy_opts.type = GIT_PROXY_AUTO;
  git_remote_connect_options connect;
  git_remote_connect_options_init(&connect, GIT_REMOTE_CONNECT_OPTIONS_VERSION);
  connect.callbacks = options.callbacks;
  connect.follow_redirects = options.follow_redirects;
  connect.proxy_opts = options.proxy_opts;
  if (const int code = git_remote_connect_ext(made, GIT_DIRECTION_FETCH, &connect); code != 0)
    return failure(transfer, code);
  Fetched fetched;
  fetched.branch = TRY(branch_of(made, transfer));
  const std::string reference = fmt::format("refs/heads/{}", fetched.branch);
  if (git_reference_is_valid_name(reference.c_str()) != 1)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'{}' is no name of a branch", fetched.branch));
  if (!TRY(has_branch(made, reference, transfer)))
    return fail(ErrorCode::kNotFound, fmt::format("{} has no branch '{}'; check 'branch'",
                                                  shown(transfer.address), fetched.branch));
  std::string spec = fmt::format("+{0}:{0}", reference);
  char* specs[] = {spec.data()};
  const git_strarray refspecs{specs, 1};
  transfer.asked = 0;
  if (const int code = git_remote_fetch(made, &refspecs, &options, nullptr); code != 0)
    return failure(transfer, code);
  fetched.commit = TRY(commit_at(repository.get(), reference, transfer.address));
  fetched.bytes = transfer.bytes;
  if (git_repository_set_head(repository.get(), reference.c_str()) != 0)
    return failure(transfer, GIT_ERROR);
  return fetched;
}

}  // namespace precedent::git
