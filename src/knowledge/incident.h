// Incident: a Document of kind `incident` with its fields by name.
//
// Required: incident_id, title, description. The others are optional; unknown fields are kept in
// `extra`. Thread safety: plain values.
#pragma once

#include <optional>
#include <string>

#include "knowledge/document.h"

namespace precedent {

struct Incident {
  std::string incident_id;
  std::string title;
  std::string description;
  std::string action_taken;
  std::string root_cause;
  std::string mitigation;
  std::string impacted_application;
  std::string accountable_party;
  std::string source_system;
  std::string status;
  std::string severity;
  std::optional<bool> repeat_incident;
  std::optional<TimePoint> opened_at;
  std::optional<TimePoint> updated_at;
  std::optional<TimePoint> resolved_at;
  std::vector<std::string> services;
  std::vector<std::string> tags;
  Attributes extra;

  bool operator==(const Incident&) const = default;
};

// The document whose body holds the texts as Markdown sections (Description, Root cause, Action
// taken, Mitigation) and whose attributes hold the rest. `incident_of(to_document(i)) == i` for a
// valid incident. path, source and symptoms are left to the caller.
Document to_document(const Incident& incident);
// REQUIRES: document.kind == Kind::kIncident.
Incident incident_of(const Document& document);

// opened(); where that is a date without a time of day, the moment of that day that a further field
// gives, as `start_time` beside `date` does.
std::optional<TimePoint> began(const Incident& incident);

// From began() to resolved. Nothing if either is not known, if one is known to the day only and the
// other to the minute, or if they are not in this order: no figure is better than a wrong one.
std::optional<std::chrono::minutes> lasted(const Incident& incident);

// When it began: opened_at, else the date in its id (DESIGN: "recent"), else nothing.
std::optional<TimePoint> opened(const Incident& incident);

}  // namespace precedent
