#include "investigate/alerts/brief.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/redact.h"
#include "base/strings.h"
#include "base/untrusted_text.h"
#include "base/utf8.h"
#include "investigate/alerts/opsgenie.h"
#include "investigate/metrics/service_labels.h"
#include "investigate/symptoms/symptom.h"
#include "telemetry/alerts/alert_json.h"

namespace precedent {
namespace {

constexpr size_t kMaxSymptoms = 20;
constexpr std::array<std::string_view, 6> kServiceLabels = {"service",    "app",    "application",
                                                            "deployment", "entity", "job"};

std::string first_label(const LabelSet& labels, std::span<const std::string_view> keys) {
  for (const std::string_view key : keys)
    if (const auto found = labels.find(key); found != labels.end() && !found->second.empty())
      return shown_line(found->second, 128);
  return "";
}

bool has_any(const LabelSet& labels, std::span<const std::string_view> keys) {
  return std::ranges::any_of(keys, [&](std::string_view key) { return labels.contains(key); });
}

AlertSaid said_by(const RecordedAlert& alert) {
  constexpr std::array<std::string_view, 5> kThings = {"pod", "container", "node", "instance",
                                                       "statefulset"};
  const LabelSet& labels = alert.alert.labels;
  AlertSaid out;
  out.name = shown_line(alert.alert.name, 128);
  out.service = first_label(labels, kServiceLabels);
  out.own = !has_any(labels, kServiceLabels) && has_any(labels, kThings);
  if (out.service.empty()) out.service = shown_line(service_of(labels), 128);
  if (out.service.empty()) out.service = first_label(labels, kThings);
  constexpr std::array<std::string_view, 1> kPlaces = {"namespace"};
  if (out.service.empty()) out.service = first_label(labels, kPlaces);
  out.text = shown_line(text_of(alert.alert));
  out.at = alert.alert.starts_at;
  return out;
}

}  // namespace

std::string shown_text(std::string_view text, size_t max_bytes) {
  return std::string(utf8_prefix(redact(visible_text(repair_utf8(text))), max_bytes));
}

std::string shown_line(std::string_view text, size_t max_bytes) {
  return shown_text(squeeze(text), max_bytes);
}

void add_text(IncidentBrief& brief, std::string_view said) {
  std::string line = shown_line(said);
  if (line.empty() || brief.symptoms.size() >= kMaxSymptoms) return;
  if (line.starts_with("http://") || line.starts_with("https://")) {
    if (std::ranges::find(brief.links, line) == brief.links.end())
      brief.links.push_back(std::move(line));
    return;
  }
  if (std::ranges::find(brief.symptoms, line) != brief.symptoms.end()) return;
  if (!symptoms_of_text(line).empty()) brief.errors.push_back(line);
  brief.symptoms.push_back(std::move(line));
}

Result<IncidentBrief> read_brief(std::string_view text, std::string_view path,
                                 const std::optional<Instant>& otherwise) {
  const nlohmann::json root = parse_json(text);
  std::vector<RecordedAlert> alerts;
  if (is_opsgenie(root))
    alerts.push_back(TRY(read_opsgenie(root, path, otherwise)));
  else
    alerts = TRY(read_alerts(text, path, otherwise));
  if (alerts.empty())
    return fail(ErrorCode::kInvalidArgument,
                std::string(path) + ": holds no alert; give one, or --service and --since");
  IncidentBrief brief = brief_of(alerts);
  if (root.is_object()) {
    if (const auto cut = root.find("truncatedAlerts");
        cut != root.end() && cut->is_number_unsigned() && cut->get<uint64_t>() > 0)
      brief.missing.push_back(fmt::format(
          "{} alerts that Alertmanager left out of the notification (truncatedAlerts); raise "
          "max_alerts of its webhook",
          cut->get<uint64_t>()));
    for (const char* key : {"externalURL", "generatorURL", "url", "link"})
      if (const auto found = root.find(key); found != root.end() && found->is_string())
        add_text(brief, found->get_ref<const std::string&>());
  }
  return brief;
}

IncidentBrief brief_of(const std::vector<RecordedAlert>& alerts) {
  IncidentBrief brief;
  const RecordedAlert* lead = &alerts.front();
  for (const RecordedAlert& alert : alerts)
    if (!alert.ends_at && alert.alert.starts_at < lead->alert.starts_at) lead = &alert;
  brief.alerts = alerts.size();
  brief.title = shown_line(lead->alert.name);
  brief.fired_at = lead->alert.starts_at;
  brief.ended_at = lead->ends_at;
  for (const auto& [key, value] : lead->alert.labels)
    brief.labels[shown_line(key, 128)] = shown_line(value);
  brief.service = first_label(lead->alert.labels, kServiceLabels);
  constexpr std::array<std::string_view, 2> kSeverity = {"severity", "priority"};
  brief.severity = first_label(lead->alert.labels, kSeverity);
  constexpr std::array<std::string_view, 3> kIds = {"incident_id", "id", "fingerprint"};
  brief.id = first_label(lead->alert.labels, kIds);
  for (const RecordedAlert& alert : alerts)
    for (const auto& [key, value] : alert.alert.annotations)
      if (value.find(' ') != std::string::npos || value.starts_with("http")) add_text(brief, value);
  for (const RecordedAlert& alert : alerts)
    if (brief.said.size() < kMaxSaidAlerts) brief.said.push_back(said_by(alert));
  return brief;
}

std::optional<Instant> first_sign_of(const IncidentBrief& brief,
                                     const std::vector<RecordedAlert>& alerts) {
  constexpr std::chrono::hours kSameIncident{24};
  std::optional<Instant> first;
  if (!brief.fired_at || brief.service.empty()) return first;
  for (const RecordedAlert& alert : alerts) {
    const Instant at = alert.alert.starts_at;
    if (at >= first.value_or(*brief.fired_at) || *brief.fired_at - at > kSameIncident) continue;
    if (said_by(alert).service == brief.service) first = at;
  }
  return first;
}

std::vector<AlertSaid> alerts_of(const IncidentBrief& brief) {
  if (!brief.said.empty()) return brief.said;
  if (brief.service.empty() && brief.symptoms.empty()) return {};
  return {{brief.title, brief.service, shown_text(join(brief.symptoms, ". ")), brief.fired_at}};
}

std::string heading_of(const IncidentBrief& brief) {
  std::vector<std::string_view> known;
  for (const std::string* each : {&brief.service, &brief.severity})
    if (!each->empty()) known.push_back(*each);
  return (brief.title.empty() ? "Incident" : brief.title) +
         (known.empty() ? "" : fmt::format(" ({})", fmt::join(known, ", ")));
}

Instant begin_of(const IncidentBrief& brief, Instant to, std::chrono::hours before) {
  Instant anchor = to;
  for (const auto& at : {brief.fired_at, brief.first_sign})
    if (at) anchor = std::min(anchor, *at);
  return anchor - before;
}

void fill_in(IncidentBrief& brief, const BriefOptions& options) {
  if (!options.service.empty()) brief.service = shown_line(options.service, 128);
  if (!options.description.empty()) {
    add_text(brief, options.description);
    if (brief.title.empty()) brief.title = shown_line(options.description, 80);
  }
  if (!brief.fired_at && options.until) brief.fired_at = options.until;
}

}  // namespace precedent
