// IncidentBrief: what is known of an incident before anything was looked at.
//
// Read from an alert (Alertmanager's API v2 or webhook v4, Opsgenie's, or one flat object of any
// monitor) or filled in by hand. Texts are untrusted: repaired, made visible, secrets redacted,
// cut. Thread safety: plain values, pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "telemetry/alerts/alert_json.h"
#include "telemetry/metrics/series.h"

namespace precedent {

inline constexpr size_t kMaxSaidAlerts = 100;
// One alert of a notification.
struct AlertSaid {
  std::string name, service, text;
  std::optional<Instant> at;
  // Its labels name a pod, a container or a machine and no service: it is about the thing itself,
  // not about the requests that it answers.
  bool own = false;
};

struct IncidentBrief {
  std::string id;                     // "" if it has none
  std::string title;                  // the alert's name, or the first line of a description
  std::string service;                // "" if nobody says
  std::string severity;               // as it is written there
  std::vector<std::string> symptoms;  // what the alert says is wrong, a sentence each
  std::vector<std::string> errors;    // error texts that it quotes
  LabelSet labels;
  std::optional<Instant> fired_at, ended_at;
  // Since when it, or another alert of the service, has been firing on and off; nothing: not known.
  std::optional<Instant> first_sign;
  std::vector<std::string> links;
  // Of one notification that groups several alerts: how many there were.
  size_t alerts = 1;
  std::vector<AlertSaid> said;       // by each of them, at most kMaxSaidAlerts
  std::vector<std::string> missing;  // what of it could not be read, a sentence each
};

// What fills in what an incident does not say.
struct BriefOptions {
  std::string service, description;
  std::optional<Instant> since, until;
};

// The alerts of one notification, the first one leading; the text is JSON. `otherwise`: when it
// fired, if it does not say. Errors: kInvalidArgument naming `path` and what is missing.
Result<IncidentBrief> read_brief(std::string_view json, std::string_view path,
                                 const std::optional<Instant>& otherwise = {});
// The same of alerts that were read. REQUIRES: there is one.
IncidentBrief brief_of(const std::vector<RecordedAlert>& alerts);
// Since when alerts of its service have been firing, of those that began within a day before it:
// one that has been on for weeks says nothing of today. Nothing where it is the first.
std::optional<Instant> first_sign_of(const IncidentBrief& brief,
                                     const std::vector<RecordedAlert>& alerts);
// What somebody said of it: a link, or a symptom, which may quote an error. None twice.
void add_text(IncidentBrief& brief, std::string_view said);
// "Labels fail (label, critical)": the title, whose it is and how bad, of what is known.
std::string heading_of(const IncidentBrief& brief);
// What each alert says; of an incident that has none, what it says itself.
std::vector<AlertSaid> alerts_of(const IncidentBrief& brief);
// Where to begin to look: `before` the alert or the first sign. REQUIRES: a time up to which.
Instant begin_of(const IncidentBrief& brief, Instant to, std::chrono::hours before);
// What is given by hand wins over what was read.
void fill_in(IncidentBrief& brief, const BriefOptions& options);
// As all texts of others: for receipts and reports.
std::string shown_text(std::string_view text, size_t max_bytes = 500);
// The same on one line: for titles and names.
std::string shown_line(std::string_view text, size_t max_bytes = 500);

}  // namespace precedent
