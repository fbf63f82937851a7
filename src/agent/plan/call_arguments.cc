#include "agent/plan/call_arguments.h"

#include <fmt/format.h>

namespace precedent {
namespace {

using nlohmann::json;

// A filter as metrics_query reads it: in quotes, if it has spaces.
std::string in_quotes(const std::string& filter) {
  return filter.contains(' ') ? fmt::format("\"{}\"", filter) : filter;
}

std::string text_of(const TelemetryQuery& query) {
  const std::string window = query.window.empty() ? "" : " " + query.window;
  const std::string filter = query.filter.empty() ? "" : " filter=" + in_quotes(query.filter);
  if (!query.alert.empty()) return fmt::format("alert={}{}{}", query.alert, filter, window);
  return fmt::format("metric={}{}{}{}", query.metric, window, filter,
                     query.by.empty() ? "" : " by=" + query.by);
}

template <typename Kinds>
json names_of(const Kinds& kinds) {
  json names = json::array();
  for (const auto kind : kinds) names.push_back(name(kind));
  return names;
}

// Gives the arguments that are set.
class GivenArguments {
 public:
  void set(const char* name, const std::string& value) {
    if (!value.empty()) out_[name] = value;
  }
  void set(const char* name, const std::vector<std::string>& values) {
    if (!values.empty()) out_[name] = values;
  }
  void set_flag(const char* name, bool value) {
    if (value) out_[name] = true;
  }
  void set(const char* name, std::optional<int> value) {
    if (value) out_[name] = *value;
  }
  void set(const char* name, std::optional<TimePoint> value) {
    if (value) out_[name] = format_time(*value);
  }
  template <typename Kind>
  void set_kinds(const char* name, const std::vector<Kind>& kinds) {
    if (!kinds.empty()) out_[name] = names_of(kinds);
  }
  // Also where it is empty.
  void require(const char* name, const std::string& value) { out_[name] = value; }
  json take() { return std::move(out_); }

 private:
  json out_ = json::object();
};

struct ArgumentWriter {
  json operator()(const IncidentLookup& lookup) const { return {{"incident_id", lookup.id}}; }
  json operator()(const IncidentQuery& query) const {
    GivenArguments given;
    given.set("app_name", query.application);
    given.set("query", query.text);
    given.set("days", query.days);
    given.set("limit", query.limit);
    given.set("severity", query.severities);
    given.set("status", query.statuses);
    if (!query.ranked.empty()) given.set("order", std::vector{query.ranked});
    given.set("saying", query.saying);
    given.set("restriction", query.restriction);
    given.set_flag("open", query.open);
    given.set("since", query.since);
    given.set("until", query.until);
    return given.take();
  }
  json operator()(const FiguresQuery& query) const {
    json given = (*this)(query.scope);
    given["function"] = {query.function};
    if (!query.of.empty()) given["of"] = query.of;
    if (!query.by.empty()) given["by"] = query.by;
    if (!query.order.empty()) given["order"] = {query.order};
    return given;
  }
  json operator()(const DocumentQuery& query) const {
    GivenArguments given;
    given.set("limit", query.limit);
    given.set_kinds("typeFilter", query.kinds);
    given.require("query", query.text);
    return given.take();
  }
  json operator()(const SectionQuery& query) const {
    GivenArguments given;
    given.set("document", query.document);
    given.set("limit", query.limit);
    given.require("query", query.text);
    return given.take();
  }
  json operator()(const CodeQuery& query) const {
    GivenArguments given;
    given.set("path", query.path);
    given.set("lines", query.lines);
    given.set("limit", query.limit);
    given.require("query", query.text);
    return given.take();
  }
  json operator()(const TelemetryQuery& query) const { return {{"query", text_of(query)}}; }
  json operator()(const ChangesQuery& query) const {
    GivenArguments given;
    given.set("service", query.service);
    given.set("window", query.window);
    given.set("commit", query.commit);
    given.set("flag", query.flag);
    given.set("author", query.author);
    given.set("about", query.about);
    given.set("environment", query.environment);
    given.set_kinds("kinds", query.kinds);
    given.set("limit", query.limit);
    return given.take();
  }
  json operator()(const ModelsCall& call) const { return call.args; }
};

struct ToolNamer {
  std::string operator()(const IncidentLookup&) const { return "lookup_incident_by_id"; }
  std::string operator()(const IncidentQuery& query) const {
    switch (query.by) {
      case IncidentQuery::By::kApplication: return "get_incidents_by_application";
      case IncidentQuery::By::kTime: return "get_recent_incidents";
      case IncidentQuery::By::kLikeness: break;
    }
    return "search_similar_incidents";
  }
  std::string operator()(const FiguresQuery&) const { return "aggregate_incidents"; }
  std::string operator()(const DocumentQuery&) const { return "search_knowledge"; }
  std::string operator()(const SectionQuery&) const { return "doc_search"; }
  std::string operator()(const CodeQuery&) const { return "repo_search"; }
  std::string operator()(const TelemetryQuery&) const { return "metrics_query"; }
  std::string operator()(const ChangesQuery&) const { return "recent_changes"; }
  std::string operator()(const ModelsCall& call) const { return call.tool; }
};

}  // namespace

std::string tool_of(const CallArguments& arguments) { return std::visit(ToolNamer{}, arguments); }

json to_json(const CallArguments& arguments) { return std::visit(ArgumentWriter{}, arguments); }

}  // namespace precedent
