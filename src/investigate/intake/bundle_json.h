// The parts of a bundle (bundle.h) as JSON: the incident, documents about owners, and what
// documents say of alerts.
//
// What is read may be anything: of another type it is as if it were not there. Thread safety: pure
// functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "investigate/alerts/brief.h"
#include "investigate/evidence/known_faults.h"
#include "investigate/evidence/ownership.h"

namespace precedent {

nlohmann::json kept_time_json(const std::optional<Instant>& time);
std::optional<Instant> kept_time(const nlohmann::json& object, const char* key);
std::string kept_text(const nlohmann::json& object, const char* key);
std::vector<std::string> kept_texts(const nlohmann::json& object, const char* key);

nlohmann::json brief_json(const IncidentBrief& brief);
IncidentBrief brief_of_json(const nlohmann::json& kept);

nlohmann::json known_json(const KnownOfAlerts& known);
KnownOfAlerts known_of_json(const nlohmann::json& kept);

nlohmann::json documents_json(const std::vector<ServiceDocument>& documents);
std::vector<ServiceDocument> documents_of_json(const nlohmann::json& kept);

}  // namespace precedent
