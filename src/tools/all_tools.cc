#include "tools/all_tools.h"

#include "tools/aggregate_incidents.h"
#include "tools/doc_tools.h"
#include "tools/incident_tools.h"
#include "tools/metrics_query.h"
#include "tools/recent_changes.h"
#include "tools/repo_search.h"

namespace precedent {

Toolset knowledge_tools() {
  Toolset tools;
  tools.add(std::make_unique<LookupIncidentById>());
  tools.add(std::make_unique<SearchSimilarIncidents>());
  tools.add(std::make_unique<GetIncidentsByApplication>());
  tools.add(std::make_unique<GetRecentIncidents>());
  tools.add(std::make_unique<AggregateIncidents>());
  tools.add(std::make_unique<SearchKnowledge>());
  tools.add(std::make_unique<DocSearch>());
  tools.add(std::make_unique<RepoSearch>());
  return tools;
}

Toolset tools_for(const LiveSources& live) {
  Toolset tools = knowledge_tools();
  if (live.metrics != nullptr || live.alerts != nullptr)
    tools.add(std::make_unique<MetricsQuery>());
  if (live.changes != nullptr) tools.add(std::make_unique<RecentChanges>());
  return tools;
}

Toolset all_tools() {
  Toolset tools = knowledge_tools();
  tools.add(std::make_unique<MetricsQuery>());
  tools.add(std::make_unique<RecentChanges>());
  return tools;
}

}  // namespace precedent
