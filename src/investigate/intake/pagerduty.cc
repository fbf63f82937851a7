#include "investigate/intake/pagerduty.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/json_access.h"
#include "base/strings.h"
#include "net/url.h"
#include "sources/source_http.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr std::string_view kPrefix = "PD-";
constexpr size_t kMaxId = 64;
// Alerts and entries of one incident that are looked at; an alert storm has more of the same.
constexpr size_t kMaxItems = 100;
// What the body of one alert may hold.
constexpr size_t kMaxDetails = 50;

bool is_id(std::string_view id) {
  return !id.empty() && id.size() <= kMaxId &&
         std::ranges::all_of(id, [](char c) { return is_letter(c) || is_digit(c); });
}

// A body is free text, or what the monitor sent, however deep: "key: value" a line.
void add_details(const json& value, const std::string& name, int depth, size_t& count,
                 IncidentBrief& brief) {
  constexpr int kDeepest = 4;
  if (count >= kMaxDetails || depth > kDeepest || value.is_null()) return;
  if (value.is_structured()) {
    for (const auto& [key, inner] : value.items())
      add_details(inner, value.is_object() ? key : name, depth + 1, count, brief);
    return;
  }
  ++count;
  const std::string said = value.is_string() ? value.get<std::string>() : value.dump();
  // One word is a label; a sentence is a symptom.
  if (!name.empty() && !said.contains(' ') && !said.starts_with("http")) {
    brief.labels.try_emplace(shown_line(name, 128), shown_line(said));
    return;
  }
  add_text(brief, said);
}

void add_alert(const json& alert, IncidentBrief& brief) {
  add_text(brief, foreign::string_at(alert, "summary"));
  if (brief.severity.empty())
    brief.severity = shown_line(foreign::string_at(alert, "severity"), 40);
  const json& body = foreign::member(alert, "body");
  size_t count = 0;
  for (const char* key : {"details", "cef_details"})
    add_details(foreign::member(body, key), "", 0, count, brief);
}

std::optional<Instant> time_at(const json& object, const char* key) {
  const auto time = parse_time(foreign::string_at(object, key));
  return time ? std::optional<Instant>(*time) : std::nullopt;
}

}  // namespace

std::string_view pagerduty_id(std::string_view id) {
  if (id.size() > kPrefix.size() && iequals(id.substr(0, kPrefix.size()), kPrefix))
    id.remove_prefix(kPrefix.size());
  return id;
}

bool is_pagerduty_id(std::string_view text) {
  return text.size() > kPrefix.size() && iequals(text.substr(0, kPrefix.size()), kPrefix) &&
         is_id(text.substr(kPrefix.size()));
}

Result<PagerDutyIncidents> PagerDutyIncidents::open(PagerDutyOptions options, HttpClient& client,
                                                    const Clock& clock) {
  const Url url = TRY(parse_url(options.url));
  if (options.token.empty())
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("an incident of PagerDuty takes an API token; put it into the "
                            "environment as {}",
                            options.token_env));
  if (url.scheme != "https" && !is_loopback(url.host))
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} would get the token in clear; write https", options.url));
  while (options.url.ends_with('/')) options.url.pop_back();
  return PagerDutyIncidents(std::move(options), client, clock);
}

std::string PagerDutyIncidents::describe() const { return "PagerDuty at " + options_.url; }

Result<IncidentBrief> PagerDutyIncidents::fetch(std::string_view id,
                                                const CancelToken& cancel) const {
  TRY(cancel.check());
  const std::string own(pagerduty_id(id));
  if (!is_id(own))
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'{}' is no incident of PagerDuty; its id or number has letters and "
                            "digits, as in PD-12345",
                            shown_text(id, 80)));
  const SourceHttp http(client_, clock_,
                        {.base_url = options_.url,
                         .headers = {{"Authorization", "Token token=" + options_.token},
                                     {"Accept", "application/vnd.pagerduty+json;version=2"}},
                         .token_env = options_.token_env,
                         .wait = {}});
  const std::string path = "/incidents/" + own;
  const auto found = http.get_json(http.address(path), cancel);
  if (!found && found.error().code == ErrorCode::kNotFound)
    return fail(
        ErrorCode::kNotFound,
        fmt::format("PagerDuty has no incident {}, or {} may not see it", own, options_.token_env));
  if (!found) return std::unexpected(found.error());
  const json& incident = foreign::member(*found, "incident");
  if (!incident.is_object())
    return fail(ErrorCode::kCorrupt, describe() + " answered without an incident");
  IncidentBrief brief;
  brief.id = fmt::format("{}{}", kPrefix, own);
  brief.title = shown_line(foreign::string_at(incident, "title"), 300);
  if (brief.title.empty()) brief.title = shown_line(foreign::string_at(incident, "summary"), 300);
  brief.service =
      shown_line(foreign::string_at(foreign::member(incident, "service"), "summary"), 128);
  brief.fired_at = time_at(incident, "created_at");
  brief.ended_at = time_at(incident, "resolved_at");
  add_text(brief, foreign::string_at(incident, "title"));
  add_text(brief, foreign::string_at(incident, "html_url"));
  add_text(brief, foreign::string_at(foreign::member(incident, "body"), "details"));
  size_t alerts = 0;
  const auto read = [&](const char* what, const std::string& query, const auto& each) {
    const auto list =
        http.get_json(http.address(fmt::format("{}/{}{}", path, what, query)), cancel);
    if (!list) return brief.missing.push_back(fmt::format("{}: {}", what, list.error().text()));
    for (const json& item : foreign::member(*list, what)) each(item);
    if (const auto more = foreign::member(*list, "more"); more.is_boolean() && more.get<bool>())
      brief.missing.push_back(fmt::format("{}: there are more than {}", what, kMaxItems));
  };
  const std::string most = fmt::format("?limit={}", kMaxItems);
  read("alerts", most, [&](const json& alert) {
    ++alerts;
    add_alert(alert, brief);
  });
  read("notes", "",
       [&](const json& note) { add_text(brief, foreign::string_at(note, "content")); });
  read("log_entries", most + "&is_overview=true", [&](const json& entry) {
    add_text(brief, foreign::string_at(foreign::member(entry, "event_details"), "description"));
  });
  TRY(cancel.check());
  brief.alerts = std::max<size_t>(alerts, 1);
  if (brief.severity.empty())
    brief.severity = shown_line(foreign::string_at(incident, "urgency"), 40);
  return brief;
}

}  // namespace precedent
