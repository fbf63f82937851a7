// sources.yaml: which sources there are.
//
//   every: 30m                       # else 15m
//   sources:
//     - name: runbooks
//       type: git                    # folder, git, confluence or github
//       url: https://github.com/myorg/runbooks.git
//       token_env: GITHUB_TOKEN      # the name of a variable of the environment
//
// docs/sources.md explains each key. A token is never in the file: a key names the variable that
// holds it, and it is sent to the configured host alone, over TLS or to this machine.
// Thread safety: pure functions.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config_values.h"
#include "base/error.h"
#include "knowledge/kind.h"
#include "sources/link_pattern.h"

namespace precedent {

struct SourceConfig {
  enum class Type : uint8_t { kFolder, kGit, kConfluence, kGithub };
  std::string name;
  Type type = Type::kFolder;
  std::string path;  // folder: absolute
  std::string url;   // git, confluence; github: of its API
  std::string branch;
  std::vector<std::string> paths;
  std::string user, token_env, key_file;
  LinkPattern link;          // git: how its forge addresses a file
  bool data_center = false;  // confluence: which of the two products
  std::vector<std::string> spaces, labels;
  bool rendered = true;                     // confluence: unknown macros as Confluence shows them
  std::string repo;                         // github: "org/repo"
  std::string app, installation;            // github, git: instead of a token, with key_file
  bool comments = true;                     // github: whether they are taken
  std::map<std::string, Kind> label_kinds;  // github: which labels, and what they make of an issue
  std::optional<Kind> kind;
  std::vector<std::string> services, tags;
  std::chrono::milliseconds sweep{std::chrono::hours(24)};
  bool watch = false;  // folder: whether a running server looks as soon as something changes
  // How often a running server syncs it; 0: only when asked to.
  std::chrono::milliseconds every{std::chrono::minutes(15)};
};
std::string_view name(SourceConfig::Type type);

// What `SourceState::settings` keeps: another value makes the next sync begin anew.
std::string settings_mark(const SourceConfig& config);

// Paths are taken from the folder of `path`. "" is a file without any source.
// Errors: kInvalidArgument naming file, line and key; with `all`, each goes there instead.
Result<std::vector<SourceConfig>> read_sources_config(std::string_view text, std::string_view path,
                                                      ConfigProblems* all = nullptr);

}  // namespace precedent
