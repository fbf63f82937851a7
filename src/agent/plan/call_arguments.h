// What a planned call asks of its tool: one struct a tool, whose empty fields are not given. They
// become JSON where the call leaves the plan (arguments_of in plan.h), and nowhere before.
//
// Which fields a tool reads and what they mean: its parameters in src/tools/.
//
// Thread safety: plain values.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/time.h"
#include "changes/change.h"
#include "knowledge/kind.h"

namespace precedent {

// lookup_incident_by_id
struct IncidentLookup {
  std::string id;
  bool operator==(const IncidentLookup&) const = default;
};

// get_incidents_by_application, get_recent_incidents, search_similar_incidents
struct IncidentQuery {
  enum class By { kApplication, kTime, kLikeness };
  By by = By::kTime;
  std::string application;  // of kApplication, or what a search is restricted to
  std::string text;         // of kLikeness
  std::optional<int> days;
  std::optional<int> limit;
  std::vector<std::string> severities, statuses;
  std::string ranked;               // "longest", "shortest"
  std::vector<std::string> saying;  // words that each must hold
  std::string restriction;          // what restricts a list, in the person's words
  bool open = false;                // only what is not over yet
  std::optional<TimePoint> since, until;
  bool operator==(const IncidentQuery&) const = default;
};

// aggregate_incidents: `of` and `by` as that tool reads them
struct FiguresQuery {
  std::string function;  // "count", "sum", "average", "highest", "lowest"
  std::string of, by, order;
  IncidentQuery scope;
  bool operator==(const FiguresQuery&) const = default;
};

// search_knowledge
struct DocumentQuery {
  std::string text;  // "": all
  int limit = 0;
  std::vector<Kind> kinds = {};
  bool operator==(const DocumentQuery&) const = default;
};

// doc_search
struct SectionQuery {
  std::string text;
  int limit = 0;
  std::string document = {};  // the one in which it searches
  bool operator==(const SectionQuery&) const = default;
};

// repo_search
struct CodeQuery {
  std::string text;
  int limit = 0;
  std::string path = {}, lines = {};
  bool operator==(const CodeQuery&) const = default;
};

// metrics_query: of a metric, or of alerts
struct TelemetryQuery {
  std::string metric;
  std::string alert = {};
  std::string window = {};  // "window=24h", "since=… until=…"
  std::string filter = {};  // "endpoint=/api/search"
  std::string by = {};      // the label by which the series are ranked
  bool operator==(const TelemetryQuery&) const = default;
};

// recent_changes
struct ChangesQuery {
  std::string service, window, commit, flag, author, about, environment;
  std::vector<ChangeKind> kinds;
  std::optional<int> limit;
  bool operator==(const ChangesQuery&) const = default;
};

// Any tool, as a model planned it; checked against the tool's parameters.
struct ModelsCall {
  std::string tool;
  nlohmann::json args;
  bool operator==(const ModelsCall&) const = default;
};

using CallArguments =
    std::variant<IncidentLookup, IncidentQuery, FiguresQuery, DocumentQuery, SectionQuery,
                 CodeQuery, TelemetryQuery, ChangesQuery, ModelsCall>;

// The tool that is asked so.
std::string tool_of(const CallArguments& arguments);
nlohmann::json to_json(const CallArguments& arguments);

}  // namespace precedent
