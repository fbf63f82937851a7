#include "server/investigations/alarms.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/foreign_json.h"
#include "base/json_access.h"
#include "files/files.h"
#include "server/auth/digest.h"
#include "server/investigations/kept_order.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr size_t kMaxAlarm = 32ull << 20;
constexpr std::chrono::hours kStale{24};
constexpr std::string_view kEnding = ".json";

}  // namespace

fs::path KeptAlarms::file_of(const Alarm& alarm) const {
  const std::string own = alarm.member.empty() ? alarm.group : alarm.group + "\n" + alarm.member;
  return folder_ / (sha256_hex(own).substr(0, 32) + std::string(kEnding));
}

std::vector<Alarm> KeptAlarms::read(TimePoint now) const {
  std::vector<Alarm> out;
  std::vector<fs::path> useless;
  std::error_code error;
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() != kEnding) continue;
    const auto text = read_file(it->path(), kMaxAlarm);
    const json kept = text ? parse_json(*text) : json();
    const auto at = parse_time(foreign::string_at(kept, "at"));
    Alarm alarm{.group = foreign::string_at(kept, "group"),
                .order = {},
                .by = foreign::string_at(kept, "by"),
                .member = foreign::string_at(kept, "member")};
    if (!at || alarm.group.empty()) {
      warn_(fmt::format("{} is no alarm that can be read, and is removed", it->path().string()));
      useless.push_back(it->path());
      continue;
    }
    if (*at + kStale < now) {
      useless.push_back(it->path());
      continue;
    }
    alarm.critical = kept.contains("critical") && kept["critical"] == true;
    alarm.order = order_of_json(kept);
    out.push_back(std::move(alarm));
  }
  for (const fs::path& file : useless) std::ignore = remove_file(file);
  std::ranges::sort(out, {}, [](const Alarm& each) { return std::tie(each.group, each.member); });
  return out;
}

void KeptAlarms::add(const Alarm& alarm, TimePoint now) const {
  if (folder_.empty()) return;
  json kept = order_json(alarm.order);
  kept["group"] = alarm.group, kept["by"] = alarm.by;
  if (!alarm.member.empty()) kept["member"] = alarm.member;
  kept["critical"] = alarm.critical, kept["at"] = format_time(now);
  const std::string text = dump_json(kept);
  const std::string_view parts[] = {text};
  auto written = make_directories(folder_);
  if (written) written = write_file_atomically(file_of(alarm), parts);
  if (!written)
    warn_(fmt::format("an alarm would be forgotten by a restart: {}", written.error().text()));
}

void KeptAlarms::remove(const Alarm& alarm) const {
  if (!folder_.empty()) std::ignore = remove_file(file_of(alarm));
}

}  // namespace precedent
