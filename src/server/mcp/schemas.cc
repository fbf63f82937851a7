#include "server/mcp/schemas.h"

#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace precedent {
namespace {

using nlohmann::json;

json text() { return {{"type", "string"}}; }
json text(std::string_view description) {
  return {{"type", "string"}, {"description", description}};
}
json number() { return {{"type", "number"}}; }
json count() { return {{"type", "integer"}, {"minimum", 0}}; }
json flag() { return {{"type", "boolean"}}; }
json list(json items) { return {{"type", "array"}, {"items", std::move(items)}}; }
json texts() { return list(text()); }
// Names of its own: labels, further fields.
json fields() { return {{"type", "object"}, {"additionalProperties", text()}}; }
json or_null(json schema) {
  schema["type"] = json::array({schema["type"], "null"});
  return schema;
}

using Members = std::initializer_list<std::pair<const char*, json>>;
json object(Members required, Members optional = {}) {
  json properties = json::object(), names = json::array();
  for (const auto& [name, schema] : required) {
    properties[name] = schema;
    names.push_back(name);
  }
  for (const auto& [name, schema] : optional) properties[name] = schema;
  return {{"type", "object"}, {"properties", std::move(properties)}, {"required", names}};
}

json line_range() { return object({{"begin", count()}, {"end", count()}}); }

json incidents() {
  const json incident = object({{"incident_id", text()},
                                {"title", text()},
                                {"description", text()},
                                {"relevance", number()}},
                               {{"preview", text("The passage that matched")},
                                {"path", text("Where it was read from")},
                                {"action_taken", text()},
                                {"root_cause", text()},
                                {"mitigation", text()},
                                {"impacted_application", text()},
                                {"accountable_party", text()},
                                {"source_system", text()},
                                {"status", text()},
                                {"severity", text()},
                                {"repeat_incident", flag()},
                                {"opened_at", text()},
                                {"updated_at", text()},
                                {"resolved_at", text()},
                                {"services", texts()},
                                {"tags", texts()},
                                {"extra", fields()}});
  return object({{"incidents", list(incident)}, {"total", count()}, {"fallback", flag()}},
                {{"matchedNames", texts()}, {"note", text()}});
}

json document(Members more = {}) {
  json item = object({{"id", text()},
                      {"title", text()},
                      {"type", text("runbook, postmortem, architecture …")},
                      {"services", texts()},
                      {"relevance", number()},
                      {"preview", text()},
                      {"path", text()}},
                     {{"expired_at", text("Until when it was to hold, if that has passed")},
                      {"link", text("An address that opens it where it lives")},
                      {"version", text("Of it, where it lives")},
                      {"pointed_to", flag()}});
  for (const auto& [name, schema] : more) item["properties"][name] = schema;
  return item;
}

json figures() {
  const json figure =
      object({{"group", text()}, {"value", number()}, {"incidents", count()}}, {{"title", text()}});
  return object({{"function", text()},
                 {"of", text()},
                 {"by", text()},
                 {"scope", text()},
                 {"figures", list(figure)},
                 {"left_out", count()},
                 {"incidents", count()},
                 {"without", count()}},
                {{"note", text()}});
}

json knowledge() {
  const json items = list(document());
  return object({{"runbooks", items},
                 {"postmortems", items},
                 {"architecture", items},
                 {"knownIssues", items}},
                {{"other", items}, {"note", text()}});
}

json sections() {
  const json section = document({{"heading", texts()},
                                 {"excerpt", text("The section's text")},
                                 {"url", text()},
                                 {"lines", line_range()}});
  return object({{"sections", list(section)}}, {{"note", text()}});
}

json code() {
  const json item = object({{"repository", text()},
                            {"path", text()},
                            {"lines", line_range()},
                            {"excerpt", text("These lines, literally")},
                            {"symbols", texts()},
                            {"commit", text()},
                            {"language", text()},
                            {"relevance", number()}});
  return object({{"results", list(item)}}, {{"note", text()}});
}

json change(Members more = {}) {
  json item = object({{"id", text()},
                      {"time", text()},
                      {"kind", text("deploy, flag, commit …")},
                      {"services", texts()},
                      {"title", text()},
                      {"source", text()}},
                     {{"version", text()},
                      {"environment", text()},
                      {"commit", text()},
                      {"author", text()},
                      {"from", text()},
                      {"to", text()},
                      {"written_at", text()},
                      {"reverts", texts()},
                      {"path", text()},
                      {"line", count()},
                      {"files", texts()},
                      {"filesTotal", count()}});
  for (const auto& [name, schema] : more) item["properties"][name] = schema;
  return item;
}

json changes() {
  const json asked =
      object({{"name", text()}, {"found", count()}}, {{"failed", flag()}, {"note", text()}});
  return object({{"changes", list(change())}, {"more", flag()}, {"asked", list(asked)}},
                {{"service", text()},
                 {"from", text()},
                 {"to", text()},
                 {"lastDeploy", change({{"knownFrom", text("What says so")}})},
                 {"note", text()}});
}

json alert(Members more = {}) {
  json item = object({{"name", text()},
                      {"labels", fields()},
                      {"annotations", fields()},
                      {"since", text()},
                      {"suppressed", flag()}});
  for (const auto& [name, schema] : more) item["properties"][name] = schema;
  return item;
}

json metrics() {
  const json peak = object({{"labels", fields()}, {"value", number()}, {"at", text()}});
  const json current = object({}, {{"value", number()}, {"at", text()}, {"since", text()}});
  const json summary = object({{"points", count()},
                               {"not_a_number", count()},
                               {"mean", or_null(number())},
                               {"p95", or_null(number())},
                               {"min", or_null(number())},
                               {"min_at", text()},
                               {"max", or_null(number())},
                               {"max_at", text()}});
  const json comparison = object({{"what", text()},
                                  {"from", text()},
                                  {"to", text()},
                                  {"mean", or_null(number())},
                                  {"max", or_null(number())},
                                  {"difference", or_null(number())},
                                  {"ratio", or_null(number())}});
  const json moved = object({{"at", text()},
                             {"before", or_null(number())},
                             {"after", or_null(number())},
                             {"p_value", or_null(number())},
                             {"pairs", number()}});
  const json top = object({{"labels", fields()},
                           {"mean", or_null(number())},
                           {"before", or_null(number())},
                           {"share", or_null(number())}});
  const json episode = object({{"from", text()},
                               {"until", or_null(text())},
                               {"usual", or_null(number())},
                               {"peak", or_null(number())},
                               {"peak_at", text()}});
  const json against = object({{"what", text()}, {"value", number()}, {"ratio", number()}},
                              {{"low", number()}, {"high", number()}});
  return object({{"metric", text()},
                 {"query", text("The PromQL that was used")},
                 {"source", text()},
                 {"unit", text()},
                 {"window", object({{"from", text()}, {"to", text()}, {"step_seconds", number()}})},
                 {"current", or_null(current)},
                 {"summary", or_null(summary)},
                 {"comparisons", list(comparison)},
                 {"changes", list(moved)},
                 {"top", list(top)},
                 {"series", count()},
                 {"sparkline", text()},
                 {"alerts", list(alert())},
                 {"alerts_total", count()},
                 {"notes", texts()}},
                {{"course", list(or_null(number()))},
                 {"combined", text()},
                 {"highest", peak},
                 {"lowest", peak},
                 {"ceiling", number()},
                 {"total", object({{"count", number()}}, {{"of", number()}})},
                 {"first_unusual",
                  object({{"at", text()}, {"value", number()}, {"bound", or_null(number())}})},
                 {"now_against", list(against)},
                 {"episodes", list(episode)},
                 {"past_alerts", list(alert({{"until", text()}}))},
                 {"nearest", texts()}});
}

json result_schema(std::string_view tool) {
  static const std::map<std::string_view, json (*)()> kResults = {
      {"lookup_incident_by_id", incidents},
      {"search_similar_incidents", incidents},
      {"get_incidents_by_application", incidents},
      {"get_recent_incidents", incidents},
      {"aggregate_incidents", figures},
      {"search_knowledge", knowledge},
      {"doc_search", sections},
      {"repo_search", code},
      {"recent_changes", changes},
      {"metrics_query", metrics}};
  const auto found = kResults.find(tool);
  return found == kResults.end() ? json::object() : or_null(found->second());
}

}  // namespace

json output_schema(std::string_view tool) {
  json result = result_schema(tool);
  result["description"] = "What was found; null where the call failed or nothing of it fits";
  return object({{"tool", text()},
                 {"status", {{"type", "string"}, {"enum", {"ok", "empty", "error"}}}},
                 {"at", text("When it was called")},
                 {"result", std::move(result)}},
                {{"left_out", text("What of the result is not here, as it was too long")}});
}

json ask_output_schema() {
  const json source = object({{"id", text()},
                              {"title", text()},
                              {"type", text()},
                              {"path", text()},
                              {"receipt", text("The call that found it")}},
                             {{"lines", line_range()},
                              {"link", text("An address that opens it where it lives")},
                              {"version", text("Of it, where it lives")}});
  return object(
      {{"status",
        {{"type", "string"}, {"enum", {"ok", "partial", "needs_input", "refused", "error"}}}},
       {"answer", text("Markdown")},
       {"sources", list(source)},
       {"missing", texts()}},
      {{"chat_id", or_null(text("Goes on with this conversation"))},
       {"left_out", text("What is not here, as it was too long")}});
}

}  // namespace precedent
