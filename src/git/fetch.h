// A branch of a remote, fetched into a bare repository of our own: the only part of this folder
// that writes, and only there.
//
// Later fetches transfer what is new; a forced push replaces the branch. The whole history comes
// along: libgit2 1.5 has no shallow fetch. No hook, no filter and no work tree; a redirect to
// another host is not followed, and the credentials go to the named host alone. A host that is
// reached by SSH must be among the user's known hosts.
//
// Errors: kInvalidArgument for an address that is none of https, ssh, a path, or http to this
// machine, and for a path to a shallow clone; kPermission where the remote refuses; kNotFound for
// no such repository or branch; kResourceExhausted above `max_bytes`; kUnavailable; kCancelled. No
// message holds a credential. Thread safety: one thread a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/cancel.h"
#include "base/error.h"

namespace precedent::git {

struct FetchRequest {
  std::string url;               // https://…, ssh://…, git@host:path, or an absolute path
  std::string branch;            // "": the remote's own default
  std::filesystem::path folder;  // of the bare repository; made if it is not there
  // For https. With a token alone any name will do.
  std::string user = {};
  std::string token = {};
  // For ssh: a private key without a passphrase; "": the agent's.
  std::string key_file = {};
  // Documentation with its history stays far below; a product's monorepo does not.
  uint64_t max_bytes = uint64_t{2} * 1024 * 1024 * 1024;
};

struct Fetched {
  std::string commit;  // at which the branch is, and HEAD of `folder`
  std::string branch;
  uint64_t bytes = 0;  // that were received
};

enum class RemoteKind : uint8_t { kNone, kHttps, kHttp, kSsh, kPath };
struct RemoteAddress {
  RemoteKind kind = RemoteKind::kNone;
  std::string host;  // lower case, without port; "" for a path
  std::string path;  // "org/repo", without ".git"; the path itself for a path
};
// kNone for what is no address of a remote, and for one with a password in it.
RemoteAddress remote_address(const std::string& url);

Result<Fetched> fetch(const FetchRequest& request, const CancelToken& cancel);

}  // namespace precedent::git
