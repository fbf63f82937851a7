#include "investigate/intake/bundle_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/redact.h"
#include "base/utf8.h"
#include "investigate/report/report.h"

namespace precedent {

using nlohmann::json;

namespace {

uint64_t number_at(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_unsigned() ? found->get<uint64_t>() : 0;
}

bool flag_at(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

// Between 0 and 1, whatever stands there.
double kept_share(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? std::clamp(found->get<double>(), 0.0, 1.0)
                                                     : 0;
}

// Those of a list that are objects.
std::vector<json> kept_objects(const json& object, const char* key) {
  std::vector<json> out;
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (found == object.end() || !found->is_array()) return out;
  for (const json& each : *found)
    if (each.is_object()) out.push_back(each);
  return out;
}

}  // namespace

json kept_time_json(const std::optional<Instant>& time) {
  return time ? json(time->time_since_epoch().count()) : json();
}

std::optional<Instant> kept_time(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return std::nullopt;
  return Instant(std::chrono::milliseconds(found->get<int64_t>()));
}

std::string kept_text(const json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::vector<std::string> kept_texts(const json& object, const char* key) {
  std::vector<std::string> texts;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return texts;
  for (const json& text : *found)
    if (text.is_string()) texts.push_back(text);
  return texts;
}

json brief_json(const IncidentBrief& brief) {
  json out = incident_json(brief);
  out["missing"] = brief.missing;
  // To the millisecond.
  out["fired_at"] = kept_time_json(brief.fired_at);
  out["ended_at"] = kept_time_json(brief.ended_at);
  out["first_sign"] = kept_time_json(brief.first_sign);
  for (size_t i = 0; i < brief.said.size(); ++i)
    out["said"][i]["at"] = kept_time_json(brief.said[i].at);
  return out;
}

json known_json(const KnownOfAlerts& known) {
  json calls = json::array(), faults = json::array();
  for (const CallEdge& call : known.calls)
    calls.push_back({{"caller", call.caller}, {"callee", call.callee}, {"why", call.why}});
  for (const KnownFault& fault : known.faults)
    faults.push_back({{"id", fault.id},
                      {"title", fault.title},
                      {"kind", fault.kind},
                      {"path", fault.path},
                      {"says", fault.says},
                      {"alert", fault.alert},
                      {"fits", fault.fits},
                      {"share", fault.share},
                      {"past", fault.past}});
  return {{"services", known.services}, {"calls", calls}, {"faults", faults}, {"past", known.past}};
}

KnownOfAlerts known_of_json(const json& kept) {
  KnownOfAlerts known;
  known.services = kept_texts(kept, "services"), known.past = number_at(kept, "past");
  for (const json& call : kept_objects(kept, "calls"))
    known.calls.push_back(
        {kept_text(call, "caller"), kept_text(call, "callee"), kept_text(call, "why"), "", false});
  for (const json& fault : kept_objects(kept, "faults"))
    known.faults.push_back({.id = kept_text(fault, "id"),
                            .title = kept_text(fault, "title"),
                            .kind = kept_text(fault, "kind"),
                            .path = kept_text(fault, "path"),
                            .says = kept_text(fault, "says"),
                            .alert = kept_text(fault, "alert"),
                            .fits = kept_share(fault, "fits"),
                            .share = kept_share(fault, "share"),
                            .past = kept_texts(fault, "past"),
                            .receipt = {}});
  return known;
}

IncidentBrief brief_of_json(const json& kept) {
  IncidentBrief brief;
  brief.id = kept_text(kept, "id"), brief.title = kept_text(kept, "title");
  brief.service = kept_text(kept, "service"), brief.severity = kept_text(kept, "severity");
  brief.symptoms = kept_texts(kept, "symptoms"), brief.errors = kept_texts(kept, "errors");
  brief.links = kept_texts(kept, "links"), brief.missing = kept_texts(kept, "missing");
  if (const auto labels = kept.find("labels"); labels != kept.end() && labels->is_object())
    for (const auto& [key, value] : labels->items())
      if (value.is_string()) brief.labels[key] = value;
  brief.alerts = std::max<size_t>(number_at(kept, "alerts"), 1);
  for (const json& said : kept_objects(kept, "said"))
    brief.said.push_back({kept_text(said, "name"), kept_text(said, "service"),
                          kept_text(said, "text"), kept_time(said, "at"), flag_at(said, "own")});
  brief.fired_at = kept_time(kept, "fired_at"), brief.ended_at = kept_time(kept, "ended_at");
  brief.first_sign = kept_time(kept, "first_sign");
  return brief;
}

json documents_json(const std::vector<ServiceDocument>& documents) {
  json out = json::array();
  for (const ServiceDocument& document : documents) {
    json parts = json::array();
    for (const ServicePart& part : document.parts)
      parts.push_back({{"text", redact(repair_utf8(part.text))},
                       {"fields", part.fields},
                       {"from", part.from},
                       {"to", part.to}});
    out.push_back({{"id", document.id},
                   {"title", document.title},
                   {"path", document.path},
                   {"services", document.services},
                   {"owns", document.owns},
                   {"parts", std::move(parts)}});
  }
  return out;
}

std::vector<ServiceDocument> documents_of_json(const json& kept) {
  std::vector<ServiceDocument> out;
  for (const json& document : kept.is_array() ? kept : json::array()) {
    if (!document.is_object()) continue;
    ServiceDocument made{kept_text(document, "id"),   kept_text(document, "title"),
                         kept_text(document, "path"), kept_texts(document, "services"),
                         flag_at(document, "owns"),   {}};
    for (const json& part : kept_objects(document, "parts"))
      made.parts.push_back({kept_text(part, "text"), flag_at(part, "fields"),
                            number_at(part, "from"), number_at(part, "to")});
    out.push_back(std::move(made));
  }
  return out;
}

}  // namespace precedent
