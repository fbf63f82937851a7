#include "changes/change_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "changes/change_record.h"
#include "changes/fixed_changes.h"
#include "files/files.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

bool is_log(const fs::path& path) {
  const std::string extension = ascii_lower(path.extension().string());
  return extension == ".jsonl" || extension == ".ndjson";
}

std::string note_of(const ParsedLog& log) {
  if (log.bad_lines == 0) return "";
  return fmt::format("{} of its lines cannot be read; the first: {}", log.bad_lines,
                     log.first_problem);
}

}  // namespace

ParsedLog parse_change_log(std::string_view text, std::string_view path, ChangeKind usual) {
  ParsedLog log;
  const std::string file = fs::path(path).filename().string();
  size_t number = 0;
  for (const std::string_view line : split_lines(text)) {
    ++number;
    if (trim(line).empty()) continue;
    const json record = parse_json(line);
    Result<Change> change =
        record.is_discarded()
            ? fail(ErrorCode::kInvalidArgument, "is no JSON; each line is one object of its own")
            : change_of(record, usual);
    if (!change) {
      if (log.bad_lines++ == 0)
        log.first_problem = fmt::format("{}:{}: {}", file, number, change.error().text());
      continue;
    }
    change->path = path;
    change->line = number;
    if (change->id.empty()) change->id = fmt::format("{}:{}", file, number);
    log.changes.push_back(std::move(*change));
  }
  return log;
}

ChangeLog::ChangeLog(fs::path path) : path_(std::move(path)), name_(path_.filename().string()) {
  if (name_.empty()) name_ = path_.parent_path().filename().string();
}

Result<std::vector<ChangeLog::Stamp>> ChangeLog::stamps() const {
  std::error_code error;
  std::vector<fs::path> files;
  if (fs::is_directory(path_, error)) {
    fs::directory_iterator entry(path_, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      if (is_log(entry->path())) files.push_back(entry->path());
    }
    std::ranges::sort(files);
  } else if (!error) {
    files.push_back(path_);
  }
  std::vector<Stamp> stamps;
  uintmax_t bytes = 0;
  for (const fs::path& file : files) {
    if (error) break;
    Stamp stamp{file, fs::file_size(file, error), {}};
    if (!error) stamp.written = fs::last_write_time(file, error);
    bytes += error ? 0 : stamp.bytes;
    stamps.push_back(std::move(stamp));
  }
  if (error) {
    Error unreadable = system_error("read the change log", path_, error.value());
    unreadable.message += "; check its path in tools.yaml, and who may read it";
    return std::unexpected(std::move(unreadable));
  }
  if (bytes > kMaxChangeLogBytes) {
    return fail(ErrorCode::kResourceExhausted,
                fmt::format("{} holds {} bytes, the limit is {}; move old files elsewhere",
                            path_.string(), bytes, kMaxChangeLogBytes));
  }
  return stamps;
}

Result<std::shared_ptr<const ChangeLog::Content>> ChangeLog::content() const {
  std::vector<Stamp> now = TRY(stamps());
  MutexLock lock(mutex_);
  if (content_ && content_->stamps == now) return content_;
  auto content = std::make_shared<Content>();
  for (const Stamp& stamp : now) {
    ParsedLog log =
        parse_change_log(TRY(read_file(stamp.path, kMaxChangeLogBytes)), stamp.path.string());
    if (content->note.empty()) content->note = note_of(log);
    std::ranges::move(log.changes, std::back_inserter(content->changes));
  }
  fill_earlier_values(content->changes);
  for (Change& change : content->changes) change.source = name_;
  content->stamps = std::move(now);
  content_ = std::move(content);
  return content_;
}

Result<ChangeList> ChangeLog::changes(const ChangeQuery& query) const {
  const std::shared_ptr<const Content> log = TRY(content());
  return select(log->changes, query, name_, log->note);
}

std::vector<std::string> ChangeLog::services() const {
  const auto log = content();
  return log ? services_of((*log)->changes) : std::vector<std::string>{};
}

std::vector<std::string> ChangeLog::environments() const {
  const auto log = content();
  return log ? environments_of((*log)->changes) : std::vector<std::string>{};
}

}  // namespace precedent
