#include "knowledge/incident.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "base/ids.h"
#include "base/strings.h"

namespace precedent {
namespace {

// The texts of an incident, in reading order, under the headings of its body.
constexpr std::array<std::pair<std::string_view, std::string Incident::*>, 4> kSections = {{
    {"Description", &Incident::description},
    {"Root cause", &Incident::root_cause},
    {"Action taken", &Incident::action_taken},
    {"Mitigation", &Incident::mitigation},
}};

// Texts are foreign: a line that would read as one of our headings is escaped on the way in.
constexpr std::string_view kHeading = "## ";
constexpr char kEscape = '\\';

std::string escaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if ((i == 0 || text[i - 1] == '\n') &&
        (text.substr(i).starts_with(kHeading) || text[i] == kEscape)) {
      out += kEscape;
    }
    out += text[i];
  }
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if ((i == 0 || text[i - 1] == '\n') && text[i] == kEscape) continue;
    out += text[i];
  }
  return out;
}

}  // namespace

Document to_document(const Incident& incident) {
  Document d;
  d.id = incident.incident_id;
  d.kind = Kind::kIncident;
  d.title = incident.title;
  for (const auto& [heading, field] : kSections) {
    const std::string& text = incident.*field;
    if (text.empty()) continue;
    if (!d.body.empty()) d.body += "\n\n";
    d.body.append(kHeading).append(heading).append("\n").append(escaped(text));
  }
  d.services = incident.services;
  d.tags = incident.tags;
  d.application = incident.impacted_application;
  d.severity = incident.severity;
  d.status = incident.status;
  d.opened_at = incident.opened_at;
  d.updated_at = incident.updated_at;
  d.resolved_at = incident.resolved_at;
  d.attributes = incident.extra;
  if (!incident.accountable_party.empty())
    d.attributes["accountable_party"] = incident.accountable_party;
  if (!incident.source_system.empty()) d.attributes["source_system"] = incident.source_system;
  if (incident.repeat_incident) {
    d.attributes["repeat_incident"] = *incident.repeat_incident ? "true" : "false";
  }
  return d;
}

Incident incident_of(const Document& d) {
  Incident incident;
  incident.incident_id = d.id;
  incident.title = d.title;
  std::string_view rest = d.body;
  while (!rest.empty()) {
    const std::string_view heading = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), heading.size() + 1));
    size_t end = rest.starts_with(kHeading) ? 0 : rest.find("\n\n## ");
    const std::string_view text = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end == 0 ? 0 : end + 2);
    for (const auto& [title, field] : kSections) {
      if (heading == std::string(kHeading).append(title)) incident.*field = unescaped(text);
    }
  }
  incident.services = d.services;
  incident.tags = d.tags;
  incident.impacted_application = d.application;
  incident.severity = d.severity;
  incident.status = d.status;
  incident.opened_at = d.opened_at;
  incident.updated_at = d.updated_at;
  incident.resolved_at = d.resolved_at;
  incident.extra = d.attributes;
  const auto take = [&](std::string_view key) {
    std::string value;
    if (const auto found = incident.extra.find(key); found != incident.extra.end()) {
      value = std::move(found->second);
      incident.extra.erase(found);
    }
    return value;
  };
  incident.accountable_party = take("accountable_party");
  incident.source_system = take("source_system");
  if (const std::string repeat = take("repeat_incident"); !repeat.empty()) {
    incident.repeat_incident = repeat == "true";
  }
  return incident;
}

std::optional<TimePoint> opened(const Incident& incident) {
  return incident.opened_at ? incident.opened_at : date_in_id(incident.incident_id);
}

std::optional<TimePoint> began(const Incident& incident) {
  constexpr std::array<std::string_view, 8> kBeginnings = {
      "starttime", "startedat", "start", "started", "beganat", "begin", "openedat", "occurredat"};
  const auto day = opened(incident);
  if (!day || !is_midnight(*day)) return day;
  for (const auto& [key, value] : incident.extra) {
    const std::string name = bare_name(key);
    if (std::ranges::find(kBeginnings, name) == kBeginnings.end()) continue;
    const auto moment = parse_time(value);
    if (moment && std::chrono::floor<std::chrono::days>(*moment) == *day) return *moment;
  }
  return day;
}

std::optional<std::chrono::minutes> lasted(const Incident& incident) {
  const auto from = began(incident), to = incident.resolved_at;
  if (!from || !to || *to <= *from || is_midnight(*from) != is_midnight(*to)) return std::nullopt;
  return std::chrono::floor<std::chrono::minutes>(*to - *from);
}

}  // namespace precedent
