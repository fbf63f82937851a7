#include "telemetry/alerts/alert_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/utf8.h"

namespace precedent {
namespace {

using nlohmann::json;

// More active alerts than any page shows; a dump of a year of them is cut off here.
constexpr size_t kMaxAlerts = 10'000;
// A word that is longer is prose.
constexpr size_t kMaxLabel = 128;

constexpr std::array<std::string_view, 5> kNameKeys = {"alertname", "name", "monitor", "alert",
                                                       "title"};
constexpr std::array<std::string_view, 5> kStartKeys = {"startsAt", "fired_at", "started_at",
                                                        "timestamp", "time"};
constexpr std::array<std::string_view, 3> kEndKeys = {"endsAt", "resolved_at", "ended_at"};

std::string text_of(const json& value) {
  if (value.is_string()) return repair_utf8(value.get_ref<const std::string&>());
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

template <size_t n>
std::string first_of(const json& object, const std::array<std::string_view, n>& keys) {
  for (const std::string_view key : keys)
    if (const auto found = object.find(key); found != object.end() && found->is_string())
      return text_of(*found);
  return "";
}

template <size_t n>
bool contains(const std::array<std::string_view, n>& keys, std::string_view key) {
  return std::ranges::find(keys, key) != keys.end();
}

void take_texts(const json& object, std::string_view key, LabelSet& out) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_object()) return;
  for (const auto& [name, value] : found->items())
    if (value.is_primitive() && !value.is_null()) out[repair_utf8(name)] = text_of(value);
}

void take_flat(const json& object, Alert& alert) {
  for (const auto& [name, value] : object.items()) {
    if (!value.is_primitive() || value.is_null() || contains(kStartKeys, name) ||
        contains(kEndKeys, name) || contains(kNameKeys, name))
      continue;
    const std::string text = text_of(value);
    const bool is_word = value.is_string() && text.size() <= kMaxLabel &&
                         text.find_first_of(" \t\n") == std::string::npos;
    (is_word ? alert.labels : alert.annotations)[repair_utf8(name)] = text;
  }
}

Result<RecordedAlert> read_alert(const json& object, const std::string& place,
                                 const std::optional<Instant>& otherwise) {
  const auto wrong = [&](std::string_view what) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", place, what));
  };
  if (!object.is_object()) return wrong("this alert is no object");
  RecordedAlert out;
  Alert& alert = out.alert;
  take_texts(object, "labels", alert.labels);
  take_texts(object, "annotations", alert.annotations);
  if (alert.labels.empty()) take_flat(object, alert);
  const auto label = alert.labels.find("alertname");
  alert.name = label != alert.labels.end() ? label->second : first_of(object, kNameKeys);
  if (alert.name.empty()) return wrong("has no alertname among its labels");
  alert.labels["alertname"] = alert.name;
  const std::string starts = first_of(object, kStartKeys);
  if (const auto start = parse_time(starts))
    alert.starts_at = *start;
  else if (!starts.empty())
    return wrong(fmt::format("startsAt: {}", start.error().text()));
  else if (otherwise)
    alert.starts_at = *otherwise;
  else
    return wrong("has no startsAt");
  if (const auto end = parse_time(first_of(object, kEndKeys));
      end && end->time_since_epoch().count() > 0)
    out.ends_at = *end;
  if (const auto status = object.find("status"); status != object.end() && status->is_object())
    alert.suppressed = first_of(*status, std::array<std::string_view, 1>{"state"}) == "suppressed";
  return out;
}

}  // namespace

Result<std::vector<RecordedAlert>> read_alerts(std::string_view text, std::string_view path,
                                               const std::optional<Instant>& otherwise) {
  const json root = parse_json(text);
  if (root.is_discarded())
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: this is no JSON; an alert, a list of them or a notification of "
                            "Alertmanager is (docs/format/snapshot.md)",
                            path));
  std::vector<RecordedAlert> out;
  if (root.is_object() && !root.contains("alerts")) {
    out.push_back(TRY(read_alert(root, std::string(path), otherwise)));
    return out;
  }
  const json& list = root.is_object() ? root["alerts"] : root;
  if (!list.is_array())
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: alerts are a list of objects, or one object", path));
  for (size_t i = 0; i < std::min(list.size(), kMaxAlerts); ++i)
    out.push_back(TRY(read_alert(list[i], fmt::format("{}: alert {}", path, i + 1), otherwise)));
  return out;
}

std::string_view text_of(const Alert& alert) {
  for (const char* key : {"summary", "description"})
    if (const auto found = alert.annotations.find(key); found != alert.annotations.end())
      return found->second;
  return "";
}

void sort_alerts(std::vector<Alert>& alerts) {
  std::ranges::sort(alerts, [](const Alert& a, const Alert& b) {
    if (a.starts_at != b.starts_at) return a.starts_at > b.starts_at;
    return std::tie(a.name, a.labels) < std::tie(b.name, b.labels);
  });
}

}  // namespace precedent
