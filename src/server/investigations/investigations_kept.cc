// What of Investigations outlives a restart: ended ones, alarms that waited, and what ran, with
// which this server goes on.
#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "base/foreign_json.h"
#include "base/json_access.h"
#include "files/files.h"
#include "server/investigations/investigations.h"
#include "server/investigations/kept_order.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kEnding = ".json";
// What ends the server again and again is not begun for ever.
constexpr uint64_t kMaxAttempts = 3;

std::optional<TimePoint> time_at(const json& object, const char* key) {
  if (!object.contains(key) || !object[key].is_string()) return std::nullopt;
  const auto time = parse_time(object[key].get<std::string>());
  return time ? std::optional(*time) : std::nullopt;
}

}  // namespace

fs::path Investigations::file_of(const std::string& id) const {
  return folder_ / (id + std::string(kEnding));
}

// What ended before a restart, and what was running then.
void Investigations::load() {
  const MutexLock lock(mutex_);
  std::error_code error;
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() != kEnding) continue;
    const auto text = read_file(it->path(), kMaxReport);
    const json kept = text ? parse_json(*text) : json();
    const auto created = kept.is_object() ? time_at(kept, "created_at") : std::nullopt;
    if (!created) continue;
    Entry entry;
    entry.shown = {.id = it->path().stem().string(),
                   .state = kept.value("state", ""),
                   .by = kept.value("by", ""),
                   .about = kept.value("about", ""),
                   .summary = foreign::string_at(kept, "summary"),
                   .created_at = *created,
                   .ended_at = time_at(kept, "ended_at"),
                   .resolved_at = time_at(kept, "resolved_at"),
                   .error = kept.value("error", "")};
    if (const json& alarms = foreign::member(kept, "alarms"); alarms.is_number_unsigned())
      entry.shown.alarms = alarms.get<uint64_t>();
    if (const json& score = foreign::member(kept, "score"); score.is_object())
      entry.shown.score = score;
    if (const json& members = foreign::member(kept, "members"); members.is_array())
      for (const json& each : members)
        if (each.is_string()) entry.members.insert(each.get<std::string>());
    entry.group = foreign::string_at(kept, "group");
    entry.order = order_of_json(kept.value("order", json::object()));
    if (const auto tried = kept.find("attempts");
        tried != kept.end() && tried->is_number_unsigned())
      entry.attempts = tried->get<uint64_t>();
    const auto rest = *created + limits_.cooldown - clock_.now();
    if (!entry.group.empty() && rest.count() > 0)
      resting_[entry.group] = Steady::now() + std::min<Steady::duration>(rest, limits_.cooldown);
    entries_.push_back(std::move(entry));
  }
  entries_.sort([](const Entry& a, const Entry& b) {
    return std::tie(a.shown.created_at, a.shown.id) > std::tie(b.shown.created_at, b.shown.id);
  });
  forget_old();
}

void Investigations::keep(const Entry& entry) const {
  if (folder_.empty()) return;
  json kept = to_json(entry.shown);
  if (!entry.group.empty()) kept["group"] = entry.group;
  if (!entry.members.empty()) kept["members"] = entry.members;
  kept["order"] = order_json(entry.order), kept["attempts"] = entry.attempts;
  const std::string text = dump_json(kept);
  const std::string_view parts[] = {text};
  auto written = make_directories(folder_);
  if (written) written = write_file_atomically(file_of(entry.shown.id), parts);
  if (!written)
    warn_(fmt::format("investigation {} would be forgotten by a restart: {}", entry.shown.id,
                      written.error().text()));
}

void Investigations::keep_end(const Entry& entry) const {
  if (folder_.empty()) return;
  const auto before = read_file(file_of(entry.shown.id), kMaxReport);
  json kept = before ? parse_json(*before) : json();
  if (!kept.is_object()) return;
  kept.update(to_json(entry.shown));
  kept["members"] = entry.members;
  const std::string text = dump_json(kept);
  const std::string_view parts[] = {text};
  if (const auto written = write_file_atomically(file_of(entry.shown.id), parts); !written)
    warn_(fmt::format("investigation {}: how its alarm ended would be forgotten by a restart: {}",
                      entry.shown.id, written.error().text()));
}

void Investigations::go_on_with_all() {
  std::vector<std::string> ids;
  {
    const MutexLock lock(mutex_);
    for (Entry& each : entries_ | std::views::reverse) {
      if (each.shown.ended_at) continue;
      each.shown.state = "waiting";
      if (each.attempts < kMaxAttempts) {
        ++each.attempts;
        ids.push_back(each.shown.id);
        continue;
      }
      each.shown.state = "failed", each.shown.ended_at = clock_.now();
      each.shown.error =
          fmt::format("the server ended {} times while it ran; order it again", each.attempts);
      keep(each);
    }
  }
  for (const std::string& id : ids) {
    warn_(fmt::format("investigation {} ran when the server ended, and goes on", id));
    if (const auto begun = launch(id); !begun) end(id, std::unexpected(begun.error()), false);
  }
}

// Alarms that waited before a restart. One whose investigation has begun does not wait.
void Investigations::wait_again() {
  const MutexLock lock(mutex_);
  for (Alarm& alarm : kept_alarms_.read(clock_.now())) {
    const std::string group = alarm.group;
    if (std::ranges::any_of(entries_, [&](const Entry& each) {
          return each.group == group && !each.shown.ended_at;
        })) {
      kept_alarms_.remove(alarm);
      continue;
    }
    Pending& pending = pending_[group];
    pending.due = Steady::now() + limits_.debounce;
    pending.alarms.push_back(std::move(alarm));
  }
}

}  // namespace precedent
