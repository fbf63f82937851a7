// The `ChangeSource` seam: what was changed, and when? Git, a deploy log, a frozen snapshot, or
// several of them at once.
//
// Implementations: GitChanges, ChangeLog, FixedChanges (the fake, and what a snapshot becomes),
// ChangeSources (several as one). All keep expect_change_source_contract.
// Thread safety: changes() and services() may be called from several threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "changes/change.h"

namespace precedent {

struct ChangeQuery {
  TimeRange range = {};
  std::string service = {};            // only what touches it; "": any. Letter case is ignored
  std::string environment = {};        // not what belongs to another one; "": any
  std::vector<ChangeKind> kinds = {};  // empty: all
  std::string commit = {};  // only it and what put it into operation: how its hash begins; "": any
  size_t limit = 50;        // the newest so many
};

// What one source contributed.
struct AskedSource {
  std::string name;
  size_t found = 0;     // that match, before the limit of a list of several sources
  std::string note;     // what could not be read, and what to do; "" if all went well
  bool failed = false;  // nothing could be read
  bool operator==(const AskedSource&) const = default;
};

struct ChangeList {
  std::vector<Change> changes;  // in the order of newer()
  bool more = false;            // further ones match, beyond the limit
  std::vector<AskedSource> asked;
};

// Lines [begin, end] of a file, from 1, that a commit wrote.
struct ChangedLines {
  std::string path;
  uint32_t begin = 0, end = 0;
};

class ChangeSource {
 public:
  virtual ~ChangeSource() = default;
  // "git:shop", "deploys.jsonl": what an answer cites.
  virtual const std::string& name() const = 0;
  // Errors: what the medium says, with the remedy. A part that cannot be read is a note, no error.
  virtual Result<ChangeList> changes(const ChangeQuery& query) const = 0;
  // The services it knows, sorted: for messages about an unknown one.
  virtual std::vector<std::string> services() const = 0;
  // The environments that its records name, sorted; for the same.
  virtual std::vector<std::string> environments() const { return {}; }
  // Of a commit that it told; empty where it does not know.
  virtual std::vector<ChangedLines> changed_lines(const Change&) const { return {}; }
};

// Whether changes of that kind are asked for.
bool wants(const ChangeQuery& query, ChangeKind kind);
bool matches(const Change& change, const ChangeQuery& query);
// Whether two names are of one environment: "prod" and "Production", "stg" and "staging".
bool same_environment(std::string_view a, std::string_view b);

// "git:shop could not be read: <why, and what to do>", one a source of which nothing could be read.
std::vector<std::string> unreadable_sources(const std::vector<AskedSource>& asked);
// Errors: kUnavailable, with those lines, if nothing of any source could be read.
Result<void> check_readable(const std::vector<AskedSource>& asked);
// " (git:shop could not be read: …)", for messages that something is not known; "" if all was read.
std::string unread_note(const ChangeSource& source);

// The changes among `all` that the query asks for, as one source's list.
ChangeList select(std::vector<Change> all, const ChangeQuery& query, std::string source,
                  std::string note);

}  // namespace precedent
