// ChangeLog: deploys, rollbacks, flags and settings from a log of JSON lines.
//
// A file, or a folder of *.jsonl and *.ndjson files (one a day, say). Read again when it has
// changed; a line that cannot be read is passed over and named in the note. Format:
// docs/format/deploys.md. Thread safety: as ChangeSource.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "base/mutex.h"
#include "changes/change_source.h"

namespace precedent {

// A log of ten years and fifty deploys a day is 30 MB; what is larger is something else.
inline constexpr size_t kMaxChangeLogBytes = 64 * 1024 * 1024;

struct ParsedLog {
  std::vector<Change> changes;  // path and line set
  size_t bad_lines = 0;
  std::string first_problem;  // "deploys.jsonl:7: 'time' is missing; …"
};

// `path` is only named. Blank lines are nothing. `usual` as in change_of.
ParsedLog parse_change_log(std::string_view text, std::string_view path,
                           ChangeKind usual = ChangeKind::kDeploy);

class ChangeLog final : public ChangeSource {
 public:
  // Opens nothing yet: a log that appears later is read then.
  explicit ChangeLog(std::filesystem::path path);

  const std::string& name() const override { return name_; }
  Result<ChangeList> changes(const ChangeQuery& query) const override;
  std::vector<std::string> services() const override;
  std::vector<std::string> environments() const override;

 private:
  struct Stamp {
    std::filesystem::path path;
    uintmax_t bytes = 0;
    std::filesystem::file_time_type written;
    bool operator==(const Stamp&) const = default;
  };
  struct Content {
    std::vector<Stamp> stamps;
    std::vector<Change> changes;
    std::string note;
  };
  Result<std::vector<Stamp>> stamps() const;
  Result<std::shared_ptr<const Content>> content() const;

  std::filesystem::path path_;
  std::string name_;
  mutable Mutex mutex_;
  mutable std::shared_ptr<const Content> content_ GUARDED_BY(mutex_);
};

}  // namespace precedent
