#include "investigate/bundle_json.h"

#include <nlohmann/json.hpp>

#include "base/redact.h"
#include "base/utf8.h"

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
  return {{"id", brief.id},
          {"title", brief.title},
          {"service", brief.service},
          {"severity", brief.severity},
          {"symptoms", brief.symptoms},
          {"errors", brief.errors},
          {"labels", brief.labels},
          {"links", brief.links},
          {"alerts", brief.alerts},
          {"missing", brief.missing},
          {"fired_at", kept_time_json(brief.fired_at)},
          {"ended_at", kept_time_json(brief.ended_at)}};
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
  brief.fired_at = kept_time(kept, "fired_at"), brief.ended_at = kept_time(kept, "ended_at");
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
    const auto parts = document.find("parts");
    for (const json& part : parts != document.end() && parts->is_array() ? *parts : json::array())
      if (part.is_object())
        made.parts.push_back({kept_text(part, "text"), flag_at(part, "fields"),
                              number_at(part, "from"), number_at(part, "to")});
    out.push_back(std::move(made));
  }
  return out;
}

}  // namespace precedent
