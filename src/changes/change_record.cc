#include "changes/change_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/redact.h"
#include "base/redact_json.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "git/reverts.h"

namespace precedent {
namespace {

using nlohmann::json;

// A title or a name is one line that people read; a message's body is not.
constexpr size_t kMaxValueBytes = 500;
// A deploy that touches more services than a large company has is a broken record.
constexpr size_t kMaxServices = 200;

std::string clean(std::string_view text) {
  const std::string line(trim(text.substr(0, text.find('\n'))));
  const std::string visible = strip_controls(repair_utf8(line));
  return redact(utf8_prefix(visible, kMaxValueBytes));
}

const json* first_of(const json& record, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const auto found = record.find(name);
    if (found != record.end() && !found->is_null()) return &*found;
  }
  return nullptr;
}

std::string text_of(const json& value) {
  if (value.is_string()) return clean(value.get_ref<const std::string&>());
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  return value.is_number() ? value.dump() : "";
}

std::string text_at(const json& record, std::initializer_list<std::string_view> names) {
  const json* value = first_of(record, names);
  return value != nullptr ? text_of(*value) : "";
}

std::vector<std::string> list_at(const json& record, std::initializer_list<std::string_view> names,
                                 size_t max) {
  std::vector<std::string> list;
  const json* value = first_of(record, names);
  if (value == nullptr) return list;
  if (!value->is_array()) {
    if (std::string text = text_of(*value); !text.empty()) list.push_back(std::move(text));
    return list;
  }
  for (const json& item : *value) {
    if (list.size() == max) break;
    if (std::string text = text_of(item); !text.empty()) list.push_back(std::move(text));
  }
  return list;
}

Result<TimePoint> time_at(const json& record) {
  const json* value = first_of(record, {"time", "timestamp", "at", "date"});
  if (value == nullptr) {
    return fail(ErrorCode::kInvalidArgument,
                "'time' is missing; write when it happened, as 2026-11-17T15:40:00Z");
  }
  const Result<TimePoint> time = parse_time(text_of(*value));
  if (!time)
    return fail(ErrorCode::kInvalidArgument, fmt::format("'time': {}", time.error().text()));
  return *time;
}

// "off->on", as flag services write it.
void read_transition(const json& record, const std::string& subject, Change& change) {
  // A value that is a secret is told by what was changed, not by its field.
  const auto hide = [&](std::string& value) { value = redact_value(subject, value); };
  change.from = text_at(record, {"from", "previous_version", "old"});
  change.to = text_at(record, {"to", "new"});
  const std::string transition = text_at(record, {"change"});
  const size_t arrow = transition.find("->");
  if (arrow != std::string::npos && change.from.empty() && change.to.empty()) {
    change.from = trim(std::string_view(transition).substr(0, arrow));
    change.to = trim(std::string_view(transition).substr(arrow + 2));
  }
  hide(change.from);
  hide(change.to);
}

std::string transition_text(const Change& change) {
  if (change.from.empty() && change.to.empty()) return "";
  if (change.from.empty()) return fmt::format(": {}", change.to);
  return fmt::format(": {} → {}", change.from, change.to);
}

std::string title_of(const Change& change, const std::string& subject) {
  const std::string who = join(change.services, ", ");
  switch (change.kind) {
    case ChangeKind::kDeploy: return squeeze(fmt::format("Deploy of {} {}", who, change.version));
    case ChangeKind::kRollback:
      return squeeze(fmt::format("Rollback of {} to {}", who, change.version));
    case ChangeKind::kFlag: return fmt::format("Flag {}{}", subject, transition_text(change));
    case ChangeKind::kConfig:
      return fmt::format("Setting {}{}", subject.empty() ? who : subject, transition_text(change));
    default: return squeeze(fmt::format("{} {}", who, change.version));
  }
}

}  // namespace

Result<Change> change_of(const json& record, ChangeKind usual) {
  if (!record.is_object())
    return fail(ErrorCode::kInvalidArgument,
                "is no JSON object; write {\"time\": …, \"service\": …}");
  Change change;
  change.at = TRY(time_at(record));
  const std::string subject = text_at(record, {"flag", "key", "setting"});
  change.kind = record.contains("flag") ? ChangeKind::kFlag : usual;
  if (const std::string kind = text_at(record, {"kind", "type"}); !kind.empty()) {
    const auto known = parse_change_kind(kind);
    if (!known) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("'kind' is '{}'; the kinds are commit, tag, deploy, rollback, flag, "
                              "config, version",
                              kind));
    }
    change.kind = *known;
  }
  change.services = list_at(record, {"services", "service", "app", "application"}, kMaxServices);
  settle_services(change);
  if (change.kind == ChangeKind::kFlag || change.kind == ChangeKind::kConfig)
    change.subject = subject;
  read_transition(record, subject, change);
  change.version = text_at(record, {"version"});
  const bool runs = change.kind == ChangeKind::kDeploy || change.kind == ChangeKind::kRollback;
  if (runs && change.version.empty()) change.version = change.to;
  change.environment = text_at(record, {"environment", "env"});
  change.commit = text_at(record, {"commit", "commit_sha", "sha", "revision"});
  change.author = text_at(record, {"author", "actor", "user", "by"});
  change.files = list_at(record, {"files", "files_changed"}, kMaxChangedFiles);
  std::ranges::sort(change.files);
  const json* files = first_of(record, {"files", "files_changed"});
  change.files_total = files != nullptr && files->is_array() ? files->size() : change.files.size();
  change.title = text_at(record, {"title", "message", "summary"});
  if (const json* message = first_of(record, {"message"});
      change.kind == ChangeKind::kCommit && message != nullptr && message->is_string())
    change.reverts = git::reverted_by(message->get_ref<const std::string&>());
  if (change.services.empty() && change.title.empty() && subject.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "says neither 'service' nor 'flag' nor 'title'; write what was changed");
  }
  if (change.title.empty()) change.title = title_of(change, subject);
  change.id = text_at(record, {"id"});
  if (change.id.empty() && change.kind == ChangeKind::kCommit) change.id = change.commit;
  return change;
}

void fill_earlier_values(std::vector<Change>& changes) {
  std::vector<Change*> switched;
  for (Change& change : changes)
    if (!change.subject.empty()) switched.push_back(&change);
  std::ranges::stable_sort(switched, {}, &Change::at);
  std::map<std::tuple<ChangeKind, std::string, std::string, std::vector<std::string>>, std::string>
      values;
  for (Change* change : switched) {
    std::string& value =
        values[{change->kind, change->subject, change->environment, change->services}];
    if (change->from.empty() && !value.empty() && value != change->to) {
      const bool own_title = change->title == title_of(*change, change->subject);
      change->from = value;
      if (own_title) change->title = title_of(*change, change->subject);
    }
    value = change->to;
  }
}

std::string_view flag_of(const Change& change) {
  return change.kind == ChangeKind::kFlag ? std::string_view(change.subject) : "";
}

}  // namespace precedent
