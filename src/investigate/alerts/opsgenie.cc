#include "investigate/alerts/opsgenie.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json_access.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

using nlohmann::json;

std::string text_of(const json& object, const char* key) {
  return repair_utf8(foreign::text(object, key));
}

// Milliseconds since 1970, of some events nanoseconds; or a text.
std::optional<Instant> time_of(const json& object, const char* key) {
  constexpr int64_t kNoMilliseconds = 100'000'000'000'000'000;
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  if (found->is_string()) {
    const auto time = parse_time(found->get_ref<const std::string&>());
    return time ? std::optional<Instant>(*time) : std::nullopt;
  }
  if (!found->is_number_integer()) return std::nullopt;
  const auto count = found->get<int64_t>();
  return Instant(std::chrono::milliseconds(count >= kNoMilliseconds ? count / 1'000'000 : count));
}

void add_detail(const std::string& name, const json& value, Alert& alert) {
  if (!value.is_primitive() || value.is_null()) return;
  const std::string text =
      value.is_string() ? repair_utf8(value.get_ref<const std::string&>()) : value.dump();
  const bool is_word = text.find_first_of(" \t\n") == std::string::npos;
  (is_word ? alert.labels : alert.annotations).try_emplace(repair_utf8(name), text);
}

}  // namespace

bool is_opsgenie(const json& root) {
  if (!root.is_object()) return false;
  const auto alert = root.find("alert");
  return alert != root.end() && alert->is_object() &&
         (alert->contains("message") || alert->contains("alertId"));
}

Result<RecordedAlert> read_opsgenie(const json& root, std::string_view path,
                                    const std::optional<Instant>& otherwise) {
  const json& said = root["alert"];
  RecordedAlert out;
  Alert& alert = out.alert;
  alert.name = text_of(said, "message");
  if (alert.name.empty())
    return fail(ErrorCode::kInvalidArgument, fmt::format("{}: the alert has no message", path));
  const auto begin = time_of(said, "createdAt");
  if (!begin && !otherwise)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: the alert has no createdAt that is a time", path));
  alert.starts_at = begin ? *begin : *otherwise;
  const std::string action = text_of(root, "action");
  if (action == "Close" || action == "Delete") out.ends_at = time_of(said, "updatedAt");
  for (const auto& [key, label] : {std::pair("alertId", "id"), std::pair("entity", "entity"),
                                   std::pair("priority", "priority")})
    if (const std::string value = text_of(said, key); !value.empty()) alert.labels[label] = value;
  if (const auto details = said.find("details"); details != said.end() && details->is_object())
    for (const auto& [name, value] : details->items()) add_detail(name, value, alert);
  if (const auto tags = said.find("tags"); tags != said.end() && tags->is_array())
    for (const json& tag : *tags) {
      if (!tag.is_string()) continue;
      const auto& text = tag.get_ref<const std::string&>();
      if (const size_t colon = text.find(':'); colon != std::string::npos && colon > 0)
        add_detail(text.substr(0, colon), text.substr(colon + 1), alert);
    }
  for (const char* key : {"description", "source"})
    if (const std::string value = text_of(said, key); !value.empty())
      alert.annotations.try_emplace(key, value);
  alert.labels["alertname"] = alert.name;
  return out;
}

}  // namespace precedent
