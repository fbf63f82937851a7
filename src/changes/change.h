// Change: something that was altered at a moment: a commit, a tag, a deploy, a rollback, a flag, a
// setting.
//
// Thread safety: plain values, pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace precedent {

enum class ChangeKind {
  kCommit,
  kTag,
  kDeploy,
  kRollback,
  kFlag,
  kConfig,
  kVersionSeen,  // a running service reported another version than before
};
inline constexpr ChangeKind kAllChangeKinds[] = {
    ChangeKind::kCommit, ChangeKind::kTag,    ChangeKind::kDeploy,     ChangeKind::kRollback,
    ChangeKind::kFlag,   ChangeKind::kConfig, ChangeKind::kVersionSeen};

// "commit", "tag", "deploy", "rollback", "flag", "config", "version".
std::string_view name(ChangeKind kind);
std::optional<ChangeKind> parse_change_kind(std::string_view text);

struct Change {
  std::string id;  // a commit's hash, a tag's name, the id a log gives, else "deploys.jsonl:12"
  TimePoint at{};  // of a commit: when it reached the branch
  ChangeKind kind = ChangeKind::kCommit;
  std::vector<std::string> services;  // that it touches; sorted, none twice
  std::string version;                // that runs, or is named, from then on
  std::string environment;
  std::string commit;
  std::optional<TimePoint> written;  // a commit's own time, where a merge brought it later
  std::string author;
  std::string title;                 // one line
  std::string subject;               // of a flag or a setting: its name
  std::string from, to;              // what was before and after: versions, values of a flag
  std::vector<std::string> reverts;  // of a commit: the hashes, perhaps short, that it takes back
  std::vector<std::string> files;    // of a commit, sorted; at most kMaxChangedFiles
  size_t files_total = 0;            // also those that are not listed
  std::string source;                // the ChangeSource that told it
  std::string path;                  // the log it stands in; "" for what is not a file
  size_t line = 0;                   // in that log, from 1
  bool operator==(const Change&) const = default;
};

// A commit that touches more is a mass edit: who looks for a cause wants to know that, not the
// list.
inline constexpr size_t kMaxChangedFiles = 50;

// The order of every list of changes: newest first, ties by kind and id.
bool newer(const Change& a, const Change& b);

// Sorts the services and drops those named twice.
void settle_services(Change& change);

}  // namespace precedent
